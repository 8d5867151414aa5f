"""Question files that people make: every shape and encoding is read whole, or refused by line."""

import contextlib
import csv
import io
import re
import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from homeground.errors import InputError
from homeground.files import jsonl
from homeground.questions import load_questions
from homeground.questions.cells import golds, options
from homeground.questions.pairs import check_questions
from homeground.questions.reading import LONGEST_LINE, Unfit
from homeground.schema import Gold, Question

LINE = '{"id": "%s", "question": "Why?", "answers": ["so"]}\n'
TWO = LINE % "1" + LINE % "2"
CSV = "id,question,answers\n1,Why?,so\n2,Why?,so\n"

# Half a surrogate pair is no text, and CSV holds no zero byte.
texts = st.text(st.characters(codec="utf-8", exclude_characters="\0"), max_size=20)
filled = texts.map(str.strip).filter(bool)
answers = st.one_of(
    texts, st.builds(Gold, forms=st.lists(texts, max_size=3).map(tuple), count=st.none() | st.integers(0, 9))
)
several = st.lists(answers, max_size=3).map(tuple)
questions = st.lists(
    st.builds(
        Question,
        id=filled,
        question=filled,
        answers=st.none() | several,
        options=st.none() | st.lists(filled, min_size=1, max_size=3).map(tuple),
        language=st.none() | filled,
        culture=st.none() | filled,
        contrast=st.none() | st.dictionaries(filled, several, max_size=2),
        idks=st.none() | st.dictionaries(texts, st.integers(0, 9), max_size=3),
        notes=st.none() | filled,
    ),
    min_size=1,
    max_size=4,
    unique_by=lambda question: question.id,
)


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("q.jsonl", TWO),
        ("q.json", TWO),
        ("q.json", f"[{TWO.strip().replace(chr(10), ',' + chr(10))}]"),
        ("q.jsonl", f"\n [{TWO.strip().replace(chr(10), ',')}]"),
        ("q.csv", CSV),
        ("q.csv", TWO),
        ("q", CSV),
        ("q", TWO),
        ("q.CSV", CSV.replace(",", ";")),
        ("q.tsv", CSV.replace(",", "\t")),
        ("q.csv", CSV.replace("\n", "\r\n") + "\r\n\r\n"),
        ("q.csv", "answers, question ,more,id,\n,,,,\nso,Why?,x,1,\n['so'],Why?,,2,\n"),
        ("q.csv", 'id,question,answers\n"1",Why?,"[""so""]"\n\n2,"Why?\n","so"'),
        ("q.jsonl", TWO.replace("\n", "\r\n\r\n")),
    ],
)
@pytest.mark.parametrize("bom", [b"", b"\xef\xbb\xbf"])
def test_every_shape_holds_the_same_questions(tmp_path: Path, name: str, content: str, bom: bytes) -> None:
    path = write(tmp_path, name, bom + content.encode())
    assert [(q.id, q.question, q.answers) for q in load_questions(path)] == [
        ("1", "Why?", ("so",)),
        ("2", "Why?", ("so",)),
    ]
    assert check_questions(path) == []


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("q.csv", "id,answers\n1,so\n", "q.csv:1: column question: missing; there are id, answers"),
        ("q.csv", "id,question,answers,id\n", "q.csv:1: column id: stands 2 times"),
        ("q.csv", "", "q.csv:1: column id: missing"),
        ("q.csv", "id,question,answers\n", "q.csv: no questions in it"),
        ("q.csv", CSV + "3,Why?\n", "q.csv:4: 2 cells for 3 columns"),
        ("q.csv", CSV + '3,"Why?\n\n",so\n\n4,a,b,c\n', "q.csv:8: 4 cells for 3 columns"),
        ("q.csv", CSV + "1,Who?,me\n", "q.csv:4: field id: '1' stands in line 2 already"),
        ("q.csv", CSV + "3, ,me\n", "q.csv:4: field question: empty"),
        ("q.csv", CSV + " ,Who?,me\n", "q.csv:4: field id: empty"),
        ("q.csv", CSV + '3,"Wh"o?,me\n', "q.csv:4: not valid CSV"),
        ("q.csv", CSV + '3,"Who?,me\n', "q.csv:4: not valid CSV: unexpected end of data"),
        ("q.csv", CSV + '3,"Who?,me\n' + "x" * 140_000, "q.csv:4: not valid CSV: field larger than field limit"),
        ("q.csv", CSV + "3,Who?,['me'\"]\n", 'q.csv:4: field answers: looks like a list and is none: [\'me\'"]'),
        ("q.csv", CSV + "3,Who?,['me' 'you']\n", "q.csv:4: field answers: two texts without a comma"),
        ("q.csv", CSV.encode() + b"3,caf\xe9?,me\n", "q.csv:4: not UTF-8 text: byte 6 of the line is 0xe9; save the"),
        ("q.csv", b"id,question,answers\xff\n", "q.csv:1: not UTF-8 text: byte 20 of the line is 0xff"),
        ("q.jsonl", TWO.encode() + b'{"id": "caf\xe9"}\n', "q.jsonl:3: not UTF-8 text: byte 12 of the line is 0xe9"),
        ("q.jsonl", TWO.encode("utf-16"), "q.jsonl: not UTF-8 text: UTF-16 or UTF-32 text; save it as UTF-8"),
        ("q.jsonl", TWO.encode("utf-16-le"), "q.jsonl:1: not UTF-8 text: byte 2 of the line is zero"),
        ("q.csv", b"PK\x03\x04rest", "q.csv: not UTF-8 text: a ZIP archive or a spreadsheet"),
        ("q.jsonl", b"\x1f\x8brest", "q.jsonl: not UTF-8 text: compressed"),
        ("q.jsonl", TWO + '{"id": "3", "question": "Why?"}\n', "q.jsonl:3: Object missing required field answers"),
        ("q.jsonl", TWO + "\n" + LINE % "2", "q.jsonl:4: field id: '2' stands in line 2 already"),
        ("q.jsonl", TWO + "{'id': 3}", "q.jsonl:3: not valid JSON"),
        ("q.jsonl", TWO + "[" * 5000, "q.jsonl:3: "),
        ("q.jsonl", TWO + '{"x":' * 50_000, "q.jsonl:3: not valid JSON"),
        ("q.jsonl", '{\n  "id": "1"\n}\n', "q.jsonl:1: an object over several lines"),
        ("q.jsonl", TWO + " " * LONGEST_LINE + "{}\n", "q.jsonl:3: longer than 10,000,000 bytes"),
        ("q.json", f"[{LINE % 1},\n{LINE % 1}]", "q.json:3: field id: '1' stands in line 1 already"),
        ("q.json", '[\n{"id": "1",\n"question": 2}]', "q.json:2: field question: Expected str, got int"),
        ("q.json", "[\n{},\n{]\n]", "q.json:3: not valid JSON"),
        ("q.json", b'[\n{"id": "\xe9", "question": "a", "answers": null}]', "q.json:2: "),
        ("q.json", "[]", "q.json: no questions in it"),
        ("q.jsonl", "\n\n", "q.jsonl: no questions in it"),
    ],
)  # fmt: skip
def test_a_fault_is_told_by_line(tmp_path: Path, name: str, content: str | bytes, said: str) -> None:
    path = write(tmp_path, name, content)
    with pytest.raises(InputError, match=re.escape(said)) as refused:
        load_questions(path)
    assert len(str(refused.value)) < 400
    assert str(refused.value) in check_questions(path)


def test_what_is_no_file(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.csv"):
        with pytest.raises(InputError, match=re.escape(str(path))):
            load_questions(path)
        assert len(check_questions(path)) == 1


def test_all_faults_are_listed_and_bounded(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        "q.csv",
        CSV.encode() + b'1,Who?,me\n3,\xff,so\n4,a,b,c\n5,,x\n6,"a"b,c\n7,Good?,yes\n8,x,[}]\n',
    )
    found = [problem.partition("q.csv:")[2][:12] for problem in check_questions(path)]
    assert found == [
        "4: field id:",
        "5: not UTF-8",
        "6: 4 cells f",
        "7: field que",
        "8: not valid",
        "10: field an",
    ]
    write(tmp_path, "q.csv", CSV + "1,Who?,me\n" * 100_000)
    found = check_questions(path)
    assert len(found) == 101
    assert found[-1].endswith(": 99,900 more")
    assert check_questions(path, most=2) == [*found[:2], f"{path}: 99,998 more"]


def test_a_hundred_thousand_rows(tmp_path: Path) -> None:
    rows = [f'{number},Que fruta é esta?,"[""maçã"", ""pero""]"\n' for number in range(100_000)]
    path = write(tmp_path, "q.csv", "id,question,answers\n" + "".join(rows))
    found = load_questions(path)
    assert len(found) == 100_000
    assert found[99_999] == Question(id="99999", question="Que fruta é esta?", answers=("maçã", "pero"))
    path = write(tmp_path, "q.jsonl", jsonl(found) + jsonl(found[:1]))
    with pytest.raises(InputError, match="100001: field id: '0' stands in line 1 already"):
        load_questions(path)
    assert len(load_questions(path, unique=False)) == 100_001


def test_an_identifier_may_repeat_where_nobody_keeps_answers_by_it(tmp_path: Path) -> None:
    path = write(tmp_path, "q.jsonl", LINE % "1" + LINE % "1")
    assert [q.id for q in load_questions(path, unique=False)] == ["1", "1"]


@given(questions)
def test_json_lines_round_trip(several: list[Question]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder), "q.jsonl", jsonl(several))
        assert load_questions(path) == several
        write(
            Path(folder),
            "q.jsonl",
            b"\xef\xbb\xbf" + msgspec.json.format(msgspec.json.encode(several), indent=1),
        )
        assert load_questions(path) == several


def as_json(value: object) -> str:
    return msgspec.json.encode(value).decode()


@pytest.mark.parametrize("spell", [as_json, lambda value: repr(msgspec.to_builtins(value))])
@given(several=questions, mark=st.sampled_from(",;\t"))
def test_csv_round_trip(spell: Callable[[object], str], several: list[Question], mark: str) -> None:
    out = io.StringIO(newline="")
    names = list(Question.__struct_fields__)
    writer = csv.DictWriter(out, names, delimiter=mark)
    writer.writeheader()
    for question in several:
        cells = {name: getattr(question, name) for name in names}
        for name in ("answers", "options", "contrast", "idks"):
            value = msgspec.to_builtins(cells[name])
            cells[name] = "" if value is None else spell(list(value) if isinstance(value, tuple) else value)
        writer.writerow(cells)
    with tempfile.TemporaryDirectory() as folder:
        found = load_questions(write(Path(folder), "q.csv", out.getvalue()))

    def stripped(answer: str | Gold) -> str | Gold:
        if isinstance(answer, str):
            return answer.strip()
        return Gold(forms=tuple(form.strip() for form in answer.forms), count=answer.count)

    for question, kept in zip(several, found, strict=True):
        golds = None if question.answers is None else tuple(map(stripped, question.answers))
        assert kept == msgspec.structs.replace(question, answers=golds)


@given(st.binary(max_size=200), st.sampled_from(("q.csv", "q.json", "q.jsonl", "q")))
@example(b"\xef\xbb\xbf", "q.jsonl")
@example(b"id,question,answers\n1,a\rb,c\n", "q.csv")
@example(b"[1, [2]", "q.json")
def test_bytes_are_questions_or_refused_by_name(content: bytes, name: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = write(Path(folder), name, content)
        problems = check_questions(path)
        if problems:
            with pytest.raises(InputError, match=re.escape(name)):
                load_questions(path)
        else:
            assert load_questions(path)


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("", None),
        ("  so ", ("so",)),
        ("a; b", ("a; b",)),
        ("['a', \"b's\"]", ("a", "b's")),
        ('["a", "b"]', ("a", "b")),
        ("('a', 'b')", ("a", "b")),
        ("(a) and (b)", ("(a) and (b)",)),
        ("[1, 2.5]", ("1", "2.5")),
        ("[['a', 'b'], ('c',)]", (Gold(forms=("a", "b")), Gold(forms=("c",)))),
        ("[{'forms': ['a'], 'count': 3}, 'b']", (Gold(forms=("a",), count=3), "b")),
        ("['']", ("",)),
        ("[]", ()),
        (r"['\d']", (r"\d",)),
        ("['it is \"x\" \"y\"']", ('it is "x" "y"',)),
        ("=HYPERLINK(\"http://x\")", ('=HYPERLINK("http://x")',)),
        ("@SUM(1+1)*cmd|' /C calc'!A0", ("@SUM(1+1)*cmd|' /C calc'!A0",)),
    ],
)  # fmt: skip
def test_answers_of_a_cell(cell: str, expected: tuple[str | Gold, ...] | None) -> None:
    assert golds(cell) == expected


@pytest.mark.parametrize(
    "cell",
    [
        "[__import__('os').abort()]", "[f(]", "[x]", "['a' 'b']", "['a''b']", "['a'\n'b']", "[True]", "[None]", "[...]",
        "[b'a']", "[1j]", "[[['a']]]", "[{'forms': 'a'}]", "[{1: 2}]", "{'a', 'b'}", "['\\ud800']", "[lambda: 1]",
        "[" * 40_000 + "]" * 40_000, "[" + "-" * 90_000 + "1]", "[1" + "+1" * 40_000 + "]", "[a" + ".b" * 40_000 + "]",
        "['" + "a" * 100_000 + "']", "[" + "9" * 9_000 + "]", "[" + "{1:" * 150 + "1" + "}" * 150 + "]",
    ],
)  # fmt: skip
def test_hostile_cells_are_refused_and_never_run(cell: str) -> None:
    with pytest.raises(Unfit) as refused:
        golds(cell)
    assert len(str(refused.value)) < 300
    with pytest.raises(Unfit):
        options(cell)


@given(st.text(max_size=60))
def test_any_text_is_answers_or_refused(cell: str) -> None:
    text = cell.strip()
    if text[:1] not in ("[", "{", "("):
        assert golds(cell) == ((text,) if text else None)
        return
    with contextlib.suppress(Unfit):
        found = golds(cell)
        assert found is None or isinstance(found, tuple)


@given(st.lists(filled, min_size=1, max_size=4), st.sampled_from(("; ", "|", "/")))
def test_a_separator_splits_what_is_no_list(parts: list[str], separator: str) -> None:
    wanted = [part.replace(separator.strip(), "-").strip("[") or "x" for part in parts]
    assert golds(separator.join(wanted), separator) == tuple(part.strip() for part in wanted)
