"""``python -m homeground``."""

import sys

from homeground.cli import main

if __name__ == "__main__":
    sys.exit(main())
