"""Published question sets: what is taken, what is rejected and why, on the real files where they are at hand."""

import csv
import io
import json
import re
import tempfile
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homeground.cli import imports, main
from homeground.cli.main import Parser
from homeground.errors import InputError
from homeground.questions import load_questions
from homeground.questions.importers import FORMATS, Imported, import_questions
from homeground.questions.importers.places import blend_languages, calmqa_languages, place
from homeground.schema import Gold, Question
from tests.conftest import SHARED

DATA = SHARED / "data"

# Questions without any annotation, counted in the files: rejected in both languages.
UNANSWERED = {
    "Algeria": 41, "Assam": 9, "Azerbaijan": 10, "China": 6, "Ethiopia": 20, "Greece": 11, "Indonesia": 5, "Iran": 17,
    "Mexico": 10, "North_Korea": 38, "Northern_Nigeria": 36, "South_Korea": 16, "Spain": 7, "UK": 11, "US": 5,
    "West_Java": 35,
}  # fmt: skip
EASY = ("data_idx", "question_idx", "prompt_question", "prompt_option_a", "prompt_option_b", "prompt_option_c",
        "prompt_option_d", "answer", "country")  # fmt: skip
HARD = ("data_idx", "question_idx", "prompt_question", "prompt_option", "answer", "country")

texts = (
    st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=12).map(str.strip).filter(bool)
)


def shared(*parts: str) -> Path:
    path = DATA.joinpath(*parts)
    if not path.exists():
        pytest.skip("the published files are not beside this checkout")
    return path


def command(*words: str | Path) -> int:
    """The verb as ``homeground import`` calls it."""
    parser = Parser(prog="homeground import")
    imports.arguments(parser)
    return imports.call(parser.parse_args(["questions", *map(str, words)]))


def table(*rows: tuple[object, ...]) -> str:
    out = io.StringIO(newline="")
    csv.writer(out).writerows(rows)
    return out.getvalue()


def write(path: Path, *records: object) -> Path:
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def sets(result: Imported) -> Counter[tuple[str | None, str | None]]:
    return Counter((question.culture, question.language) for question in result.questions)


def named(result: Imported, identifier: str) -> Question:
    return next(question for question in result.questions if question.id == identifier)


# ---- BLEnD ----


@pytest.mark.parametrize("region", UNANSWERED)
def test_blend_keeps_every_region_in_both_languages(region: str) -> None:
    path = shared("blend", "annotations", f"{region}_data.json")
    result = import_questions("blend", path)
    local = UNANSWERED[region] + (region == "China")  # one question is blank there
    english = UNANSWERED[region] + (region == "Northern_Nigeria")  # one gold has no English form
    rejected = Counter(told.where.endswith(":en") for told in result.rejected)
    assert rejected == {False: local, True: english}
    assert len(result.questions) == 1000 - local - english
    raw = json.loads(path.read_text(encoding="utf-8"))
    for question in result.questions:
        _, where, name, *rest = question.id.split(":")
        item, forms = raw[name], "en_answers" if rest else "answers"
        assert where == region
        assert question.language == ("en" if rest else blend_languages()[region])
        assert question.question == item["en_question" if rest else "question"].strip()
        assert question.idks == item["idks"]
        votes = [
            (tuple(dict.fromkeys(form.strip() for form in vote[forms] if form.strip())), vote["count"])
            for vote in item["annotations"]
        ]
        assert question.answers == tuple(Gold(forms=one, count=count) for one, count in votes if one)


def test_blend_of_all_regions() -> None:
    folder = shared("blend", "annotations")
    result = import_questions("blend", folder)
    assert (len(result.questions), len(result.rejected), len(result.remarks)) == (15_444, 556, 24)
    assert sum(UNANSWERED.values()) == 277
    assert len({question.id for question in result.questions}) == 15_444
    fruit = named(result, "BLEnD:UK:Al-en-01").answers
    assert fruit is not None
    assert fruit[:3] == tuple(
        Gold(forms=(name,), count=n) for name, n in (("fruit", 2), ("apple", 2), ("breadsticks", 1))
    )
    assert named(result, "BLEnD:UK:Al-en-01").question.endswith("in the UK?")
    assert named(result, "BLEnD:UK:Al-en-01:en").question.endswith("in UK?")
    whys = Counter(told.why for told in result.rejected)
    assert whys == {
        "no gold: no answer is given": 554,
        "no gold: every answer is blank": 1,
        "the question is blank": 1,
    }
    assert any(told.where == "Ca-sp-43:en" and "Northern_Nigeria" in told.file for told in result.rejected)
    assert sum(int(re.findall(r"\((\d+) votes\)", told.why)[0]) for told in result.remarks) == 30
    assert {q.notes for q in result.questions} == {None, "Assam", "Northern Nigeria", "West Java"}
    assert sets(result)["NG", "ha"] == 464
    assert sets(import_questions("blend", folder, language="es")) == {("ES", "es"): 493, ("MX", "es"): 490}
    english = import_questions("blend", folder, language="en")
    assert sets(english)["GB", "en"] == 489
    assert (
        len(english.questions) == len(import_questions("blend", folder, language="local").questions) == 7722
    )


def item(
    question: str = "¿Qué?", *votes: tuple[list[str], list[str], object], **idks: object
) -> dict[str, object]:
    annotations = [{"answers": a, "en_answers": e, "count": n} for a, e, n in votes]
    return {"question": question, "en_question": "What?", "annotations": annotations, "idks": idks}


def test_blend_defects_are_named(tmp_path: Path) -> None:
    path = tmp_path / "Spain_data.json"
    good = json.dumps(item("¿Qué?", ([" a ", "", "a"], ["b"], 2), (["c"], [""], 2), idk=1))
    broken = json.dumps(item("¿Qué?", (["a"], ["b"], "two")))
    negative = json.dumps(item("¿Qué?", (["a"], ["b"], 1), idk=-1))
    path.write_text(
        f'{{"A": {good}, "B": {broken}, "A": {good}, "C": {negative}, "D": [], "E": {{"x": {"9" * 5000}}}}}',
        encoding="utf-8-sig",
    )
    result = import_questions("blend", path)
    assert [(told.where, told.why[:30]) for told in result.rejected] == [
        ("A", "the identifier stands twice; t"),
        ("B", "field annotations[0].count: Ex"),
        ("C", "field idks[...]: Expected int "),
        ("D", "Expected object, got array"),
        ("E", "Object missing required field "),
    ]
    local, english = result.questions
    assert local.answers == (Gold(forms=("a",), count=2), Gold(forms=("c",), count=2))
    assert english.answers == (Gold(forms=("b",), count=2),)
    assert [str(told) for told in result.remarks] == [
        f"{path}:A:en: 1 of 2 golds blank and left out (2 votes)"
    ]
    assert local.idks == {"idk": 1}


def test_blend_as_a_list(tmp_path: Path) -> None:
    path = tmp_path / "West_Java_data.json"
    path.write_text(json.dumps([item("Naon?", (["a"], ["b"], 1)) | {"ID": "X"}, item(), 3]), encoding="utf-8")
    result = import_questions("blend", path, culture="ID-JB")
    assert [question.id for question in result.questions] == ["BLEnD:West_Java:X", "BLEnD:West_Java:X:en"]
    assert sets(result) == {("ID-JB", "su"): 1, ("ID-JB", "en"): 1}
    assert [told.where for told in result.rejected] == ["item 2", "item 3"]


@pytest.mark.parametrize(
    "content", [b"", b"[", b"{}x", b"\xff\xfe{", b'{"a": "\xe9"}', rb'{"a": "\ud800"}', b"3", b"[" * 9000]
)
def test_what_is_no_blend(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "Spain_data.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match="no annotations of BLEnD"):
        import_questions("blend", path)
    with pytest.raises(InputError, match=r"'q\.json' is no region of BLEnD"):
        import_questions("blend", tmp_path / "q.json")
    path.unlink()
    with pytest.raises(InputError, match="no file here is called"):
        import_questions("blend", tmp_path)


# ---- the other benchmarks ----


def test_bertaqa() -> None:
    right, wrong = (
        import_questions("bertaqa", shared("bertaqa", f"both_{kind}_examples.csv"))
        for kind in ("correct", "incorrect")
    )
    for result in (right, wrong):
        assert (len(result.questions), result.rejected, result.remarks) == (50, (), ())
        assert sets(result) == {("ES-PV", "en"): 50}
    assert named(right, "BertaQA:2:en").answers == ("In Biscay",)
    assert named(right, "BertaQA:2:en").options == ("In Biscay", "In Gipuzkoa", "In Navarre")
    path = shared("bertaqa", "category_examples_en_eu.jsonl")
    both = import_questions("bertaqa", path)
    assert sets(both) == {("ES-PV", "en"): 8, (None, "en"): 8, ("ES-PV", "eu"): 8, (None, "eu"): 8}
    assert named(both, "BertaQA:8:eu").answers == ("Eratsunen",)
    basque = import_questions("bertaqa", path, language="eu")
    assert sets(basque) == {("ES-PV", "eu"): 8, (None, "eu"): 8}


def test_bertaqa_defects_are_named(tmp_path: Path) -> None:
    good = {"id": 1, "question": "Non?", "answer": 1, "candidates": ["a", "b", "c"], "config": "eu"}
    path = write(tmp_path / "b.jsonl", good, good | {"id": 2, "answer": 3}, good | {"id": 3, "answer": "1²"},
                 good | {"id": 4, "candidates": "a"}, good, {"id": 5}, good | {"id": 6, "candidates": [1, None]},
                 good | {"id": 7, "candidates": "['x', 'y']"}, good | {"id": 8, "answer": -1})  # fmt: skip
    result = import_questions("bertaqa", path)
    assert [question.answers for question in result.questions] == [("b",), ("y",)]
    assert [(told.where, told.why) for told in result.rejected] == [
        ("2", "field answer: '3' is no number from 0 to 2"),
        ("3", "field answer: '1²' is no number from 0 to 2"),
        ("4", "field candidates: not two or more options"),
        ("5", f"the identifier 'BertaQA:1:eu' is taken by {path}:1"),
        ("6", "field question: missing"),
        ("7", "'None' is no text"),
        ("9", "field answer: '-1' is no number from 0 to 2"),
    ]


def test_fork() -> None:
    result = import_questions("fork", shared("fork", "fork.csv"))
    assert result == import_questions("fork", shared("fork", "fork.jsonl"))
    assert (len(result.questions), result.rejected, result.remarks) == (184, (), ())
    assert sets(result) == {
        ("CN", "en"): 66, ("US", "en"): 58, ("JP", "en"): 28, ("IN", "en"): 17, ("AE", "en"): 4, ("KR", "en"): 2,
        ("FR", "en"): 2, ("IT", "en"): 2, ("SA", "en"): 2, ("DE", "en"): 2, ("KZ", "en"): 1,
    }  # fmt: skip
    first = named(result, "FORK:51f4ec42-084c-4fbc-8d99-18cb327794ff")
    assert first.answers == ("not make too much noise",)
    assert first.options == ("burp/slurp loudly", "not make too much noise")
    assert first.notes == "Type: Underspecified; Dimension: General Culture/Custom"


def test_calmqa() -> None:
    specific = import_questions("calmqa", shared("calmqa", "questions_specific.jsonl"))
    # 1,094 questions, 58 of them English, which have one version.
    assert (len(specific.questions), specific.rejected, specific.remarks) == (2 * 1094 - 58, (), ())
    assert sets(specific)["JP", "ja"] == 56
    assert sets(specific)["BI", "rn"] == sets(specific)["BI", "en"] == 39
    assert sum(question.answers is not None for question in specific.questions) == 2 * 39
    beer = named(specific, "CaLMQA:kirundi:3:en")
    assert beer.answers is not None
    assert str(beer.answers[0]).startswith("-To make banana beer")
    assert beer.question == "How banana beer is produced?"
    # 38 questions in each of 23 languages, 51 different ones; the English text of each is taken once.
    agnostic = import_questions("calmqa", shared("calmqa", "questions_agnostic.jsonl"))
    assert (len(agnostic.questions), agnostic.rejected) == (22 * 38 + 51, ())
    assert {question.culture for question in agnostic.questions} == {None}
    local = import_questions("calmqa", shared("calmqa", "questions_agnostic.jsonl"), language="local")
    assert len(local.questions) == 23 * 38


@pytest.mark.parametrize(
    ("language", "code", "culture"), [("tongan", "to", "TO"), ("papiamento", "pap", None)]
)
def test_models_answers_are_no_golds(language: str, code: str, culture: str | None) -> None:
    result = import_questions("calmqa", shared("calmqa", "raw", f"dataset-specific-{language}.json"))
    assert sets(result) == {(culture, code): 7, (culture, "en"): 7}
    assert {question.answers for question in result.questions} == {None}


def test_peoples_answers_in_raw_calmqa_are_golds(tmp_path: Path) -> None:
    def told(tongan: str, **more: object) -> dict[str, object]:
        return {"translations": {"Tongan": {"text": tongan}}} | more

    asked = {"name": "tongan:0", "language": "Tongan", "translations": {"Tongan": {"text": "Ko e hā?"},
             "English": {"text": "What?"}}}  # fmt: skip
    entries = [{"question": asked, "answers": [told("ʻio"), told("no", prompting_state={"model": "x"})]},
               {"question": asked}, {"question": asked | {"name": "tongan:1", "translations": {}}}, 3]  # fmt: skip
    path = tmp_path / "raw.json"
    path.write_text(json.dumps({"entries": entries}))
    result = import_questions("calmqa", path)
    assert [(q.id, q.answers) for q in result.questions] == [
        ("CaLMQA:tongan:0", ("ʻio",)),
        ("CaLMQA:tongan:0:en", None),
    ]
    assert [t.where for t in result.rejected] == ["tongan:0", "tongan:1", "entry 4"]
    path.write_text('{"entries": 3}')
    with pytest.raises(InputError, match="no data set of CaLMQA: field entries"):
        import_questions("calmqa", path)


def test_taarofbench() -> None:
    expected = import_questions("taarofbench", shared("taarofbench", "taarof-expected.jsonl"))
    other = import_questions("taarofbench", shared("taarofbench", "non-taarof.jsonl"))
    assert sets(expected) == {("IR", "en"): 311}
    assert sets(other) == {("IR", "en"): 139}
    assert expected.rejected == other.rejected == expected.remarks == other.remarks == ()
    first = named(expected, "TaarofBench:taarof-expected:0")
    assert first.question == (
        "I had lent you my necklace to wear at our friend's wedding. At the end of the wedding, you took the "
        'necklace off to give it back to me. I say: "You can keep it if you like."'
    )
    assert first.answers == ("It is expected that you would insist on returning it.",)


def test_normad(tmp_path: Path) -> None:
    invented = import_questions("normad", shared("normad", "fictional_fewshots.jsonl"))
    assert [(q.id, q.culture, q.answers) for q in invented.questions] == [
        ("NormAd:1", "Atlantica", None), ("NormAd:2", "Kalevonia", None), ("NormAd:3", "Aqualia", None),
    ]  # fmt: skip
    assert [told.why for told in invented.remarks] == [
        f"no culture is known as {name!r}; the name stands for its code"
        for name in ("Atlantica", "Kalevonia", "Aqualia")
    ]
    path = tmp_path / "normad.csv"
    head = (
        "ID",
        "Country",
        "Background",
        "Axis",
        "Subaxis",
        "Value",
        "Rule-of-Thumb",
        "Story",
        "Explanation",
        "Gold Label",
    )
    rows = [(n, c, "", "a", "", "", "r", "He ate.", "", label) for n, c, label in (
        (7, "papua_new_guinea", "Yes"), (8, "egypt", "neutral"), (9, "egypt", ""), (10, "egypt", "maybe"),
        (7, "egypt", "no"),
    )]  # fmt: skip
    path.write_text(table(head, *rows), encoding="utf-8-sig")
    result = import_questions("normad", path)
    assert [(q.id, q.culture, q.answers) for q in result.questions] == [
        ("NormAd:7", "PG", ("yes",)), ("NormAd:8", "EG", ("neutral",)),
    ]  # fmt: skip
    assert result.questions[0].notes == "Axis: a; Rule-of-Thumb: r"
    assert [(told.where, told.why[:26]) for told in result.rejected] == [
        ("4", "field Gold Label: empty"), ("5", "field Gold Label: 'maybe' "), ("6", "the identifier 'NormAd:7' "),
    ]  # fmt: skip


def test_culturalbench(tmp_path: Path) -> None:
    easy = tmp_path / "easy.csv"
    easy.write_text(table(EASY, (0, 0, "What is eaten?", "a", "b", "c", "d", "B", "South Korea"),
                          (1, 1, "What is drunk?", "a", "b", "c", "d", "E", "Nepal"),
                          (2, 2, "What is worn?", "a", "", "c", "d", "A", "Nepal"),
                          (3, 0, "What is said?", "a", "b", "c", "d", "A", "Nepal")))  # fmt: skip
    result = import_questions("culturalbench", easy)
    assert [(q.id, q.culture, q.options, q.answers) for q in result.questions] == [
        ("CulturalBench:easy:0", "KR", ("a", "b", "c", "d"), ("b",)),
    ]
    assert [told.why[:40] for told in result.rejected] == [
        "the answer key 'E' means none of 4 optio", "field prompt_option_b: empty",
        "the identifier 'CulturalBench:easy:0' is",
    ]  # fmt: skip
    hard = tmp_path / "hard.csv"
    hard.write_text(table(HARD, (0, 0, "What is eaten?", "a", "True", "United States"),
                          (1, 0, "What is eaten?", "b", "FALSE", "United States"),
                          (2, 0, "What is eaten?", "c", "perhaps", "United States"),
                          (3, 0, "What is eaten?", "d", "False", "Czech Republic")))  # fmt: skip
    result = import_questions("culturalbench", hard)
    assert [(q.id, q.culture, q.question, q.answers) for q in result.questions] == [
        ("CulturalBench:hard:0:0", "US", "What is eaten?\na", ("True",)),
        ("CulturalBench:hard:0:1", "US", "What is eaten?\nb", ("False",)),
        ("CulturalBench:hard:0:3", "CZ", "What is eaten?\nd", ("False",)),
    ]
    assert [told.why for told in result.rejected] == ["field answer: 'Perhaps' is neither True nor False"]


# ---- any other table ----


def test_lists_within_cells_of_real_multiple_choice() -> None:
    columns = {"question": "prompt", "options": "region_choices_list", "culture": "target_country"}
    for name, expected in (
        ("Europe", {("GR", "en"): 267, ("GB", "en"): 262, ("ES", "en"): 260}),
        ("North_America", {("MX", "en"): 260, ("US", "en"): 260}),
    ):
        path = shared("culturescope_blend_mcq", f"blend_region_based_{name}.csv")
        by_text = import_questions(
            "table", path, columns=columns | {"answers": "region_answer_str"}, language="en"
        )
        by_letter = import_questions("table", path, columns=columns | {"key": "answer_idx"}, language="en")
        assert by_text == by_letter
        assert sets(by_text) == expected
        assert by_text.rejected == by_text.remarks == ()
        assert by_text.questions[0].id == f"blend_region_based_{name}:2"
        assert {len(question.options or ()) for question in by_text.questions} == {4}


def test_control_characters_of_a_real_file_end_no_line() -> None:
    path = shared("blend", "questions", "North_Korea_questions.csv")
    result = import_questions(
        "table", path, culture="KP", language="ko", columns={"id": "ID", "question": "Question"}
    )
    assert sets(result) == {("KP", "ko"): 500}
    assert result.rejected == ()
    assert (
        sum("\x1c" in question.question or "\x08" in question.question for question in result.questions) == 2
    )
    assert {question.answers for question in result.questions} == {None}


def test_a_table_is_mapped(tmp_path: Path) -> None:
    path = tmp_path / "fragen.csv"
    path.write_text(
        table(
            ("Nr", "Frage, kurz", "Antwort", "A", "B", "Land"),
            (1, "Was?", "Brot / Semmel", "Brot", "", "Germany"),
            (2, "Wer?", "['ich', ['du', 'Sie']]", "x", "y", "UK"),
            (3, "Wo?", " / ", "x", "y", "ES-PV"),
            (4, "Wie?", "=cmd|'/C calc'!A0", "x", "y", "Narnia"),
            (5, " ", "so", "x", "y", ""),
            (2, "Wann?", "nie", "x", "y", ""),
            (7, "Warum?", "[darum]", "x", "y", ""),
        ),
        encoding="utf-8",
    )
    columns = {
        "id": "Nr",
        "question": "Frage, kurz",
        "answers": "Antwort",
        "options": "A+B",
        "culture": "Land",
    }
    result = import_questions("table", path, columns=columns, separator="/", language="de")
    assert [(q.id, q.culture, q.answers, q.options) for q in result.questions] == [
        ("1", "DE", ("Brot", "Semmel"), ("Brot",)),
        ("2", "GB", ("ich", Gold(forms=("du", "Sie"))), ("x", "y")),
        ("4", "Narnia", ("=cmd|'", "C calc'!A0"), ("x", "y")),
    ]
    assert [told.where for told in result.remarks] == ["5"]
    assert [(told.where, told.why) for told in result.rejected] == [
        ("4", "no gold: no answer is given"),
        ("6", "field Frage, kurz: empty"),
        ("7", f"the identifier '2' is taken by {path}:3"),
        ("8", "looks like a list and is none: [darum]"),
    ]
    assert import_questions("table", path, columns=columns, culture="AT").questions[0].culture == "AT"


def test_a_table_with_our_own_names_needs_no_mapping(tmp_path: Path) -> None:
    path = write(tmp_path / "q.jsonl", {"question": "Why?", "answers": None}, {"question": "Who?", "answers": ""},
                 {"question": "How?", "answers": [1, {"forms": ["a"], "count": 2}], "culture": "PT", "source": "x"},
                 {"question": "What?", "key": "B"}, {"question": ["?"]}, {"answers": "a"})  # fmt: skip
    result = import_questions("table", path)
    assert result.questions == (
        Question(id="q:1", question="Why?", answers=None),
        Question(
            id="q:3", question="How?", answers=("1", Gold(forms=("a",), count=2)), culture="PT", source="x"
        ),
    )
    assert [told.why for told in result.rejected] == [
        "no gold: no answer is given",
        "field key: a letter, and no options that it could mean",
        "field question: \"['?']\" is no text",
        "field question: missing",
    ]


@pytest.mark.parametrize(
    ("format", "more", "said"),
    [
        ("blend2", {}, "unknown format 'blend2' (did you mean blend?)"),
        ("fork", {"columns": {"question": "q"}}, "format fork has fixed columns"),
        ("fork", {"separator": ";"}, "format fork has fixed columns"),
        (
            "table",
            {"columns": {"answer": "a", "question": "q"}},
            "unknown field 'answer' (did you mean answers?)",
        ),
        ("table", {"columns": {"answers": "a"}}, "no column is mapped to question"),
        ("table", {"columns": {"question": "q", "key": "a"}}, "it needs options"),
        ("table", {"columns": {"question": "q", "options": "a+c"}}, "column c: missing; there are q, a"),
        ("table", {}, "column question: missing; there are q, a"),
        ("fork", {}, "column ID: missing"),
    ],
)
def test_what_cannot_be_imported(tmp_path: Path, format: str, more: dict[str, object], said: str) -> None:
    path = tmp_path / "q.csv"
    path.write_text("q,a\nWhy?,so\n")
    with pytest.raises(InputError, match=re.escape(said)):
        import_questions(format, path, **more)  # type: ignore[arg-type]


@given(st.lists(st.tuples(texts, st.lists(texts, min_size=1, max_size=3)), min_size=1, max_size=4))
def test_mapped_tables_round_trip(rows: list[tuple[str, list[str]]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "t.csv"
        path.write_text(table(("Q", "A"), *((q, repr(a)) for q, a in rows)), encoding="utf-8", newline="")
        result = import_questions("table", path, columns={"question": "Q", "answers": "A"})
        assert [(q.question, q.answers) for q in result.questions] == [(q, tuple(a)) for q, a in rows]
        assert command("table", path, "-o", Path(folder) / "out.jsonl", "--map", "question=Q,answers=A") == 0
        assert tuple(load_questions(Path(folder) / "out.jsonl")) == result.questions


@given(
    st.binary(max_size=120),
    st.sampled_from(FORMATS),
    st.sampled_from(("Spain_data.json", "q.csv", "q.jsonl")),
)
def test_bytes_are_imported_or_refused(content: bytes, format: str, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_bytes(content)
        try:
            result = import_questions(format, path)
        except InputError as error:
            assert name in str(error)
        else:
            assert all(told.why for told in result.rejected)


# ---- places and the command ----


def test_places() -> None:
    for name, code in {
        "Northern_Nigeria": "NG", "West_Java": "ID", "assam": "IN", "North_Korea": "KP", "UK": "GB", "US": "US",
        "USA": "US", "UAE": "AE", "south korea": "KR", "china": "CN", "united_states_of_america": "US", "türkiye": "TR",
        "Basque Country": "ES-PV", "PT": "PT", "ID-JB": "ID-JB", "palestinian_territories": "PS", "hong_kong": "HK",
    }.items():  # fmt: skip
        found = place(name)
        assert found is not None
        assert found.culture == code, name
    for name in ("Atlantica", "ZZ", "", "pt-br", "x" * 1000):
        assert place(name) is None, name
    for region in blend_languages():
        assert place(region) is not None
    known = {tongue.culture for tongue in calmqa_languages().values()} - {None}
    assert all(place(str(code)) is not None for code in known)


def test_the_verb_says_what_was_read_and_rejected(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, out = tmp_path / "q.csv", tmp_path / "new" / "q.jsonl"
    source.write_text("question,answers,culture\nWhy?,so,Spain\nWho?,,Spain\nHow?,\"['a', '']\",Atlantis\n")
    assert main(["import", "questions", "table", str(source), "-o", str(out), "--language", "en"]) == 1
    assert capsys.readouterr() == (
        f"{out}: 2 questions, 1 rejected, 2 changed\n  ES en: 1\n  Atlantis en: 1\n",
        f"homeground: rejected: {source}:3: no gold: no answer is given\n"
        f"homeground: changed: {source}:4: no culture is known as 'Atlantis'; the name stands for its code\n"
        f"homeground: changed: {source}:4: 1 of 2 golds blank and left out (0 votes)\n",
    )
    assert out.read_text().splitlines()[0] == (
        '{"id":"q:2","question":"Why?","answers":["so"],"language":"en","culture":"ES"}'
    )
    before = out.read_bytes()
    assert (
        main(["import", "questions", "table", str(source), "-o", str(out), "--culture", "PT", "--json"]) == 1
    )
    shown = json.loads(capsys.readouterr().out)
    assert shown == {
        "file": str(out),
        "questions": 2,
        "sets": [{"culture": "PT", "language": None, "questions": 2}],
        "rejected": [{"file": str(source), "where": "3", "why": "no gold: no answer is given"}],
        "changed": [{"file": str(source), "where": "4", "why": "1 of 2 golds blank and left out (0 votes)"}],
    }
    assert out.read_bytes() != before


def test_nothing_is_written_where_nothing_can_be_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "q.csv"
    source.write_text("question,answers\nWhy?,\n")
    before = source.read_bytes()
    assert main(["import", "questions", "table", str(source), "-o", str(tmp_path / "out.jsonl")]) == 2
    assert "no questions to import; 1 records rejected" in capsys.readouterr().err
    assert main(["import", "questions", "table", str(source), "-o", str(source)]) == 2
    assert "is what is imported" in capsys.readouterr().err
    assert (
        main(["import", "questions", "table", str(tmp_path / "no.csv"), "-o", str(tmp_path / "out.jsonl")])
        == 2
    )
    assert "No such file" in capsys.readouterr().err
    assert (source.read_bytes(), [path.name for path in tmp_path.iterdir()]) == (before, ["q.csv"])


@pytest.mark.parametrize("wrong", ["question", "question=", "=x", "question=a,question=b", ""])
def test_a_mapping_that_is_none(wrong: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command("table", "q.csv", "-o", "out.jsonl", "--map", wrong)
    assert "--map" in capsys.readouterr().err


def test_a_mapping() -> None:
    assert imports.mapping('question=Frage , "answers=Antwort, kurz",options=A+B=C') == {
        "question": "Frage", "answers": "Antwort, kurz", "options": "A+B=C",
    }  # fmt: skip


def test_the_help_names_every_format(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        command("--help")
    shown = capsys.readouterr().out
    assert all(name in shown for name in FORMATS)
