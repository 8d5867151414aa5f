"""The store: append-only, any text, on disk before it counts."""

import contextlib
import socket
import sqlite3
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homeground.engines import AnswerStore
from homeground.errors import EnvironmentProblem, InputError
from homeground.schema import Answer, Message, Request, Sampling

REQUEST = Request(engine={"engine": "x"}, messages=(Message(role="user", text="?"),), sampling=Sampling())


def answer(text: str) -> Answer:
    return Answer(text=text, finish_reason="stop", prompt_tokens=1, completion_tokens=1, seconds=0.5)


@given(st.text())
def test_any_text_comes_back(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.mktemp("store") / "answers.sqlite"
    with AnswerStore(path, write=True) as store:
        store.add("k", REQUEST, answer(text))
    with AnswerStore(path) as store:
        assert store.get(["k", "k", "other"]) == {"k": answer(text)}
        assert store.known(["k", "other"]) == {"k"}


def test_nul_and_lone_surrogates_are_kept_as_far_as_utf8_can(tmp_path: Path) -> None:
    with AnswerStore(tmp_path / "a", write=True) as store:
        store.add("nul", REQUEST, answer("a\x00b"))
        store.add("lone", REQUEST, answer("a\ud800b"))
        found = store.get(["nul", "lone"])
    assert found["nul"].text == "a\x00b"
    assert found["lone"].text == "a?b"


def test_the_first_answer_stays(tmp_path: Path) -> None:
    path = tmp_path / "answers.sqlite"
    with AnswerStore(path, write=True) as store:
        store.add("k", REQUEST, answer("first"))
        store.add("k", REQUEST, answer("second"))
        assert store.get(["k"])["k"].text == "first"
    with sqlite3.connect(path) as db:
        for statement in ("UPDATE answers SET text = 'x'", "DELETE FROM answers"):
            with pytest.raises(sqlite3.IntegrityError, match="append-only"):
                db.execute(statement)


def test_what_is_no_store_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no answers here yet"):
        AnswerStore(tmp_path / "none")
    (tmp_path / "text").write_text("this is not a database " * 100)
    with pytest.raises(InputError, match="not an answer store"):
        AnswerStore(tmp_path / "text", write=True)
    with pytest.raises(EnvironmentProblem):
        AnswerStore(tmp_path / "no" / "such" / "folder", write=True)


def test_many_keys_at_once(tmp_path: Path) -> None:
    keys = [f"k{i}" for i in range(1234)]
    with AnswerStore(tmp_path / "a", write=True) as store:
        for key in keys:
            store.add(key, REQUEST, answer(key))
        assert set(store.get(keys)) == set(keys)


def test_a_group_is_stored_whole_or_not_at_all(tmp_path: Path) -> None:
    with AnswerStore(tmp_path / "a", write=True) as store:
        store.add_all((key, REQUEST, answer(key)) for key in "abc")
        with pytest.raises(ZeroDivisionError):
            store.add_all((key, REQUEST, answer(str(1 // (key != "e")))) for key in "de")
        assert store.known("abcde") == set("abc")
        store.add_all([])
    with contextlib.closing(sqlite3.connect(tmp_path / "a")) as db:
        assert {key for (key,) in db.execute("SELECT key FROM answers")} == set("abc")


def test_what_one_claims_no_other_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a"
    with AnswerStore(path, write=True) as one, AnswerStore(path, write=True) as two:
        one.add("done", REQUEST, answer("x"))
        assert one.claim(["a", "b", "done"]) == {"a", "b"}
        assert two.claim(["a", "b", "c", "done"]) == {"c"}
        assert one.claim(["a", "b", "c"]) == {"a", "b"}
        one.add("a", REQUEST, answer("x"))
        assert two.claim(["a", "b"]) == set()
        one.release()
        assert two.claim(["a", "b"]) == {"b"}
        # Of a process of this machine it is known that it is dead; of others, only that nothing came for long.
        dead = f"{socket.gethostname()} {2**22 + 1} token"
        two._db.execute("UPDATE claims SET owner = ? WHERE key = 'c'", (dead,))
        assert one.claim(["c"]) == {"c"}
        two._db.execute("UPDATE claims SET owner = 'elsewhere 1 token' WHERE key = 'c'")
        assert one.claim(["c"]) == set()
        # Whoever died holding a claim is waited for no longer than it lasts.
        monkeypatch.setattr("homeground.engines.store.time.time", lambda: time.monotonic() + 1e10)
        assert one.claim(["b", "c"]) == {"b", "c"}
