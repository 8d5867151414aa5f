"""``homeground judge``: one answer explained, a file of them read, and what it refuses."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from homeground.cli.main import main
from homeground.judging import lines, read_answer
from tests.test_reading import MEASURES


def texts(folder: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    path = folder / "answers.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in rows) + "\n")
    return path


def test_one_answer_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["judge", "--text", "not 104 °F but 40 °C", "--concept", "temperature"]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "104 °F 104 fahrenheit, imperial (said not to be so; characters 4 to 10)" in said
    assert "40 °C 40 celsius, metric (stated; characters 15 to 20)" in said
    assert "right for CN, IL, GB, FR, KR, JP, IN, IR, BR" in said
    assert "published US, CN, IL, GB, FR, KR, JP, IN, IR, BR" in said


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["<think>hm", "--concept", "price"], "a block of reasoning never closes"),
        (["<think>hm</think> $5", "--concept", "price"], "USD"),
        (["I can't tell.", "--concept", "size"], "declines to answer"),
        (["Chama-se um galão.", "--concept", "phrase", "--gold", "galão"], "one answer: galão"),
        (["A galão.", "--concept", "phrase", "--gold", "bica", "--gold", "galão"], "one answer: galão"),
        (["evening, not night", "--concept", "time_expression"], "evening"),
        (["France, not Belgium", "--concept", "country"], "one answer: FR"),
        (["\x1b[31m 30 °C\x00", "--concept", "temperature"], "30 celsius"),
    ],
)
def test_every_kind_is_explained(words: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["judge", "--text", *words]) == 0
    out = capsys.readouterr().out
    assert said in " ".join(out.split())
    assert "\x1b[31m" not in out
    assert "\x00" not in out


def test_one_answer_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["judge", "--text", "30 °C (86 °F)", "--concept", "temperature", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "status": "both", "value": 30.0, "unit": "celsius", "system": None, "systems": ["metric", "imperial"],
        "first": "metric", "span": [0, 5],
    }  # fmt: skip


def test_a_file_is_read_line_by_line(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path = texts(
        tmp_path, [{"concept": row["concept"], "answer": row["answer"], "id": 3} for row in MEASURES]
    )
    assert main(["judge", "--texts", str(path), "--json"]) == 0
    said = [json.loads(line) for line in capfdbinary.readouterr().out.splitlines()]
    assert len(said) == len(MEASURES)
    for row, reading in zip(MEASURES, said, strict=True):
        alone = lines.as_json(row["concept"], read_answer(row["concept"], row["answer"]))
        assert reading == json.loads(json.dumps(alone)), row


def test_countries_and_phrases_in_a_file(tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    path = texts(
        tmp_path,
        [
            {"concept": "country", "answer": "France or Belgium"},
            {"concept": "phrase", "answer": "It's a galão.", "gold": ["galão", "meia de leite"]},
            {"concept": "phrase", "answer": "18", "gold": "1"},
            {"concept": "price", "answer": "¥500"},
        ],
    )
    assert main(["judge", "--texts", str(path)]) == 0
    country, phrase, other, price = map(json.loads, capfdbinary.readouterr().out.splitlines())
    assert (country["status"], country["countries"], country["first"]) == ("both", ["FR", "BE"], "FR")
    assert (phrase["match"], phrase["gold"]) == (True, "galão")
    assert (other["match"], other["gold"]) == (False, None)
    assert (price["status"], price["currency"]) == ("ambiguous", ["CNY", "JPY"])


def test_many_lines_go_to_every_core_and_come_back_in_order(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr(lines, "_CHUNK", 40)
    rows = [{"concept": "distance", "answer": f"{number} km"} for number in range(1, 501)]
    assert main(["judge", "--texts", str(texts(tmp_path, rows))]) == 0
    values = [json.loads(line)["value"] for line in capfdbinary.readouterr().out.splitlines()]
    assert values == list(range(1, 501))


@pytest.mark.parametrize("size", [3, 90])
def test_a_broken_line_is_named_and_those_before_it_are_read(
    size: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    monkeypatch.setattr(lines, "_CHUNK", 20)
    path = texts(tmp_path, [{"concept": "price", "answer": "$5"}] * size)
    good = path.read_text()
    for broken, said in (
        ("{", f"{path}:{size + 1}: not valid JSON"),
        ('{"concept": "price"}', f"{path}:{size + 1}: Object missing required field answer"),
        ('{"concept": "pirce", "answer": "x"}', "did you mean price"),
        ('{"concept": "phrase", "answer": "x"}', "give the gold"),
        ('{"concept": "price", "answer": 5}', "field answer"),
    ):
        path.write_text(good + broken + "\n" + good)
        assert main(["judge", "--texts", str(path)]) == 2
        out, err = capfdbinary.readouterr()
        assert len(out.splitlines()) == size
        assert said in err.decode()
        assert err.count(b"\n") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([], "give a run's folder, or --text ANSWER with --concept NAME, or --texts FILE"),
        (["--text", "x"], "say with --concept what to read it for"),
        (["--text", "x", "--concept", "pric"], "did you mean price"),
        (["--text", "x", "--concept", "phrase"], "give the gold"),
        (["--text", "x", "--concept", "price", "--gold", "y"], "only with --concept phrase"),
        (["run", "--text", "x"], "give a run's folder, or"),
        (["--texts", "nowhere.jsonl"], "nowhere.jsonl: No such file"),
        (["--texts", "nowhere.jsonl", "--concept", "price"], "belong to --text"),
    ],
)
def test_what_cannot_be_judged_is_said_in_a_line(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["judge", *words]) == 2
    assert said in capsys.readouterr().err
