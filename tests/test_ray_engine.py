"""Ray: two actors on this machine give what one engine gives, under the same keys."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from homeground.engines import Engine, open_engine
from homeground.engines.protocol import EngineOptions, Refusal
from homeground.errors import EnvironmentProblem
from homeground.plan import Selection
from homeground.runs.prepare import RunOptions
from homeground.runs.run import run_benchmark
from homeground.schema import Answer, Message, Request
from tests.conftest import MODEL, results
from tests.servers import Recorder, completion
from tests.test_embedded import REQUESTS, SMALL

EMBEDDED = f"embedded:{MODEL}"
ACTORS = EngineOptions(actors=2)


@pytest.fixture(scope="module")
def engine(weights: Path) -> Iterator[Engine]:
    assert weights.is_file()
    opened = open_engine(f"ray:{EMBEDDED}", ACTORS)
    opened.ready(lambda line: None)
    yield opened
    opened.close()


@pytest.mark.model
def test_actors_change_no_answer_and_no_key(engine: Engine) -> None:
    alone = open_engine(EMBEDDED, EngineOptions(processes=1))
    assert engine.identity == alone.identity
    wanted = dict(list(REQUESTS.items())[:20])
    wanted["long"] = Request(engine={}, messages=(Message(role="user", text="word " * 6000),), sampling=SMALL)
    spread, single = results(engine, wanted.items()), results(alone, wanted.items())
    alone.close()
    assert isinstance(spread.pop("long"), Refusal) and isinstance(single.pop("long"), Refusal)
    assert _timeless(spread) == _timeless(single)


def _timeless(found: dict[str, Answer | Refusal]) -> dict[str, Answer]:
    return {key: replace(answer, seconds=0.0) for key, answer in found.items() if isinstance(answer, Answer)}


@pytest.mark.model
def test_a_run_over_actors_and_a_run_without_share_their_answers(
    engine: Engine, benchmark_folder: Path, tmp_path: Path
) -> None:
    del engine  # Ray runs already, and starting it again would take seconds
    how: RunOptions = {
        "selection": Selection(sample=2, conditions=("null", "implicit")),
        "max_tokens": 2,
        "actors": 2,
        "answers": tmp_path / "answers.sqlite",
    }
    first = run_benchmark(benchmark_folder, tmp_path / "a", [f"ray:{EMBEDDED}"], **how)
    assert first.asked == first.requests > 0
    second = run_benchmark(benchmark_folder, tmp_path / "b", [EMBEDDED], **how)
    assert (second.asked, second.answered) == (0, first.requests)


@pytest.mark.model
def test_pictures_reach_the_actors_and_a_fault_of_theirs_is_one_line(engine: Engine) -> None:
    del engine
    picture = Request(
        engine={}, messages=(Message(role="user", text="What is it?", image="ab"),), sampling=SMALL
    )

    def reply(body: dict[str, object]) -> tuple[int, bytes]:
        seen = "iVBORw==" in str(body)
        return (200, completion("a picture")) if seen else (401, b'{"error": {"message": "no"}}')

    with Recorder(reply) as server:
        remote = open_engine("ray:openai:m", EngineOptions(server.url, actors=1))
        (group,) = remote.answer([("p", picture)], {"ab": b"\x89PNG"}.__getitem__)
        assert isinstance(group[0][1], Answer)
        with pytest.raises(EnvironmentProblem, match="401") as caught:
            results(remote, [("a", next(iter(REQUESTS.values())))])
        assert "\n" not in str(caught.value)
        remote.close()


def test_without_the_extra_the_command_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(EnvironmentProblem, match=r"pip install 'homeground\[ray\]'"):
        open_engine("ray:openai:m")._cluster()  # type: ignore[attr-defined]
