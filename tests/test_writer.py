"""A model as the author of scaffolds: a scripted chat server over real HTTP, and the embedded model."""

import json
import os
import signal
import subprocess
import sys
import threading
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from homeground import scenes
from homeground.benchmarks import load_benchmark
from homeground.benchmarks.check import check_benchmark
from homeground.cli import main
from homeground.cultures.library import kinds
from homeground.dialogues.rules import neutral_problems, quote, rules, wording_problems
from homeground.dialogues.scaffolds import GIVES_AWAY, make_scaffolds
from homeground.dialogues.writer_checks import copies, fitting, phrases, slots_problems, turns_problems
from homeground.dialogues.writer_prompts import _templates, signature
from homeground.dialogues.writer_reply import read_slots, read_turns
from homeground.errors import InputError
from homeground.prompts import options_of
from homeground.schema import CONCEPTS, Concept, Sampling, Scaffold, Slot, Turn, Written
from tests.servers import Recorder, completion

draw_scenes = cache(scenes.draw_scenes)

Reply = str | int
"""Text of an answer, or an HTTP status."""
Script = Callable[[Scaffold, str, int], Reply]
"""What to say to the nth request (from 1) for a scaffold's stage."""


@pytest.fixture(scope="session")
def by_hand() -> dict[Concept, list[Scaffold]]:
    """Hand-written scaffolds, which a scripted server passes off as its own."""
    drawn = draw_scenes(CONCEPTS, 1)
    made = make_scaffolds([(d.scene, d.place) for d in drawn], 1)
    return {concept: [s for s in made if s.concept == concept] for concept in CONCEPTS}


def turns_json(scaffold: Scaffold) -> str:
    return json.dumps({"turns": msgspec.to_builtins(scaffold.turns)})


def slots_json(scaffold: Scaffold) -> str:
    return json.dumps({f"cue{i}": msgspec.to_builtins(s) for i, s in enumerate(scaffold.slots, start=1)})


def right(scaffold: Scaffold, stage: str, nth: int) -> Reply:
    del nth
    return turns_json(scaffold) if stage == "dialogue" else slots_json(scaffold)


class ChatServer(Recorder):
    """An OpenAI-compatible server that knows which scaffold each prompt is about."""

    def __init__(self, scaffolds: list[Scaffold], script: Script) -> None:
        self.seen: list[tuple[str, str, dict[str, Any]]] = []
        self.prompts: Counter[str] = Counter()
        self.answered = threading.Semaphore(0)
        self._scaffolds, self._script, self._lock = scaffolds, script, threading.Lock()
        self._scenes = {d.scene.id: d.scene for d in draw_scenes(CONCEPTS, 1)}
        super().__init__(self._scripted, self.answered.release)

    def _scripted(self, body: dict[str, Any]) -> tuple[int, bytes]:
        reply = self._reply(body)
        if isinstance(reply, int):
            return reply, b'{"error": {"message": "scripted fault"}}'
        return 200, completion(reply)

    def _reply(self, body: dict[str, Any]) -> Reply:
        text = body["messages"][0]["content"]
        stage = "dialogue" if text.startswith("Write a dialogue") else "cues"
        scaffold = next(s for s in self._scaffolds if self._is_about(s, stage, text))
        with self._lock:
            self.prompts[json.dumps(body["messages"])] += 1
            self.seen.append((scaffold.id, stage, body))
            nth = sum((name, at) == (scaffold.id, stage) for name, at, _ in self.seen)
        return self._script(scaffold, stage, nth)

    def _is_about(self, scaffold: Scaffold, stage: str, text: str) -> bool:
        if stage == "cues":
            return all(turn.text in text for turn in scaffold.turns)
        name = {"chitchat": "chit-chat", "information": "information seeking", "support": "customer support"}
        return (
            f"Kind of dialogue: {name[scaffold.kind]}" in text
            and self._scenes[scaffold.scene].description in text
        )


@pytest.fixture(autouse=True)
def one_retry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("homeground.engines.openai._RETRIES", 0)


@pytest.fixture
def few_scenes(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    def only(count: int) -> None:
        monkeypatch.setattr(
            "homeground.benchmarks.build.draw_scenes", lambda *args: draw_scenes(*args)[:count]
        )

    return only


def build(folder: Path, server: ChatServer, *more: str, concept: str = "price") -> int:
    return main(
        ["build", "conversations", "-o", str(folder), "--writer", "openai:m", "--base-url", server.url,
         "--concepts", concept, "--cultures", "FR,US,JP", *more]
    )  # fmt: skip


def test_faults_are_asked_again_with_reasons_and_provenance_is_kept(
    by_hand: dict[Concept, list[Scaffold]],
    few_scenes: Callable[[int], None],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    few_scenes(3)

    def badly_then_well(scaffold: Scaffold, stage: str, nth: int) -> Reply:
        good = right(scaffold, stage, nth)
        assert isinstance(good, str)
        if stage == "dialogue":
            bad = good.replace("{cue1}", "{cue1}, which cost ten euros,")
            return ("I would rather not.", bad, f"<think>{{or so}}</think>\n```json\n{good}\n```\nDone!")[
                nth - 1
            ]
        return (slots_json(scaffold).replace(scaffold.slots[0].neutral, "a French café"), good)[nth - 1]

    with ChatServer(by_hand["price"], badly_then_well) as server:
        assert build(tmp_path / "b", server) == 0
    said = capsys.readouterr()
    assert "openai:m wrote 9 of 9 scaffolds; 0 left out" in said.err
    assert [path.name for path in tmp_path.iterdir()] == ["b"]
    assert check_benchmark(tmp_path / "b").problems == ()

    written = load_benchmark(tmp_path / "b")
    originals = {s.id: s for s in by_hand["price"][:9]}
    assert set(written.scaffolds) == set(originals)
    for scaffold in written.scaffolds.values():
        assert scaffold.turns == originals[scaffold.id].turns
        assert scaffold.slots == originals[scaffold.id].slots
        assert isinstance(scaffold.source, Written)
        assert (scaffold.source.model, scaffold.source.prompts) == ("openai:m", signature())
        assert scaffold.source.tries == (3, 2)
        assert scaffold.source.temperatures == (0.9, 0.7)
        assert len(set(scaffold.source.requests)) == 2
        assert scaffold.template == scaffold.id
    for pair in written.cues.values():
        assert all(cue.source for cue in pair.cues)

    about = tomllib.loads((tmp_path / "b" / "benchmark.toml").read_text())
    assert about["writer"] == {
        "model": "openai:m", "prompts": signature(), "engine": {"engine": "openai", "model": "m"},
        "tries": 4, "asked": 9, "left_out": 0,
    }  # fmt: skip
    assert written.signature.startswith("capri-drawn-written-")
    assert "`openai:m`" in (tmp_path / "b" / "README.md").read_text()

    first = originals[next(iter(originals))].id
    bodies = [(stage, body) for name, stage, body in server.seen if name == first]
    assert [(stage, body["temperature"]) for stage, body in bodies] == [
        ("dialogue", 0), ("dialogue", 0.7), ("dialogue", 0.9), ("cues", 0), ("cues", 0.7),
    ]  # fmt: skip
    prompts = [body["messages"][0]["content"] for _, body in bodies]
    assert "refused" not in prompts[0]
    assert "holds no JSON object" in prompts[1]
    assert "holds no JSON object" in prompts[2]
    assert "a currency: 'euros'" in prompts[2]
    assert "refused" not in prompts[3]
    assert "'French'" in prompts[4]
    assert "- money_amount:" not in prompts[3]  # it would give the answer to a question of price away
    assert "- person_name:" in prompts[3]


def test_what_never_passes_is_left_out_and_said(
    by_hand: dict[Concept, list[Scaffold]],
    few_scenes: Callable[[int], None],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    few_scenes(2)
    doomed = [s.id for s in by_hand["price"][2:6]]  # one of the first scene, all of the second

    def script(scaffold: Scaffold, stage: str, nth: int) -> Reply:
        return "no" if scaffold.id in doomed and stage == "dialogue" else right(scaffold, stage, nth)

    with ChatServer(by_hand["price"], script) as server:
        assert build(tmp_path / "b", server, "--tries", "2", "--json") == 0
    asked = Counter((name, stage) for name, stage, _ in server.seen)
    assert [asked[name, "dialogue"] for name in doomed] == [2] * 4
    said = capsys.readouterr()
    assert json.loads(said.out)["scaffolds"] == 2
    benchmark = load_benchmark(tmp_path / "b")
    assert benchmark.about.writer is not None
    assert (benchmark.about.writer.asked, benchmark.about.writer.left_out) == (6, 4)
    assert len(benchmark.scenes) == len(list((tmp_path / "b" / "images").iterdir())) == 1
    assert check_benchmark(tmp_path / "b").problems == ()
    card = (tmp_path / "b" / "README.md").read_text()
    assert "Of 6 scaffolds asked for, 4 never kept the rules" in card
    for name in doomed:
        assert name in card
        assert f"{name}: left out" in said.err


def test_nothing_passed_is_one_error_and_writes_nothing(
    by_hand: dict[Concept, list[Scaffold]],
    few_scenes: Callable[[int], None],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    few_scenes(1)
    with ChatServer(by_hand["price"], lambda *_: "\x1b[31m" * 9000) as server:
        assert build(tmp_path / "b", server) == 2
        assert len(server.seen) == 3 * 4
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("homeground: --writer openai:m: none of 3 scaffolds kept the rules within 4 tries")
    assert "\x1b" not in last
    assert list(tmp_path.iterdir()) == []


def test_a_dialogue_told_twice_is_told_to_the_model(
    by_hand: dict[Concept, list[Scaffold]], few_scenes: Callable[[int], None], tmp_path: Path
) -> None:
    few_scenes(2)
    first, second = (next(s for s in by_hand["price"] if s.id == f"{name}/chitchat") for name in
                     dict.fromkeys(s.scene for s in by_hand["price"][:6]))  # fmt: skip
    things = {d.scene.id: d.scene.thing for d in draw_scenes(("price",), 1)}

    def script(scaffold: Scaffold, stage: str, nth: int) -> Reply:
        if scaffold.id == second.id and stage == "dialogue" and nth < 3:
            return turns_json(first).replace(things[first.scene], things[second.scene])
        return right(scaffold, stage, nth)

    with ChatServer(by_hand["price"], script) as server:
        assert build(tmp_path / "b", server) == 0
    source = load_benchmark(tmp_path / "b").scaffolds[second.id].source
    assert isinstance(source, Written)
    assert source.tries == (3, 1)
    told = [body for name, stage, body in server.seen if (name, stage) == (second.id, "dialogue")]
    assert "almost another dialogue over again" in told[1]["messages"][0]["content"]


def slowly(scaffold: Scaffold, stage: str, nth: int) -> Reply:
    threading.Event().wait(0.01)
    return "not yet" if nth == 1 and stage == "dialogue" else right(scaffold, stage, nth)


def test_a_killed_build_goes_on_and_ends_as_if_nothing_had_happened(
    by_hand: dict[Concept, list[Scaffold]], tmp_path: Path
) -> None:
    """54 scaffolds from 24 dialogues: what is told twice is left out, whatever the order of the answers."""
    with ChatServer(by_hand["speed"], slowly) as server:
        assert build(tmp_path / "whole", server, concept="speed") == 0
    at_once = server.prompts

    with ChatServer(by_hand["speed"], slowly) as server:
        command = [
            sys.executable, "-m", "homeground", "build", "conversations", "-o", str(tmp_path / "b"), "--writer",
            "openai:m", "--base-url", server.url, "--concepts", "speed", "--cultures", "FR,US,JP",
        ]  # fmt: skip
        child = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        for _ in range(90):
            assert server.answered.acquire(timeout=60)
        os.kill(child.pid, signal.SIGKILL)
        child.wait()
        drafts = tmp_path / "b.drafts.jsonl"
        kept = len(drafts.read_bytes().splitlines())
        assert kept >= 90 - 54  # but for what was in flight: a round of 54 scaffolds at most
        assert not (tmp_path / "b").exists()
        drafts.write_bytes(drafts.read_bytes() + b'{"scene": "torn')
        before = len(server.seen)
        # The script counts requests; the first of each was answered before the kill or is asked again.
        assert build(tmp_path / "b", server, concept="speed") == 0
        assert len(server.seen) - before <= sum(at_once.values()) - kept + 54
    one, two = load_benchmark(tmp_path / "whole"), load_benchmark(tmp_path / "b")
    assert {s.id: (s.turns, s.slots) for s in one.scaffolds.values()} == {
        s.id: (s.turns, s.slots) for s in two.scaffolds.values()
    }
    assert 24 <= len(one.scaffolds) < 54
    assert sorted(p.name for p in tmp_path.iterdir()) == ["b", "whole"]


def test_a_server_that_breaks_down_loses_nothing(
    by_hand: dict[Concept, list[Scaffold]],
    few_scenes: Callable[[int], None],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    few_scenes(4)
    with ChatServer(by_hand["price"], right) as whole:
        assert build(tmp_path / "whole", whole) == 0
    with ChatServer(by_hand["price"], lambda s, at, n: 500 if at == "cues" else right(s, at, n)) as broken:
        assert build(tmp_path / "b", broken) == 2
    assert "HTTP 500" in capsys.readouterr().err
    drafts = (tmp_path / "b.drafts.jsonl").read_text().splitlines()
    assert len(drafts) == 12
    assert {(d["model"], d["prompts"], d["stage"]) for d in map(json.loads, drafts)} == {
        ("openai:m", signature(), "dialogue")
    }
    # The address is part of a request's key, so the same server must come back.
    broken._script = right
    with ChatServer(by_hand["price"], right) as other:
        assert build(tmp_path / "b", other) == 0
        assert len(other.seen) == 24
    assert (
        load_benchmark(tmp_path / "b").scaffolds.keys() == load_benchmark(tmp_path / "whole").scaffolds.keys()
    )


def test_an_edited_draft_is_checked_again_and_a_broken_one_is_named(
    by_hand: dict[Concept, list[Scaffold]],
    few_scenes: Callable[[int], None],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    few_scenes(1)
    fault = [500]
    with ChatServer(
        by_hand["price"], lambda s, at, n: fault[0] if fault and at == "cues" else right(s, at, n)
    ) as server:
        assert build(tmp_path / "b", server) == 2
        path = tmp_path / "b.drafts.jsonl"
        lines = path.read_text().splitlines(keepends=True)
        path.write_text("".join([lines[0].replace("{cue1}", "Paris {cue1} for 5 dollars"), *lines[1:]]))
        fault.clear()
        before = len(server.seen)
        assert build(tmp_path / "b", server) == 0
        stages = Counter(stage for _, stage, _ in server.seen[before:])
        assert stages == {"dialogue": 1, "cues": 3}
        path.write_text('{"scene": 3}\n')
        capsys.readouterr()
        assert build(tmp_path / "c", server) == 0
        (tmp_path / "d.drafts.jsonl").write_text('{"scene": 3}\n')
        capsys.readouterr()
        assert build(tmp_path / "d", server) == 2
    assert "d.drafts.jsonl:1: field scene: Expected str" in capsys.readouterr().err


def test_prompts_that_are_all_refused_are_an_error_of_the_server(
    by_hand: dict[Concept, list[Scaffold]],
    few_scenes: Callable[[int], None],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    few_scenes(1)
    with ChatServer(by_hand["price"], lambda *_: 400) as server:
        assert build(tmp_path / "b", server) == 2
        assert len(server.seen) == 3
    assert "all 3 prompts were refused" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        (["--base-url", "http://127.0.0.1:9/v1"], "--base-url: only together with --writer"),
        (["--tries", "3"], "--tries: only together with --writer"),
        (["--writer", "nobody"], "unknown model 'nobody'"),
        (["--writer", "openai:m", "--concepts", "tempreature"], "did you mean temperature"),
    ],
)
def test_bad_arguments_ask_nobody(
    arguments: list[str], word: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["build", "conversations", "-o", str(tmp_path / "b"), *arguments]) == 2
    assert word in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_folder_in_use_is_refused_before_anybody_is_asked(
    by_hand: dict[Concept, list[Scaffold]], tmp_path: Path
) -> None:
    (tmp_path / "note").write_text("mine")
    with ChatServer(by_hand["price"], right) as server:
        assert build(tmp_path, server) == 2
        assert server.seen == []


@pytest.mark.model
def test_a_model_too_small_ends_in_one_clear_error(
    weights: Path,
    few_scenes: Callable[[int], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    del weights
    few_scenes(1)
    # It rambles up to any limit, and takes its time.
    monkeypatch.setattr("homeground.dialogues.writer.DIALOGUE_KINDS", ("support",))
    monkeypatch.setattr("homeground.dialogues.writer.sampling", lambda _: Sampling(max_tokens=200))
    code = main(
        ["build", "conversations", "-o", str(tmp_path / "b"), "--writer", "embedded:smollm2-135m", "--concepts",
         "price", "--tries", "1"]
    )  # fmt: skip
    assert code == 2
    assert (
        "--writer embedded:smollm2-135m: none of 1 scaffolds kept the rules within 1 try;"
        in capsys.readouterr().err
    )
    assert list(tmp_path.iterdir()) == []


# ---- the rules, by property ---------------------------------------------------------------------

HAND: list[Scaffold] = make_scaffolds(
    [(d.scene, d.place) for d in draw_scenes(("price", "quantifier"), 1)], 1
)
THINGS = {d.scene.id: d.scene.thing for d in draw_scenes(("price", "quantifier"), 1)}
scaffolds = st.sampled_from(HAND)


def found(scaffold: Scaffold, turns: tuple[Turn, ...]) -> list[str]:
    return turns_problems(turns, THINGS[scaffold.scene], options_of(scaffold.concept))


def retold(turns: tuple[Turn, ...], at: int, text: str) -> tuple[Turn, ...]:
    return (*turns[:at], Turn(speaker=turns[at].speaker, text=text), *turns[at + 1 :])


TELLING = [
    "France", "the united kingdom", "a Brazilian", "French fries", "speaks Korean", "Dutch", "Holland",
    "ten miles", "two metres", "a few feet", "Celsius", "inches", "five dollars", "euros", "yen", "rupees", "€",
    "20 °C", "5", "the colour", "my favorite", "to organise", "a traveller", "the theatre", "my mum", "the apartment",
    "in autumn", "grey", "met Sarah", "in Paris", "at Lidl", "**bold**", "`code`", "<b>", "[link](x)", "#tag",
    "http://x", "\u202e", "\x1b[31m", "💡", "{cue3}", "{thing}", "café", "漢字", "| a |",
]  # fmt: skip


@given(scaffold=scaffolds, telling=st.sampled_from(TELLING), data=st.data())
def test_a_telling_word_anywhere_is_found(scaffold: Scaffold, telling: str, data: st.DataObject) -> None:
    assert found(scaffold, scaffold.turns) == []
    at = data.draw(st.integers(0, len(scaffold.turns) - 1))
    words = scaffold.turns[at].text.split(" ")
    place = data.draw(st.integers(1, len(words) - 1))
    if not words[place - 1][-1].isalpha():
        telling = f"so {telling}"  # a capital after a full stop begins a sentence
    told = " ".join([*words[:place], telling, *words[place:]])
    assert found(scaffold, retold(scaffold.turns, at, told)) != []
    assert neutral_problems(f"so {telling}") != []


@given(scaffold=scaffolds, data=st.data())
def test_the_options_of_the_closing_question_are_found(scaffold: Scaffold, data: st.DataObject) -> None:
    options = options_of("quantifier")
    option = data.draw(st.sampled_from(options))
    text = f"Well, {option} of it, and then {scaffold.turns[0].text}"
    turns = retold(scaffold.turns, 0, text)
    assert any("answer to the closing question" in said for said in turns_problems(turns, "", options))
    assert neutral_problems(f"{option} songs", options) != []


@given(scaffold=scaffolds, data=st.data())
def test_a_broken_shape_is_found(scaffold: Scaffold, data: st.DataObject) -> None:
    turns = scaffold.turns
    at = data.draw(st.integers(0, len(turns) - 1))
    filler = "And so it went on and on. "
    for broken in (
        (*turns[:at], *turns[at + 1 :]),
        tuple(reversed(turns)),
        (*turns, Turn(speaker="chatbot", text="So it is.")),
        (*turns, *(Turn(speaker=s, text="So it is.") for s in ("user", "chatbot") * 2)),
        retold(turns, at, ""),
        retold(turns, at, turns[at].text[:-1]),
        retold(turns, at, filler * (rules().turn.most // len(filler) + 1) + turns[at].text),
        tuple(Turn(speaker=t.speaker, text=t.text.replace("{cue2}", "it")) for t in turns),
        retold(turns, 0, turns[0].text + " And {cue2}."),
        (),
    ):
        assert found(scaffold, broken) != []
    assert any("holds the words" in said for said in turns_problems(turns, "the spaceship", ()))


@given(
    concept=st.sampled_from(CONCEPTS),
    one=st.sampled_from(sorted(kinds())),
    two=st.sampled_from(sorted(kinds())),
)
def test_slots_need_two_kinds_of_the_list_that_give_nothing_away(
    concept: Concept, one: str, two: str
) -> None:
    offered = fitting(kinds(), concept)
    said = slots_problems(
        (Slot(kind=one, neutral="a thing"), Slot(kind=two, neutral="that")), offered, concept, ()
    )
    assert (said == []) == (one != two and GIVES_AWAY.get(concept) not in (one, two))
    assert slots_problems(
        (Slot(kind="x" * 999, neutral=""), Slot(kind=two, neutral="y" * 99)), offered, concept, ()
    )
    assert slots_problems(None, offered, concept, ())


@given(one=scaffolds, other=scaffolds)
def test_only_the_same_dialogue_is_a_copy(one: Scaffold, other: Scaffold) -> None:
    own = [phrases(s.turns, (THINGS[s.scene],)) for s in (one, other)]
    assert bool(copies(own[0], [own[1]])) == (one.template == other.template)


@given(text=st.text(max_size=300) | st.text(alphabet='{}[]":,turns cue1\\', max_size=300))
def test_no_answer_whatever_breaks_the_reader(text: str) -> None:
    for read in (read_turns, read_slots):
        with pytest.raises(InputError) as caught:
            read(text)
        assert len(str(caught.value)) < 300
        assert str(caught.value).isascii()


@pytest.mark.parametrize(
    "text",
    ["{" * 19_000, '{"turns":' * 2_000, '{"turns":' + "[" * 15_000, "x" * 30_000, '{"turns": "\\ud800"}',
     '{"turns": 1e999}', '{"turns": ' + "9" * 9_000 + "}",
     '{"turns": [{"speaker": "system", "text": "x"}]}', '{"turns": [], "more": 1}'],
    ids=range(9),
)  # fmt: skip
def test_bombs_and_strays_are_refused(text: str) -> None:
    with pytest.raises(InputError):
        read_turns(text)


@given(
    scaffold=scaffolds,
    before=st.text(alphabet="abc `*#\n{", max_size=40),
    after=st.text(alphabet="ab `}\n", max_size=40),
)
def test_an_object_is_found_in_whatever_stands_around_it(scaffold: Scaffold, before: str, after: str) -> None:
    assert read_turns(f"{before}\n```json\n{turns_json(scaffold)}\n```{after}") == scaffold.turns
    assert read_slots(f"{before}{slots_json(scaffold)}{after}") == scaffold.slots


def test_the_prompts_keep_the_rules_that_they_ask_for() -> None:
    for topics in _templates().topics.values():
        assert len(set(topics)) == len(topics) >= 20
        assert [
            said
            for topic in topics
            for said in wording_problems([Turn(speaker="user", text=f"It is {topic}.")] * 5)
        ] == []


@given(st.text())
def test_a_quotation_is_short_and_plain(text: str) -> None:
    said = quote(text)
    assert said.isascii()
    assert said.isprintable()
    assert len(said) <= 2 + 40 * len("\\U00000000")


def test_hand_written_scaffolds_keep_their_bytes(benchmark_folder: Path) -> None:
    assert b'"source"' not in (benchmark_folder / "scaffolds.jsonl").read_bytes().replace(
        b'"source":"http', b""
    )
    assert "writer" not in (benchmark_folder / "benchmark.toml").read_text()
    assert all(s.source == "hand-written" for s in load_benchmark(benchmark_folder).scaffolds.values())


@pytest.fixture(autouse=True)
def no_key(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    yield
