"""The command line: one thin file a verb, imported only when the verb is called."""

from homeground.cli.main import main

__all__ = ["main"]
