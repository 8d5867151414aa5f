"""The plan: each distinct prompt once, in prefix order; samples balanced and repeatable."""

from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homeground.benchmarks import Benchmark
from homeground.dialogues import conversation
from homeground.errors import InputError
from homeground.plan import Plan, Selection, conversation_cells, make_plan
from homeground.plan.cells import select
from homeground.prompts import Prompts, closing_question, marker
from homeground.schema import CONCEPTS, CONDITIONS, LEVELS, SUBJECTIVE, Cell

MODEL = "embedded:smollm2-135m"
ENGINES = {MODEL: {"engine": "embedded", "model": "smollm2-135m"}, "openai:x": {"engine": "openai"}}


def _plan(benchmark: Benchmark, selection: Selection, *models: str) -> tuple[list[Cell], Plan]:
    cells = conversation_cells(benchmark, selection, models or (MODEL,))
    return cells, make_plan(benchmark, cells, Prompts("description"), ENGINES)


def test_shared_prompts_are_asked_once(benchmark: Benchmark) -> None:
    cells, plan = _plan(benchmark, Selection())
    assert len(cells) == len(benchmark.cues) * len(LEVELS) * 2
    assert len(plan.keys) == len(cells)
    asked = {
        (task, level): len(
            {k for c, k in zip(cells, plan.keys, strict=True) if (c.task, c.condition) == (task, level)}
        )
        for task in ("background", "question")
        for level in LEVELS
    }
    # The question alone: one prompt a concept for the background, one a scene for the question.
    assert asked["background", "null"] == len(CONCEPTS)
    assert asked["question", "null"] == len(benchmark.scenes)
    assert asked["question", "neutral"] == len(benchmark.scaffolds)
    assert sum(n for (task, _), n in asked.items() if task == "question") <= 172 + 516 + 4 * 4992 == 20_656


def test_distinct_prompts_keep_apart_and_equal_ones_meet(benchmark: Benchmark) -> None:
    _, plan = _plan(benchmark, Selection(concepts=("speed",)))
    texts = [request.messages for request in plan.requests.values()]
    assert len(set(texts)) == len(texts)
    assert set(plan.keys) == set(plan.requests)


def test_the_order_is_that_of_sorted_prompts(benchmark: Benchmark) -> None:
    _, plan = _plan(benchmark, Selection(concepts=("speed", "price")))
    texts = [request.messages[0].text for request in plan.requests.values()]
    assert texts == sorted(texts)


def test_models_never_share_a_request(benchmark: Benchmark) -> None:
    cells, plan = _plan(benchmark, Selection(concepts=("price",), conditions=("null",)), MODEL, "openai:x")
    for cell, key in zip(cells, plan.keys, strict=True):
        assert plan.model_of[key] == cell.model


@settings(max_examples=25)
@given(st.integers(1, 120), st.integers(0, 10**6))
def test_samples_are_balanced_and_repeatable(benchmark: Benchmark, size: int, seed: int) -> None:
    selection = Selection(sample=size, seed=seed, conditions=("implicit",), tasks=("question",))
    cells = conversation_cells(benchmark, selection, (MODEL,))
    assert cells == conversation_cells(benchmark, selection, (MODEL,))
    assert len(cells) == size
    pairs = Counter((c.concept, c.culture) for c in cells)
    assert max(pairs.values()) - (min(pairs.values()) if len(pairs) == 68 else 0) <= 1 + size // 68
    concepts = Counter(c.concept for c in cells)
    assert max(concepts.values()) - min(concepts.get(c, 0) for c in CONCEPTS) <= 1
    cultures = Counter(c.culture for c in cells)
    assert max(cultures.values()) - min(cultures.get(c, 0) for c in benchmark.cultures) <= 3


def test_prompts_say_what_the_paper_requires(benchmark: Benchmark) -> None:
    cells, plan = _plan(benchmark, select(strategies=("direct", "pragmatic"), sample=30))
    seen = Prompts("image")
    for cell, key in zip(cells, plan.keys, strict=True):
        (message,) = plan.requests[key].messages
        scene = benchmark.scenes[cell.scene]
        if cell.task == "background":
            assert scene.description not in message.text
            assert "country" in message.text
            continue
        assert "Adapt your answer to the cultural background of the user" in message.text
        assert scene.description in message.text
        assert (marker() in message.text) == (cell.strategy == "pragmatic")
        assert ("[value] [unit]" in message.text) == (cell.concept not in SUBJECTIVE)
        (shown,) = seen.question((), scene, cell.strategy)
        assert shown.image == scene.image_sha256
        assert scene.description not in shown.text
        limit = 2048 if cell.strategy == "pragmatic" else 256
        assert plan.requests[key].sampling.max_tokens == limit


def _chat_plan(benchmark: Benchmark, folded: bool) -> tuple[list[Cell], Plan]:
    selection = select(conditions=CONDITIONS, strategies=("direct", "pragmatic"), sample=60)
    cells = conversation_cells(benchmark, selection, (MODEL,))
    prompts = Prompts("image", "chat", (MODEL,) if folded else ())
    return cells, make_plan(benchmark, cells, prompts, ENGINES)


@pytest.mark.parametrize("folded", [False, True])
def test_chat_turns_alternate_and_say_the_same(benchmark: Benchmark, folded: bool) -> None:
    cells, plan = _chat_plan(benchmark, folded)
    for cell, key in zip(cells, plan.keys, strict=True):
        messages = plan.requests[key].messages
        system = [m.text for m in messages if m.role == "system"]
        turns = [m for m in messages if m.role != "system"]
        assert [m.role for m in turns] == ["user", "assistant"] * (len(turns) // 2) + ["user"]
        closing = closing_question(cell.concept)
        said = conversation(
            benchmark.scaffolds[cell.item],
            benchmark.cultures[cell.culture],
            benchmark.cues[cell.item, cell.culture],
            cell.condition,
            closing,
        )
        text = "\n".join(m.text for m in turns)
        assert all(turn.text in text for turn in said)
        if cell.task == "background":
            assert system == []
            assert turns[-1].text.index(closing) < turns[-1].text.index("which country am I from")
            assert all(m.image is None for m in messages)
            continue
        told = turns[0].text if folded else system[0]
        assert len(system) == (0 if folded else 1)
        assert messages[0].role == ("user" if folded else "system")
        assert "Adapt your answer to the cultural background of the user" in told
        assert (marker() in told) == (cell.strategy == "pragmatic")
        assert turns[-1].text.endswith(closing)
        assert [m.image for m in turns] == [benchmark.scenes[cell.scene].image_sha256] + [None] * (
            len(turns) - 1
        )


def test_framings_have_signatures_of_their_own() -> None:
    transcript, chat = Prompts("image"), Prompts("image", "chat", ("b",))
    assert transcript.signature != chat.signature
    assert transcript.framing_of(("a", "b")) == "transcript"
    assert chat.framing_of(("a",)) == "chat,user-turns-merged,system-role"
    assert chat.framing_of(("b",)) == "chat,user-turns-merged,system-folded"
    assert chat.framing_of(("a", "b")) == "chat,user-turns-merged,system-folded+role"


def test_placebos_are_asked_only_when_named_and_there(benchmark: Benchmark) -> None:
    cells = conversation_cells(benchmark, Selection(sample=5), (MODEL,))
    assert {cell.condition for cell in cells} == set(LEVELS)
    pair = next(iter(benchmark.cues.values()))
    bare = Benchmark(
        benchmark.folder,
        benchmark.about,
        tuple(benchmark.cultures.values()),
        tuple(benchmark.scenes.values()),
        tuple(benchmark.scaffolds.values()),
        (msgspec.structs.replace(pair, placebo=None),),
    )
    with pytest.raises(
        InputError, match=f"placebo_cues: 1 conversations .* {pair.scaffold} for {pair.culture}"
    ):
        conversation_cells(bare, select(conditions=("placebo_cues",)), (MODEL,))


def test_unknown_names_are_refused(benchmark: Benchmark) -> None:
    for kwargs, word in (
        ({"tasks": ("backgroud",)}, "did you mean background"),
        ({"strategies": ("cot",)}, "unknown strategy 'cot'"),
        ({"conditions": ("cue3",)}, "unknown condition 'cue3'"),
        ({"concepts": ("sizes",)}, "did you mean size"),
    ):
        with pytest.raises(InputError, match=word):
            select(**kwargs)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"unknown culture 'fr' .did you mean FR"):
        conversation_cells(benchmark, Selection(cultures=("fr",)), (MODEL,))
