"""The store: append-only, any text, on disk before it counts."""

import sqlite3
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
