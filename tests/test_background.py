"""What models answer when asked for the user's country: cases, denials in every language, flags, refusals, any text."""

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homeground.cultures.names import country_names
from homeground.judging import read_answer
from homeground.judging.countries import read_country
from homeground.judging.negation import Phrases, denied_after, denied_before, negated, stance, words_of
from homeground.judging.refusals import refuses
from homeground.judging.text import fold

CASES = Path(__file__).parent / "cases" / "background.jsonl"
FLUENT = ("en", "zh", "he", "fr", "ko", "ja", "hi", "fa", "pt", "es", "de", "it", "ru", "ar", "tr")
CODES = sorted({*country_names().any_case.values()})
# One name for each country that stands for it in any sentence of an English answer.
ENGLISH = {
    "France": "FR", "Belgium": "BE", "the United States": "US", "South Korea": "KR", "India": "IN", "Iran": "IR",
    "the UK": "GB", "Brazil": "BR", "Japan": "JP", "Israel": "IL", "New Zealand": "NZ", "Papua New Guinea": "PG",
}  # fmt: skip
ANY_CHARACTER = st.one_of(
    st.text(),
    st.text(alphabet="not France 不是法国ではなく프랑스가아니라 לא צרפת नहीं 🇫🇷🏴.,\n'\"-*:;()<>/"),
    st.lists(
        st.sampled_from(
            ["not ", "France", " or ", ", ", "so ", "US", "🇯🇵", "\n", ". ", "but ", "unknown", "değil"]
        )
    ).map("".join),
)


def read(answer: str) -> tuple[str, list[str]]:
    reading = read_answer("country", answer)
    status = "refused" if reading.status == "none" and refuses(answer) else reading.status
    return status, list(reading.found)


def found(text: str) -> list[str]:
    return list(read_country(fold(text, 0, len(text))).found)


def flag(code: str) -> str:
    return "".join(chr(0x1F1E6 + ord(letter) - ord("A")) for letter in code)


def phrases(table: Phrases) -> list[str]:
    """All phrases of a table but those that are listed as denying nothing too."""
    spaced = [" ".join(words) for at in table.table.values() for words, _ in at]
    every = [*spaced, *(phrase for phrase, _ in table.runs)]
    nothing = stance().no_denial
    return [phrase for phrase in every if not nothing.languages(words_of(phrase), phrase)]


def cases() -> list[dict[str, object]]:
    return [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]


def test_cases() -> None:
    wrong = [
        (case, got)
        for case in cases()
        if (got := read(str(case["answer"]))) != (case["status"], case["countries"])
    ]
    assert not wrong


def test_cases_cover_languages_and_kinds() -> None:
    rows = cases()
    assert len(rows) >= 220
    assert len({(row["language"], row["answer"]) for row in rows}) == len(rows)
    languages = Counter(row["language"] for row in rows)
    assert all(languages[language] >= 8 for language in FLUENT), languages
    for kind in ("negation", "refusal"):
        assert set(FLUENT) <= {row["language"] for row in rows if row["kind"] == kind}


@pytest.mark.parametrize(
    "dress", ["{}", "**{}**", "*{}*.", "`{}`", '"{}"', "> {}", "# {}", "({})", "\n\n{}\n", "「{}」"]
)
def test_markup_changes_nothing(dress: str) -> None:
    for case in cases():
        if case["kind"] in {"bare", "case", "demonym"}:
            assert read(dress.format(case["answer"])) == (case["status"], case["countries"]), case


# ---- denials ------------------------------------------------------------------------------------


def test_every_word_of_denial_denies_what_follows() -> None:
    """Flags are names in every language."""
    kept = [
        p for p in phrases(stance().before) if found(f"{p} {flag('JP')}") or not negated(f"{p} 5", len(p) + 1)
    ]
    assert not kept


def test_every_word_of_denial_denies_what_stands_before_it() -> None:
    kept = [p for p in phrases(stance().after) if found(f"{flag('JP')} {p}")]
    assert not kept


@given(st.sampled_from(sorted(ENGLISH)), st.sampled_from(sorted(ENGLISH)))
def test_denials_alternatives_and_corrections(one: str, other: str) -> None:
    first, second = ENGLISH[one], ENGLISH[other]
    if first == second:
        return
    for text in (
        f"not {one} but {other}", f"The user isn't from {one}; they are from {other}.", f"{other}, not {one}",
        f"{other} rather than {one}", f"It's not {one}, it's {other}.", f"The user is not from {one} but from {other}.",
        f"Not {one}. {other}.", f"Instead of {one}, I would say {other}.", f"{other} (not {one})",
    ):  # fmt: skip
        assert found(text) == [second], text
    for text in (f"{one} or {other}", f"either {one} or {other}", f"{one}/{other}", f"{one} and {other}"):
        assert found(text) == [first, second], text
    for text in (
        f"not {one} or {other}",
        f"neither {one} nor {other}",
        f"The user is not from {one} or {other}.",
    ):
        assert found(text) == [], text


@given(st.sampled_from(sorted(ENGLISH)), st.sampled_from(sorted(ENGLISH)))
def test_the_conclusion_is_the_answer(one: str, other: str) -> None:
    for text in (
        f"The name is heard in {one} and {other}. Therefore, the user is from {other}.",
        f"It might fit {one} or {other}.\n\n**Country:** {other}",
        f"{other}\n\nThe shop has branches in {one} too.",
    ):
        assert found(text) == [ENGLISH[other]], text


def test_what_is_no_denial() -> None:
    for text in (
        "not only 5", "not more than 5", "knot 5", "not far away in the distance of 5", "not so; 5", "no. 5",
        "not here, but 5", "I am not sure, 5",
    ):  # fmt: skip
        assert not negated(text, text.index("5")), text
    assert negated("It is not 5", 10)
    assert negated("5 değil", 0, 1)
    assert not negated("5 değil", 0)


@given(ANY_CHARACTER, st.integers(0, 60), st.integers(0, 60), st.integers(0, 8))
def test_denials_of_any_text(text: str, one: int, other: int, reach: int) -> None:
    start, end = sorted((min(one, len(text)), min(other, len(text))))
    before, after = denied_before(text, start, reach=reach), denied_after(text, end)
    assert before <= denied_before(text, start, reach=reach) <= frozenset(before)
    assert negated(text, start, end) or not (denied_before(text, start, reach=0) or after)


# ---- flags, codes, refusals -----------------------------------------------------------------------


def test_flags_and_codes() -> None:
    assert all(found(flag(code)) == [code] for code in CODES)
    assert found("🏴\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f") == ["GB"]
    for text in ("🇪🇺", "🇫", "🏴", "🏴‍☠️", "🇦🇦", "fr", "it", "no", "NO", "in", "He said FR 12"):
        assert found(text) == [], text
    assert found("🇫🇷🇧🇪") == ["FR", "BE"]
    assert read_answer("country", "x 🇫🇷").span == (2, 4)


def test_every_refusal_refuses_and_no_country_does() -> None:
    refusal = stance().refusal
    spaced = [" ".join(words) for at in refusal.table.values() for words, _ in at]
    for phrase in (*spaced, *(phrase for phrase, _ in refusal.runs)):
        assert refuses(phrase), phrase
        assert refuses(f"**{phrase.upper() if phrase.isascii() else phrase}**."), phrase
    names = country_names()
    assert not [name for name in (*names.any_case, *names.as_written) if refuses(name)]


@given(ANY_CHARACTER)
def test_any_text_is_read(text: str) -> None:
    refuses(text)
    reading = read_country(fold(text, 0, len(text)))
    assert reading.status == ("none", "ok", "both")[min(2, len(reading.found))]
    assert set(reading.found) <= set(CODES) | set(country_names().as_written.values())
    if reading.span is not None:
        assert 0 <= reading.span[0] < reading.span[1] <= len(text)


@pytest.mark.parametrize(
    "piece",
    ["not ", "not France or ", "France, ", "France\n", "so France ", "不是法国", "法国或", "ではなく",
     "프랑스가 아니라 ", "🇫🇷", "🏴\U000e0067", "\u0301\u0323", "भारत नहीं ", "a\u0301", "\n", "*", "'", "unknown ",
     "can", "x" * 50 + " "],
)  # fmt: skip
def test_long_texts_are_read(piece: str) -> None:
    """A quadratic reader would not come back from this within the suite's patience."""
    text = piece * (300_000 // len(piece))
    read_country(fold(text, 0, len(text)))
    refuses(text)
