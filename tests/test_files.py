"""Whole files or nothing, and errors that say where."""

from pathlib import Path

import pytest

from homeground.errors import EnvironmentProblem, InputError
from homeground.files import new_folder, read_jsonl, read_toml, write_whole
from homeground.schema import Cue


def test_a_failed_write_leaves_what_was_there(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    write_whole(path, "old")
    with pytest.raises(TypeError):
        write_whole(path, 3)  # type: ignore[arg-type]
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["table.csv"]


def test_a_new_folder_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    with (
        pytest.raises(EnvironmentProblem, match="b: cannot be written: disk full"),
        new_folder(tmp_path / "b") as scratch,
    ):
        (scratch / "half").write_text("half")
        raise OSError("disk full")
    assert list(tmp_path.iterdir()) == []
    with new_folder(tmp_path / "b") as scratch:
        (scratch / "whole").write_text("whole")
    assert (tmp_path / "b" / "whole").read_text() == "whole"


def test_pipes_devices_and_links_are_written_through(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_whole(Path("/dev/null"), "gone")
    assert Path("/dev/null").is_char_device()
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write_whole(tmp_path / "link", "here")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "here"
    (tmp_path / "cwd").mkdir()
    monkeypatch.chdir(tmp_path / "cwd")
    with new_folder(Path()) as scratch:
        (scratch / "a.toml").write_text("a")
    assert (tmp_path / "cwd" / "a.toml").read_text() == "a"


def test_a_folder_in_use_is_refused(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("precious")
    with pytest.raises(InputError, match="not empty"), new_folder(tmp_path):
        pass
    assert (tmp_path / "mine").read_text() == "precious"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b'{"kind": "bank", "value": 3, "source": "x"}', ["cues.jsonl:2", "field value", "expected str"]),
        (b'{"kind": "bank", "source": "x"}', ["cues.jsonl:2", "value"]),
        (b'{"kind": "bank", "value": "a", "source": "x", "odd": 1}', ["cues.jsonl:2", "odd"]),
        (b"{nonsense", ["cues.jsonl:2", "not valid JSON"]),
        (b'"\xff\xfe"', ["cues.jsonl:2"]),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: bytes, words: list[str]) -> None:
    path = tmp_path / "cues.jsonl"
    path.write_bytes(b'{"kind": "bank", "value": "a", "source": "x"}\n' + line + b"\n")
    with pytest.raises(InputError) as caught:
        list(read_jsonl(path, Cue))
    for word in words:
        assert word.lower() in str(caught.value).lower()


def test_bad_toml_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.toml"
    path.write_text("kind = \n")
    with pytest.raises(InputError, match=r"a\.toml: not valid TOML.*line 1"):
        read_toml(path, Cue)
    with pytest.raises(InputError, match=r"missing\.toml: No such file"):
        read_toml(tmp_path / "missing.toml", Cue)
