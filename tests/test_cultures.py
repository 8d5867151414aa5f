"""Cultures: the published table exactly, and cues that are valid, sourced and tell no country outright."""

import random
import re
from datetime import datetime

import phonenumbers
import pytest
from hypothesis import given
from hypothesis import strategies as st

from homeground.cultures import cue_kinds, cultures_of, draw_cue, load_file
from homeground.cultures.library import UNVERIFIED, codes
from homeground.errors import InputError
from homeground.schema import OBJECTIVE

TEN: tuple[str, ...] = ("US", "CN", "IL", "GB", "FR", "KR", "JP", "IN", "IR", "BR")
CURRENCIES = dict(
    zip(TEN, ["USD", "CNY", "ILS", "GBP", "EUR", "KRW", "JPY", "INR", "IRR", "BRL"], strict=True)
)
NAMED = {
    "US": ("united states", "america", "u.s."),
    "CN": ("china", "chinese", "beijing"),
    "IL": ("israel", "jerusalem", "tel aviv"),
    "GB": ("united kingdom", "britain", "british", "england", "english", "london"),
    "FR": ("france", "french", "français", "paris"),
    "KR": ("korea", "seoul", "hankook"),
    "JP": ("japan", "nippon", "tokyo"),
    "IN": ("india", "bharat", "delhi"),
    "IR": ("iran", "persia", "tehran"),
    "BR": ("brazil", "brasil"),
}


def test_the_published_table_holds() -> None:
    cultures = {c.code: c.accepted for c in cultures_of("capri")}
    assert tuple(cultures) == TEN
    for code, accepted in cultures.items():
        assert accepted["price"] == (CURRENCIES[code],)
        system = "imperial" if code == "US" else "metric"
        for concept in ("temperature", "distance", "speed", "size"):
            if code == "GB" and concept in ("distance", "size"):
                assert concept not in accepted
            elif code == "GB" and concept == "speed":
                assert accepted[concept] == ("imperial",)
            else:
                assert accepted[concept][0] == system
    assert set(cultures["FR"]) == set(OBJECTIVE)


@pytest.mark.parametrize("code", TEN)
def test_each_culture_offers_at_least_eight_kinds_with_sources(code: str) -> None:
    assert code in codes()
    data = load_file(code)
    usable = [
        kind
        for kind in cue_kinds(code)
        if kind in data.rules or any(cue.source != UNVERIFIED for cue in data.cues[kind])
    ]
    assert len(usable) >= 8
    assert all(cue.source for cues in data.cues.values() for cue in cues)
    assert all(rule.source for rule in data.rules.values())


@pytest.mark.parametrize("code", TEN)
def test_no_cue_states_the_country(code: str) -> None:
    for kind, cues in load_file(code).cues.items():
        for cue in cues:
            said = cue.value.casefold()
            assert not any(name in said for name in NAMED[code]), (kind, cue.value)
            assert not re.search(r"\.(us|cn|il|uk|fr|kr|jp|in|ir|br)\b", said), cue.value
            assert cue.value == cue.value.strip()
            assert "{" not in cue.value


@given(st.sampled_from(TEN), st.integers())
def test_the_same_seed_draws_the_same_sourced_cue(code: str, seed: int) -> None:
    for kind in cue_kinds(code):
        one = draw_cue(code, kind, random.Random(seed))
        assert one == draw_cue(code, kind, random.Random(seed))
        assert one.value
        assert one.source not in ("", UNVERIFIED)


@given(st.integers())
def test_phones_are_nobodys(seed: int) -> None:
    for code in TEN:
        value = draw_cue(code, "phone", random.Random(seed)).value
        if not load_file(code).rules["phone"].reserved:
            assert "X" in value, "a number outside a range for fiction must not be diallable"
            # Its shape is right all the same: there are digits with which it would be valid.
            filled = (value.replace("X", digit) for digit in "0123456789")
            assert any(phonenumbers.is_valid_number(phonenumbers.parse(v, code)) for v in filled), value
            continue
        number = phonenumbers.parse(value, code)
        assert phonenumbers.is_possible_number(number)
        # Reserved ranges that the library knows as valid; the two others it calls invalid, rightly so.
        assert phonenumbers.is_valid_number(number) or value.startswith(("07700 900", "06 39 98"))


@given(st.integers())
def test_dates_can_be_told_apart_and_parsed(seed: int) -> None:
    for code in TEN:
        value = draw_cue(code, "date", random.Random(seed)).value
        if code == "IR":
            year, month, day = map(int, value.split("/"))
            assert 1402 <= year <= 1404
            assert 1 <= month <= 12
            assert 13 <= day <= 29
            continue
        formats = {"US": ["%m/%d/%Y"], "CN": ["%Y-%m-%d"], "JP": ["%Y/%m/%d"], "KR": ["%Y. %m. %d."],
                   "IL": ["%d.%m.%Y"], "IN": ["%d/%m/%Y", "%d-%m-%Y"]}  # fmt: skip
        parsed = []
        for pattern in formats.get(code, ["%d/%m/%Y"]):
            try:
                parsed.append(datetime.strptime(value, pattern))
            except ValueError:
                continue
        assert len(parsed) == 1
        assert parsed[0].day > 12


def test_an_unknown_culture_is_named_with_the_closest() -> None:
    with pytest.raises(InputError, match=r"unknown culture 'FX'.*known: .*FR"):
        cultures_of("capri", ("FX",))
    with pytest.raises(InputError, match=r"unknown protocol 'carpi' .did you mean capri"):
        cultures_of("carpi")
    with pytest.raises(InputError, match=r"/FR\.toml:5: .* no cue of kind 'hat'"):
        draw_cue("FR", "hat", random.Random(0))
