"""Depth of reasoning: the cases, any text at all, what a further sentence can change, and words that are no cue."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homeground.dialogues.scaffolds import dialogues
from homeground.judging.depth import Depth, read_depth
from homeground.scenes.catalogue import entries
from homeground.scenes.reading import both_systems
from homeground.schema import CONCEPTS, Concept, Cue, System

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "cases" / "depth.jsonl").read_text(encoding="utf-8").splitlines()
]
SYSTEMS: tuple[System, System] = ("metric", "imperial")
BINDING = "The user is from Brazil."
CAUSE = "The user is from Brazil, so I should answer in °C."
PIECES = st.sampled_from(
    [
        "the user ", "is ", "is not ", "from ", "in ", "Brazil", "a Korean ", "name ", "so ", "because ", "since ",
        "km/h ", "metres ", ", ", ". ", "\n", "; ", "(", ")", '"', "$5 ", "R$ 5,00 ", "U.S. ", "2. ", "A4 ", "99 ",
        "用户来自韩国", "所以", "摄氏", "ユーザー", "なので", "사용자", "המשתמש מצרפת", "کاربر", "उपयोगकर्ता",
        "İ", "ß", "\u0301", "\ud83d", "likely ",
    ]
)  # fmt: skip
MESSY = st.lists(PIECES, max_size=40).map("".join)
ANY_CUE = st.builds(
    lambda kind, value: Cue(kind=kind, value=value, source="test"),
    st.sampled_from(["person_name", "phone", "supermarket"]),
    st.text(max_size=12) | st.sampled_from(["99", "Life", "R$ 5,00", "김민준", "the IPL"]),
)


def read(case: dict[str, object]) -> Depth:
    given_cues = case.get("cues", ())
    assert isinstance(given_cues, list | tuple)
    return read_depth(str(case["reasoning"]), [Cue(source="test", **cue) for cue in given_cues])


def test_cases() -> None:
    assert len(CASES) >= 80
    assert len({case["language"] for case in CASES}) >= 10
    assert {case["level"] for case in CASES} == {0, 1, 2, 3}
    wrong = [(case, found) for case in CASES if (found := read(case)).level != case["level"]]
    assert not wrong


def check(text: str, found: Depth) -> None:
    assert found.why
    if found.level == 0:
        assert found.span is None
    else:
        assert found.span is not None
        start, end = found.span
        assert 0 <= start < end <= len(text)


@given(st.text() | MESSY, st.lists(ANY_CUE, max_size=3))
def test_any_text_is_read(text: str, cues: list[Cue]) -> None:
    found = read_depth(text, cues)
    assert found == read_depth(text, cues)
    check(text, found)


@given(st.text() | MESSY | st.sampled_from([case["reasoning"] for case in CASES]), st.text() | MESSY)
def test_a_further_sentence_never_makes_it_shallower(text: str, more: str) -> None:
    for ended in (f"{text}\n", f"{text} stands there. "):
        assert read_depth(ended + more).level >= read_depth(ended).level


@given(st.text() | MESSY, st.text() | MESSY)
def test_a_cause_anywhere_is_the_deepest(before: str, after: str) -> None:
    assert read_depth(f"{before}\n{CAUSE}\n{after}").level == 3
    assert read_depth(f"{before}\n{BINDING}\n{after}").level >= 2


def test_the_span_is_the_evidence() -> None:
    text = "👩 İ. The dial is round. " + CAUSE + " Done."
    found = read_depth(text)
    assert found.span is not None
    evidence = text[slice(*found.span)]
    assert "Brazil" in evidence
    assert evidence.endswith("°C")
    named = read_depth("İ: they shop at Monoprix.")
    assert named.span is not None
    assert "İ: they shop at Monoprix."[slice(*named.span)] == "Monoprix"


@pytest.mark.parametrize("concept", CONCEPTS)
def test_neutral_dialogues_hold_no_cue(concept: Concept) -> None:
    for dialogue in dialogues(concept):
        text = "\n".join(turn.user or turn.chatbot or "" for turn in dialogue.turns)
        for slot, value in (
            ("{cue1}", dialogue.cue1.neutral), ("{cue2}", dialogue.cue2.neutral), ("{thing}", "the thing"),
            ("{place}", "in the hall"),
        ):  # fmt: skip
            text = text.replace(slot, value)
        assert read_depth(text).level == 0, dialogue.id


def test_scenes_hold_no_cue() -> None:
    """A unit in the picture tells nothing of who asks."""
    for entry in entries():
        for first in SYSTEMS:
            text = f"{entry.description} It is {entry.thing} {entry.place}."
            if "{reading}" in text:
                text = text.replace("{reading}", both_systems(entry.value, entry.unit, first))
            assert read_depth(text).level == 0, entry.id


def test_ordinary_words_count_only_as_the_conversations_own_cues() -> None:
    for kind, value in (
        ("supermarket", "Life"),
        ("ride_app", "99"),
        ("week_start", "Sunday"),
        ("bank", "Chase"),
    ):
        text = f"It was about {value} and the dial."
        assert read_depth(text).level == 0, value
        assert read_depth(text, [Cue(kind=kind, value=value, source="test")]).level == 1, value
    name = Cue(kind="person_name", value="Zhang Wei", source="test")
    assert read_depth("Wei asks about the dial.", [name]).level == 1
    assert (
        read_depth("김민준 님이 물었다.", [Cue(kind="person_name", value="김민준", source="test")]).level == 1
    )


@pytest.mark.parametrize(
    "piece",
    [
        "a", "from Brazil ", "so ", "用户来自", "the user is not from France, ", "“", "$5 ", "1. ", "U.S. ", "R$ ",
        "user? ", "Japanese (", "sq ", "the user is ", "ー", " ", "\n", "Felipe Neto, a Brazilian so unit ", "사용자 ",
    ],
)  # fmt: skip
def test_long_texts_are_read(piece: str) -> None:
    """A quadratic reader would not come back from this within the suite's patience."""
    read_depth(piece * (1_000_000 // len(piece)))
