"""The folder: same seed same bytes, and every kind of broken file is named."""

import filecmp
import json
import shutil
from pathlib import Path

import pytest

from homeground.benchmarks import load_benchmark
from homeground.benchmarks.build import build_conversations
from homeground.benchmarks.check import check_benchmark
from homeground.errors import InputError


def test_the_built_benchmark_is_sound(benchmark_folder: Path) -> None:
    result = check_benchmark(benchmark_folder)
    assert result.problems == ()
    # Table 1 of Miao, Zhu and Shwartz (2026).
    published = {
        "temperature": (33, 99, 990),
        "distance": (32, 96, 864),
        "speed": (18, 54, 540),
        "size": (24, 72, 648),
        "price": (21, 63, 630),
        "time_expression": (24, 72, 720),
        "quantifier": (20, 60, 600),
    }
    counts = {name: (c.scenes, c.scaffolds, c.conversations) for name, c in result.concepts.items()}
    assert counts == published
    assert (result.scenes, result.scaffolds, result.conversations) == (172, 516, 4992)


def test_same_seed_same_folder(tmp_path: Path) -> None:
    for name in "ab":
        build_conversations(tmp_path / name, concepts=("price", "quantifier"), cultures=("FR", "US"), seed=3)
    comparison = filecmp.dircmp(tmp_path / "a", tmp_path / "b")
    names = [p.relative_to(tmp_path / "a") for p in (tmp_path / "a").rglob("*") if p.is_file()]
    assert not comparison.left_only
    assert not comparison.right_only
    for path in names:
        assert (tmp_path / "a" / path).read_bytes() == (tmp_path / "b" / path).read_bytes(), path
    other = build_conversations(tmp_path / "c", concepts=("price",), cultures=("FR", "US"), seed=4)
    assert other.digest != load_benchmark(tmp_path / "a").digest


@pytest.mark.parametrize(
    ("kwargs", "word"),
    [
        ({"cultures": ("FR", "ZZ")}, "unknown culture 'ZZ'"),
        ({"concepts": ("tempreature",)}, "did you mean temperature"),
        ({"protocol": "none"}, "unknown protocol"),
    ],
)
def test_unknown_names_write_nothing(tmp_path: Path, kwargs: dict[str, object], word: str) -> None:
    with pytest.raises(InputError, match=word):
        build_conversations(tmp_path / "x", **kwargs)  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def copy(benchmark_folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(benchmark_folder, tmp_path / "copy"))


def _edit(path: Path, line: int, **changes: object) -> None:
    lines = path.read_text().splitlines()
    record = json.loads(lines[line - 1]) | changes
    lines[line - 1] = json.dumps(record)
    path.write_text("\n".join(lines) + "\n")


def test_broken_files_are_named_by_line_and_field(copy: Path) -> None:
    _edit(copy / "scenes.jsonl", 2, value="warm")
    with pytest.raises(InputError, match=r"scenes\.jsonl:2: field value: Expected float"):
        load_benchmark(copy)


def test_dangling_references_are_named(copy: Path) -> None:
    _edit(copy / "scaffolds.jsonl", 3, scene="nowhere")
    with pytest.raises(InputError, match=r"scaffolds\.jsonl:3: field scene: no scene 'nowhere'"):
        load_benchmark(copy)


def test_line_numbers_count_blank_lines_too(copy: Path) -> None:
    path = copy / "scaffolds.jsonl"
    path.write_text("\n\n" + path.read_text())
    _edit(path, 4, scene="nowhere")
    with pytest.raises(InputError, match=r"scaffolds\.jsonl:4: field scene"):
        load_benchmark(copy)


def test_what_a_culture_expects_must_be_known(copy: Path) -> None:
    _edit(copy / "cultures.jsonl", 1, accepted={"temperature": ["metrik"]})
    with pytest.raises(
        InputError, match=r"cultures\.jsonl:1: field accepted\.temperature: 'metrik' is not one of"
    ):
        load_benchmark(copy)
    _edit(copy / "cultures.jsonl", 1, accepted={"price": ["EURO"]})
    with pytest.raises(InputError, match=r"'EURO' is not an ISO 4217 code"):
        load_benchmark(copy)


def test_a_broken_scaffold_is_refused_before_anything_runs(copy: Path) -> None:
    _edit(copy / "scaffolds.jsonl", 4, turns=[{"speaker": "user", "text": "no slot"}])
    with pytest.raises(InputError, match=r"scaffolds\.jsonl:4: field turns: slot \{cue1\} stands 0 times"):
        load_benchmark(copy)


def test_double_records_are_named(copy: Path) -> None:
    path = copy / "scenes.jsonl"
    path.write_text(path.read_text() + path.read_text().splitlines()[0] + "\n")
    with pytest.raises(InputError, match=r"already|stands on line 1"):
        load_benchmark(copy)


@pytest.mark.parametrize(
    "name", ["benchmark.toml", "scenes.jsonl", "scaffolds.jsonl", "cues.jsonl", "cultures.jsonl"]
)
def test_missing_and_empty_files_are_named(copy: Path, name: str) -> None:
    (copy / name).write_bytes(b"")
    with pytest.raises(InputError, match=name.replace(".", r"\.")):
        load_benchmark(copy)
    (copy / name).unlink()
    with pytest.raises(InputError, match=name.replace(".", r"\.")):
        load_benchmark(copy)


def test_the_check_sees_pictures_slots_and_leaks(copy: Path) -> None:
    scenes = [json.loads(line) for line in (copy / "scenes.jsonl").read_text().splitlines()]
    (copy / scenes[0]["image"]).unlink()
    (copy / scenes[1]["image"]).write_bytes(b"\x89PNG other")
    _edit(copy / "scaffolds.jsonl", 4, turns=[{"speaker": "user", "text": "{cue1} {cue1}"}])
    first = json.loads((copy / "cues.jsonl").read_text().splitlines()[0])
    first["cues"][0]["value"] = "Bank of the United States"
    _edit(copy / "cues.jsonl", 1, cues=first["cues"])
    lines = (copy / "cues.jsonl").read_text().splitlines()
    (copy / "cues.jsonl").write_text("\n".join([*lines[:9], *lines[10:]]) + "\n")
    told = "\n".join(check_benchmark(copy).problems)
    for word in ("is missing", "SHA-256 differs", "scaffolds.jsonl:4", "stands 2 times",
                 "states the country outright", "misses cues for"):  # fmt: skip
        assert word in told


@pytest.mark.parametrize("image", ["../../etc/passwd", "/etc/passwd"])
def test_a_picture_outside_the_folder_is_refused(copy: Path, image: str) -> None:
    _edit(copy / "scenes.jsonl", 3, image=image)
    with pytest.raises(InputError, match=r"scenes\.jsonl:3: field image: .*outside"):
        load_benchmark(copy)


def test_croissant_metadata_is_valid_and_reads_the_tables(benchmark_folder: Path) -> None:
    import mlcroissant

    dataset = mlcroissant.Dataset(jsonld=str(benchmark_folder / "croissant.json"))
    assert not dataset.metadata.ctx.issues.errors
    for name in ("cultures", "scenes", "scaffolds", "cues"):
        rows = list(dataset.records(name))
        assert len(rows) == len((benchmark_folder / f"{name}.jsonl").read_text().splitlines())
