"""Own photographs: every problem of a table is told at once, and nothing is half written."""

import csv
import io
import json
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from homeground.benchmarks import load_benchmark
from homeground.benchmarks.check import check_benchmark
from homeground.benchmarks.folder import NO_DESCRIPTION
from homeground.benchmarks.import_scenes import import_scenes
from homeground.benchmarks.imported import ImportRefused, read_picture
from homeground.cli import imports, main
from homeground.cli.main import Parser
from homeground.errors import InputError
from homeground.runs.run import run_benchmark
from homeground.scenes import draw_scenes
from homeground.schema import CONCEPTS

HEAD = ("file", "concept", "value", "licence", "source")


def command(*words: str | Path) -> int:
    """The verb as ``homeground import`` calls it."""
    parser = Parser(prog="homeground import")
    imports.arguments(parser)
    return imports.call(parser.parse_args([str(word) for word in words]))


def picture(path: Path, colour: int = 0, kind: str = "PNG") -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    Image.new("RGB", (12, 8), (colour, 99, 200)).save(path, kind)


def table(rows: list[dict[str, object]], mark: str = ",", columns: tuple[str, ...] = ()) -> str:
    names = columns or tuple(dict.fromkeys(name for row in rows for name in row))
    out = io.StringIO()
    writer = csv.DictWriter(out, names, delimiter=mark, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def row(file: str, concept: str = "temperature", value: object = 21, **more: object) -> dict[str, object]:
    return {"file": file, "concept": concept, "value": value, "licence": "CC-BY-4.0", "source": "mine"} | more


@pytest.fixture
def photographs(tmp_path: Path) -> Path:
    """A photograph a concept, in a table that gives no more than it must."""
    folder = tmp_path / "photographs"
    values = dict(zip(CONCEPTS, (-5, 12, 0, 14, "", 23.5, 0.95), strict=True))
    for colour, concept in enumerate(CONCEPTS):
        picture(folder / "mine" / f"{concept} é.png", colour)
    rows = [row(f"mine/{concept} é.png", concept, value) for concept, value in values.items()]
    (folder / "scenes.csv").write_text(table(rows), encoding="utf-8")
    return folder


def test_photographs_become_a_sound_benchmark(photographs: Path, tmp_path: Path) -> None:
    result = import_scenes(photographs, tmp_path / "bench")
    assert result.problems == result.left_out == ()
    assert (result.scenes, result.scaffolds) == (7, 21)
    assert result.conversations == 3 * (5 * 10 + 2 * 9)  # protocol capri leaves GB out of distance and size
    check = check_benchmark(tmp_path / "bench")
    assert check.problems == ()
    benchmark = load_benchmark(tmp_path / "bench")
    assert benchmark.about.origin == "photographs"
    assert "CC-BY-4.0" in benchmark.about.licence
    for scene in benchmark.scenes.values():
        assert (scene.origin, scene.licence, scene.description) == ("photograph", "CC-BY-4.0", NO_DESCRIPTION)
        assert scene.plausible[0] <= scene.value <= scene.plausible[1]
        source = photographs / "mine" / f"{scene.concept} é.png"
        assert (benchmark.folder / scene.image).read_bytes() == source.read_bytes()
    assert benchmark.scenes["quantifier-quantifier"].plausible == pytest.approx((0.85, 1))
    assert benchmark.scenes["temperature-temperature"].plausible == pytest.approx((-6, -4))
    text = (tmp_path / "bench" / "README.md").read_text(encoding="utf-8")
    assert "drawn picture" not in text
    assert not re.search(r"scenes\s+are\s+drawn", text)
    assert "| images/size-size.png | CC-BY-4.0 | mine |" in text


def test_same_photographs_and_seed_same_bytes(photographs: Path, tmp_path: Path) -> None:
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        import_scenes(photographs, tmp_path / name, cultures=("FR", "JP"), seed=seed)
    files = [p.relative_to(tmp_path / "a") for p in (tmp_path / "a").rglob("*") if p.is_file()]
    assert len(files) > 10
    for path in files:
        assert (tmp_path / "a" / path).read_bytes() == (tmp_path / "b" / path).read_bytes(), path
    assert load_benchmark(tmp_path / "a").digest != load_benchmark(tmp_path / "c").digest


def test_sentences_read_well_without_a_place(tmp_path: Path) -> None:
    # Enough scenes that every dialogue of every concept and kind is used.
    rows = []
    for number, concept in enumerate(CONCEPTS * 12):
        picture(tmp_path / f"{number}.png", number)
        rows.append(row(f"{number}.png", concept, 0.5))
    (tmp_path / "scenes.csv").write_text(table(rows))
    import_scenes(tmp_path, tmp_path / "bench", cultures=("FR",))
    for scaffold in load_benchmark(tmp_path / "bench").scaffolds.values():
        for turn in scaffold.turns:
            assert not re.search(r"\s\s|\s[,.;:?!]|^\W*[,.;:?!]|\s$", turn.text), turn.text
            assert turn.text[:1].isupper() or turn.text.startswith("{cue"), turn.text


@pytest.mark.parametrize("mark", [",", ";"])
@pytest.mark.parametrize("start", ["", "\ufeff"])
def test_a_full_table_is_taken_as_it_is(tmp_path: Path, mark: str, start: str) -> None:
    rows = []
    for number in range(3):
        picture(tmp_path / f"{number}.png", number)
        more = {"unit": "celsius", "plausible_low": 20, "plausible_high": 23, "thing": "the pool thermometer",
                "place": "by the pool", "description": "A thermometer; it floats at {reading}."}  # fmt: skip
        rows.append(row(f"{number}.png") | more)
    (tmp_path / "other.csv").write_text(start + table(rows, mark) + "\n\n", encoding="utf-8")
    import_scenes(tmp_path, tmp_path / "bench", table=tmp_path / "other.csv", cultures=("FR", "US"))
    benchmark = load_benchmark(tmp_path / "bench")
    scenes = list(benchmark.scenes.values())
    for scene in scenes:
        assert scene.plausible == pytest.approx((20, 23))
        assert "21 °C, the same as" in scene.description or "the same as 21 °C" in scene.description
        metric = scene.description.index("°C") < scene.description.index("°F")
        assert scene.first_system == ("metric" if metric else "imperial")
    assert scenes[0].first_system != scenes[1].first_system
    said = " ".join(turn.text for s in benchmark.scaffolds.values() for turn in s.turns)
    assert "the pool thermometer" in said
    assert "by the pool" in said


def test_every_problem_is_told_with_row_and_column(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "photographs"
    for name in ("a", "b", "c", "long"):
        picture(folder / f"{name}.png", ord(name[0]))
    (folder / "twin.png").write_bytes((folder / "a.png").read_bytes())
    picture(folder / "d.jpg", 4, "JPEG")
    picture(folder / "e.webp", 5, "WEBP")
    picture(tmp_path / "out.png", 6)
    (folder / "link.png").symlink_to(tmp_path / "out.png")
    (folder / "text.png").write_text("no picture")
    (folder / "half.png").write_bytes((folder / "b.png").read_bytes()[:-20])
    with (folder / "long.png").open("r+b") as file:
        file.truncate(20_000_001)
    rows = [
        row("a.png"), row("a.png", value=22), row("none.png"), row("b.png", "tempreature", "warm"),
        row("c.png", value="21 °C", licence="", source=" "), row("../out.png"), row("link.png"), row("d.jpg"),
        row("e.webp"), row("text.png"), row("half.png"), row("long.png"), row("twin.png"), row("", value=""),
        row("c.png", "quantifier", 40), row("b.png", value="nan", unit="fahrenheit", thing="the {cue1}"),
        row("/etc/passwd"), row("bad\0name.png".replace("\0", "%")), row("b.png", value=20, plausible_low=21),
        row("c.png", description="It says 21 °C."), row("x" * 300 + ".png"),
    ]  # fmt: skip
    text = table(rows, columns=(*HEAD, "unit", "plausible_low", "thing", "description", "plce"))
    (folder / "scenes.csv").write_text(text + "a.png,size,3,x,y,z,1,2,3,4,5,6,7\n")
    assert command("scenes", folder, "-o", tmp_path / "bench", "--json") == 2
    out, err = capsys.readouterr()
    shown = json.loads(out)
    lines = err.splitlines()
    assert len(lines) == len(shown["problems"])
    assert shown["conversations"] == 0
    for where, said in (
        ("row 1, column plce", "unknown column 'plce' (did you mean place?)"),
        ("row 3, column file", "the same picture as in row 2"),
        ("row 4, column file", "no such file"),
        ("row 5, column concept", "did you mean temperature?"),
        ("row 5, column value", "'warm' is not a number"),
        ("row 6, column value", "'21 °C' is not a number"),
        ("row 6, column licence", "empty"),
        ("row 6, column source", "empty"),
        ("row 7, column file", "lies outside"),
        ("row 8, column file", "lies outside"),
        ("row 9, column file", "JPEG, not PNG; convert it to PNG"),
        ("row 10, column file", "WebP, not PNG; convert it to PNG"),
        ("row 11, column file", "not a picture"),
        ("row 12, column file", "damaged or cut short"),
        ("row 13, column file", "larger than 20 MB"),
        ("row 14, column file", "the same picture as in row 2"),
        ("row 15, column file", "empty"),
        ("row 15, column value", "empty"),
        ("row 16, column value", "values in share go from 0 to 1"),
        ("row 17, column value", "'nan' is not a number"),
        ("row 17, column unit", "give the value in celsius"),
        ("row 17, column thing", "braces"),
        ("row 18, column file", "lies outside"),
        ("row 20, column value", "lies outside its plausible range"),
        ("row 21, column description", "'1 °C' favours"),
        ("row 22, column file", "too long"),
        ("row 23", "13 cells for 10 columns"),
    ):
        assert any(f"scenes.csv: {where}: " in line and said in line for line in lines), (where, said, err)
    assert not (tmp_path / "bench").exists()
    assert sorted(p.name for p in tmp_path.iterdir()) == ["out.png", "photographs"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (b"", "column file: missing"),
        (b"file,concept,value,licence\n", "column source: missing"),
        (b"file,concept,value,licence,source\n", "nothing to import"),
        (b"file,concept,value,licence,source,file\n", "column file: stands 2 times"),
        ("file,concept,value,licence,sourcé".encode("latin-1"), "not UTF-8"),
        (b'file,concept,value,licence,source\n"a"b,c,d,e,f\n', "scenes.csv:2: not valid CSV"),
    ],
)
def test_tables_that_are_none(tmp_path: Path, text: bytes, said: str) -> None:
    (tmp_path / "scenes.csv").write_bytes(text)
    with pytest.raises(InputError, match=re.escape(said)):
        import_scenes(tmp_path, tmp_path / "bench")
    assert not (tmp_path / "bench").exists()


def test_a_missing_column_hides_no_other_problem(tmp_path: Path) -> None:
    picture(tmp_path / "a.png")
    (tmp_path / "scenes.csv").write_text("file,concept,value,source\na.png,size,big,me\n")
    with pytest.raises(ImportRefused) as refused:
        import_scenes(tmp_path, tmp_path / "bench")
    assert [p.partition("scenes.csv: ")[2] for p in refused.value.problems] == [
        "row 1, column licence: missing",
        "row 2, column value: 'big' is not a number; write one such as 21.5, without its unit",
    ]


@given(st.binary(max_size=40), st.integers(0, 200))
def test_a_png_that_is_hurt_anywhere_is_seen(noise: bytes, at: int) -> None:
    whole = io.BytesIO()
    Image.new("RGB", (12, 8), (1, 99, 200)).save(whole, "PNG")
    data = whole.getvalue()
    at = min(at, len(data) - 12)
    hurt = data[:at] + noise
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.png"
        path.write_bytes(hurt)
        if not hurt.startswith(data):
            with pytest.raises(InputError):
                read_picture(path)
        path.write_bytes(data)
        assert read_picture(path) == data


def test_a_used_folder_is_left_alone(photographs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(photographs.rglob("*"))
    assert command("scenes", photographs, "-o", photographs) == 2
    assert "already exists and is not empty" in capsys.readouterr().err
    assert sorted(photographs.rglob("*")) == before


def test_what_was_made_is_said_in_one_line(
    photographs: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("scenes", photographs, "-o", tmp_path / "a", "--cultures", "FR,GB") == 0
    assert capsys.readouterr() == (f"{tmp_path / 'a'}: 7 scenes, 21 scaffolds, 36 conversations\n", "")
    assert (
        command(
            "scenes", photographs, "-o", tmp_path / "b", "--cultures", "PT", "--protocol", "cldr", "--json"
        )
        == 0
    )
    shown = json.loads(capsys.readouterr().out)
    assert shown == {"folder": str(tmp_path / "b"), "scenes": 7, "scaffolds": 21, "conversations": 21, "left_out": [],
                     "problems": []}  # fmt: skip
    assert command("scenes", photographs, "-o", tmp_path / "c", "--cultures", "ZZ") == 2
    assert "unknown culture 'ZZ'" in capsys.readouterr().err
    (photographs / "scenes.csv").write_text(table([row("mine/size é.png", "size", 9)]), encoding="utf-8")
    assert command("scenes", photographs, "-o", tmp_path / "c", "--cultures", "GB") == 2
    assert "no conversation is left" in capsys.readouterr().err
    assert not (tmp_path / "c").exists()


def test_the_verb_is_wired_and_mute_pictures_need_eyes(tmp_path: Path, weights: Path) -> None:
    assert weights.is_file()
    source = tmp_path / "photos"
    source.mkdir()
    (source / "a.png").write_bytes(draw_scenes(("price",), seed=1)[0].png)
    (source / "scenes.csv").write_text("file,concept,value,licence,source\na.png,price,,CC0-1.0,my own\n")
    assert main(["import", "scenes", str(source), "-o", str(tmp_path / "bench"), "--cultures", "FR"]) == 0
    card = (tmp_path / "bench" / "README.md").read_text()
    assert "photograph and followed" in card
    assert "scenes are drawn" not in card
    with pytest.raises(InputError, match=r"1 scenes have no description.*only models that see"):
        run_benchmark(tmp_path / "bench", tmp_path / "run", ["embedded:smollm2-135m"])
    assert not (tmp_path / "run").exists()
