"""Facts about territories: all of them, each with its source, and in accord with what is known by hand."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from babel import Locale

from homeground.cultures import cultures_of, fact_tables, facts
from homeground.cultures.facts import (
    WORLD_DEFAULT,
    Currency,
    Fact,
    Facts,
    cldr_accepted,
    facts_of,
    territory_codes,
)
from homeground.errors import InputError
from homeground.schema import OBJECTIVE, SUBJECTIVE

ROOT = Path(__file__).parents[1]
DATA = ROOT / "src/homeground/cultures/territories.json"
# The European Union, the eurozone, the United Nations, Outlying Oceania, two pseudo-locales, unknown region.
GROUPINGS = {"EU", "EZ", "UN", "QO", "XA", "XB", "ZZ"}
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
EVERY = pytest.mark.parametrize("code", territory_codes())


def _facts_in(value: object) -> Iterator[Fact[object]]:
    """Every fact in a record, however deep."""
    if isinstance(value, Fact):
        yield value
    if isinstance(value, msgspec.Struct):
        for name in value.__struct_fields__:
            yield from _facts_in(getattr(value, name))
    elif isinstance(value, dict):
        for item in value.values():
            yield from _facts_in(item)
    elif isinstance(value, tuple):
        for item in value:
            yield from _facts_in(item)


def _currencies(code: str) -> dict[str, Currency]:
    found = facts_of(code).currencies
    assert found is not None
    return {currency.code: currency for currency in found.value}


def test_every_territory_of_cldr_is_there() -> None:
    two_letters = {code for code in Locale("en").territories if re.fullmatch("[A-Z]{2}", str(code))}
    assert set(territory_codes()) == two_letters - GROUPINGS
    assert len(territory_codes()) == 257


@EVERY
def test_every_fact_has_a_source(code: str) -> None:
    found = list(_facts_in(facts_of(code)))
    assert len(found) >= 19
    versions = r"(cldr-core|Babel|phonenumbers|fluids) \d|well covered official language"
    for fact in found:
        assert fact.source.startswith(("http://", "https://")) or re.match(versions, fact.source), fact
    curated = [unit.source for unit in facts_of(code).local_units]
    curated += [word.source for currency in _words(code) for word in currency.words]
    assert all(source.startswith("http") for source in curated)


def _words(code: str) -> tuple[Currency, ...]:
    found = facts_of(code).currencies
    return found.value if found else ()


@EVERY
def test_facts_make_sense(code: str) -> None:
    known = facts_of(code)
    assert known.code == code
    assert known.name.value
    assert known.first_day.value in DAYS
    assert set(known.weekend.value) <= set(DAYS)
    assert known.paper.value in ("A4", "US-Letter")
    assert known.measurement_system.value in ("metric", "US", "UK")
    assert known.hours.value.preferred in ("H", "h")
    assert known.hours.value.allowed
    assert known.calendars.value
    assert set(known.units) >= {"temperature/weather", "length/road", "speed/default", "area/floor"}
    for currency in _words(code):
        assert re.fullmatch("[A-Z]{3}", currency.code)
        assert 0 <= currency.decimals <= 4
        assert currency.names
        assert currency.symbol
    if known.languages:
        shares = [language.percent for language in known.languages.value]
        assert shares == sorted(shares, reverse=True)
        assert all(0 <= share <= 100 for share in shares)
    if known.mains:
        assert all(100 <= volts <= 240 for volts in known.mains.value.volts)
        assert set(known.mains.value.hertz) <= {50, 60}
    if known.formats:
        formats = known.formats.value
        assert formats.decimal != formats.group
        assert "¤" in formats.currency_format
        assert len(formats.local_currencies) == len(_words(code))
    if known.day_periods:
        clock = re.compile(r"[012]\d:00")
        assert all(clock.fullmatch(p.start) and clock.fullmatch(p.before) for p in known.day_periods.value)


@EVERY
def test_what_counts_as_right_starts_with_what_cldr_prefers(code: str) -> None:
    accepted = cldr_accepted(code)
    assert not set(accepted) & set(SUBJECTIVE)
    assert set(accepted) >= set(OBJECTIVE[:4])
    for concept in OBJECTIVE[:4]:
        assert len(accepted[concept]) == len(set(accepted[concept])) >= 1
        assert facts_of(code).accepted[concept][0].source.startswith("cldr-core")
    if "price" in accepted:
        assert accepted["price"] == tuple(currency.code for currency in _words(code))
    else:
        assert code in ("AQ", "CP", "CQ")


def test_the_published_table_agrees_where_it_has_a_row() -> None:
    for culture in cultures_of("capri"):
        wide = cldr_accepted(culture.code)
        for concept, systems in culture.accepted.items():
            assert wide[concept][0] == systems[0], (culture.code, concept)
            assert set(systems) <= set(wide[concept])
    assert cldr_accepted("GB")["distance"] == cldr_accepted("GB")["size"] == ("imperial", "metric")


def test_known_by_hand() -> None:
    us, fr, ir, gb = facts_of("US"), facts_of("FR"), facts_of("IR"), facts_of("GB")
    assert us.units["temperature/weather"].value == ("fahrenheit",)
    assert (us.paper.value, us.first_day.value, us.weekend.value) == ("US-Letter", "sun", ("sat", "sun"))
    assert us.formats is not None
    assert us.formats.value.date_order == "MDY"
    assert us.oven is not None
    assert us.oven.value == ("fahrenheit",)
    assert (fr.paper.value, fr.first_day.value) == ("A4", "mon")
    assert fr.paper.source.endswith(WORLD_DEFAULT)
    assert not fr.first_day.source.endswith(WORLD_DEFAULT)
    assert fr.formats is not None
    assert (fr.formats.value.decimal, fr.formats.value.date_order) == (",", "DMY")
    assert (ir.first_day.value, ir.weekend.value) == ("sat", ("fri", "fri"))
    assert ir.calendars.value[0] == "persian"
    assert ir.day_periods is not None
    assert not any(period.name.startswith("evening") for period in ir.day_periods.value)
    assert gb.units["length/road"].value == ("mile", "yard")
    assert gb.units["length/person-height"].value == ("foot-and-inch", "inch")
    assert gb.calling_code is not None
    assert gb.calling_code.value == 44
    assert facts_of("IL").weekend.value == ("fri", "sat")
    assert set(cldr_accepted("PA")["price"]) == {"PAB", "USD"}
    assert cldr_accepted("HR")["price"] == cldr_accepted("BG")["price"] == ("EUR",)


@pytest.mark.parametrize(
    ("code", "volts", "hertz"),
    [("JP", (100,), (50, 60)), ("BR", (127, 220), (60,)), ("US", (120,), (60,)), ("FR", (230,), (50,))],
)
def test_mains(code: str, volts: tuple[int, ...], hertz: tuple[int, ...]) -> None:
    mains = facts_of(code).mains
    assert mains is not None
    assert (mains.value.volts, mains.value.hertz) == (volts, hertz)


def test_driving_sides() -> None:
    sides = {code: facts_of(code).driving_side for code in territory_codes()}
    left = {code for code, side in sides.items() if side and side.value == "left"}
    assert left >= {"GB", "IE", "JP", "IN", "AU", "TH", "ZA", "HK", "VI", "TL", "WS"}
    assert not left & {"US", "FR", "CN", "KR", "IL", "IR", "BR", "GI", "IO", "MM", "SO", "PH", "NG", "RW"}
    assert 70 <= len(left) <= 80
    assert sides["AQ"] is None


def test_words_of_money() -> None:
    words = {(w.kind, form): w.units for c in _currencies("IR").values() for w in c.words for form in w.forms}
    assert words["superunit", "toman"] == 10
    kinds = {code: {w.kind for c in _words(code) for w in c.words} for code in ("US", "GB", "CN", "BR")}
    assert all({"subunit", "nickname"} <= found for found in kinds.values())
    for code, sign in (("TR", "₺"), ("NG", "₦"), ("IR", "﷼")):
        assert sign in {form for c in _words(code) for w in c.words for form in w.forms}
    assert _currencies("KR")["KRW"].decimals == 0


def test_local_units() -> None:
    by_code = {code: {unit.name for unit in facts_of(code).local_units} for code in territory_codes()}
    assert by_code["KR"] == {"pyeong"}
    assert by_code["JP"] == {"jō", "tsubo"}
    assert "mu" in by_code["CN"]
    assert "dunam" in by_code["IL"]
    assert by_code["FR"] == set()


def test_curated_rows_name_only_territories_and_currencies_that_exist() -> None:
    rows = fact_tables.curated()
    codes, currencies = set(territory_codes()), set(fact_tables.distilled().currencies)
    lists = [
        *rows.driving.left,
        *rows.driving.right,
        *rows.accepted,
        *rows.local_units,
        *rows.oven,
        *rows.mains,
    ]
    for row in lists:
        assert set(row.territories) <= codes, row
        assert row.source
    assert set(rows.driving.unknown) <= codes
    assert {word.currency for word in rows.money} <= currencies


def test_an_unknown_territory_is_named_with_the_closest() -> None:
    with pytest.raises(InputError, match=r"unknown territory 'UK'.*known: .*GB"):
        facts_of("UK")
    with pytest.raises(InputError, match=r"unknown territory 'fr' .did you mean FR"):
        cldr_accepted("fr")


def test_loading_twice_gives_the_same() -> None:
    before: list[Facts] = [facts_of(code) for code in territory_codes()]
    for cached in (facts.facts_of, facts.territory_codes, fact_tables.distilled, fact_tables.curated):
        cached.cache_clear()
    assert [facts_of(code) for code in territory_codes()] == before


def test_the_data_file_is_sorted_with_one_territory_a_line() -> None:
    text = DATA.read_text(encoding="utf-8")
    table = json.loads(text)
    for part in ("currencies", "day_periods", "sources", "territories"):
        assert list(table[part]) == sorted(table[part])
    lines = re.findall(r'^"([A-Z]{2})":', text, flags=re.MULTILINE)
    assert tuple(lines) == territory_codes()
    assert len(text.encode()) < 300_000


def test_distilling_again_gives_the_same_bytes(tmp_path: Path) -> None:
    folder = os.environ.get("CLDR_CORE")
    if not folder or not Path(folder, "supplemental").is_dir():
        pytest.skip("set CLDR_CORE to an unpacked npm package cldr-core 48.2.0 to run the distilling script")
    pytest.importorskip("fluids", reason="the distilling script needs the package fluids")
    out = tmp_path / "territories.json"
    script = ROOT / "scripts/distil_territories.py"
    subprocess.run([sys.executable, str(script), folder, "--out", str(out)], check=True, capture_output=True)
    assert out.read_bytes() == DATA.read_bytes()
