"""Moving questions to another country: the rules, a scripted chat server over real HTTP, reviews edited by people."""

import csv
import io
import json
import re
from argparse import ArgumentParser
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from homeground.cli import transpose as verb
from homeground.errors import EnvironmentProblem, InputError
from homeground.questions import load_questions
from homeground.questions.chat import one_line, read_fields, read_verdict
from homeground.questions.reading import Unfit
from homeground.questions.transpose import load_sources, signature, target_of
from homeground.questions.transpose_rules import Places, applies, translation_fault
from homeground.questions.transposed import ReviewRow, accept, read_review, review_file, sealed
from homeground.schema import Answer, Gold
from tests.conftest import MODEL, SHARED
from tests.servers import Recorder, completion

SOURCE = [
    ("A-01", "What is a common snack for preschool kids in US?"),
    ("A-02", "What is the main dish for Thanksgiving in US?"),
    ("A-03", "What food is associated with Halloween in US?"),
]
MOVED = {
    "A-01": "Qual é um lanche comum das crianças do pré-escolar em Portugal?",
    "A-02": "Qual é o prato principal do Dia de Ação de Graças em Portugal?",
    "A-03": "Que comida se associa ao Halloween em Portugal?",
}
PORTUGAL = Places("US", "PT", "Portugal", "pt-PT")
Reply = Callable[[str, str], str | int]
"""Stage (``translate``, ``again`` or ``applies``) and id to an answer, or an HTTP status."""


def write(path: Path) -> Path:
    lines = [
        json.dumps({"id": name, "question": text, "answers": None, "culture": "US"}) for name, text in SOURCE
    ]
    path.write_text("\n".join(lines) + "\n")
    return path


def right(stage: str, name: str) -> str | int:
    if stage == "applies":
        return f"applies: {'no' if name == 'A-02' else 'yes'}\nwhy: because of {name}"
    return f"question: {MOVED[name]}"


def serve(reply: Reply) -> Recorder:
    def answer(body: dict[str, Any]) -> tuple[int, bytes]:
        prompt = body["messages"][-1]["content"]
        name = next(name for name, text in SOURCE if text in prompt)
        stage = "applies" if "applies:" in prompt else "again" if "was refused" in prompt else "translate"
        said = reply(stage, name)
        return (said, b"{}") if isinstance(said, int) else (200, completion(said))

    return Recorder(answer)


def call(*words: object) -> int:
    parser = ArgumentParser()
    verb.arguments(parser)
    return verb.call(parser.parse_args([str(word) for word in words]))


def draft(
    tmp_path: Path, reply: Reply = right, *more: object, name: str = "review.jsonl"
) -> list[dict[str, Any]]:
    source = write(tmp_path / "us.jsonl")
    output = tmp_path / name
    with serve(reply) as server:
        words = ("--to", "PT", "--language", "pt-PT", "--model", "openai:m", "--base-url", server.url)
        assert call(source, *words, "-o", output, *more) == 0
    return [json.loads(line) for line in output.read_text().splitlines()] if output.suffix == ".jsonl" else []


# ---- the rules ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "places", "verdict"),
    [
        ("What is the main dish for Thanksgiving in US?", PORTUGAL, "no"),
        ("What is the main dish for Thanksgiving in US?", Places("US", "CA", "Canada", "en-CA"), "yes"),
        ("What do people do to celebrate Halloween in US?", PORTUGAL, "unsure"),
        ("What do people do to celebrate Christmas in US?", PORTUGAL, "yes"),
        ("What do people do to celebrate Christmas in US?", Places("US", "IR", "Iran", "fa"), "unsure"),
        ("What do people from US eat in Ramadan?", PORTUGAL, "unsure"),
        ("What do people from US eat in Ramadan?", Places("US", "DZ", "Algeria", "ar"), "yes"),
        ("Which score in the SAT is good in US?", PORTUGAL, "no"),
        ("Where have people sat at a table in US?", PORTUGAL, "yes"),
        ("What is promised at the altar in US?", PORTUGAL, "yes"),
        ("What is a popular dish at the Kentucky Derby in US?", PORTUGAL, "unsure"),
        ("What is a popular hot drink?", Places(None, "PT", "Portugal", "pt-PT"), "unsure"),
        ("What is a common snack for preschool kids in US?", PORTUGAL, "yes"),
    ],
)
def test_things_that_the_country_does_not_have_are_found(question: str, places: Places, verdict: str) -> None:
    found, why = applies(question, places)
    assert found == verdict, why
    assert bool(why) == (verdict != "yes")


@pytest.mark.parametrize(
    ("transposed", "fault"),
    [
        ("Qual é um lanche comum das crianças em Portugal?", ""),
        ("Qual é um lanche comum das crianças portuguesas?", ""),
        ("Qual é um lanche comum das crianças nos Estados Unidos?", "still names United States"),
        ("Qual é um lanche comum das crianças?", "does not name Portugal"),
        ("What is a common snack for kids in US?", "not translated"),
        ("What is a common snack for kids in Portugal?", "not translated"),
        ("Qual é o lanche das crianças em Portugal? " * 9, "characters"),
        ("Que lanche comem as crianças no ônibus em Portugal?", "ônibus"),
    ],
)
def test_faulty_translations_are_found(transposed: str, fault: str) -> None:
    found = translation_fault("What is a common snack for kids in US?", transposed.strip(), PORTUGAL)
    assert (fault.lower() in found.lower()) if fault else found == ""


def test_a_place_without_a_known_name_need_not_be_named() -> None:
    places = Places("US", "AA", "Atlantis", "pt")
    assert translation_fault("What is eaten in US?", "Que se come na Atlântida?", places) == ""
    assert places.language_name == "pt"
    assert PORTUGAL.language_name == "Portuguese (pt-PT)"


def test_most_of_blend_is_left_to_people_without_a_doubt() -> None:
    path = SHARED / "data" / "blend" / "annotations" / "US_data.json"
    if not path.is_file():
        pytest.skip("BLEnD is not here")
    sources, _ = load_sources(path)
    verdicts = {source.id: applies(source.question, PORTUGAL)[0] for source in sources}
    assert verdicts["BLEnD:US:Al-en-32:en"] == "no"  # Thanksgiving
    assert sum(verdict == "yes" for verdict in verdicts.values()) > 0.9 * len(verdicts) > 400
    listed, _ = load_sources(path.parents[1] / "questions" / "Spain_questions.csv")
    assert {source.origin for source in listed} == {"ES"}
    assert len(listed) == 500


# ---- the model ----------------------------------------------------------------------------------


def test_a_review_file_keeps_rules_and_model_apart(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = draft(tmp_path)
    assert [(row["id"], row["transposed"]) for row in rows] == list(MOVED.items())
    assert [row["source"] for row in rows] == [text for _, text in SOURCE]
    assert [row["applies"] for row in rows] == ["yes", "no", "unsure"]
    assert [row["model_applies"] for row in rows] == ["yes", "no", "yes"]
    assert rows[1]["why"] == "Thanksgiving: a feast of North America"
    assert rows[1]["model_why"] == "because of A-02"
    assert all(
        row["reviewer_applies"] == row["reviewer_question"] == row["reviewer_answers"] == "" for row in rows
    )
    assert {(row["model"], row["prompts"], row["language"]) for row in rows} == {
        ("openai:m", signature(), "pt-PT")
    }
    said = capsys.readouterr().out
    assert "by the rules: yes 1, no 1, unsure 1" in said
    assert "by the model: yes 2, no 1, unsure 0" in said
    assert all(len(line) <= 80 for line in said.splitlines() if str(tmp_path) not in line)


def test_a_faulty_translation_is_asked_again_with_the_reason(tmp_path: Path) -> None:
    def reply(stage: str, name: str) -> str | int:
        if name == "A-01" and stage == "translate":
            return "question: Qual é um lanche comum nos Estados Unidos?"
        if name == "A-03" and stage in ("translate", "again"):
            return "question: Qual é a comida?"
        return right(stage, name)

    rows = draft(tmp_path, reply)
    assert rows[0]["transposed"] == MOVED["A-01"]
    assert rows[2]["transposed"] == "Qual é a comida?"
    assert rows[2]["fault"] == "it does not name Portugal"
    assert [row["fault"] for row in rows[:2]] == ["", ""]


@pytest.mark.parametrize(
    "said",
    [
        "question: " + "a" * 1_000_000,
        "Sure! Here it is: Qual é a comida?",
        "<script>alert(1)</script>",
        "",
        '{"question": "Qual?"}',
        "applies: maybe\nwhy: \x1b[2J",
    ],
)
def test_hostile_replies_leave_a_row_for_a_person(tmp_path: Path, said: str) -> None:
    rows = draft(tmp_path, lambda stage, name: said if name == "A-01" else right(stage, name))
    assert (rows[0]["transposed"], rows[0]["applies"], rows[0]["model_applies"]) == ("", "yes", "unsure")
    assert rows[0]["fault"].startswith("not translated")
    assert len(json.dumps(rows[0])) < 3000
    assert rows[1]["transposed"] == MOVED["A-02"]


def test_a_cut_loses_nothing(tmp_path: Path) -> None:
    source, broken = write(tmp_path / "us.jsonl"), True

    def reply(stage: str, name: str) -> str | int:
        return 401 if broken and stage == "applies" and name == "A-03" else right(stage, name)

    with serve(reply) as server:
        words = (
            source,
            "--to",
            "PT",
            "--model",
            "openai:m",
            "--base-url",
            server.url,
            "-o",
            tmp_path / "r.jsonl",
        )
        with pytest.raises(EnvironmentProblem, match="401"):
            call(*words)
        assert not (tmp_path / "r.jsonl").exists()
        broken = False
        assert call(*words) == 0
        asked = [json.dumps(body, sort_keys=True) for body in server.bodies]
    twice = {body for body in asked if asked.count(body) > 1}
    assert all("applies:" in body for body in twice)  # what was in flight or failed, and no translation
    assert len(set(asked)) == 6
    # With the server gone, another file of the same comes from the store.
    assert call(*words[:-1], tmp_path / "s.csv", "--answers", tmp_path / "r.jsonl.answers.sqlite") == 0
    assert read_review([tmp_path / "s.csv"])[0][1] == read_review([tmp_path / "r.jsonl"])[0][1]


def test_a_review_that_people_worked_on_is_never_written_over(tmp_path: Path) -> None:
    draft(tmp_path)
    with pytest.raises(InputError, match="already there"):
        draft(tmp_path)


def test_bad_arguments_ask_nobody(tmp_path: Path) -> None:
    source, output = write(tmp_path / "us.jsonl"), tmp_path / "r.jsonl"
    model = ("--model", "openai:m")
    french = tmp_path / "fr.jsonl"
    french.write_text('{"id": "1", "question": "Quoi ?", "language": "fr"}\n')
    twice = tmp_path / "twice.csv"
    twice.write_text("id,question\n1,What in US?\n1,Who in US?\n")
    columns = tmp_path / "columns.csv"
    columns.write_text("id,text\n1,What in US?\n")
    cases: list[tuple[list[object], str]] = [
        ([source, *model, "-o", output], "--to: missing"),
        ([source, "--to", "PT", "-o", output], "--model: missing"),
        (["--to", "PT", *model, "-o", output], "name a file"),
        ([source, "--to", "XX", *model, "-o", output], "unknown culture"),
        ([french, "--to", "PT", *model, "-o", output], "no question in English"),
        ([twice, "--to", "PT", *model, "-o", output], r"twice\.csv:3: .*at 2 already"),
        ([columns, "--to", "PT", *model, "-o", output], r"columns\.csv:2: column question: missing"),
        ([source, "--from", "Narnia", "--to", "PT", *model, "-o", output], "--from Narnia"),
        (["--accept", source, "--to", "PT", "-o", output], "not --to"),
    ]
    with serve(right) as server:
        for words, said in cases:
            base = () if words[0] == "--accept" else ("--base-url", server.url)
            with pytest.raises(InputError, match=said):
                call(*words, *base)
        assert server.bodies == []


# ---- the review ---------------------------------------------------------------------------------


def row(name: str = "A-01", **more: str) -> ReviewRow:
    plain = ReviewRow(
        id=name, source="What in US?", transposed="O quê em Portugal?", fault="", applies="yes", why="",
        model_applies="yes", model_why="it does", culture="PT", language="pt-PT", model="openai:m", prompts=signature(),
    )  # fmt: skip
    return sealed(replace(plain, **more))


def test_accepting_makes_a_set(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    draft(tmp_path, right, "-o", tmp_path / "review.csv")
    capsys.readouterr()
    table = list(csv.DictReader(io.StringIO((tmp_path / "review.csv").read_bytes().decode("utf-8-sig"))))
    table[0] |= {"reviewer_applies": "Yes", "reviewer_answers": "bolachas | pão com manteiga"}
    table[2] |= {"reviewer_applies": "no", "reviewer_notes": "nobody eats that"}
    with (tmp_path / "edited.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(
            file, list(table[0]), delimiter=";"
        )  # as spreadsheets in many countries save it
        writer.writeheader()
        writer.writerows(table)
    output = tmp_path / "set.jsonl"
    assert call("--accept", tmp_path / "edited.csv", "-o", output, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["left_out"] == {"A-02": "rules", "A-03": "reviewer"}
    assert (told["questions"], told["answered"], told["unreviewed"]) == (1, 1, 0)
    (question,) = load_questions(output)
    assert (question.id, question.question, question.culture, question.language) == (
        "A-01:PT", MOVED["A-01"], "PT", "pt-PT",
    )  # fmt: skip
    assert question.answers == ("bolachas", "pão com manteiga")
    assert SOURCE[0][1] in str(question.notes)


def test_who_leaves_a_question_out() -> None:
    rows = [
        row("kept"),
        row("rules", applies="no", why="w"),
        row("model", model_applies="no"),
        row("unsure", applies="unsure", why="w"),
        row("blank", transposed="", fault="f"),
        row("faulty", fault="f"),
        replace(row("good", fault="f"), reviewer_applies="yes"),
        replace(row("overruled", applies="no", why="w"), reviewer_applies="yes"),
        replace(row("out"), reviewer_applies=" NO "),
        replace(row("mended", transposed="", fault="f"), reviewer_question="O quê?"),
    ]
    made = accept([(f"f:{n}", one) for n, one in enumerate(rows)])
    assert made.fates == {
        "kept": "kept", "rules": "rules", "model": "model", "unsure": "kept", "blank": "untranslated",
        "faulty": "untranslated", "good": "kept",
        "overruled": "kept", "out": "reviewer", "mended": "kept",
    }  # fmt: skip
    assert made.unreviewed == 2
    assert all(question.answers is None for question in made.questions)
    assert made.questions[-1].question == "O quê?"


@pytest.mark.parametrize(
    ("edit", "fault"),
    [
        (
            lambda text: text.replace('"transposed":"O quê', '"transposed":"Que'),
            r"r\.jsonl:1: a field that is not",
        ),
        (lambda text: text.replace('"id":"B"', '"id":"C"'), r"r\.jsonl:2: a field that is not"),
        (
            lambda text: text.replace('"reviewer_applies":""', '"reviewer_applies":"perhaps"'),
            r"r\.jsonl:1: .*perhaps",
        ),
        (lambda text: text.replace('"applies":"yes"', '"applies":"ja"'), r"r\.jsonl:1: field applies"),
        (
            lambda text: text.replace('"reviewer_answers":""', '"reviewer_answers":"[1, 2"'),
            r"jsonl:1: .*answers",
        ),
        (
            lambda text: text.replace('"reviewer_answers":""', '"reviewer_answers":["…"]'),
            r"jsonl:1: .*says nothing",
        ),
        (lambda text: text + text.splitlines()[0] + "\n", r"r\.jsonl:3: .*r\.jsonl:1 already"),
        (lambda text: text.replace("}\n", ",\n"), r"r\.jsonl:1: not valid JSON"),
        (lambda text: text.replace('"seal"', '"sael"'), r"r\.jsonl:1: .*sael"),
        (lambda text: "", "no rows"),
    ],
)
def test_edited_files_are_read_strictly(tmp_path: Path, edit: Callable[[str], str], fault: str) -> None:
    path = tmp_path / "r.jsonl"
    text = review_file([row("A"), row("B")], as_csv=False).decode()
    path.write_text(edit(text))
    with pytest.raises(InputError, match=fault):
        accept(read_review([path]))


def test_a_column_that_is_missing_is_named(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_bytes(review_file([row()], as_csv=True).replace(b"reviewer_answers", b"answers"))
    with pytest.raises(InputError, match=r"r\.csv:1: column reviewer_answers: missing"):
        read_review([path])


def test_two_countries_make_two_sets(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_bytes(review_file([row("A"), row("B", culture="BR")], as_csv=False))
    with pytest.raises(InputError, match=r"r\.jsonl:2: about BR"):
        read_review([path])


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Zl", "Zp")), max_size=40).map(
    str.strip
)


@given(WORDS, WORDS.filter(bool), WORDS)
def test_a_review_survives_a_spreadsheet(
    tmp_path_factory: pytest.TempPathFactory, why: str, text: str, note: str
) -> None:
    made = [row("=A", why=why, transposed=text, source="@b"), replace(row("-B"), reviewer_notes=note)]
    folder = tmp_path_factory.mktemp("review")
    for name in ("r.csv", "r.jsonl"):
        (folder / name).write_bytes(review_file(made, as_csv=name.endswith("csv")))
        assert [one for _, one in read_review([folder / name])] == made
    cells = list(csv.reader(io.StringIO((folder / "r.csv").read_bytes().decode("utf-8-sig"))))
    assert not any(cell.startswith(("=", "+", "-", "@")) for line in cells for cell in line)


def test_golds_with_several_forms_can_stand_in_json(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    text = review_file([row()], as_csv=False).decode()
    path.write_text(
        text.replace('"reviewer_answers":""', '"reviewer_answers":[{"forms":["pão","broa"]}, "bolo"]')
    )
    assert accept(read_review([path])).questions[0].answers == (Gold(forms=("pão", "broa")), "bolo")


# ---- replies ------------------------------------------------------------------------------------


def answer(text: str, finish: str = "stop") -> Answer:
    return Answer(text=text, finish_reason=finish, prompt_tokens=1, completion_tokens=1, seconds=0.0)


@pytest.mark.parametrize(
    "text",
    [
        "applies: no\nwhy: never: not once",
        "**Applies:** no\n**Why:** never: not once",
        "- applies: no\n- why: never: not once\n",
        "1. applies: no\n2. why: never: not once\n",
        "```\napplies: no\r\nwhy: never: not once\n```",
        "<think>applies: yes\nwhy: hm</think>\napplies: no\nwhy: never: not once",
    ],
)
def test_replies_are_read_in_their_usual_dress(text: str) -> None:
    assert read_fields(answer(text), ["applies", "why"]) == {"applies": "no", "why": "never: not once"}


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        (answer("applies: no"), "no line “why"),
        (answer("applies: no\nwhy: a\nwhy: b"), "two lines"),
        (answer("applies: no\nwhy:", "length"), "cut off"),
        (answer("applies: no\nwhy: x", "content_filter"), "filter"),
        (answer("why: x\n" * 9999), "characters"),
        ("HTTP 400", "refused: HTTP 400"),
    ],
)
def test_other_replies_are_refused_with_the_reason(reply: Answer | str, fault: str) -> None:
    with pytest.raises(Unfit, match=fault):
        read_fields(reply, ["applies", "why"])


@pytest.mark.parametrize(
    ("text", "verdict"),
    [("yes", ("yes", "")), ("No.", ("no", "")), ("unsure | who knows", ("unsure", "who knows")),
     ("no, never", ("no", "never")), ("yes (it is)", ("yes", "it is"))],
)  # fmt: skip
def test_verdicts_are_read(text: str, verdict: tuple[str, str]) -> None:
    assert read_verdict(text) == verdict


@pytest.mark.parametrize("text", ["nobody knows", "no one", "yes and no", "", "maybe"])
def test_what_is_no_verdict_is_refused(text: str) -> None:
    with pytest.raises(Unfit, match="none of yes, no and unsure"):
        read_verdict(text)


@given(st.text(), st.integers(1, 60))
def test_one_line_is_one_short_printable_line(text: str, most: int) -> None:
    line = one_line(text, most)
    assert len(line) <= most
    assert line.isprintable()
    assert line == " ".join(line.split()) or most < 3


@pytest.mark.parametrize("junk", ["_", "* ", "a", "a ", "1.", "applies", ":", "applies:", "\u2028"])
def test_junk_is_refused_in_no_time(junk: str) -> None:
    with pytest.raises(Unfit):
        read_fields(answer(junk * (19_000 // len(junk))), ["applies", "why"])


@given(st.text())
def test_no_reply_breaks_the_reader(text: str) -> None:
    try:
        found = read_fields(answer(text), ["applies", "why"])
    except Unfit:
        return
    assert set(found) == {"applies", "why"}


def test_the_signature_follows_the_prompts() -> None:
    assert re.fullmatch(r"transpose-\d+@[0-9a-f]{8}", signature())


def test_a_source_says_or_names_its_country(tmp_path: Path) -> None:
    path = tmp_path / "q.csv"
    path.write_text(
        "id,question,culture\n1,What is eaten in Spain?,\n2,What is eaten?,South Korea\n3,What is eaten?,\n"
    )
    assert [source.origin for source in load_sources(path)[0]] == ["ES", "KR", None]
    assert {source.origin for source in load_sources(path, "UK")[0]} == {"GB"}


def test_a_target_needs_a_language() -> None:
    assert target_of("PT").language == "pt-PT"
    assert target_of("AA", "la", "Atlantis").name == "Atlantis"
    with pytest.raises(InputError, match="--language"):
        target_of("AA", None, "Atlantis")


@pytest.mark.model
def test_the_embedded_model_leaves_a_review(tmp_path: Path, weights: Path) -> None:
    assert weights.is_file()
    source = tmp_path / "us.csv"
    source.write_text("id,question\n{},{}\n".format(*SOURCE[1]))
    output = tmp_path / "r.jsonl"
    assert call(source, "--to", "PT", "--model", f"embedded:{MODEL}", "-o", output) == 0
    rows = [one for _, one in read_review([output])]
    assert [(one.id, one.applies) for one in rows] == [("A-02", "no")]
