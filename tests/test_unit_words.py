"""The words for units: no form names two units of a dimension, nothing known is lost, and the source gives the file."""

import json
import os
import re
import subprocess
import sys
import tomllib
import unicodedata
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from babel.numbers import format_decimal
from babel.units import format_unit

ROOT = Path(__file__).parents[1]
WORDS = ROOT / "src/homeground/judging/words"
DISTILLED: dict[str, dict[str, list[str]]] = json.loads(
    (WORDS / "unit_words.json").read_text(encoding="utf-8")
)
CURATED: dict[str, Any] = tomllib.loads((WORDS / "unit_words.toml").read_text(encoding="utf-8"))
UNITS: dict[str, dict[str, Any]] = CURATED["unit"]
QUOTES = str.maketrans("’‘׳′“”״″º˚", "''''\"\"\"\"°°")
LANGUAGES = set(DISTILLED["metre"])
WANTED = {
    "celsius", "fahrenheit", "kelvin", "kilometre", "metre", "centimetre", "millimetre", "mile", "yard",
    "foot", "inch", "nautical_mile", "li", "ri", "ri_korean", "chi", "farsang", "verst",
    "kilometre_per_hour", "metre_per_second", "mile_per_hour", "foot_per_second", "knot", "square_metre",
    "square_centimetre", "square_kilometre", "square_foot", "square_inch", "square_yard", "square_mile",
    "hectare", "are", "acre", "pyeong", "tsubo", "jo", "ping", "mu", "dunam", "bigha", "rai",
}  # fmt: skip
SYSTEMS = {
    "metric", "imperial", "nautical", "scientific", "korean", "japanese", "taiwanese", "chinese", "thai", "ottoman",
    "egyptian", "indian", "nepalese", "iranian", "russian", "vietnamese", "indonesian", "brazilian", "iberian",
    "french",
}  # fmt: skip
BABEL = {"en_GB": "en", "zh": "zh-Hans", "zh_Hant": "zh-Hant", "pt_PT": "pt"} | {
    code: code
    for code in (
        "ar", "bn", "de", "en", "es", "fa", "fr", "he", "hi", "id", "it", "ja", "ko", "nl", "pl", "pt", "ru", "sv",
        "th", "tr", "uk", "vi",
    )
}  # fmt: skip


WRITTEN = {
    "kilometre": "km|kms|klicks|kays|quilômetros|quilómetro|kilómetros|километрах|км|Kilometern"
    '|キロ|킬로|公里|千米|ק"מ|ק״מ|किमी|किलोमीटर|کیلومتر|ک.م|كيلومترا|kilometrelik'
    "|cây số|กม.|chilometri|kilometrów|কিলোমিটাৰ",
    "metre": "m|metros|metri|mètres|Metern|метров|метрах|متراً|أمتار|מטר|מטרים|मीटर|متر"
    "|metrelik|米|公尺|미터|メートル|mét|ม.",
    "centimetre": 'cm|ס"מ|센치|センチ|公分|厘米|سانت|سم|सेमी|см|Zentimetern',
    "mile": "mi|miles|milhas|millas|Meilen|миль|マイル|마일|英里|哩|मील|مایل|ميل|מייל|dặm|ไมล์|mil",
    "foot": "ft|'|feet|pieds|pés|pies|Fuß|футов|フィート|피트|英尺|呎|फुट|فوت|قدم|רגל|ayak|stóp|voet|kaki",
    "inch": 'in|"|inches|pouces|polegadas|pulgadas|Zoll|дюймов|インチ|인치|英寸|吋|इंच|اینچ'
    "|بوصة|אינץ'|tum|นิ้ว",
    "kilometre_per_hour": 'km/h|㎞/h|kmph|kph|kmh|km/hr|km per hour|км/ч|км/год|km/u|קמ״ש|קמ"ש'
    "|km à l'heure|km por hora|Kilometer pro Stunde|километров в час"
    "|किलोमीटर प्रति घंटा|کیلومتر در ساعت|کیلومتر بر ساعت|كيلومتر في الساعة"
    "|קילומטר בשעה|시속{}킬로미터|시속{}km|時速{}キロ|时速{}公里|每小时{}公里"
    "|saatte{}kilometre|ساعتی{}کیلومتر|км/час|km/sa",
    "metre_per_second": "m/s|米/秒|秒速{}メートル|초속{}미터|метров в секунду|متر بر ثانیه"
    "|metros por segundo|מטר לשנייה",
    "mile_per_hour": "mph|miles an hour|时速{}英里|時速{}マイル|시속{}마일|milhas por hora"
    "|миль в час|مایل بر ساعت",
    "square_metre": 'm2|m²|㎡|m^2|sq. m|sq.m.|sqm|qm|mq|mkw|kvm|кв. м|мкв|м2|м²|מ״ר|מ"ר|مترمربع'
    "|متر مربع|م²|平米|平方米|平方公尺|제곱미터|평방미터|헤베|metrekare"
    "|mètres carrés|metros quadrados|Quadratmetern|वर्ग मीटर|m vuông|ตร.ม.|平方",
    "square_foot": "ft2|sq ft|sq. ft.|sqft|pieds carrés|वर्ग फुट|平方英尺|평방피트|кв. футов|فوت مربع",
    "celsius": "°C|℃|º C|° C|Celsius|摂氏{}度|摄氏{}度|攝氏{}度|섭씨{}도|градусов Цельсия"
    "|מעלות צלזיוס|درجه سانتی‌گراد|درجة مئوية|डिग्री सेल्सियस|derece santigrat"
    "|graus Celsius|độ C|องศาเซลเซียส|C|Grad Celsius",
    "fahrenheit": "°F|℉|F|华氏{}度|華氏{}度|화씨{}도|Фаренгейту|פרנהייט|درجه فارنهایت|फ़ारेनहाइट|فهرنهايت",
    "jo": "畳|帖|jō|jo|tatami mats",
    "pyeong": "평|pyeong|坪",
    "tsubo": "坪|tsubo",
    "ping": "坪|ping",
    "dunam": "דונם|dönüm|دونم",
    "mu": "亩|畝",
    "are": "сотка|соток|公亩",
}


def folded(form: str) -> str:
    """A form as it is compared with an answer: without case, compatibility forms, accents and points."""
    text = unicodedata.normalize("NFKC", form.translate(QUOTES)).casefold()
    kept, base = [], ""
    for character in unicodedata.normalize("NFD", text):
        if not unicodedata.combining(character):
            base = character
        elif base < "\u0400" or "\u0590" <= base < "\u0780" or "\u1e00" <= base < "\u2000":
            continue
        digit = unicodedata.decimal(character, None)
        kept.append(character if digit is None else str(digit))
    return re.sub(r"\s+", " ", unicodedata.normalize("NFC", "".join(kept)))


def forms_of(unit: str) -> Iterator[tuple[str, str]]:
    """Language and form, from both files."""
    for language, forms in DISTILLED.get(unit, {}).items():
        yield from ((language, form) for form in forms)
    for language, row in UNITS[unit].get("words", {}).items():
        yield from ((language, form) for forms in row.values() for form in forms)
    for form, names in CURATED["by_language"].items():
        yield from ((language, form) for language, name in names.items() if name == unit)


def every_form() -> Iterator[str]:
    for unit in UNITS:
        yield from (form for _, form in forms_of(unit))
    yield from (form for forms in CURATED["degree"].values() for form in forms)
    for section in ("per_hour", "per_second", "square"):
        yield from (form for row in CURATED[section].values() for forms in row.values() for form in forms)


def test_every_unit_has_its_facts() -> None:
    assert UNITS.keys() >= WANTED
    assert DISTILLED.keys() <= UNITS.keys()
    for name, unit in UNITS.items():
        assert unit.keys() <= {"dimension", "system", "factor", "cldr", "words"}, name
        assert unit["system"] in SYSTEMS, name
        assert unit["dimension"] in {"temperature", "length", "speed", "area"}, name
        assert ("factor" in unit) == (unit["dimension"] != "temperature"), name
        assert (unit.get("cldr") in {"alone", "number"}) == (name in DISTILLED), name
        assert list(forms_of(name)), name
        for row in unit.get("words", {}).values():
            assert row.keys() == {"alone", "number"}, name


def test_no_form_names_two_units_of_a_dimension() -> None:
    """In any language, since the language of an answer is not always known."""
    owners: dict[tuple[str, str], set[str]] = defaultdict(set)
    apart = {folded(form) for form in CURATED["by_language"]}
    for name, unit in UNITS.items():
        for _, form in forms_of(name):
            if folded(form) not in apart:
                owners[unit["dimension"], folded(form)].add(name)
    assert {key: names for key, names in owners.items() if len(names) > 1} == {}


def test_forms_of_one_language_stand_nowhere_else() -> None:
    apart = {folded(form) for form in CURATED["by_language"]}
    assert len(apart) == len(CURATED["by_language"])
    for names in CURATED["by_language"].values():
        assert set(names.values()) <= UNITS.keys()
        assert names.keys() <= LANGUAGES | {"any"}
    for name, unit in UNITS.items():
        listed = [form for forms in DISTILLED.get(name, {}).values() for form in forms]
        listed += [f for row in unit.get("words", {}).values() for forms in row.values() for f in forms]
        assert not [form for form in listed if folded(form) in apart], name


def test_no_number_form_of_a_unit_counts_alone_and_none_is_listed_twice() -> None:
    for name, unit in UNITS.items():
        rows = unit.get("words", {})
        alone = {folded(form) for row in rows.values() for form in row["alone"]}
        assert not alone & {folded(form) for row in rows.values() for form in row["number"]}, name
        for language, row in rows.items():
            forms = [folded(form) for form in (*row["alone"], *row["number"])]
            assert len(forms) == len(set(forms)), (name, language)
        if unit["dimension"] == "length":  # in every system, so that none is favoured
            assert not alone, name


@pytest.mark.parametrize(("unit", "forms"), WRITTEN.items())
def test_what_people_write_is_known(unit: str, forms: str) -> None:
    known = {folded(form) for _, form in forms_of(unit)}
    assert not [form for form in forms.split("|") if folded(form) not in known]


def test_twenty_languages_have_the_common_units() -> None:
    for unit in (
        "metre", "kilometre", "square_metre", "kilometre_per_hour", "celsius", "fahrenheit", "mile", "foot", "inch",
        "mile_per_hour", "square_foot", "hectare", "acre",
    ):  # fmt: skip
        own = {language for language, form in forms_of(unit) if not re.fullmatch(r"[a-z]{1,3}[²2]?", form)}
        assert len(own - {"any"}) >= 20, unit
    for section in ("degree", "per_hour", "per_second", "square"):
        assert len(CURATED[section].keys() - {"any"}) >= 20, section
        assert CURATED[section].keys() <= LANGUAGES | {"any"}, section


def test_languages_are_known() -> None:
    for unit in UNITS.values():
        assert unit.get("words", {}).keys() <= LANGUAGES | {"any"}


def test_forms_are_tidy() -> None:
    for form in every_form():
        assert form == unicodedata.normalize("NFC", form).strip() != "", form
        assert "  " not in form, form
        assert form.count("{}") <= 1, form
        assert form.strip("{}").strip() == form.strip("{}"), form
        # An invisible mark would never meet its like; Persian alone writes the one that keeps letters apart.
        assert not {c for c in form if unicodedata.category(c) == "Cf"} - {"\u200c", "\u200d"}, form


def test_distilled_file_is_in_order() -> None:
    for rows in DISTILLED.values():
        assert list(rows) == sorted(rows)
        for forms in rows.values():
            assert forms == sorted(set(forms))


def test_what_babel_writes_is_known() -> None:
    dropped = {folded(form) for forms in CURATED["dropped"].values() for form in forms}
    missing = []
    for unit in ("celsius", "fahrenheit", *(n for n in DISTILLED if UNITS[n]["dimension"] != "temperature")):
        known = {folded(form).replace("{}", "") for _, form in forms_of(unit)} | dropped
        name = f"{UNITS[unit]['dimension']}-{unit}".replace("_", "-").replace("metre", "meter")
        for locale, language in BABEL.items():
            for number in (1, 2, 5, 25, 1.5):
                text = format_unit(number, name, locale=locale)
                if name in text:  # Babel's way to say that CLDR has nothing
                    continue
                rest = text.replace(format_decimal(number, locale=locale), "")
                rest = re.sub("[\u200e\u200f]", "", rest).strip()
                if folded(rest) not in known and re.sub(r"\s", "", folded(rest)) not in known:
                    missing.append((unit, language, text))
    assert not missing


def test_what_the_english_table_has_is_known() -> None:
    path = WORDS.parent / "units.toml"
    if not path.is_file():
        pytest.skip("the English table has been replaced by these words")
    for unit, row in tomllib.loads(path.read_text(encoding="utf-8"))["unit"].items():
        known = {folded(form) for _, form in forms_of(unit)}
        listed = [*row.get("alone", ()), *row.get("needs_number", ())]
        assert not [form for form in listed if folded(form) not in known], unit
        alone = {folded(form) for words in UNITS[unit]["words"].values() for form in words["alone"]}
        if UNITS[unit].get("cldr") == "alone":
            alone |= {folded(form) for forms in DISTILLED[unit].values() for form in forms}
        assert not [form for form in row.get("alone", ()) if folded(form) not in alone], unit
        assert row["system"] == UNITS[unit]["system"]


def test_factors_agree_with_each_other() -> None:
    factor = {name: unit["factor"] for name, unit in UNITS.items() if "factor" in unit}
    for name in factor:
        if name.startswith("square_") and name.removeprefix("square_") in factor:
            assert factor[name] == pytest.approx(factor[name.removeprefix("square_")] ** 2)
    assert factor["yard"] == pytest.approx(3 * factor["foot"])
    assert factor["foot"] == pytest.approx(12 * factor["inch"])
    assert factor["mile"] == pytest.approx(8 * factor["furlong"])
    assert factor["mile"] == pytest.approx(1760 * factor["yard"])
    assert factor["acre"] == pytest.approx(4840 * factor["square_yard"])
    assert factor["mile_per_hour"] == pytest.approx(factor["mile"] / 1000)
    assert factor["foot_per_second"] == pytest.approx(factor["foot"] * 3.6)
    assert factor["knot"] == pytest.approx(factor["nautical_mile"] / 1000)
    assert factor["tsubo"] == pytest.approx((6 * factor["shaku"]) ** 2)
    assert factor["tsubo"] == factor["pyeong"] == factor["ping"]
    assert factor["tan"] == pytest.approx(300 * factor["tsubo"])
    assert factor["jia"] == pytest.approx((325 * factor["shaku"]) ** 2)
    assert factor["mu"] == pytest.approx(6000 * factor["chi"] ** 2)
    assert factor["li"] == pytest.approx(1500 * factor["chi"])
    assert factor["ri"] == pytest.approx(36 * 60 * 6 * factor["shaku"])
    assert factor["bigha"] == pytest.approx(14400 * factor["square_foot"])
    assert factor["kanal"] == pytest.approx(20 * factor["marla"])
    assert factor["ropani"] == pytest.approx(16 * factor["aana"])
    assert factor["rai"] == pytest.approx(400 * factor["square_wa"])
    assert factor["verst"] == pytest.approx(500 * factor["sazhen"])


def test_distilling_again_gives_the_same_bytes(tmp_path: Path) -> None:
    folder = os.environ.get("CLDR_UNITS")
    if not folder or not Path(folder, "main").is_dir():
        pytest.skip(
            "set CLDR_UNITS to an unpacked npm package cldr-units-full 48.2.0 to run the distilling script"
        )
    out = tmp_path / "unit_words.json"
    script = ROOT / "scripts/distil_unit_words.py"
    subprocess.run([sys.executable, str(script), folder, "--out", str(out)], check=True, capture_output=True)
    assert out.read_bytes() == (WORDS / "unit_words.json").read_bytes()
