"""Distil English country names from CLDR (through Babel) into ``cultures/country_names.json``.

Run from the checkout: ``.venv/bin/python scripts/distil_country_names.py``. The curated names, demonyms and
abbreviations beside them live in ``cultures/country_names.toml`` and are not touched.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

from babel import Locale

TARGET = Path(__file__).parents[1] / "src/homeground/cultures/country_names.json"
# Groupings and outlying codes that are no country a user would be said to be from.
NOT_COUNTRIES = {"EU", "EZ", "UN", "XA", "XB", "QO", "ZZ", "AC", "CP", "DG", "EA", "IC", "TA", "CQ"}


def main() -> None:
    """Write the table, one code a line."""
    territories = Locale("en").territories
    rows = {}
    for code, name in sorted(territories.items()):
        if not re.fullmatch("[A-Z]{2}", code) or code in NOT_COUNTRIES:
            continue
        plain = re.sub(r"\s*\(.*\)| SAR China", "", name).replace("’", "'")
        names = {plain, plain.replace("&", "and"), plain.replace("St.", "Saint")}
        rows[code] = sorted(names)
    lines = ",\n".join(
        f"  {json.dumps(code)}: {json.dumps(names, ensure_ascii=False)}" for code, names in rows.items()
    )
    TARGET.write_text("{\n" + lines + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
