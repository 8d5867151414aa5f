"""The plan: each distinct prompt once, in prefix order; samples balanced and repeatable."""

import json
import urllib.request
from collections import Counter

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from homeground.benchmarks import Benchmark
from homeground.dialogues import conversation
from homeground.errors import InputError
from homeground.plan import Plan, Selection, Way, conversation_cells, make_plan
from homeground.plan.cells import select
from homeground.plan.forecast import CHARACTERS_PER_TOKEN, Prices, forecast
from homeground.plan.requests import request_key
from homeground.prompts import Prompts, Thinking, closing_question, marker, options_of
from homeground.schema import (
    CONCEPTS,
    CONDITIONS,
    FRAMINGS,
    LEVELS,
    STRATEGIES,
    SUBJECTIVE,
    Cell,
    Framing,
    Grounding,
    Request,
)

MODEL = "embedded:smollm2-135m"
Asked = list[tuple[Cell, Request]]
ENGINES = {MODEL: {"engine": "embedded", "model": "smollm2-135m"}, "openai:x": {"engine": "openai"}}


def _plan(benchmark: Benchmark, selection: Selection, *models: str) -> tuple[list[Cell], Plan]:
    cells = conversation_cells(benchmark, selection, models or (MODEL,))
    return cells, make_plan(benchmark, cells, Way(Prompts("description"), ENGINES))


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
        assert key is not None
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
        assert key is not None
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
    return cells, make_plan(benchmark, cells, Way(prompts, ENGINES))


@pytest.mark.parametrize("folded", [False, True])
def test_chat_turns_alternate_and_say_the_same(benchmark: Benchmark, folded: bool) -> None:
    cells, plan = _chat_plan(benchmark, folded)
    for cell, key in zip(cells, plan.keys, strict=True):
        assert key is not None
        messages = plan.requests[key].messages
        system = [m.text for m in messages if m.role == "system"]
        turns = [m for m in messages if m.role != "system"]
        assert [m.role for m in turns] == ["user", "assistant"] * (len(turns) // 2) + ["user"]
        closing = closing_question(benchmark.scaffolds[cell.item].concept)
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


def _ways(
    benchmark: Benchmark, strategy: str, grounding: Grounding, framing: Framing, **how: object
) -> Asked:
    """The messages and sampling of each cell of a strategy's question task."""
    selection = select(tasks=("question",), strategies=(strategy,), conditions=("implicit",), sample=28)
    cells = conversation_cells(benchmark, selection, (MODEL,))
    thinking: Thinking = how.pop("thinking", None)  # type: ignore[assignment]
    prompts = Prompts(grounding, framing, **how)  # type: ignore[arg-type]
    plan = make_plan(
        benchmark, cells, Way(prompts, ENGINES, thinking={MODEL: thinking}), lambda key: "France"
    )
    return [(cell, plan.requests[key]) for cell, key in zip(cells, plan.keys, strict=True) if key is not None]


GROUNDINGS: tuple[Grounding, ...] = ("image", "description")


@pytest.mark.parametrize("grounding", GROUNDINGS)
@pytest.mark.parametrize("framing", FRAMINGS)
@pytest.mark.parametrize("strategy", [*STRATEGIES, "system:mine"])
def test_every_strategy_shows_the_scene_and_the_conversation_once(
    benchmark: Benchmark, strategy: str, grounding: Grounding, framing: Framing
) -> None:
    asked = _ways(benchmark, strategy, grounding, framing, systems={"mine": "Mind where people are from."})
    assert len(asked) == 28
    for cell, request in asked:
        scene = benchmark.scenes[cell.scene]
        text = "\n".join(message.text for message in request.messages)
        pair = benchmark.cues[cell.item, cell.culture]
        assert all(cue.value in text for cue in pair.cues)
        assert text.count(scene.description) == (grounding == "description")
        images = [message.image for message in request.messages if message.image]
        assert images == ([scene.image_sha256] if grounding == "image" else [])
        told = strategy in ("direct", "cot", "pragmatic", "sequential")
        assert ("Adapt your answer to the cultural background" in text) == told
        options = options_of(scene.concept)
        assert ("[value] [unit]" in text) == (told and not options)
        assert all(option in text for option in options)
        assert (text.count("Mind where people are from.") == 1) == (strategy == "system:mine")
        roles = [message.role for message in request.messages if message.role != "system"]
        assert roles == ["user", "assistant"] * (len(roles) // 2) + ["user"]


def test_sequential_goes_on_from_the_background_answer(benchmark: Benchmark) -> None:
    selection = select(strategies=("sequential",), conditions=("implicit",), sample=9)
    cells = conversation_cells(benchmark, selection, (MODEL,))
    way = Way(Prompts("description"), ENGINES)
    first = make_plan(benchmark, cells, way)
    assert len(first.requests) == first.waiting == 9
    assert {cell.task for cell, key in zip(cells, first.keys, strict=True) if key is None} == {"question"}
    second = make_plan(benchmark, cells, way, lambda key: f"said to {key}")
    assert second.waiting == 0
    assert set(first.requests) < set(second.requests)
    for cell, key in zip(cells, second.keys, strict=True):
        assert key is not None
        messages = second.requests[key].messages
        if cell.task == "question":
            background = request_key(msgspec.structs.replace(second.requests[key], messages=messages[:1]))
            assert messages[1].text == f"said to {background}"
            assert background in first.requests


def test_thinking_is_switched_as_the_strategy_says(benchmark: Benchmark) -> None:
    def thinks(strategy: str, mode: Thinking) -> object:
        ((_, request), *_) = _ways(benchmark, strategy, "image", "transcript", thinking=mode)
        return request.sampling.thinking

    assert [thinks(s, "switch") for s in ("direct", "natural", "cot", "pragmatic")] == [
        False,
        False,
        True,
        True,
    ]
    assert [thinks(s, "none") for s in ("direct", "pragmatic")] == [msgspec.UNSET] * 2
    assert [thinks(s, None) for s in ("direct", "cot", "pragmatic")] == [msgspec.UNSET, True, msgspec.UNSET]
    marked = _ways(benchmark, "pragmatic", "image", "transcript")[0][1].messages[0].text
    apart = _ways(benchmark, "pragmatic", "image", "transcript", thinkers=(MODEL,))[0][1].messages[0].text
    assert marker() in marked
    assert marker() not in apart
    assert "step by step" in apart


def test_above_temperature_0_every_cell_draws_for_itself(benchmark: Benchmark) -> None:
    selection = select(tasks=("question",), conditions=("null", "neutral"), sample=20, draws=3)
    cells = conversation_cells(benchmark, selection, (MODEL,))
    prompts = Prompts("description")
    warm = make_plan(benchmark, cells, Way(prompts, ENGINES, temperature=0.7))
    assert len(cells) == len(warm.requests) == 20 * 2 * 3
    assert {request.sampling.temperature for request in warm.requests.values()} == {0.7}
    cold = make_plan(benchmark, cells, Way(prompts, ENGINES))
    assert len(cold.requests) < len(cells) / 3 + 1
    assert all("draw" not in msgspec.to_builtins(request) for request in cold.requests.values())


def test_a_forecast_counts_what_a_plan_takes(benchmark: Benchmark) -> None:
    cells = conversation_cells(benchmark, select(tasks=("question",)), (MODEL,))
    plan = make_plan(benchmark, cells, Way(Prompts("image"), ENGINES))
    prices = Prices(prompt=1.0, completion=2.0, cached=0.5)
    whole = forecast(plan, cells, frozenset(), prices)
    assert whole.cells == 29_952
    assert whole.requests == len(plan.requests) <= 20_656
    assert whole.saved == whole.cells - whole.requests
    assert whole.images == whole.requests
    assert whole.completion_tokens == 256 * whole.requests
    assert 0 < whole.prompt_tokens_shared < whole.prompt_tokens / 2
    assert whole.cost == pytest.approx((whole.prompt_tokens + 2 * whole.completion_tokens) / 1e6)
    assert whole.cost_shared is not None
    assert whole.cost is not None
    assert whole.cost_shared < whole.cost
    done = frozenset(list(plan.requests)[: whole.requests // 2])
    rest = forecast(plan, cells, done)
    assert (rest.requests, rest.left) == (whole.requests, whole.requests - len(done))
    assert rest.prompt_tokens < whole.prompt_tokens
    assert rest.cost is None


def test_tokens_are_estimated_from_the_embedded_models_vocabulary(
    benchmark: Benchmark, llama_server: str
) -> None:
    _, plan = _plan(benchmark, select(sample=20))
    texts = [request.messages[0].text for request in plan.requests.values()]

    def tokens(text: str) -> int:
        request = urllib.request.Request(  # noqa: S310
            llama_server.removesuffix("/v1") + "/tokenize",
            json.dumps({"content": text}).encode(),
            {"Authorization": "Bearer test-key", "Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request) as reply:  # noqa: S310
            return len(json.load(reply)["tokens"])

    assert sum(map(len, texts)) / sum(map(tokens, texts)) == pytest.approx(CHARACTERS_PER_TOKEN, rel=0.05)


def test_unknown_names_are_refused(benchmark: Benchmark) -> None:
    for kwargs, word in (
        ({"tasks": ("backgroud",)}, "did you mean background"),
        ({"strategies": ("cott",)}, "unknown strategy 'cott'"),
        ({"conditions": ("cue3",)}, "unknown condition 'cue3'"),
        ({"concepts": ("sizes",)}, "did you mean size"),
    ):
        with pytest.raises(InputError, match=word):
            select(**kwargs)  # type: ignore[arg-type]
    with pytest.raises(InputError, match=r"unknown culture 'fr' .did you mean FR"):
        conversation_cells(benchmark, Selection(cultures=("fr",)), (MODEL,))
