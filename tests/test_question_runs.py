"""A question set through build, run, judge, tables and page: what is asked, what counts, what no knowledge scores."""

import json
import math
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Unpack

import pytest

from homeground.benchmarks import load_benchmark, open_benchmark
from homeground.benchmarks.build_questions import build_questions, starter
from homeground.benchmarks.question_set import QuestionSet, load_question_set
from homeground.cli.main import main
from homeground.errors import InputError
from homeground.experiments.catalogue import fitting, run_experiment
from homeground.experiments.compare import compare
from homeground.experiments.gate import check
from homeground.experiments.questions import BASELINES, answer_of
from homeground.experiments.requirements import parse_requirement
from homeground.experiments.study import Study, open_study
from homeground.experiments.table import Row
from homeground.judging import judge_question
from homeground.plan import Selection
from homeground.prompts import QuestionPrompts
from homeground.report import write_report
from homeground.report.results import results_of
from homeground.runs import open_run
from homeground.runs.judge import judge_run
from homeground.runs.prepare import RunOptions, prepared
from homeground.runs.run import run_benchmark
from homeground.schema import Answer, Cell, Condition, Judgement, Question
from tests.servers import Recorder, completion

MODEL = "openai:m"
ITEMS: list[dict[str, Any]] = [
    {"id": "meal", "question": "Como se chama a primeira refeição do dia?",
     "answers": [{"forms": ["pequeno-almoço", "pequeno almoço"]}], "contrast": {"BR": ["café da manhã"]}},
    {"id": "ride", "question": "Em que se vai para o trabalho?", "answers": ["autocarro"],
     "contrast": {"BR": ["ônibus"], "AO": ["candongueiro"]}},
    {"id": "same", "question": "Que dia é a passagem de ano?", "answers": ["31 de dezembro"],
     "contrast": {"BR": ["31 de dezembro"]}},
    {"id": "age", "question": "Com que idade se pode conduzir?", "answers": ["18"]},
]  # fmt: skip
SAID: dict[Condition, dict[str, str]] = {
    "plain": {"meal": "Café da manhã.", "ride": "ônibus ou autocarro", "same": "31 de dezembro", "age": "1"},
    "oracle": {
        "meal": "Pequeno-almoço.",
        "ride": "De autocarro.",
        "same": "31 de dezembro",
        "age": "Aos 18.",
    },
    "foreign": {"meal": "café da manhã", "ride": "ônibus", "same": "31 de dezembro", "age": "Não sei."},
}
ALL: tuple[Condition, ...] = ("plain", "oracle", "foreign")


def written(path: Path, items: Sequence[dict[str, Any]], **more: object) -> Path:
    path.write_text("".join(json.dumps({**item, **more}, ensure_ascii=False) + "\n" for item in items))
    return path


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("questions")
    build_questions(written(folder / "tiny.jsonl", ITEMS, culture="PT", language="pt-PT"), folder / "set")
    return folder / "set"


def reply(body: dict[str, Any]) -> tuple[int, bytes]:
    """As ``SAID`` has it, told apart by what the model is told."""
    *told, asked = (message["content"] for message in body["messages"])
    condition: Condition = "plain" if not told else "foreign" if "Bra" in told[0] else "oracle"
    item = next(item["id"] for item in ITEMS if item["question"] == asked)
    return 200, completion(SAID[condition][item])


@pytest.fixture(scope="module")
def run(tiny: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All three conditions, answered by ``reply``."""
    folder = tmp_path_factory.mktemp("runs") / "run"
    with Recorder(reply) as server:
        run_benchmark(tiny, folder, [MODEL], base_url=server.url, selection=Selection(conditions=ALL))
    return folder


# ---- the folder -------------------------------------------------------------------------------------


def test_a_set_is_a_folder_that_comes_back_as_it_was(tiny: Path) -> None:
    there = open_benchmark(tiny)
    assert isinstance(there, QuestionSet)
    assert {path.name for path in tiny.iterdir()} == {"benchmark.toml", "questions.jsonl", "README.md"}
    assert list(there.questions) == ["meal", "ride", "same", "age"]
    assert (there.about.culture, there.about.language) == ("PT", "pt-PT")
    assert there.name_of("BR", "pt") == "Brasil"
    assert there.name_of("BR", "en") == there.name_of("BR", "xx") == "Brazil"
    assert there.siblings == {"BR": 3, "AO": 1}
    assert "AO (1), BR (3)" in (tiny / "README.md").read_text()
    with pytest.raises(InputError, match="a question set; conversations are needed"):
        load_benchmark(tiny)


@pytest.mark.parametrize("answers", [None, [], [""], [{"forms": ["ok", " "]}], ["—"], [{"forms": []}]])
def test_a_question_without_a_gold_is_refused_by_line(tmp_path: Path, answers: object) -> None:
    items = [*ITEMS[:2], {"id": "bare", "question": "?", "answers": answers}]
    path = written(tmp_path / "set.jsonl", items, culture="PT")
    with pytest.raises(InputError, match=r"set\.jsonl:3: question bare: field answers: ") as refused:
        build_questions(path, tmp_path / "set")
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "set").exists()


def test_an_answer_of_another_culture_that_says_nothing_is_refused_too(tmp_path: Path) -> None:
    path = written(tmp_path / "set.jsonl", [{**ITEMS[0], "contrast": {"BR": ["?"]}}], culture="PT")
    with pytest.raises(InputError, match=r":1: question meal: field contrast\.BR: '\?' says nothing"):
        build_questions(path, tmp_path / "set")
    path = written(tmp_path / "set.jsonl", [{**ITEMS[0], "contrast": {"BR": []}}], culture="PT")
    with pytest.raises(InputError, match=r"field contrast\.BR: no answer; leave the culture out"):
        build_questions(path, tmp_path / "set")


def test_whose_the_questions_are_must_be_clear(tmp_path: Path) -> None:
    plain = written(tmp_path / "plain.jsonl", ITEMS)
    with pytest.raises(InputError, match="give --culture"):
        build_questions(plain, tmp_path / "set")
    with pytest.raises(InputError, match=r"Zz.*--culture-name"):
        build_questions(plain, tmp_path / "set", culture="Zz")
    mixed = tmp_path / "mixed.jsonl"
    mixed.write_text(
        written(tmp_path / "a", ITEMS[:1], culture="PT").read_text()
        + written(tmp_path / "b", ITEMS[1:], culture="AR").read_text()
    )
    with pytest.raises(
        InputError, match=r"field culture: several: AR \(3\), PT \(1\); choose one with --culture"
    ):
        build_questions(mixed, tmp_path / "set")
    assert list(build_questions(mixed, tmp_path / "pt", culture="PT").questions) == ["meal"]
    named = build_questions(plain, tmp_path / "own", culture="nurses", culture_name="nurses", language="pt")
    assert named.cultures["nurses"].name == "nurses"
    with pytest.raises(InputError, match="BR is the set's own culture"):
        build_questions(plain, tmp_path / "br", culture="BR")


def test_the_set_that_comes_along_builds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "questions", "starter", "-o", str(tmp_path / "set"), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["culture"] == "PT"
    assert told["questions"] >= 60
    assert told["contrast"]["BR"] > 0
    assert main(["benchmark", "check", str(tmp_path / "set")]) == 0
    assert starter().is_file()


# ---- what is asked ----------------------------------------------------------------------------------


def test_what_a_model_is_sent(tiny: Path, tmp_path: Path) -> None:
    with Recorder(reply) as server:
        result = run_benchmark(
            tiny, tmp_path / "run", [MODEL], base_url=server.url, selection=Selection(conditions=ALL)
        )
        assert result.asked == len(server.bodies) == result.cells == 12
        again = run_benchmark(
            tiny, tmp_path / "run", [MODEL], base_url=server.url, selection=Selection(conditions=ALL)
        )
        assert again.asked == 0
        assert len(server.bodies) == 12
    roles = Counter(tuple(message["role"] for message in body["messages"]) for body in server.bodies)
    assert roles == {("user",): 4, ("system", "user"): 8}
    assert all(body["max_tokens"] == 64 for body in server.bodies)
    told = Counter(body["messages"][0]["content"] for body in server.bodies if len(body["messages"]) == 2)
    assert sorted(told.values()) == [4, 4]
    assert (
        sum("país: Portugal." in text for text in told) == sum("país: Brasil." in text for text in told) == 1
    )
    assert open_run(tmp_path / "run").spec.selection.foreign == "BR", "of most questions"


def test_a_question_that_stands_twice_is_asked_once(tmp_path: Path) -> None:
    items = [ITEMS[0], {**ITEMS[0], "id": "again"}]
    build_questions(written(tmp_path / "twice.jsonl", items, culture="PT"), tmp_path / "set")
    with Recorder(reply) as server:
        result = run_benchmark(tmp_path / "set", tmp_path / "run", [MODEL], base_url=server.url)
    assert (result.cells, result.requests, len(server.bodies)) == (4, 2, 2)
    assert "lives there" in json.dumps(server.bodies), "English, where a set does not say its language"


def planned(
    tiny: Path, folder: Path, **options: Unpack[RunOptions]
) -> tuple[str, dict[tuple[str, Condition], str | None]]:
    """Signature, and the key of each request by question and condition."""
    nobody: RunOptions = {**options, "base_url": "http://127.0.0.1:1/v1"}
    with prepared(tiny, folder, [MODEL], **nobody) as (run, _):
        keys = zip(run.cells, run.plan.keys, strict=True)
        return run.signature(), {(cell.item, cell.condition): key for cell, key in keys}


def test_the_language_of_the_oracle_is_in_the_signature_and_in_its_prompts_alone(
    tiny: Path, tmp_path: Path
) -> None:
    signed, keys = planned(tiny, tmp_path)
    english, others = planned(tiny, tmp_path, oracle_language="en")
    assert signed != english
    assert QuestionPrompts("pt").signature in signed
    assert QuestionPrompts("en").signature in english
    assert all((keys[name] == others[name]) == (name[1] == "plain") for name in keys)
    with pytest.raises(InputError, match="--oracle-language tlh: no oracle in that language; one of en, pt"):
        planned(tiny, tmp_path, oracle_language="tlh")


def test_a_model_without_a_system_role_reads_it_in_its_turn(tiny: Path, tmp_path: Path) -> None:
    with prepared(tiny, tmp_path, [MODEL], base_url="http://127.0.0.1:1/v1", fold_system=True) as (run, _):
        messages = [request.messages for request in run.plan.requests.values()]
        assert "system-folded" in run.signature()
    assert all([message.role for message in some] == ["user"] for some in messages)
    assert sum("Portugal" in some[0].text and some[0].text.endswith("?") for some in messages) == 4


def test_thinking_is_off_where_it_can_be_switched(tiny: Path, tmp_path: Path) -> None:
    with prepared(tiny, tmp_path, ["openai:Gemma-4-31B-it"], base_url="http://127.0.0.1:1/v1") as (run, _):
        drawn = {request.sampling for request in run.plan.requests.values()}
    assert {(one.thinking, one.max_tokens, one.temperature) for one in drawn} == {(False, 64, 0.0)}


def test_a_sample_is_the_same_for_the_same_seed(tiny: Path, tmp_path: Path) -> None:
    drawn = [set(planned(tiny, tmp_path, selection=Selection(sample=2, seed=s))[1]) for s in (1, 1, 2, 3, 4)]
    assert drawn[0] == drawn[1]
    assert all(len({item for item, _ in some}) == 2 for some in drawn)
    assert len({frozenset(some) for some in drawn}) > 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (
            {"selection": Selection(conditions=("plain", "implicit"))},
            "--condition implicit: for conversations",
        ),
        (
            {"selection": Selection(strategies=("direct", "cot"))},
            "--strategy cot: a question set is asked directly",
        ),
        (
            {"selection": Selection(tasks=("background",))},
            "--task: a question set has the question task alone",
        ),
        ({"selection": Selection(cultures=("FR",))}, "--cultures: this question set is about PT alone"),
        ({"selection": Selection(concepts=("price",))}, "--concepts: a question set has no concepts"),
        ({"selection": Selection(conditions=("foreign",), foreign="PT")}, "the set's own culture"),
        ({"selection": Selection(conditions=("foreign",), foreign="Zz")}, "unknown culture 'Zz'"),
        ({"selection": Selection(foreign="BR")}, "give --condition plain,oracle,foreign too"),
        ({"grounding": "image"}, "--grounding image: a question set has nothing to show"),
    ],
)
def test_what_does_not_fit_a_question_set_is_refused(
    tiny: Path, tmp_path: Path, options: RunOptions, said: str
) -> None:
    with pytest.raises(InputError, match=re.escape(said)):
        planned(tiny, tmp_path / "run", **options)
    assert not (tmp_path / "run").exists()


def test_foreign_can_be_a_culture_without_answers_but_not_nobody(tmp_path: Path) -> None:
    build_questions(written(tmp_path / "set.jsonl", ITEMS[3:], culture="PT"), tmp_path / "set")
    foreign = Selection(conditions=("foreign",))
    with pytest.raises(InputError, match="say with --foreign which"):
        planned(tmp_path / "set", tmp_path / "run", selection=foreign)
    with prepared(
        tmp_path / "set", tmp_path / "run", [MODEL], base_url="http://127.0.0.1:1/v1",
        selection=Selection(conditions=("foreign",), foreign="JP"),
    ) as (run, _):  # fmt: skip
        assert "Japan" in next(iter(run.plan.requests.values())).messages[0].text


def test_conversations_have_no_such_conditions(benchmark_folder: Path, tmp_path: Path) -> None:
    wanted: tuple[RunOptions, ...] = (
        {"selection": Selection(conditions=("plain",))},
        {"selection": Selection(foreign="BR")},
        {"oracle_language": "pt"},
    )
    for options in wanted:
        with pytest.raises(InputError, match=r"unknown condition 'plain'|for question sets alone"):
            planned(benchmark_folder, tmp_path, **options)


# ---- what counts ------------------------------------------------------------------------------------


def judged(item: str, text: str, finish_reason: str = "stop") -> Judgement:
    question = next(one for one in ITEMS if one["id"] == item)
    cell = Cell(
        item=item, scene=item, template=item, concept="fact", culture="PT", condition="plain", task="question",
        strategy="direct", model="m",
    )  # fmt: skip
    answer = Answer(text=text, finish_reason=finish_reason, prompt_tokens=1, completion_tokens=1, seconds=0)
    return judge_question(cell, "k", answer, _question(question), "pt-PT")


def _question(item: dict[str, Any]) -> Question:
    import msgspec

    return msgspec.convert(item, Question)


@pytest.mark.parametrize(
    ("item", "text", "careful", "published", "whose"),
    [
        ("age", "18", True, True, ("PT",)),
        ("age", "Aos 118 dias", False, True, ()),
        ("age", "1", False, False, ()),
        ("ride", "Autocarro.", True, True, ("PT",)),
        ("ride", "De autocarro, não de ônibus.", True, True, ("PT",)),
        ("ride", "Não é o autocarro.", False, True, ()),
        ("ride", "Ônibus", False, False, ("BR",)),
        ("ride", "O candongueiro.", False, False, ("AO",)),
        ("ride", "ônibus, autocarro", False, True, ()),
        ("ride", "autocarro ou ônibus", False, True, ()),
        ("ride", "ônibus / candongueiro", False, False, ()),
        ("ride", "De comboio.", False, False, ()),
        ("meal", "O pequeno almoço.", True, True, ("PT",)),
        ("same", "31 de dezembro", True, True, ("PT", "BR")),
        ("ride", "<think>autocarro", False, True, ()),
    ],
)
def test_both_rulebooks_and_whose_answer_it_is(
    item: str, text: str, careful: bool, published: bool, whose: tuple[str, ...]
) -> None:
    found = judged(item, text)
    assert (found.correct, found.published, found.belongs_to) == (careful, published, whose)


@pytest.mark.parametrize(
    ("gold", "other", "text", "whose"),
    [
        ("café", "café da manhã", "Café da manhã.", ("BR",)),
        ("café", "café da manhã", "Não é o café da manhã: é só café.", ("PT",)),
        ("pequeno-almoço", "almoço", "O pequeno-almoço.", ("PT",)),
        ("pequeno-almoço", "almoço", "O almoço.", ("BR",)),
        ("bica", "uma bica", "Uma bica.", ("PT", "BR")),
    ],
)
def test_an_answer_within_another_cultures_longer_one_is_not_said(
    gold: str, other: str, text: str, whose: tuple[str, ...]
) -> None:
    question = _question(
        {"id": "x", "question": "?", "answers": [gold], "contrast": {"BR": [other]}, "language": "pt-PT"}
    )
    cell = Cell(
        item="x", scene="x", template="x", concept="fact", culture="PT", condition="plain", task="question",
        strategy="direct", model=MODEL,
    )  # fmt: skip
    answer = Answer(text=text, finish_reason="stop", prompt_tokens=1, completion_tokens=1, seconds=0.1)
    found = judge_question(cell, "k", answer, question)
    assert (found.correct, found.belongs_to, found.hedged) == ("PT" in whose, whose, False)


def test_a_hedge_is_several_answers_and_a_refusal_none() -> None:
    hedge = judged("ride", "ônibus ou autocarro")
    assert (hedge.reading.status, hedge.hedged, hedge.hedged_right) == ("both", True, True)
    assert hedge.reading.found == ("ônibus", "autocarro")
    strangers = judged("ride", "ônibus, candongueiro")
    assert (strangers.hedged, strangers.hedged_right) == (True, False)
    assert judged("ride", "Não sei.").reading.status == "refused"
    filtered = judged("ride", "autocarro", finish_reason="content_filter")
    assert (filtered.reading.status, filtered.correct) == ("refused", False)


def test_a_gold_that_is_said_is_where_the_reading_points() -> None:
    text = "<think>ônibus?</think> De **autocarro**."
    reading = judged("ride", text).reading
    assert reading.span is not None
    assert text[slice(*reading.span)] == "autocarro"


# ---- tables -----------------------------------------------------------------------------------------


def shares(study: Study, experiment: str, table: str, *columns: str) -> dict[tuple[str, ...], Row]:
    found = next(one for one in run_experiment(experiment, study) if one.name == table)
    return {tuple(row.by[name] for name in columns): row for row in found.rows}


def test_scores_stand_beside_their_baselines(run: Path) -> None:
    rows = shares(open_study([run]), "questions", "baselines", "answers", "rulebook")
    values = {name: (row.estimate.value, row.estimate.n) for name, row in rows.items()}
    third = pytest.approx(1 / 3)
    assert values == {
        ("plain", "careful"): (0.25, 4), ("plain", "published"): (0.5, 4),
        ("oracle", "careful"): (1.0, 4), ("oracle", "published"): (1.0, 4),
        ("foreign", "careful"): (0.25, 4), ("foreign", "published"): (0.25, 4),
        # "same" is answered alike in both countries; "age" has no other culture's answer.
        ("other culture", "careful"): (third, 3), ("other culture", "published"): (third, 3),
        ("shotgun", "careful"): (third, 3), ("shotgun", "published"): (third, 3),
        ("every culture", "careful"): (third, 3), ("every culture", "published"): (1.0, 3),
    }  # fmt: skip


def test_what_baselines_say() -> None:
    ride = _question(ITEMS[1])
    often = {"AO": 1, "BR": 3}
    said = {name: answer_of(name, ride, often) for name in BASELINES}
    assert said == {
        "other culture": "ônibus",
        "shotgun": "ônibus, candongueiro",
        "every culture": "ônibus, candongueiro, autocarro",
    }
    assert answer_of("other culture", ride, {"AO": 3, "BR": 3}) == "candongueiro", "ties fall by the alphabet"


def test_wrong_answers_are_traced(run: Path) -> None:
    rows = shares(open_study([run]), "questions", "traced", "level", "whose")
    values = {name: (row.estimate.value, row.estimate.n) for name, row in rows.items()}
    assert values == {
        ("plain", "BR"): (0.5, 2), ("plain", "several"): (0.5, 2), ("foreign", "BR"): (1.0, 2),
    }  # fmt: skip


def test_plain_oracle_and_foreign_with_their_gaps(run: Path) -> None:
    rows = shares(open_study([run]), "oracle", "plain_oracle", "quantity")
    values = {name: row.estimate.value for (name,), row in rows.items()}
    assert values == {
        "plain": 0.25, "oracle": 1.0, "gap": 0.75, "plain where oracle": 0.25, "foreign": 0.25,
        "oracle minus foreign": 0.75,
    }  # fmt: skip
    assert rows[("gap",)].p == pytest.approx(0.25)
    assert rows[("gap",)].holm == pytest.approx(0.5)


@pytest.mark.parametrize("conditions", [("plain",), ("foreign",), ("plain", "foreign"), ALL])
@pytest.mark.parametrize("sample", [1, 2, None])
def test_odd_studies_have_words_where_there_is_no_number(
    tiny: Path, tmp_path: Path, conditions: tuple[Condition, ...], sample: int | None
) -> None:
    selection = Selection(conditions=conditions, sample=sample)
    with Recorder(reply) as server:
        run_benchmark(tiny, tmp_path / "run", [MODEL], base_url=server.url, selection=selection)
    study = open_study([tmp_path / "run"], replicates=20)
    for row in (
        row for name in fitting(study) for table in run_experiment(name, study) for row in table.rows
    ):
        numbers = (row.estimate.value, row.estimate.low, row.estimate.high, row.p)
        assert all(number is None or math.isfinite(number) for number in numbers)
        assert row.estimate.value is not None or row.note, row
        assert row.estimate.clusters >= 2 or row.estimate.low is None, row
    results = results_of(study)
    assert "None" not in results.headline(study.series[0])


def test_gates_comparisons_and_sets_speak_of_conditions(run: Path) -> None:
    study = open_study([run])
    expressions = {
        "question.oracle value >= 0.9": True,
        "question.plain value >= 0.3": False,
        "question.plain.PT value >= 0.2": True,
    }
    verdicts = check(study, [parse_requirement(text) for text in expressions])
    assert [verdict.met for verdict in verdicts] == list(expressions.values())
    (impossible,) = check(study, [parse_requirement("gap.plain value <= 1")])
    assert not impossible.met
    assert "no answers to the background task" in impossible.why
    levels = {row.by["level"] for table in run_experiment("sets", study) for row in table.rows}
    assert levels == {*ALL}
    with pytest.raises(
        InputError, match="experiment levels is for conversations; there are oracle, questions, sets"
    ):
        run_experiment("levels", study)
    with pytest.raises(InputError, match="a run over a question set; this is for conversations"):
        _ = study.benchmark


def test_two_models_are_compared_question_by_question(tiny: Path, tmp_path: Path) -> None:
    with Recorder(
        lambda body: reply(body) if body["model"] == "good" else (200, completion("táxi"))
    ) as server:
        run_benchmark(tiny, tmp_path / "run", ["openai:bad", "openai:good"], base_url=server.url)
    comparison, *_ = compare(open_study([tmp_path / "run"]))
    found = {row.by["level"]: row.counts for row in comparison.rows}
    assert {level: counts["only_first"] for level, counts in found.items()} == {"plain": 1, "oracle": 4}


def test_a_sample_beside_a_whole_run_has_baselines_over_its_own_questions(
    run: Path, tiny: Path, tmp_path: Path
) -> None:
    with Recorder(reply) as server:
        run_benchmark(
            tiny, tmp_path / "part", ["openai:other"], base_url=server.url, selection=Selection(sample=2)
        )
    rows = shares(
        open_study([run, tmp_path / "part"]), "questions", "baselines", "model", "answers", "rulebook"
    )
    judgements = (tmp_path / "part" / "judgements.jsonl").read_text()
    part = {json.loads(line)["cell"]["item"] for line in judgements.splitlines()}
    for model, items in ((MODEL, {item["id"] for item in ITEMS}), ("openai:other", part)):
        having = sum("contrast" in item for item in ITEMS if item["id"] in items)
        found = next(row for (one, name, _), row in rows.items() if (one, name) == (model, "shotgun"))
        assert found.estimate is not None and found.estimate.n == having


def test_experiments_on_questions_are_not_for_conversations(benchmark_folder: Path, tmp_path: Path) -> None:
    selection = Selection(sample=1, conditions=("null",))
    with Recorder(lambda body: (200, completion("30 °C"))) as server:
        run_benchmark(benchmark_folder, tmp_path / "run", [MODEL], base_url=server.url, selection=selection)
    study = open_study([tmp_path / "run"])
    with pytest.raises(InputError, match="experiment questions is for questions"):
        run_experiment("questions", study)
    with pytest.raises(InputError, match="this is for question sets"):
        _ = study.questions


# ---- terminal and page ------------------------------------------------------------------------------


def test_the_terminal_shows_plain_oracle_and_baselines_in_80_columns(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(run)]) == 0
    out = capsys.readouterr().out
    for words in ("plain", "oracle", "foreign oracle", "other culture", "shotgun", "every culture"):
        assert words in out
    told = " ".join(out.split())
    assert (
        "Asked plainly it answers 25\N{NO-BREAK SPACE}% of the questions right, with the culture named 100"
        in out
    )
    assert "Being told adds +75.0 points: 3 right only when told, 0 only when not (p .500)." in told
    assert max(map(len, (line for line in out.splitlines() if not line.startswith("Report: ")))) <= 80


def test_results_as_data(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(run), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert {table["name"] for table in told["tables"]} >= {
        "baselines",
        "traced",
        "plain_oracle",
        "exhaustion",
    }
    assert (run / "tables" / "traced.csv").is_file()
    assert (run / "figures" / "plain_oracle.svg").is_file()


@pytest.mark.browser
@pytest.mark.parametrize("width", [400, 1280])
def test_a_real_browser_shows_the_page(run: Path, chromium: str, width: int) -> None:
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    files = write_report(run)
    said: list[str] = []
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": width, "height": 900})
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.goto(files.page.as_uri())
        page.evaluate("document.querySelectorAll('details').forEach(one => one.open = true)")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        sections = page.locator("main section").evaluate_all(
            "all => all.map(one => [one.id, one.innerText.length])"
        )
        assert [name for name, _ in sections] == [
            "results",
            "traced",
            "items",
            "failures",
            "answers",
            "limits",
        ]
        assert all(length > 150 for _, length in sections)
        assert page.locator("#answers [role=status]").inner_text() == "1–12 of 12 answers"
        page.fill("#answers input[name=text]", "candongueiro")
        assert page.locator("#answers li").count() == 0
        page.fill("#answers input[name=text]", "pequeno")
        assert (
            "Question: Como se chama a primeira refeição do dia?" in page.locator("#answers li").inner_text()
        )
        found = Axe().run(page)
        assert [v["id"] for v in found.response["violations"] if v["impact"] in ("serious", "critical")] == []
        browser.close()
    assert said == []


def test_hostile_questions_and_answers_are_shown_and_do_nothing(tmp_path: Path) -> None:
    evil = "<script>alert(1)</script> {{ 7*7 }} \u202e \x1b[31m?"
    item = {"id": "</script>", "question": evil, "answers": ["{culture}"], "contrast": {"BR": [evil]}}
    build_questions(written(tmp_path / "evil.jsonl", [item], culture="PT"), tmp_path / "set")
    with Recorder(lambda body: (200, completion(f"{evil} {{culture}}"))) as server:
        run_benchmark(tmp_path / "set", tmp_path / "run", [MODEL], base_url=server.url)
    page = write_report(tmp_path / "run").page.read_text()
    assert "<script>alert" not in page
    assert "{{ 7*7 }}" in page
    assert not {"\u202e", "\x1b"} & set(page)
    asked = [body["messages"][-1]["content"] for body in server.bodies]
    assert asked == [evil, evil], "asked as they stand"


def test_a_page_of_plain_alone_leaves_out_what_it_cannot_say(tiny: Path, tmp_path: Path) -> None:
    with Recorder(reply) as server:
        run_benchmark(
            tiny, tmp_path / "run", [MODEL], base_url=server.url, selection=Selection(conditions=("plain",))
        )
    files = write_report(tmp_path / "run")
    assert "it was never told whose culture is meant" in files.page.read_text()
    assert "plain_oracle" not in {path.stem for path in (tmp_path / "run" / "figures").iterdir()}


# ---- a real model -----------------------------------------------------------------------------------


def test_the_embedded_model_answers_a_set(tiny: Path, weights: Path, tmp_path: Path) -> None:
    arguments = ["run", str(tiny), "--model", "embedded:smollm2-135m", "-o", str(tmp_path / "run"), "--sample", "2",
                 "--max-tokens", "8"]  # fmt: skip
    assert main(arguments) == 0
    assert len(judge_run(tmp_path / "run")) == 4
    kept = open_run(tmp_path / "run")
    assert kept.spec.thinking == {"embedded:smollm2-135m": "none"}
    assert isinstance(kept.source, QuestionSet)
    assert kept.source.digest == load_question_set(tiny).digest
    with kept.store() as store:
        assert all(0 < a.completion_tokens <= 8 for a in store.get(kept.plan.requests).values())
