"""Words for money: every current currency, the shape a reader relies on, and no ambiguity but that of life."""

import importlib.util
import json
import re
import tomllib
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple

from babel import Locale
from babel.core import get_global
from babel.numbers import get_territory_currencies, list_currencies

ROOT = Path(__file__).parents[1]
WORDS = ROOT / "src/homeground/judging/words"
TEN = ("USD", "CNY", "ILS", "GBP", "EUR", "KRW", "JPY", "INR", "IRR", "BRL")
DISTILLED: dict[str, dict[str, list[str]]] = json.loads((WORDS / "currency_words.json").read_text("utf-8"))
FILE: dict[str, Any] = tomllib.loads((WORDS / "currency_words.toml").read_text("utf-8"))
CURATED: dict[str, dict[str, Any]] = FILE["currency"]
ALIKE = str.maketrans({"’": "'", "״": '"', "ي": "ی", "ى": "ی", "ك": "ک"})
# What two of the ten currencies share: dollars and euros have cents, "a penny" is a cent in America, a grand is a
# thousand of either, Hebrew writes rial and real alike, and the yen's old sign is the yuan's full form.
_SHARED = """
    ¥ 圓 grand penny pennies ריאל ריאלים c cent cents centa centesimi cenți centów centů centy sen sent sentti senttiä
    xu σεντς цент цента центи центов центы центів סנט סנטים سنت سنتات सेंट সেন্ট เซนต์ セント 센트
"""


class Form(NamedTuple):
    currency: str
    kind: str
    unit: str
    language: str
    text: str


def folded(form: str) -> str:
    """A form as answers are compared with it."""
    text = unicodedata.normalize("NFKC", form).casefold().translate(ALIKE)
    kept, base = [], ""
    for character in unicodedata.normalize("NFD", text):
        if not unicodedata.combining(character):
            base = character
        elif base < "\u0400" or "\u0590" <= base < "\u0700" or "\u1e00" <= base < "\u2000":
            continue
        kept.append(character)
    return unicodedata.normalize("NFC", "".join(kept)).translate(ALIKE)


def curated() -> Iterator[Form]:
    for code, row in CURATED.items():
        boxes = [("", row), *row.get("units", {}).items(), *row.get("subunits", {}).items()]
        for unit, box in boxes:
            yield from (Form(code, "symbols", unit, "", text) for text in box.get("symbols", ()))
            for kind in ("alone", "number", "words"):
                for language, forms in box.get(kind, {}).items():
                    yield from (Form(code, kind, unit, language, text) for text in forms)


def distilled() -> Iterator[Form]:
    for code, row in DISTILLED.items():
        for language, forms in row.items():
            kind = "symbols" if language == "any" else "alone"
            yield from (Form(code, kind, "", language, text) for text in forms)


FORMS = [*curated(), *distilled()]


def owners(*currencies: str) -> dict[str, set[str]]:
    """Folded forms and which of some currencies use them."""
    found: dict[str, set[str]] = defaultdict(set)
    for form in FORMS:
        if form.currency in currencies:
            found[folded(form.text)].add(form.currency)
    return found


def test_shape() -> None:
    assert set(FILE) == {"words", "nothing", "names", "currency"}
    for code, row in CURATED.items():
        assert set(row) <= {"symbols", "alone", "number", "subunits", "units"}, code
        for unit in row.get("subunits", {}).values():
            assert set(unit) - {"symbols"} == {"per", "words"}, code
        for unit in row.get("units", {}).values():
            assert {"per"} < set(unit) <= {"per", "alone", "number"}, code
        for unit in (*row.get("subunits", {}).values(), *row.get("units", {}).values()):
            assert isinstance(unit["per"], int)
            assert unit["per"] >= 1
    assert {form.language for form in curated()} <= {"", *_languages()}


def _languages() -> set[str]:
    return {str(identifier).partition("_")[0] for identifier in Locale("en").languages}


def test_forms_are_clean_and_stand_once() -> None:
    for form in FORMS:
        text = form.text
        assert text == text.strip() == unicodedata.normalize("NFC", text), form
        assert text, form
        assert not any(character.isdecimal() for character in text), form
        assert not re.search(r"[\u00ad\u200e\u200f\u061c\u00a0]|\s\s", text), form
    seen = [
        (f.currency, f.kind, f.unit, f.language, folded(f.text)) for f in curated() if f.kind != "symbols"
    ]
    assert len(seen) == len(set(seen))
    for code, row in DISTILLED.items():
        assert all(row.values()), code


def test_no_codes_and_no_word_both_alone_and_beside_a_number() -> None:
    codes = list_currencies()
    kinds: dict[tuple[str, str], set[str]] = defaultdict(set)
    for form in curated():
        assert form.text not in codes, form
        kinds[form.currency, folded(form.text)].add(form.kind)
    for form in distilled():
        assert form.text not in codes, form
    assert not [key for key, found in kinds.items() if len(found) > 1]


def test_names_that_need_a_number_are_left_to_the_curated_file() -> None:
    needed = {(f.currency, f.text.casefold()) for f in curated() if f.kind == "number"}
    assert not [f for f in distilled() if f.kind == "alone" and (f.currency, f.text.casefold()) in needed]


def test_every_current_currency_has_names_and_short_words() -> None:
    day = date(2025, 3, 13)
    known = {
        code
        for territory in get_global("territory_currencies")
        for code in get_territory_currencies(territory, day, day, tender=True)
    }
    assert len(known) > 150
    assert set(DISTILLED) == known
    assert set(CURATED) <= known
    words = {form.currency for form in curated() if form.kind != "symbols"}
    assert words == known
    for code in known:
        assert DISTILLED[code]["en"], code


def test_twenty_languages_have_short_words_for_each_of_the_ten() -> None:
    languages: dict[str, set[str]] = defaultdict(set)
    for form in curated():
        if form.kind in ("alone", "number"):
            languages[form.currency].add(form.language)
    common = set.intersection(*(languages[code] for code in TEN))
    wanted = "en zh he fr ko ja hi fa pt es de it ru ar tr pl nl id uk sv vi th"
    assert set(wanted.split()) <= common


def test_the_ten_share_only_what_people_share() -> None:
    shared = {form for form, who in owners(*TEN).items() if len(who) > 1}
    assert shared == {folded(form) for form in _SHARED.split()}


def test_words_of_many_countries_stand_under_each() -> None:
    who = owners(*CURATED)
    for form, codes in {
        "$": "USD CAD AUD NZD SGD HKD MXN ARS CLP COP TWD", "dollars": "USD CAD AUD NZD SGD HKD TWD",
        "pesos": "MXN ARS CLP COP PHP", "kr": "SEK NOK DKK ISK", "Rs": "INR PKR LKR", "pounds": "GBP EGP LBP",
        "francs": "CHF XOF XAF",
        "rupees": "INR PKR LKR NPR", "dinars": "KWD IQD JOD DZD", "ريال": "IRR SAR QAR OMR YER", "rials": "IRR OMR YER",
        "riyals": "SAR QAR", "元": "CNY TWD HKD", "cents": "USD EUR AUD ZAR", "¥": "CNY JPY", "lira": "TRY LBP",
    }.items():  # fmt: skip
        assert set(codes.split()) <= who[folded(form)], form
    for form, code in {
        "Korean won": "KRW", "Iranian tomans": "IRR", "dólares americanos": "USD", "iene japonês": "JPY",
        "dólares canadenses": "CAD", "印度卢比": "INR", "shekels": "ILS", "sheqalim": "ILS", "שקלים": "ILS",
        "ש״ח": "ILS", "شواقل": "ILS", "रुपये": "INR", "złotych": "PLN", "liraya": "TRY", "рублей": "RUB",
        "تومان": "IRR", "人民币": "CNY", "loonies": "CAD", "reais": "BRL", "R$": "BRL", "quid": "GBP",
    }.items():  # fmt: skip
        assert code in who[folded(form)], form


def test_amounts_with_a_name_of_their_own() -> None:
    toman = CURATED["IRR"]["units"]["toman"]
    assert (toman["per"], CURATED["IRR"]["units"]["rial"]["per"]) == (10, 1)
    assert "تومان" in toman["alone"]["fa"]
    assert {form.unit for form in curated() if folded(form.text) == "pence"} == {"penny"}
    assert CURATED["CNY"]["subunits"]["jiao"]["per"] == 10


def test_codes_that_are_words_are_codes() -> None:
    words = FILE["words"]
    assert words == sorted(set(words))
    assert set(words) <= set(DISTILLED)
    assert {"ALL", "TRY", "TOP", "CUP", "MAD", "COP", "PEN"} <= set(words)
    assert not set(words) & set(TEN)


def test_nothing_of_the_first_table_is_lost() -> None:
    """Symbols and words that answers about the ten have been read by since the first version."""
    who = owners(*TEN)
    for code, forms in {
        "USD": "US$ $ ¢ dollars dollar cents cent bucks", "CNY": "¥ CN¥ RMB yuan renminbi 元 人民币 kuai",
        "JPY": "¥ JP¥ yen 円", "EUR": "€ euros euro cents cent", "GBP": "£ pounds pound pence quid",
        "ILS": '₪ NIS shekels shekel sheqels ש"ח', "KRW": "₩ won 원", "INR": "₹ Rs. Rs rupees rupee",
        "IRR": "tomans toman rials rial تومان ریال", "BRL": "R$ reais real",
    }.items():  # fmt: skip
        for form in forms.split():
            assert code in who[folded(form)], (code, form)
    assert "GBP" in who["pounds sterling"]


def test_distilling_again_gives_the_same_bytes() -> None:
    spec = importlib.util.spec_from_file_location("distil", ROOT / "scripts/distil_currency_words.py")
    assert spec
    assert spec.loader
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    text = script.distil()
    assert text == (WORDS / "currency_words.json").read_text("utf-8")
    assert text == unicodedata.normalize("NFC", text)
    lines = [line for line in text.splitlines() if line.startswith("    ")]
    assert len(lines) == sum(len(row) for row in DISTILLED.values())
