"""Backups that are damaged or forged: refused in one line, and nothing of them gets in."""

from __future__ import annotations

import hashlib
import io
import json
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import text

from homeground.annotate.store.backup import backup, restore
from homeground.errors import HomegroundError
from tests.annotating import database
from tests.backups import KINDS, dump, emptied, lively, nothing_in, sound


def refused(file: Path, url: str) -> str:
    """The one line that refuses a backup, and leaves nothing."""
    with pytest.raises(HomegroundError) as caught:
        restore(file, url)
    assert "\n" not in str(caught.value)
    assert nothing_in(url)
    return str(caught.value)


@pytest.mark.parametrize("kind", KINDS)
def test_no_damage_gets_in(kind: str, tmp_path: Path) -> None:
    data, whole = sound()
    places = st.integers(0, len(data) - 1)
    flips = st.lists(st.tuples(places, st.integers(1, 255)), min_size=1, max_size=4)
    cuts = st.tuples(places, places, st.binary(max_size=40))
    (tmp_path / "to").mkdir()
    with database(kind, tmp_path / "to") as target:

        @settings(max_examples=60 if kind == "sqlite" else 8)
        @given(damage=st.one_of(flips, cuts))
        def check(damage: Any) -> None:  # noqa: ANN401
            broken = bytearray(data)
            if isinstance(damage, list):
                for place, change in damage:
                    broken[place] ^= change
            else:
                start, end, new = damage
                broken[start:end] = new
            file = tmp_path / "b.zip"
            file.write_bytes(broken)
            try:
                restore(file, target)
            except HomegroundError as error:
                assert "\n" not in str(error)
                assert nothing_in(target)
            else:  # what was hit means nothing, such as a date
                assert dump(target) == whole
                if kind == "sqlite":
                    Path(target).unlink()
                else:
                    emptied(target)

        check()


def members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return {name: file.read(name) for name in file.namelist()}


def packed(content: dict[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", how) as file:
        for name, data in content.items():
            file.writestr(name, data)
    return made.getvalue()


def with_lines(table: str, lines: bytes, rows: int, really: bytes | None = None) -> bytes:
    """A backup whose manifest says what somebody put in for a table, also where something else is there."""
    content = members(sound()[0]) | {f"{table}.jsonl": lines if really is None else really}
    manifest = json.loads(content["manifest.json"])
    for part in manifest["tables"]:
        if part["table"] == table:
            part |= {"rows": rows, "size": len(lines), "sha256": hashlib.sha256(lines).hexdigest()}
    return packed(content | {"manifest.json": json.dumps(manifest).encode()})


def with_manifest(change: Callable[[dict[str, Any]], object]) -> bytes:
    content = members(sound()[0])
    manifest = json.loads(content["manifest.json"])
    change(manifest)
    return packed(content | {"manifest.json": json.dumps(manifest).encode()})


def without(name: str) -> bytes:
    content = members(sound()[0])
    del content[name]
    return packed(content)


def row_of(table: str, **change: Any) -> bytes:  # noqa: ANN401
    """The first row of a table as a line, changed."""
    content = members(sound()[0])
    (columns,) = (
        part["columns"] for part in json.loads(content["manifest.json"])["tables"] if part["table"] == table
    )
    row = json.loads(content[f"{table}.jsonl"].splitlines()[0])
    return (
        json.dumps([change.get(name, value) for name, value in zip(columns, row, strict=True)]).encode()
        + b"\n"
    )


FORGED: dict[str, tuple[Callable[[], bytes], str]] = {
    "empty": (lambda: b"", "no backup of homeground"),
    "no zip": (lambda: b"SQLite format 3\0" * 99, "no backup of homeground"),
    "another zip": (lambda: packed({"a.txt": b"x"}), "no manifest.json in it"),
    "no archive's members": (lambda: packed({}), "no manifest.json in it"),
    "cut off": (lambda: sound()[0][:-1], "cut off"),
    "not packed": (lambda: packed(members(sound()[0]), zipfile.ZIP_STORED), "not packed as in a backup"),
    "packed otherwise": (lambda: packed(members(sound()[0]), zipfile.ZIP_LZMA), "not packed as in a backup"),
    "a table less": (lambda: without("remark.jsonl"), "members or their sizes"),
    "a member more": (lambda: packed(members(sound()[0]) | {"../x": b""}), "members or their sizes"),
    "manifest no JSON": (lambda: packed({"manifest.json": b"{"}), "manifest.json: not valid JSON"),
    "manifest huge": (lambda: packed({"manifest.json": b" " * 2**21}), "manifest.json: larger than"),
    "another format": (lambda: with_manifest(lambda m: m.update(format="x")), "field format: 'x'"),
    "a later version": (lambda: with_manifest(lambda m: m.update(version=2, new=1)), "field version: 2"),
    "a field more": (lambda: with_manifest(lambda m: m.update(new=1)), "unknown field new"),
    "a later revision": (lambda: with_manifest(lambda m: m.update(revision="9999")), "update homeground"),
    "head as a name": (lambda: with_manifest(lambda m: m.update(revision="head")), "update homeground"),
    "another count": (lambda: with_manifest(lambda m: m["tables"][-1].update(rows=1)), "manifest.json"),
    "another hash": (lambda: with_manifest(lambda m: m["tables"][-1].update(sha256="0")), "SHA-256"),
    "another size": (lambda: with_manifest(lambda m: m["tables"][-1].update(size=1)), "members or their sizes"),
    "a table twice": (lambda: with_manifest(lambda m: m["tables"].append(m["tables"][0])), "members or their"),
    "a column less": (lambda: with_manifest(lambda m: m["tables"][0]["columns"].pop()), "not the tables of"),
    "a column twice": (
        lambda: with_manifest(lambda m: m["tables"][0]["columns"].append(m["tables"][0]["columns"][0])),
        "not the tables of revision",
    ),
    "another column": (
        lambda: with_manifest(lambda m: m["tables"][0].update(columns=["x"])),
        "not the tables of revision",
    ),
    "text for a number": (lambda: with_lines("event", row_of("event", at="1"), 1), "event.jsonl:1: field"),
    "a number too big": (lambda: with_lines("event", row_of("event", id=2**63), 1), "event.jsonl:1: field"),
    "nothing where something must be": (lambda: with_lines("event", row_of("event", kind=None), 1), "event.jsonl:1"),
    "a value less": (lambda: with_lines("event", b"[1]\n", 1), "event.jsonl:1"),
    "no JSON": (lambda: with_lines("event", b"[1,\n", 1), "event.jsonl:1: not valid JSON"),
    "no UTF-8": (lambda: with_lines("event", row_of("event").replace(b"s", b"\xff"), 1), "event.jsonl:1"),
    "half a character": (lambda: with_lines("event", row_of("event", detail="\ud800"), 1), "event.jsonl:1"),
    "a key twice": (lambda: with_lines("event", row_of("event") * 2, 2), "event.jsonl: the database refuses it"),
    "of nobody": (lambda: with_lines("event", row_of("event", study_id="x"), 1), "event.jsonl: the database refuses"),
    "a bomb of one line": (lambda: with_lines("event", b" " * 100_000_000, 1), "event.jsonl:1: more rows"),
    "a bomb of lines": (lambda: with_lines("event", row_of("event") * 500_000, 1), "event.jsonl:2: more rows"),
    "many members": (lambda: packed({f"{n}": b"" for n in range(5_000)}), "too many members"),
}  # fmt: skip


@pytest.mark.parametrize("name", FORGED)
def test_what_is_no_sound_backup_is_refused_in_one_line(name: str, tmp_path: Path) -> None:
    make, said = FORGED[name]
    file = tmp_path / "b.zip"
    file.write_bytes(make())
    (tmp_path / "to").mkdir()
    assert said in refused(file, str(tmp_path / "to" / "s.sqlite"))


def test_postgresql_takes_no_more_than_sqlite(tmp_path: Path) -> None:
    file = tmp_path / "b.zip"
    with database("postgresql", tmp_path) as server:
        for name in ("another hash", "a column less", "text for a number", "a key twice", "of nobody"):
            make, said = FORGED[name]
            file.write_bytes(make())
            assert said in refused(file, server)


@pytest.mark.parametrize("name", ["a bomb of one line", "a bomb of lines", "many members", "manifest huge"])
def test_a_bomb_takes_little_memory(name: str, tmp_path: Path) -> None:
    (tmp_path / "b.zip").write_bytes(FORGED[name][0]())
    (tmp_path / "to").mkdir()
    tracemalloc.start()
    try:
        refused(tmp_path / "b.zip", str(tmp_path / "to" / "s.sqlite"))
        assert tracemalloc.get_traced_memory()[1] < 40_000_000  # the bombs of lines hold far more
    finally:
        tracemalloc.stop()


def test_a_member_that_holds_more_than_it_says_is_refused(tmp_path: Path) -> None:
    lines = members(sound()[0])["event.jsonl"]
    first = lines.splitlines(keepends=True)[0]
    data = bytearray(with_lines("event", first, 1, really=lines))
    # The ZIP's list, like the manifest, says one line; the packed data goes on.
    size = data.rindex(b"event.jsonl") - 46 + 24
    assert struct.unpack("<L", data[size : size + 4]) == (len(lines),)
    data[size : size + 4] = struct.pack("<L", len(first))
    (tmp_path / "b.zip").write_bytes(data)
    (tmp_path / "to").mkdir()
    assert "perhaps damaged" in refused(tmp_path / "b.zip", str(tmp_path / "to" / "s.sqlite"))


def test_text_that_postgresql_cannot_hold_is_refused_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "to").mkdir()
    store = lively(str(tmp_path / "s.sqlite"))
    with store.write() as session:
        session.execute(text("UPDATE remark SET text = :new"), {"new": "a\0b"})
    backup(store, tmp_path / "b.zip")
    store.close()
    restore(tmp_path / "b.zip", str(tmp_path / "to" / "s.sqlite"))
    assert dump(str(tmp_path / "to" / "s.sqlite")) == dump(str(tmp_path / "s.sqlite"))
    with database("postgresql", tmp_path) as server:
        assert "remark.jsonl: the database refuses it" in refused(tmp_path / "b.zip", server)
