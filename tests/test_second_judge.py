"""A model as second judge: a scripted chat server over real HTTP, and the embedded model."""

import json
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homeground.cli import audit
from homeground.cli.second_judge import judge_file
from homeground.errors import EnvironmentProblem, InputError
from homeground.questions.chat import Chat, Prompt
from homeground.questions.second_judge import counts, second_opinions, signature
from homeground.schema import Answer, Gold, Question
from tests.conftest import MODEL
from tests.servers import Recorder, completion

GOOD = "factual: yes | it is known\nsingle: yes | one\ncorrect: yes | right\nstereotype: no | plain"
BAD = "factual: no | a matter of taste\nsingle: no | several\ncorrect: unsure | cannot say\nstereotype: yes | a cliché"
ROWS = [
    ("Q1", "What is poured over the pudding?", ["cinnamon"]),
    ("Q2", "What do people love most?", ["fado", "football"]),
    ("Q3", "What is said at noon?", None),
]


def write(path: Path) -> Path:
    path.write_text("".join(json.dumps({"id": i, "question": q, "answers": a}) + "\n" for i, q, a in ROWS))
    return path


def serve(reply: Callable[[str], str | int]) -> Recorder:
    def answer(body: dict[str, Any]) -> tuple[int, bytes]:
        said = reply(next(name for name, text, _ in ROWS if text in body["messages"][-1]["content"]))
        return (said, b"{}") if isinstance(said, int) else (200, completion(said))

    return Recorder(answer)


def call(*words: object) -> int:
    parser = ArgumentParser()
    audit.arguments(parser)
    return audit.call(parser.parse_args([str(word) for word in words]))


def script(replies: dict[str, str]) -> Chat:
    """A model that says these things, by the words of a question."""

    def ask(prompts: Mapping[str, Prompt], limit: int) -> dict[str, Answer | str]:
        del limit
        return {name: answer(replies, prompt) for name, prompt in prompts.items()}

    def answer(replies: dict[str, str], prompt: Prompt) -> Answer:
        text = next(said for words, said in replies.items() if words in prompt[-1].text)
        return Answer(text=text, finish_reason="stop", prompt_tokens=1, completion_tokens=1, seconds=0.0)

    return Chat("test:m", ask)


def test_opinions_stand_with_their_reasons(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "q.jsonl")
    with serve(lambda name: BAD if name == "Q2" else GOOD) as server:
        words = (path, "--model", "openai:m", "--base-url", server.url, "--culture", "PT")
        assert call(*words, "--json") == 0
        lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        assert all("flags" in line for line in lines)  # the rules' own verdicts stand apart
        found = [line["second_judge"] for line in lines]
        prompts = {body["messages"][-1]["content"] for body in server.bodies}
        assert len(server.bodies) == 3
        assert call(*words) == 0
        assert len(server.bodies) == 3  # from the store beside the file
    assert all("Portugal" in prompt for prompt in prompts)
    assert any("fado; football" in prompt for prompt in prompts)
    assert [item["id"] for item in found] == ["Q1", "Q2", "Q3"]
    assert {(item["model"], item["prompts"]) for item in found} == {("openai:m", signature())}
    first, second, third = ({opinion["check"]: opinion for opinion in item["opinions"]} for item in found)
    assert [o["guideline"] for o in first.values()] == ["L3", "L4", "L5", "E4"]
    assert not any(o["objects"] for o in first.values())
    assert [o["objects"] for o in second.values()] == [True, True, False, True]
    assert second["factual"]["why"] == "a matter of taste"
    # Without a gold nobody can say that it is right, whatever the model says.
    assert (third["correct"]["verdict"], third["correct"]["why"]) == ("unsure", "no answer is given to check")
    said = capsys.readouterr().out.partition("Opinions of")[2]
    assert "factual: objects to 1, unsure of 0" in said
    assert "E4 stereotype: yes: “a cliché”" in said
    assert "Q1" not in said
    assert all(len(line) <= 80 for line in said.splitlines())


@pytest.mark.parametrize(
    "said",
    [
        "y" * 1_000_000,
        "It is a fine question.",
        GOOD.replace("single: yes", "single: perhaps"),
        GOOD.replace("stereotype: no | plain", ""),
        '{"factual": "yes"}',
        "factual: yes | \x1b[31m"
        + "z" * 5000
        + "\nsingle: <b>no</b>\ncorrect: yes\nstereotype: yes\u202e | x",
        "",
    ],
)
def test_what_cannot_be_read_is_unsure_with_the_reason(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], said: str
) -> None:
    path = write(tmp_path / "q.jsonl")
    with serve(lambda name: said if name == "Q1" else GOOD) as server:
        assert call(path, "--model", "openai:m", "--base-url", server.url, "--json") == 0
        lines = capsys.readouterr().out.splitlines()
        assert call(path, "--model", "openai:m", "--base-url", server.url) == 0
    assert "\x1b" not in capsys.readouterr().out
    assert all(len(line) < 8000 for line in lines)
    opinions = json.loads(lines[0])["second_judge"]["opinions"]
    assert any(o["verdict"] == "unsure" and "cannot be read" in o["why"] for o in opinions)
    assert all(not o["objects"] for o in opinions if o["verdict"] == "unsure")
    assert not any(o["verdict"] == "unsure" for o in json.loads(lines[1])["second_judge"]["opinions"])


def test_a_cut_loses_nothing(tmp_path: Path) -> None:
    path, broken = write(tmp_path / "q.jsonl"), True
    with serve(lambda name: 401 if broken and name == "Q3" else GOOD) as server:
        words = (path, "--model", "openai:m", "--base-url", server.url, "--answers", tmp_path / "a")
        with pytest.raises(EnvironmentProblem, match="401"):
            call(*words)
        before = len(server.bodies)
        broken = False
        assert call(*words) == 0
        assert len(server.bodies) - before <= 3
        asked = [body["messages"][-1]["content"] for body in server.bodies]
        assert len(asked) <= len(set(asked)) + 1  # but for the one that failed
    assert call(*words) == 0  # the server is gone


def test_a_refused_prompt_is_unsure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path / "q.jsonl")
    with serve(lambda name: 400 if name == "Q2" else GOOD) as server:
        assert call(path, "--model", "openai:m", "--base-url", server.url, "--json") == 0
    second = json.loads(capsys.readouterr().out.splitlines()[1])["second_judge"]["opinions"]
    assert all(o["verdict"] == "unsure" and "refused" in o["why"] for o in second)


def test_bad_arguments_ask_nobody(tmp_path: Path) -> None:
    path = write(tmp_path / "q.jsonl")
    broken = tmp_path / "broken.jsonl"
    broken.write_text('{"id": "1", "question": "", "answers": null}\n')
    with serve(lambda name: GOOD) as server:
        for words, said in (
            ((path, "--model", "nobody"), "nobody"),
            ((path, "--model", "openai:m", "--culture", "XX"), "unknown culture"),
            ((broken, "--model", "openai:m"), r"broken\.jsonl:1: field question"),
        ):
            with pytest.raises(InputError, match=said):
                call(*words, "--base-url", server.url)
        assert server.bodies == []


def test_identifiers_may_repeat_and_long_items_are_shortened() -> None:
    questions = [
        Question(
            id="A", question="one " * 5000, answers=tuple(Gold(forms=(f"gold{n}", "x")) for n in range(5000))
        ),
        Question(id="A", question="two {question} {asked}", answers=("g",)),
    ]
    prompts: list[str] = []

    def ask(given: Mapping[str, Prompt], limit: int) -> dict[str, Answer | str]:
        assert limit > 0
        prompts.extend(prompt[-1].text for prompt in given.values())
        return dict.fromkeys(given, "no")

    found = second_opinions(questions, Chat("test:m", ask))
    assert [one.id for one in found] == ["A", "A"]
    assert all(len(prompt) < 4000 for prompt in prompts)
    assert "two {question} {asked}" in prompts[1]
    assert counts(found)["factual"] == (0, 2)


@given(st.lists(st.sampled_from(["yes", "no", "unsure"]), min_size=4, max_size=4))
def test_what_speaks_against_a_question(verdicts: list[str]) -> None:
    names = ["factual", "single", "correct", "stereotype"]
    reply = "\n".join(f"{name}: {verdict} | because" for name, verdict in zip(names, verdicts, strict=True))
    (found,) = second_opinions([Question(id="1", question="What?", answers=("g",))], script({"What?": reply}))
    bad = {"factual": "no", "single": "no", "correct": "no", "stereotype": "yes"}
    assert [o.verdict for o in found.opinions] == verdicts
    assert {o.check for o in found.objections} == {
        name for name, said in zip(names, verdicts, strict=True) if said == bad[name]
    }


@pytest.mark.model
def test_the_embedded_model_has_an_opinion_or_is_unsure(tmp_path: Path, weights: Path) -> None:
    assert weights.is_file()
    path = tmp_path / "q.jsonl"
    path.write_text('{"id": "1", "question": "What is the capital of France?", "answers": ["Paris"]}\n')
    (found,) = judge_file(path, f"embedded:{MODEL}", culture="FR")
    assert [o.guideline for o in found.opinions] == ["L3", "L4", "L5", "E4"]
    assert all(o.why for o in found.opinions)
