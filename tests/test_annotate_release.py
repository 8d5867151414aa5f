"""Release, review of imported sets, trial run: exactly what was accepted leaves the house, and nobody's name."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import time
import uuid
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace
from sqlalchemy import update

from homeground.annotate.app import create_app
from homeground.annotate.export import export
from homeground.annotate.release import gather
from homeground.annotate.release.trial import Busy, Trial, folder_of, locked
from homeground.annotate.review import for_review
from homeground.annotate.store import Store, different, entries, guidance, people, studies
from homeground.annotate.store.discussion import add as comment
from homeground.annotate.store.question_tables import Entry
from homeground.annotate.store.tables import Identity
from homeground.annotate.store.verdicts import judge
from homeground.annotate.store.writing import Written, look, merge, put_imported, set_round, take_back, write
from homeground.benchmarks.build_questions import build_questions
from homeground.benchmarks.check import check_questions
from homeground.benchmarks.question_set import load_question_set
from homeground.cli import main
from homeground.files import jsonl
from homeground.questions.guidelines import Rejected, load_rejected
from homeground.questions.importers import import_questions
from homeground.questions.transposed import ReviewRow, review_file, sealed
from homeground.runs.screen import screen
from homeground.schema import Gold, Question
from tests.annotating import NOW, database, hidden
from tests.community import ask, opened, proposed, somebody
from tests.conftest import SHARED
from tests.servers import Recorder, completion

FATES = (
    "accepted", "rejected", "sent_back", "proposed", "draft", "dropped", "corrected", "merged", "tie", "split",
)  # fmt: skip
OTHERS = [
    Question(
        id="BLEnD:Portugal:Al-en-01", question="O que se come à noite?", language="pt-PT", culture="PT",
        answers=(Gold(forms=("sopa", "caldo"), count=3), Gold(forms=("\"pão\" \\ com\u2028manteiga",), count=1)),
        idks={"idk": 2, "no-answer": 0}, options=("a", "b"), contrast={"BR": ("pizza", Gold(forms=("x",), count=2))},
        source="https://example.org/?a=1&b=<2>", notes="عربي",
    ),
    Question(id="2", question="O que se bebe?", answers=("vinho",)),
    Question(id="3", question="O que se canta?", answers=("fado",), language="pt-PT"),
]  # fmt: skip
BLEND = SHARED / "data" / "blend" / "annotations" / "Spain_data.json"
STUDY = """\
id = "s"
kind = "questions"
title = "Perguntas de Portugal"
contact = "a@b.example"
cultures = ["PT"]
language = "pt-PT"
siblings = ["BR"]
name = "Dia a dia"
licence = "CC-BY-4.0"
"""


class Community:
    """A study with two adjudicators, a tie-breaker, an admin and two authors."""

    def __init__(self, store: Store, study: str = "s", quota: int = 2, **more: object) -> None:
        """Open it; two decide on each question, or one."""
        self.store, self.id = store, study
        self.file = opened(store, quota, study, **({"name": "Dia a dia"} | more))
        self.authors = [somebody(store, "author", study) for _ in range(2)]
        self.judges = [somebody(store, "adjudicator", study) for _ in range(3)]
        self.admin = somebody(store, "admin", study)

    def verdicts(self, entry: str, version: int, *decisions: str, said: str = "") -> None:
        """What the adjudicators decide, in order."""
        for who, decision in zip(self.judges, decisions, strict=False):
            client = uuid.uuid4().hex
            kept = judge(
                self.store, who.id, client, entry, version, decision, {"L1": "keeps"}, {"": said}, NOW
            )
            assert kept == "kept"

    def accepted(self, question: Question, author: int = 0) -> str:
        """A question that both accept."""
        done = proposed(self.store, self.authors[author].id, question)
        self.verdicts(done.entry, done.version, "accept", "accept")
        return done.entry

    def round(self, name: str) -> None:
        """Begin a round."""
        assert set_round(self.store, self.id, name, studies.state(self.store, self.id).version, NOW)

    def number(self, entry: str) -> int:
        """An entry's number."""
        shown = entries.shown(self.store, self.id, entry)
        assert shown is not None
        return shown.number

    def browser(self) -> TestClient:
        """The admin's."""
        browser = TestClient(create_app(self.store, self.file, clock=lambda: NOW))
        browser.cookies.set("homeground", self.admin.cookie)
        return browser


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    made = Store(str(tmp_path / "s.sqlite"))
    made.migrate()
    yield made
    made.close()


def lines(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def everything(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def told(capsys: pytest.CaptureFixture[str], *words: object) -> str:
    """What a command says that fails: one line, exit code 2."""
    assert main([str(word) for word in words]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1 and said.startswith("homeground: "), said
    return said


# ---- what is released ---------------------------------------------------------------------------


def play(who: Community, plan: Sequence[tuple[str, str]]) -> dict[str, Question]:
    """Let entries come to what a plan says; what a release of them must hold, by id."""
    name = "Dia-a-dia"
    kept: list[tuple[str, str, Question]] = []
    for number, (round_, fate) in enumerate(plan, start=1):
        question = ask(f"Pergunta {number}?", f"resposta {number}", contrast={"BR": (f"outra {number}",)})
        writer = who.authors[number % 2].id
        if round_ == "review":
            # Some of these name no culture or language, as files may.
            question = replace(question, id=f"orig {number}", language=None if number % 2 else "pt-PT")
            assert put_imported(who.store, who.id, [question], NOW) == 1
            entry, version = entries.listed(who.store, who.id)[-1].id, 1
            one = question.id
        else:
            who.round(round_)
            done = write(who.store, writer, uuid.uuid4().hex, question, NOW, propose=fate != "draft")
            assert isinstance(done, Written)
            entry, version = done
            one = f"{name}-{number:04d}"
            question = replace(question, culture="PT")
        if fate == "dropped" and round_ != "review":
            assert take_back(who.store, writer, entry, version, NOW) is None
        if fate in ("rejected", "sent_back"):
            who.verdicts(entry, version, *[{"rejected": "reject", "sent_back": "send_back"}[fate]] * 2)
        if fate == "split":
            who.verdicts(entry, version, "accept", "reject", "send_back")
        if fate in ("accepted", "corrected", "merged"):
            who.verdicts(entry, version, "accept", "accept")
        if fate == "tie":
            who.verdicts(entry, version, "accept", "reject", "accept")
        if fate == "corrected":
            question = replace(
                question, question=f"Pergunta {number}, melhor?", culture="PT", language="pt-PT"
            )
            done = write(
                who.store, who.judges[2].id, uuid.uuid4().hex, question, NOW, entry=entry, base=version
            )
            assert isinstance(done, Written)
            # Two decide here, so that a correction is judged as well, by others.
            again = entries.shown(who.store, who.id, entry)
            assert again is not None and again.status == "proposed"
            if number % 2:
                who.verdicts(entry, version + 1, "accept", "accept")
            else:
                fate = "waiting"
        if fate == "merged" and round_ == "trial" and kept:
            done = merge(
                who.store,
                who.judges[0].id,
                uuid.uuid4().hex,
                (kept[0][0], 1),
                [(entry, version)],
                question,
                NOW,
            )
            assert not isinstance(done, Written)
        elif fate == "merged" and kept:
            keeper, id_, had = kept[0]
            question = replace(
                had, answers=(*(had.answers or ()), f"mais {number}"), culture="PT", language="pt-PT"
            )
            newest = entries.shown(who.store, who.id, keeper)
            assert newest is not None
            done = merge(
                who.store, who.judges[0].id, uuid.uuid4().hex, (keeper, newest.version), [(entry, version)],
                question, NOW,
            )  # fmt: skip
            assert isinstance(done, Written)
            kept[0] = keeper, id_, question
        elif fate in ("accepted", "corrected", "merged", "tie") and round_ != "trial":
            kept.append((entry, one, question))
    return {one: replace(question, id=one) for _, one, question in kept}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    made = Store(str(tmp_path_factory.mktemp("release") / "s.sqlite"))
    made.migrate()
    yield made
    made.close()


@settings(max_examples=8, deadline=None)
@given(
    plan=st.lists(
        st.tuples(st.sampled_from(["main", "trial", "review"]), st.sampled_from(FATES)),
        min_size=1,
        max_size=8,
    )
)
def test_exactly_what_was_accepted_is_released(
    shared: Store, tmp_path_factory: pytest.TempPathFactory, plan: list[tuple[str, str]]
) -> None:
    who = Community(shared, uuid.uuid4().hex)
    wanted = play(who, plan)
    folder = tmp_path_factory.mktemp("out")
    if not wanted:
        with pytest.raises(Exception, match="is accepted yet"):
            export(shared, who.id, folder / "one")
        assert not (folder / "one").exists()
        return
    assert export(shared, who.id, folder / "one") == len(wanted)
    found = load_question_set(folder / "one" / "set")
    assert found.questions == wanted
    assert [line["id"] for line in lines(folder / "one" / "provenance.jsonl")] == list(wanted)
    assert [line["id"] for line in lines(folder / "one" / "audit.jsonl")] == list(wanted)
    export(shared, who.id, folder / "two")
    assert everything(folder / "one") == everything(folder / "two")


def test_two_databases_tell_the_same(tmp_path: Path) -> None:
    made = {}
    for kind in ("sqlite", "postgresql"):
        with database(kind, tmp_path) as url:
            store = Store(url)
            store.migrate()
            who = Community(store)
            play(who, [("main", "accepted"), ("trial", "accepted"), ("review", "tie"), ("main", "merged")])
            export(store, "s", tmp_path / kind)
            store.close()
        files = everything(tmp_path / kind)
        # Pseudonyms and the ids of entries are drawn; all else must be alike.
        made[kind] = {
            name: sorted(re.sub(rb"(author|adjudicator|admin)-[2-9A-Z]{8}", rb"\1", data).splitlines())
            for name, data in files.items()
        }
    assert made["sqlite"] == made["postgresql"]


def test_what_was_imported_and_not_edited_stays_byte_for_byte(store: Store, tmp_path: Path) -> None:
    who = Community(store)
    put_imported(store, "s", OTHERS, NOW, screened_by={"3": ("openai:old",)})
    for entry in entries.listed(store, "s"):
        who.verdicts(entry.id, 1, "accept", "accept")
    export(store, "s", tmp_path / "out")
    assert (tmp_path / "out" / "set" / "questions.jsonl").read_bytes() == jsonl(OTHERS)
    originals = [line["original"] for line in lines(tmp_path / "out" / "provenance.jsonl")]
    assert [msgspec.convert(one, Question) for one in originals] == OTHERS
    # Against whom somebody chose them before is not forgotten on the way.
    assert load_question_set(tmp_path / "out" / "set").about.screened_by == ("openai:old",)


def test_a_written_question_never_takes_the_name_of_an_imported_one(store: Store, tmp_path: Path) -> None:
    who = Community(store)
    entry = who.accepted(ask("Como?"))
    assert who.number(entry) == 1
    put_imported(store, "s", [replace(OTHERS[1], id="Dia-a-dia-0001")], NOW)
    who.verdicts(entries.listed(store, "s")[-1].id, 1, "accept", "accept")
    export(store, "s", tmp_path / "out")
    assert list(load_question_set(tmp_path / "out" / "set").questions) == [
        "Dia-a-dia-0001-new",
        "Dia-a-dia-0001",
    ]


def test_how_each_question_came_to_be_is_told_and_who_people_are_is_not(
    store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    who = Community(store)
    guidance.change(
        store,
        "s",
        guidance.Added(
            notes={"L1": "curtas"},
            rejected=(Rejected(guideline="L1", question="Q?", answer="a", why="longa"),),
        ),
        0,
        NOW,
    )
    with store.write() as session:
        for those in (*who.authors, *who.judges):
            session.merge(
                Identity(person_id=those.id, recruitment='{"PROLIFIC_PID": "SECRETPID"}', platform_key=None)
            )
    people.consented(store, _joined(store, "author"), "en", "I agree to this.", NOW)
    done = proposed(store, who.authors[0].id, ask("Que cor?"))
    comment(store, who.authors[0].id, "c1", done.entry, "SECRETWORDS of a discussion", NOW)
    who.verdicts(done.entry, 1, "send_back", "send_back", said="SECRETREMARK")
    again = write(
        store, who.authors[0].id, "v2", ask("De que cor é?", "azul"), NOW + 90_000, entry=done.entry, base=1,
        propose=True,
    )  # fmt: skip
    assert isinstance(again, Written)
    who.verdicts(again.entry, 2, "accept", "accept", said="SECRETREMARK")
    look(store, who.authors[0].id, done.entry, 1, "embedded:smollm2-135m", "plain", "verde", False, NOW)
    gone = proposed(store, who.authors[1].id, ask("Que som?"))
    who.verdicts(gone.entry, 1, "accept", "accept")
    people.withdraw(store, who.authors[1].id, NOW)
    out = tmp_path / "out"
    export(store, "s", out)

    first, second = lines(out / "provenance.jsonl")
    me, (one, two, _) = who.authors[0].pseudonym, [each.pseudonym for each in who.judges]
    assert first["versions"] == [
        {"version": 1, "why": "written", "person": me, "made": "2027-01-15", "guidelines": 1},
        {
            "version": 2, "why": "revised", "person": me, "made": "2027-01-16", "guidelines": 1,
            "changed": ["question", "answers"],
        },
    ]  # fmt: skip
    assert [(v["version"], v["decision"], v["person"], v["marks"]) for v in first["verdicts"]] == [
        (1, "send_back", one, {"L1": "keeps"}),
        (1, "send_back", two, {"L1": "keeps"}),
        (2, "accept", one, {"L1": "keeps"}),
        (2, "accept", two, {"L1": "keeps"}),
    ]
    assert [(seen["model"], seen["text"]) for seen in first["looks"]] == [("embedded:smollm2-135m", "verde")]
    assert second["versions"][0]["person"] == ""
    members = lines(out / "people.jsonl")
    assert who.authors[1].pseudonym not in {line["person"] for line in members}
    assert {line["person"]: (line["wrote"], line["judged"]) for line in members}[one] == (0, 3)
    assert [line["text"] for line in lines(out / "consents.jsonl")] == ["I agree to this."]
    assert load_rejected(out / "rejected.jsonl")[0].why == "longa"
    assert lines(out / "guidelines.jsonl")[0]["notes"] == {"L1": "curtas"}
    # Who looked at a model's answer wrote against it.
    assert lines(out / "questions.jsonl")[0]["screened_by"] == ["embedded:smollm2-135m"]
    assert load_question_set(out / "set").about.screened_by == ("embedded:smollm2-135m",)
    card = (out / "set" / "README.md").read_text()
    assert "Writers, those who corrected among them: 1, and some who withdrew" in card
    assert "raw 100 %" in card and "in version 1" in card and "embedded:smollm2-135m" in card
    assert "Who wrote the questions" not in card

    audit = [
        "audit",
        str(out / "set" / "questions.jsonl"),
        "--culture",
        "PT",
        "--language",
        "pt-PT",
        "--json",
    ]
    assert main(audit) == 0 and capsys.readouterr().out == (out / "audit.jsonl").read_text()
    assert main(["benchmark", "check", str(out / "set")]) == 0

    whole = b"".join(everything(out).values())
    secrets = [b"SECRET", who.authors[1].pseudonym.encode()]
    secrets += [text.encode() for each in (*who.authors, *who.judges) for text in (each.id, each.cookie)]
    assert [secret for secret in secrets if secret in whole] == []


def test_a_bad_example_that_is_removed_is_gone_from_later_releases(store: Store, tmp_path: Path) -> None:
    who = Community(store)
    who.accepted(ask("Que cor?"))
    private = Rejected(guideline="L1", question="Q?", answer="a", why="SECRETREMARK of somebody")
    good = Rejected(guideline="L1", question="R?", answer="b", why="longa")
    for version, bad in enumerate(((private,), (private, good), (good,))):
        added = guidance.Added(notes={"L1": f"nota {version}"}, rejected=bad)
        assert guidance.change(store, "s", added, version, NOW)
    export(store, "s", tmp_path / "out")
    assert b"SECRETREMARK" not in b"".join(everything(tmp_path / "out").values())
    found = lines(tmp_path / "out" / "guidelines.jsonl")
    assert [(line["version"], line["notes"]["L1"], line["left_out"]) for line in found] == [
        (1, "nota 0", 1),
        (2, "nota 1", 1),
        (3, "nota 2", 0),
    ]
    assert [[bad["question"] for bad in line["rejected"]] for line in found] == [[], ["R?"], ["R?"]]


def test_what_an_absorbed_entry_was_chosen_against_stays_with_the_one_that_is_kept(
    store: Store, tmp_path: Path
) -> None:
    who = Community(store)
    others = [OTHERS[1], replace(OTHERS[1], id="4", question="O que se bebe??")]
    put_imported(store, "s", others, NOW, screened_by={"2": ("openai:old",), "4": ("openai:older",)})
    first, second = (entry.id for entry in entries.listed(store, "s"))
    keep = who.accepted(ask("O que se bebe?"))
    # The second goes into the first, and with it into the one that stays.
    for gone, into in (((second, 1), first), ((first, 2), keep)):
        text = ask("O que se bebe?", "vinho")
        assert isinstance(merge(store, who.admin.id, gone[0], (into, 1), [gone], text, NOW), Written)
    export(store, "s", tmp_path / "out")
    (line,) = lines(tmp_path / "out" / "questions.jsonl")
    assert sorted(line["screened_by"]) == ["openai:old", "openai:older"]
    assert set(load_question_set(tmp_path / "out" / "set").about.screened_by) == {
        "openai:old",
        "openai:older",
    }


def test_look_alikes_are_counted_with_those_that_people_found_to_be_different(
    store: Store, tmp_path: Path
) -> None:
    who = Community(store)
    made = [who.accepted(ask("Que nome tem um café curto em Portugal" + "?" * n)) for n in (1, 2, 3)]
    pair = frozenset((entry, 1) for entry in made[:2])
    assert different.set_aside(store, who.admin.id, pair, NOW) is None
    page = who.browser().get("/admin/release").text
    assert "nearly the same as another: 2." in page and "found to ask something else: 1." in page
    export(store, "s", tmp_path / "out")
    card = (tmp_path / "out" / "set" / "README.md").read_text()
    assert "nearly the same as an earlier one: 2, of which people looked at 1 and found that they ask" in card
    newer = ask("Que nome tem um café curto em Portugal?", "bica")
    assert isinstance(write(store, who.admin.id, "v", newer, NOW, entry=made[0], base=1), Written)
    assert gather(store, "s").found_different == 0


def _joined(store: Store, role: str) -> str:
    cookie = people.redeem(store, "s", people.invite(store, "s", role, None, 1, NOW), {}, NOW) or ""
    found = people.who(store, "s", cookie, NOW)
    assert found is not None
    return found.id


def test_agreement_is_of_the_first_two(store: Store) -> None:
    who = Community(store)
    play(
        who,
        [("main", "tie"), ("main", "split"), ("main", "accepted"), ("trial", "tie"), ("main", "rejected")],
    )
    found = gather(store, "s").agreement
    # Of four versions two were judged alike; with the tie-breaks it would be (2 + 1/3 + 0) / 4.
    assert (found.raw.value, found.raw.n) == (0.5, 4)


def test_what_cannot_be_scored_is_named_and_nothing_is_written(
    store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    who = Community(store)
    put_imported(store, "s", [replace(OTHERS[1], answers=None), OTHERS[2]], NOW)
    for entry in entries.listed(store, "s"):
        who.verdicts(entry.id, 1, "accept", "accept")
    said = told(capsys, "annotate", "export", "--db", store.engine.url.database, "-o", tmp_path / "out")
    assert "question 1: field answers: no gold" in said and "correct or reject it" in said
    assert not (tmp_path / "out").exists()
    browser = who.browser()
    page = browser.get("/admin/release").text
    assert "no gold" in page and 'action="/admin/trial-run"' not in page
    assert browser.post("/admin/release", data={"csrf": _csrf(browser)}).status_code == 409


def _csrf(browser: TestClient) -> str:
    return hidden(browser.get("/admin").text)["csrf"]


# ---- screening ----------------------------------------------------------------------------------


def test_only_what_a_screening_kept_is_released(
    store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    who = Community(store)
    for number in range(4):
        who.accepted(ask(f"Pergunta {number}?", f"resposta {number}"))
    db = store.engine.url.database
    plain = tmp_path / "plain"
    export(store, "s", plain)

    def reply(body: dict[str, Any]) -> tuple[int, bytes]:
        known = body["messages"][-1]["content"] == "Pergunta 1?"
        return 200, completion("resposta 1" if known else "nada")

    with Recorder(reply) as server:
        found = screen(
            plain / "questions.jsonl", ["openai:big"], tmp_path / "a.sqlite", samples=1, base_url=server.url
        )
    evidence, kept = tmp_path / "evidence.jsonl", tmp_path / "kept.jsonl"
    evidence.write_bytes(found.evidence_lines())
    kept.write_bytes(jsonl(found.left))
    late = who.accepted(ask("Nunca vista?"))
    for file in (evidence, kept):
        out = tmp_path / f"out-{file.stem}"
        assert main(["annotate", "export", "--db", str(db), "-o", str(out), "--screened", str(file)]) == 0
        made = load_question_set(out / "set")
        assert [q.question for q in made.questions.values()] == ["Pergunta 0?", "Pergunta 2?", "Pergunta 3?"]
        assert made.about.screened_by == ("openai:big",)
        assert "3 kept, 2 left out" in (out / "set" / "README.md").read_text()
    assert (
        "`openai:big` already answers 1 of 4" in (tmp_path / "out-evidence" / "set" / "README.md").read_text()
    )

    # What was changed since was never screened.
    number = who.number(late) - 2
    entry = entries.listed(store, "s")[number - 1]
    done = write(
        store,
        who.judges[2].id,
        "again",
        replace(entry.question, question="Outra?"),
        NOW,
        entry=entry.id,
        base=1,
    )
    assert isinstance(done, Written)
    who.verdicts(entry.id, 2, "accept", "accept")
    for file, why in ((evidence, "of other questions"), (kept, "was changed since it was screened")):
        said = told(capsys, "annotate", "export", "--db", db, "-o", tmp_path / "no", "--screened", file)
        assert why in said and "screen its questions.jsonl again" in said
    said = told(
        capsys, "annotate", "export", "--db", db, "-o", tmp_path / "no", "--screened", plain / "release.json"
    )
    assert "screen" in said
    said = told(
        capsys,
        "annotate",
        "export",
        "--db",
        db,
        "-o",
        tmp_path / "no",
        "--screened",
        plain / "questions.jsonl",
    )
    assert "no field screened_by" in said
    assert not (tmp_path / "no").exists()


# ---- import -------------------------------------------------------------------------------------


def test_importing_twice_is_importing_once(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study, file, db = tmp_path / "study.toml", tmp_path / "q.jsonl", str(tmp_path / "s.sqlite")
    study.write_text(STUDY)
    others = [
        replace(OTHERS[0], id="es", language="es"),
        replace(OTHERS[0], id="br", culture="BR", contrast=None),
        replace(OTHERS[0], id="own", contrast={"PT": ("x",)}),
        replace(OTHERS[0], id="long", notes="x" * 40_000),
    ]
    file.write_bytes(jsonl([*OTHERS, *others]))
    words = ["annotate", "import", str(file), "--study", str(study), "--db", db, "--json"]
    for new in (3, 0):
        assert main(words) == 0
        said = json.loads(capsys.readouterr().out)
        assert (said["new"], said["there_already"]) == (new, 3 - new)
        assert said["left_out"] == {
            "in es": 1, "about BR": 1, "with an answer of PT as another culture's": 1, "longer than 32,768 bytes": 1,
        }  # fmt: skip
    # Others under the same ids are not taken for these; nor is anything of their file.
    same, other = replace(OTHERS[0], id="new"), replace(OTHERS[1], question="Outra coisa?")
    for record in (other, msgspec.to_builtins(OTHERS[1]) | {"screened_by": ["openai:new"]}):
        file.write_bytes(jsonl([same, record, replace(OTHERS[2], notes="outra")]))
        said = told(capsys, *words)
        assert "question '2' is there already as another record" in said and "nothing is imported" in said
    store = Store(db)
    shown = entries.listed(store, "s")
    assert [(e.round, e.status, e.imported) for e in shown] == [("review", "proposed", True)] * 3
    assert [replace(e.question, id=q.id) for e, q in zip(shown, OTHERS, strict=True)] == OTHERS
    store.close()


@pytest.mark.skipif(not BLEND.is_file(), reason="BLEnD is not here")
def test_a_region_of_blend_comes_through_with_its_votes(store: Store, tmp_path: Path) -> None:
    file = tmp_path / "spain.jsonl"
    file.write_bytes(jsonl(import_questions("blend", BLEND, language="local").questions))
    who = Community(store, cultures=("ES",), language="es", siblings=())
    found = for_review(file, "ES", "es")
    assert put_imported(store, "s", found.questions, NOW) == len(found.questions) > 480
    with store.write() as session:
        session.execute(update(Entry).values(status="accepted"))
    browser = who.browser()
    assert f"released: {len(found.questions)}." in browser.get("/admin/release").text
    assert export(store, "s", tmp_path / "out") == len(found.questions)
    assert (tmp_path / "out" / "set" / "questions.jsonl").read_bytes() == file.read_bytes()


def test_a_set_and_a_review_file_can_be_imported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study, file, db = tmp_path / "study.toml", tmp_path / "q.jsonl", str(tmp_path / "s.sqlite")
    study.write_text(STUDY)
    record = msgspec.to_builtins(OTHERS[0]) | {"screened_by": ["openai:big"]}
    file.write_bytes(jsonl([record]))
    build_questions(file, tmp_path / "set")
    row = ReviewRow(
        id="A-01", source="What is eaten in US?", transposed="O que se come em Portugal?", fault="", applies="yes",
        why="", model_applies="yes", model_why="", culture="PT", language="pt-PT", model="m", prompts="p",
    )  # fmt: skip
    rows = [
        sealed(row),
        sealed(replace(row, id="A-02", reviewer_applies="no")),
        sealed(replace(row, id="A-03", reviewer_answers="bacalhau | cozido")),
    ]
    (tmp_path / "review.csv").write_bytes(review_file(rows, as_csv=True))
    for source, new in ((tmp_path / "set", 1), (tmp_path / "review.csv", 2)):
        assert main(["annotate", "import", str(source), "--study", str(study), "--db", db, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["new"] == new
    store = Store(db)
    found = [(e.question.question, e.question.answers) for e in entries.listed(store, "s")]
    assert found[1:] == [
        ("O que se come em Portugal?", None),
        ("O que se come em Portugal?", ("bacalhau", "cozido")),
    ]
    first = gather(store, "s").source.entries[0]
    assert json.loads(first.original or "")["screened_by"] == ["openai:big"]
    store.close()


def test_what_does_not_fit_is_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    study, file, db = tmp_path / "study.toml", tmp_path / "q.jsonl", tmp_path / "s.sqlite"
    study.write_text(STUDY)
    file.write_bytes(jsonl([replace(OTHERS[0], language="es")]))
    words: list[object] = ["--study", study, "--db", db]
    assert "none of 1 questions is about PT and in pt-PT: 1 in es" in told(
        capsys, "annotate", "import", file, *words
    )
    build_questions(file, tmp_path / "set", culture="PT")
    assert "a set about PT in es, the study is about PT in pt-PT" in told(
        capsys, "annotate", "import", tmp_path / "set", *words
    )
    (tmp_path / "empty").mkdir()
    assert "no question set" in told(capsys, "annotate", "import", tmp_path / "empty", *words)
    assert "No such file" in told(capsys, "annotate", "import", tmp_path / "none.jsonl", *words)
    file.write_text('{"id": "1"')
    assert "q.jsonl:1" in told(capsys, "annotate", "import", file, *words)
    assert not db.exists()
    study.write_text('id = "c"\nkind = "cue-check"\ntitle = "t"\ncontact = "c"\ncultures = ["PT"]\n')
    assert "right is 'questions'" in told(capsys, "annotate", "import", file, *words)


def test_screened_is_for_questions(store: Store, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    opened(store, study="c", kind="cue-check")
    db = store.engine.url.database
    said = told(capsys, "annotate", "export", "--db", db, "-o", tmp_path / "o", "--screened", tmp_path / "x")
    assert "for studies of questions" in said


# ---- pages --------------------------------------------------------------------------------------


def test_the_zip_is_the_export(store: Store, tmp_path: Path) -> None:
    who = Community(store, name="../../Dia/ a <b>dia</b>")
    entry = who.accepted(ask("<script>alert(1)</script>?", "{{ 7*7 }}"))
    look(store, who.authors[0].id, entry, 1, "openai:<i>x", "plain", "y", False, NOW)
    browser = who.browser()
    page = browser.get("/admin/release")
    assert page.status_code == 200 and "<script>" not in page.text and "<i>x" not in page.text
    assert "Accepted so far: 1." in page.text and "98 points" in page.text
    packed = [browser.post("/admin/release", data={"csrf": _csrf(browser)}) for _ in range(2)]
    assert packed[0].headers["content-type"] == "application/zip" and packed[0].content == packed[1].content
    export(store, "s", tmp_path / "out")
    with zipfile.ZipFile(io.BytesIO(packed[0].content)) as archive:
        names = archive.namelist()
        top = {name.partition("/")[0] for name in names}
        assert len(top) == 1 and not any(name.startswith("/") or ".." in name.split("/") for name in names)
        assert {name.partition("/")[2]: archive.read(name) for name in names} == everything(tmp_path / "out")


def test_the_page_says_what_is_left_out(store: Store) -> None:
    who = Community(store)
    play(
        who,
        [
            ("main", "accepted"),
            ("main", "proposed"),
            ("main", "sent_back"),
            ("trial", "accepted"),
            ("main", "merged"),
            ("main", "accepted"),
        ],
    )
    page = who.browser().get("/admin/release").text
    for said in ("wait for a verdict, and are left out: 1.", "left out: 1.", "never go into a release: 1.",
                 "without another verdict: 1.", "that would be released: 2."):  # fmt: skip
        assert said in page, said
    empty = Community(store, "empty")
    page = empty.browser().get("/admin/release").text
    assert "No question of the main round" in page and "Download" not in page


@pytest.mark.parametrize("quota", [1, 2])
def test_where_several_decide_others_judge_the_correction_of_what_is_accepted(
    store: Store, quota: int
) -> None:
    who = Community(store, quota=quota)
    entry = proposed(store, who.authors[0].id, ask("Que cor?")).entry
    who.verdicts(entry, 1, *["accept"] * quota)
    assert ("others judge it again" in who.browser().get(f"/question/{entry}").text) == (quota > 1)
    for _ in range(2):  # sent twice, it counts once
        done = write(store, who.judges[2].id, "v2", ask("De que cor é?"), NOW, entry=entry, base=1)
        assert done == Written(entry, 2)
    found, page = gather(store, "s"), who.browser().get("/admin/release").text
    if quota == 1:
        assert len(found.changed_since) == 1 and "without another verdict: 1." in page
        return
    assert found.items == () and "wait for a verdict, and are left out: 1." in page
    assert judge(store, who.judges[2].id, "own", entry, 2, "accept", {}, {}, NOW) == "closed"
    who.verdicts(entry, 2, "accept", "accept")
    found = gather(store, "s")
    assert [item.question.question for item in found.items] == ["De que cor é?"]
    assert found.changed_since == ()


def test_a_study_of_another_kind_has_no_release(store: Store) -> None:
    file = opened(store, study="c", kind="cue-check")
    cookie = people.redeem(store, "c", people.invite(store, "c", "admin", None, 1, NOW), {}, NOW) or ""
    browser = TestClient(create_app(store, file, clock=lambda: NOW), follow_redirects=False)
    browser.cookies.set("homeground", cookie)
    for path in ("/admin/release", "/admin/trial-run", "/admin/trial-run/report"):
        assert browser.get(path).status_code == 303
    csrf = _csrf(browser)
    for path in ("/admin/release", "/admin/trial-run"):
        assert browser.post(path, data={"csrf": csrf, "action": "start"}).status_code == 400


def test_missing_weights_are_said_with_the_command(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOMEGROUND_CACHE", str(tmp_path / "cache"))
    who = Community(store)
    who.accepted(ask("Como?"))
    browser = who.browser()
    command = "homeground models get smollm2-135m"
    for path in ("/admin/release", "/admin/trial-run"):
        assert command in browser.get(path).text
    answer = browser.post("/admin/trial-run", data={"csrf": _csrf(browser), "action": "start"})
    assert answer.status_code == 409 and command in answer.text
    assert Trial(folder_of(store, "s")).state() is None


# ---- the trial run ------------------------------------------------------------------------------


def _wait(trial: Trial, seconds: float = 300) -> str:
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        state = trial.state()
        if state is not None and state.status != "running":
            return state.status
        time.sleep(0.2)
    return "running"


@pytest.mark.model
def test_a_trial_run_asks_the_model_and_outlives_a_new_server(store: Store, weights: Path) -> None:
    del weights
    who = Community(store)
    for number in range(3):
        # Sums are asked since the model answers them in few tokens.
        who.accepted(ask(f"What is 1+{number}?", f"{1 + number}", contrast={"BR": ("17",)}))
    with who.browser() as browser:
        data = {"csrf": _csrf(browser), "action": "start"}
        assert "running" in browser.post("/admin/trial-run", data=data).text
        # A second click begins nothing.
        assert browser.post("/admin/trial-run", data=data).status_code == 200
        trial = Trial(folder_of(store, "s"))
        assert trial.start(gather(store, "s")) is False
        assert _wait(trial) == "done"
    page = who.browser().get("/admin/trial-run").text
    results = trial.results()
    assert results is not None
    assert [score.answers for score in results.scores][:2] == ["plain", "oracle"]
    assert {score.careful.n for score in results.scores} == {3}
    assert [len(item.said) for item in results.items] == [2, 2, 2] and "What is 1+2?" in page
    right = sum(said.correct for item in results.items for said in item.said if said.condition == "plain")
    assert results.scores[0].careful.value == pytest.approx(right / 3)
    report = who.browser().get("/admin/trial-run/report")
    policy = report.headers.get_list("content-security-policy")
    assert len(policy) == 1 and policy[0].startswith("sandbox allow-scripts;")
    assert "'sha256-" in policy[0] and "unsafe-eval" not in policy[0] and "plain" in report.text
    assert "<script" in report.text and "allow-same-origin" not in policy[0]
    assert check_questions(folder_of(store, "s") / "set").questions == 3


@pytest.mark.model
def test_a_trial_run_ends_with_its_server(store: Store, weights: Path) -> None:
    del weights
    who = Community(store)
    for number in range(40):
        who.accepted(ask(f"Pergunta {number}?", f"resposta {number}"))
    with who.browser() as browser:
        browser.post("/admin/trial-run", data={"csrf": _csrf(browser), "action": "start"})
        process = browser.app.state.trial._process  # type: ignore[attr-defined]
        assert process.poll() is None
    assert process.poll() is not None
    assert _wait(Trial(folder_of(store, "s"))) == "stopped"
    page = who.browser().get("/admin/trial-run").text
    assert "stopped" in page and "Run it again" in page


SERVER = """
import sys, time
from homeground.annotate.release import gather
from homeground.annotate.release.trial import Trial, folder_of
from homeground.annotate.store import Store
store = Store(sys.argv[1])
Trial(folder_of(store, "s")).start(gather(store, "s")) and print("begun", flush=True)
time.sleep(60)
"""


@pytest.mark.model
def test_a_trial_run_ends_with_a_server_that_is_killed(store: Store, weights: Path) -> None:
    del weights
    who = Community(store)
    for number in range(40):
        who.accepted(ask(f"Pergunta {number}?", f"resposta {number}"))
    words = [sys.executable, "-c", SERVER, str(store.engine.url.database)]
    folder, seen = folder_of(store, "s"), list[bool]()
    with subprocess.Popen(words, stdout=subprocess.PIPE) as server:
        assert server.stdout is not None and server.stdout.readline() == b"begun\n"
        for wanted in (True, False):
            until = time.monotonic() + 60
            while _held(folder) != wanted and time.monotonic() < until:
                time.sleep(0.1)
            seen.append(_held(folder))
            server.kill()
    assert seen == [True, False]


def _held(folder: Path) -> bool:
    try:
        with locked(folder):
            return False
    except Busy:
        return True


def test_a_folder_that_somebody_spoilt_is_none(store: Store) -> None:
    who = Community(store)
    who.accepted(ask("Como?"))
    folder = folder_of(store, "s")
    folder.mkdir(parents=True)
    (folder / "state.json").write_text("{")
    assert Trial(folder).state() is None
    (folder / "state.json").write_text(
        '{"status": "running", "model": "m", "questions": 1, "began": 1.0, "done": 3, "total": 9}'
    )
    state = Trial(folder).state()
    assert state is not None and state.status == "stopped"
    assert who.browser().get("/admin/trial-run").status_code == 200
