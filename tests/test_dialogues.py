"""Dialogues: the six levels hold for every conversation of the benchmark."""

from collections import Counter
from itertools import combinations, pairwise

import pytest

from homeground.benchmarks import Benchmark
from homeground.cultures.library import kinds
from homeground.cultures.names import mentions
from homeground.dialogues import conversation
from homeground.dialogues.levels import SLOTS, filler, slot_turn
from homeground.dialogues.rules import likeness, neutral_problems, rules, shingles
from homeground.dialogues.scaffolds import Dialogue, dialogues, problems
from homeground.dialogues.writer_checks import fitting, slots_problems, turns_problems
from homeground.prompts import closing_question, options_of
from homeground.schema import CONCEPTS, DIALOGUE_KINDS, LEVELS, OBJECTIVE, CuePair, Scaffold, Turn


def test_each_concept_and_kind_has_eight_dialogues_in_turn(benchmark: Benchmark) -> None:
    for concept in CONCEPTS:
        for kind in DIALOGUE_KINDS:
            written = [d.id for d in dialogues(concept) if d.kind == kind]
            assert len(written) == len(set(written)) >= 8
            used = Counter(
                s.template for s in benchmark.scaffolds.values() if (s.concept, s.kind) == (concept, kind)
            )
            assert set(used) == set(written)
            assert max(used.values()) - min(used.values()) <= 1


def _shingles(dialogue: Dialogue) -> frozenset[tuple[str, ...]]:
    return shingles(" ".join(t.user or t.chatbot or "" for t in dialogue.turns))


def test_no_two_dialogues_are_alike() -> None:
    shingles = {d.id: _shingles(d) for concept in CONCEPTS for d in dialogues(concept)}
    for (one, left), (two, right) in combinations(shingles.items(), 2):
        assert likeness(left, right) <= rules().alike.hand_written, (one, two, left & right)
    openings = [d.turns[0].user for concept in CONCEPTS for d in dialogues(concept)]
    assert len({" ".join((text or "").split()[:4]) for text in openings}) >= 0.95 * len(openings)


def test_kinds_of_cue_are_spread(benchmark: Benchmark) -> None:
    for concept in CONCEPTS:
        used = Counter(slot.kind for d in dialogues(concept) for slot in (d.cue1, d.cue2))
        assert len(used) >= 18, (concept, used)
        assert max(used.values()) <= 6, (concept, used)
    assert set(kinds()) == {slot.kind for s in benchmark.scaffolds.values() for slot in s.slots}


def test_every_scaffold_keeps_the_rules(benchmark: Benchmark) -> None:
    for scaffold in benchmark.scaffolds.values():
        assert problems(list(scaffold.turns)) == [], scaffold.id
        options = options_of(scaffold.concept)
        thing = benchmark.scenes[scaffold.scene].thing
        assert turns_problems(scaffold.turns, thing, options) == [], scaffold.id
        offered = fitting(kinds(), scaffold.concept)
        assert slots_problems(scaffold.slots, offered, scaffold.concept, options) == []
        assert scaffold.source == "hand-written"


def _slots_apart(scaffold: Scaffold, turns: tuple[Turn, ...], fills: tuple[str, str]) -> list[str]:
    """The turns with each fill cut out at its slot's own place."""
    texts = [turn.text for turn in turns]
    for slot, fill in zip((0, 1), fills, strict=True):
        at = slot_turn(scaffold, slot)
        head, tail = scaffold.turns[at].text.split(SLOTS[slot])
        assert texts[at] == head + fill + tail
        texts[at] = head + tail
    return texts


def test_all_levels_of_all_conversations(benchmark: Benchmark) -> None:
    for (name, code), pair in benchmark.cues.items():
        scaffold, culture = benchmark.scaffolds[name], benchmark.cultures[code]
        question = closing_question(scaffold.concept)
        levels = {level: conversation(scaffold, culture, pair, level, question) for level in LEVELS}
        assert all(turns[-1] == Turn(speaker="user", text=question) for turns in levels.values())
        assert len(levels["null"]) == 1
        cue1, cue2, implicit = (levels[level][:-1] for level in ("cue1", "cue2", "implicit"))
        assert len(cue1) < len(cue2) < len(implicit)
        assert cue2[: len(cue1)] == cue1
        assert implicit[: len(cue2)] == cue2
        assert pair.cues[0].value in cue1[-1].text
        assert pair.cues[1].value in cue2[-1].text
        assert cue1[-1].speaker == cue2[-1].speaker == "user"
        neutral = levels["neutral"][:-1]
        fills = (scaffold.slots[0].neutral, scaffold.slots[1].neutral)
        values = (pair.cues[0].value, pair.cues[1].value)
        assert _slots_apart(scaffold, neutral, fills) == _slots_apart(scaffold, implicit, values)
        explicit = levels["explicit"][:-1]
        assert explicit[0].text == f"{neutral[0].text} I am from {culture.name}."
        assert explicit[1:] == neutral[1:]
        assert all(a.speaker != b.speaker for a, b in pairwise(implicit))


def test_placebos_change_nothing_but_the_slots(benchmark: Benchmark) -> None:
    repeated = 0
    for (name, code), pair in benchmark.cues.items():
        scaffold, culture = benchmark.scaffolds[name], benchmark.cultures[code]
        assert pair.placebo is not None
        assert [cue.kind for cue in pair.placebo] == [cue.kind for cue in pair.cues]
        repeated += sum(one.value == two.value for one, two in zip(pair.cues, pair.placebo, strict=True))
        implicit, cues, fillers = (
            conversation(scaffold, culture, pair, condition, "?")
            for condition in ("implicit", "placebo_cues", "placebo_filler")
        )
        apart = _slots_apart(scaffold, implicit, (pair.cues[0].value, pair.cues[1].value))
        assert apart == _slots_apart(scaffold, cues, (pair.placebo[0].value, pair.placebo[1].value))
        assert apart == _slots_apart(scaffold, fillers, (filler(pair.cues[0]), filler(pair.cues[1])))
    # Some kinds have one value a culture (its size of paper, its way to write 25 °C).
    one_valued = {"paper_size", "temperature", "week_start", "mains_supply"}
    singles = sum(cue.kind in one_valued for pair in benchmark.cues.values() for cue in pair.cues)
    assert repeated <= singles


def test_fillers_are_as_long_as_cues_and_name_no_culture(benchmark: Benchmark) -> None:
    apart = [abs(len(filler(cue)) - len(cue.value)) for pair in benchmark.cues.values() for cue in pair.cues]
    assert sum(apart) / len(apart) <= 2.5
    assert sorted(apart)[int(0.95 * len(apart))] <= 6
    for kind in kinds().values():
        for words in kind.fillers:
            assert not list(mentions(words))
            assert neutral_problems(words) == []


def test_protocol_decides_who_takes_part(benchmark: Benchmark) -> None:
    for scaffold in benchmark.scaffolds.values():
        there = {code for name, code in benchmark.cues if name == scaffold.id}
        left_out = {"GB"} if scaffold.concept in ("distance", "size") else set()
        assert there == set(benchmark.cultures) - left_out
    assert set(OBJECTIVE) < set(CONCEPTS)


def test_siblings_share_a_listed_value_only_where_they_must(benchmark: Benchmark) -> None:
    """Two cultures with the same cue and different right answers would be one prompt with two truths."""
    for scaffold in benchmark.scaffolds.values():
        for slot in (0, 1):
            cues = [p.cues[slot] for (name, _), p in benchmark.cues.items() if name == scaffold.id]
            if kinds()[cues[0].kind].form == "listed":
                assert len({cue.value for cue in cues}) == len(cues), (scaffold.id, cues)


def test_a_fill_that_looks_like_a_slot_stays_text(benchmark: Benchmark) -> None:
    name, code = next(iter(benchmark.cues))
    pair = benchmark.cues[name, code]
    odd = CuePair(
        scaffold=name,
        culture=code,
        cues=(type(pair.cues[0])(kind="bank", value="{cue2}", source="x"), pair.cues[1]),
    )
    turns = conversation(benchmark.scaffolds[name], benchmark.cultures[code], odd, "implicit", "?")
    assert sum("{cue2}" in turn.text for turn in turns) == 1


USER, BOT = "user", "chatbot"


@pytest.mark.parametrize(
    ("turns", "word"),
    [
        ([(USER, "{cue1}"), (BOT, "a"), (USER, "b"), (BOT, "c")], "{cue2} stands 0 times"),
        (
            [(USER, "{cue1} {cue1}"), (BOT, "a"), (USER, "{cue2}"), (BOT, "c"), (USER, "d"), (BOT, "e")],
            "stands 2",
        ),
        (
            [(USER, "{cue2}"), (BOT, "a"), (USER, "{cue1}"), (BOT, "c"), (USER, "d"), (BOT, "e")],
            "earlier turn",
        ),
        ([(USER, "{cue1}"), (BOT, "{cue2}"), (USER, "d"), (BOT, "e")], "belong to the user"),
        ([(USER, "{cue1}"), (BOT, "a"), (USER, "{cue2}"), (BOT, "e")], "exchange"),
        ([(USER, "{cue1}"), (USER, "{cue2}"), (BOT, "a"), (USER, "b"), (BOT, "c")], "alternate"),
    ],
)
def test_broken_scaffolds_are_told(turns: list[tuple[str, str]], word: str) -> None:
    found = problems([Turn(speaker=s, text=t) for s, t in turns])  # type: ignore[arg-type]
    assert any(word in problem for problem in found), found
