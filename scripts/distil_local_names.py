"""Distil names of territories and languages in Portuguese, Persian and English into ``cultures/local_names.json``.

Run from the checkout: ``.venv/bin/python scripts/distil_local_names.py``. Needs babel; nothing goes to the network,
and the same input gives the same bytes. Territories are those of ``territories.json``, whose English names stand there
already, and serve where CLDR has none (Sark); languages are those of their main locales.
"""

from __future__ import annotations

import json
from pathlib import Path

from babel import Locale

from homeground.cultures.facts import facts_of, territory_codes

TARGET = Path(__file__).parents[1] / "src/homeground/cultures/local_names.json"


def table() -> dict[str, dict[str, dict[str, str]]]:
    """``territories`` and ``languages``, each by the language of the names and then by code."""
    locales = [fact.value for code in territory_codes() if (fact := facts_of(code).locale)]
    tags = sorted({tag.partition("_")[0] for tag in locales})
    english = Locale("en")
    others = {"pt": Locale("pt", "PT"), "fa": Locale("fa")}
    return {
        "territories": {
            name: {
                code: str(locale.territories[code])
                for code in territory_codes()
                if code in locale.territories
            }
            for name, locale in others.items()
        },
        "languages": {
            name: {tag: str(locale.languages.get(tag, english.languages[tag])) for tag in tags}
            for name, locale in {"en": english, **others}.items()
        },
    }


def main() -> None:
    """Write the table."""
    text = json.dumps(table(), ensure_ascii=False, indent=1, sort_keys=True)
    TARGET.write_text(text + "\n", encoding="utf-8", newline="\n")
    print(f"{TARGET}: {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
