"""The store of a question study under random use: nothing is lost, and verdicts decide as the rules say."""

from __future__ import annotations

import multiprocessing
import time
import uuid
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any, ClassVar

import msgspec
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from sqlalchemy import select

from homeground.annotate.store import Store, discussion, entries, guidance, people, studies, verdicts, writing
from homeground.annotate.store.backup import backup, restore
from homeground.annotate.store.question_tables import (
    Comment,
    Review,
    VerdictAuthorship,
    Writing,
)
from homeground.annotate.store.writing import Written
from tests.annotating import NOW, database
from tests.community import Somebody, ask, opened, proposed, somebody
from tests.crowd import DECISIONS, judge_all

BECOMES = {"accept": "accepted", "send_back": "sent_back", "reject": "rejected"}
MOVES = {
    "draft": {"draft", "proposed", "dropped"},
    "proposed": {"draft", "proposed", "sent_back", "accepted", "rejected", "dropped", "merged"},
    "sent_back": {"draft", "proposed", "sent_back", "dropped", "merged"},
    "accepted": {"accepted", "proposed", "merged"},
    "rejected": {"rejected", "proposed"},
    "dropped": {"dropped"},
    "merged": {"merged"},
}
"""What may become of an entry in one step."""
MERGED = ("proposed", "sent_back", "accepted")
"""What can be merged."""


@pytest.fixture(params=["sqlite", "postgresql"], scope="module")
def url(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with database(request.param, tmp_path_factory.mktemp("store")) as found:
        yield found


@pytest.fixture(scope="module")
def store(url: str) -> Iterator[Store]:
    made = Store(url)
    made.migrate()
    yield made
    made.close()


def outcome(quota: int, said: Sequence[str]) -> str | None:
    """What verdicts make of a version, said once more in another way; nothing while more are wanted."""
    if quota == 1 and said:
        return BECOMES[said[0]]
    if len(said) >= 2:
        for decision in DECISIONS:
            if said.count(decision) == 2:
                return BECOMES[decision]
    return "sent_back" if len(said) == 3 else None


class _Entry:
    """What the test believes of an entry."""

    def __init__(self) -> None:
        self.status = ""
        self.contents: list[str] = []
        self.saved: list[str] = []
        """What it was once each version was saved."""
        self.writers: list[str] = []
        self.said: dict[int, list[tuple[str, str]]] = {}
        """By version: who decided what."""

    @property
    def version(self) -> int:
        return len(self.contents)

    @property
    def private(self) -> bool:
        return self.status == "draft" or (self.status == "dropped" and self.saved[-1] == "draft")

    def decisions(self) -> list[str]:
        return [decision for _, decision in self.said.get(self.version, [])]


class Community(RuleBasedStateMachine):
    """Two authors, four adjudicators and an admin who do anything in any order, some of it twice or too late."""

    store: ClassVar[Store]
    quota: ClassVar[int]

    def __init__(self) -> None:
        super().__init__()
        self.study = f"s-{uuid.uuid4().hex}"
        self.entries: dict[str, _Entry] = {}
        self.sent: list[tuple[dict[str, Any], Written]] = []
        self.held: dict[str, tuple[str, int]] = {}
        self.told: dict[str, str] = {}
        """Remarks by their makers, without those who withdrew."""
        self.gone: set[str] = set()
        self.rests, self.now = False, NOW

    @initialize()
    def join(self) -> None:
        opened(self.store, self.quota, self.study)
        self.people = {
            person.id: person
            for role, number in (("author", 2), ("adjudicator", 4), ("admin", 1))
            for person in [somebody(self.store, role, self.study) for _ in range(number)]
        }

    def _of(self, role: str) -> list[Somebody]:
        return [p for p in self.people.values() if p.role == role]

    def _pick(self, data: st.DataObject, *roles: str) -> Somebody:
        return data.draw(st.sampled_from([p for role in roles for p in self._of(role)]))

    def _entry(self, data: st.DataObject) -> str:
        return data.draw(st.sampled_from(list(self.entries)))

    def _moved(self, entry: str, status: str) -> None:
        found = self.entries[entry]
        if found.status:
            assert status in MOVES[found.status], (found.status, status)
        found.status = status
        found.saved += [status] * (found.version - len(found.saved))

    def _write(self, who: Somebody, **fields: Any) -> Written | str:  # noqa: ANN401
        text = f"De que cor é {uuid.uuid4().hex}?"
        args = {"client_id": uuid.uuid4().hex, "question": ask(text), "person_id": who.id, **fields}
        done = writing.write(self.store, now=self.now, **args)
        if isinstance(done, Written):
            self.sent.append((args, done))
            found = self.entries.setdefault(done.entry, _Entry())
            found.contents.append(text)
            found.writers.append(who.id)
            assert done.version == found.version
        return done

    @rule(data=st.data(), propose=st.booleans())
    def begin(self, data: st.DataObject, propose: bool) -> None:
        who = self._pick(data, "author")
        done = self._write(who, propose=propose)
        if self.rests or who.id in self.gone:
            assert done == "closed"
        else:
            assert isinstance(done, Written)
            self._moved(done.entry, "proposed" if propose else "draft")

    @precondition(lambda self: self.entries)
    @rule(data=st.data(), late=st.booleans(), propose=st.booleans())
    def change(self, data: st.DataObject, late: bool, propose: bool) -> None:
        who, entry = self._pick(data, "author", "adjudicator", "admin"), self._entry(data)
        found = self.entries[entry]
        own, status, version = who.id in found.writers, found.status, found.version
        if who.role == "author":
            may = own and status in ("draft", "proposed", "sent_back")
            then = "proposed" if propose else "draft"
        else:
            may = status not in ("dropped", "merged", "draft")
            judged_again = status == "accepted" and self.quota > 1
            then = "proposed" if propose or judged_again else status
        done = self._write(who, entry=entry, base=version - late, propose=propose)
        if self.rests or who.id in self.gone or not may:
            assert done == "closed"
        elif late:
            assert done == "conflict"
        else:
            assert done == Written(entry, version + 1)
            self._moved(entry, then)

    @precondition(lambda self: self.sent)
    @rule(data=st.data())
    def send_again(self, data: st.DataObject) -> None:
        fields, done = data.draw(st.sampled_from(self.sent))
        if fields["person_id"] not in self.gone:
            assert writing.write(self.store, now=self.now, **fields) == done

    @precondition(lambda self: self.sent)
    @rule(data=st.data(), words=st.booleans())
    def send_again_otherwise(self, data: st.DataObject, words: bool) -> None:
        """With other words, or by an author with the other button."""
        place = data.draw(st.integers(0, len(self.sent) - 1))
        fields, done = self.sent[place]
        who, found = self.people[fields["person_id"]], self.entries[done.entry]
        if who.id in self.gone or not (words or who.role == "author"):
            return
        text = f"Outra {uuid.uuid4().hex}?" if words else fields["question"].question
        propose = fields.get("propose", False) ^ (not words)
        fields = fields | {"question": ask(text), "propose": propose}
        if who.role == "author":
            may, then = found.status in ("draft", "proposed", "sent_back"), "proposed" if propose else "draft"
        else:
            may = found.status not in ("dropped", "merged", "draft")
            judged_again = found.status == "accepted" and self.quota > 1
            then = "proposed" if propose or judged_again else found.status
        again = writing.write(self.store, now=self.now, **fields)
        if self.rests or not may:
            assert again == "closed"
        elif found.version != done.version:
            assert again == "conflict"
        else:
            assert again == Written(done.entry, done.version + 1)
            found.contents.append(text)
            found.writers.append(who.id)
            self._moved(done.entry, then)
            self.sent[place] = fields, again
            assert writing.write(self.store, now=self.now, **fields) == again

    @precondition(lambda self: self.entries)
    @rule(data=st.data(), late=st.booleans())
    def take_back(self, data: st.DataObject, late: bool) -> None:
        who, entry = self._pick(data, "author", "adjudicator"), self._entry(data)
        found = self.entries[entry]
        done = writing.take_back(self.store, who.id, entry, found.version - late, self.now)
        may = who.role == "author" and who.id in found.writers and who.id not in self.gone
        if self.rests or not may or found.status not in ("draft", "proposed", "sent_back"):
            assert done == "closed"
        elif late:
            assert done == "conflict"
        else:
            assert done is None
            self._moved(entry, "dropped")

    def _open_to(self, who: Somebody) -> list[str]:
        return [
            entry
            for entry, found in self.entries.items()
            if found.status == "proposed"
            and who.id not in found.writers
            and who.id not in {judge for judge, _ in found.said.get(found.version, [])}
        ]

    @rule(data=st.data())
    def ask_for_one(self, data: st.DataObject) -> None:
        who = self._pick(data, "adjudicator")
        given = verdicts.next_review(self.store, who.id, self.now)
        if self.rests or who.id in self.gone:
            assert given == "paused"
            return
        can = self._open_to(who)
        if isinstance(given, str):
            assert given == ("wait" if can else "done")
            for entry in can:
                # Whoever is told to wait waits for somebody: enough others hold the newest version.
                found = self.entries[entry]
                others = sum(
                    held == (entry, found.version) for one, held in self.held.items() if one != who.id
                )
                asked = 3 if len(found.decisions()) == 2 else self.quota
                assert len(found.decisions()) + others >= asked
            return
        entry, version = given
        assert entry in can and version == self.entries[entry].version
        self.held[who.id] = given
        holders = sum(one == given for one in self.held.values())
        assert holders + len(self.entries[entry].decisions()) <= max(
            self.quota, 3 if self.entries[entry].decisions() else 0
        )

    @precondition(lambda self: self.entries)
    @rule(data=st.data(), decision=st.sampled_from(DECISIONS), late=st.booleans(), own=st.booleans())
    def judge_anything(self, data: st.DataObject, decision: str, late: bool, own: bool) -> None:
        waiting = [entry for entry, found in self.entries.items() if found.status == "proposed"]
        entry = data.draw(st.sampled_from(waiting if own and waiting else list(self.entries)))
        mended = [one for one in self.entries[entry].writers if self.people[one].role != "author"]
        who = self._pick(data, "adjudicator", "admin", "author")
        if own and mended:
            who = self.people[data.draw(st.sampled_from(mended))]
        version = self.entries[entry].version
        self._judge(who, entry, version - (late and version > 1), decision, twice=True)

    @precondition(lambda self: any(self._open_to(who) for who in self._of("adjudicator")))
    @rule(data=st.data(), decisions=st.permutations(DECISIONS), same=st.booleans())
    def judge_what_is_open(self, data: st.DataObject, decisions: list[str], same: bool) -> None:
        entry = data.draw(st.sampled_from([e for w in self._of("adjudicator") for e in self._open_to(w)]))
        version = self.entries[entry].version
        who = [w for w in self._of("adjudicator") if entry in self._open_to(w)]
        for one, decision in zip(who, decisions, strict=False):
            self._judge(one, entry, version, decisions[0] if same else decision)

    def _judge(self, who: Somebody, entry: str, version: int, decision: str, twice: bool = False) -> None:
        found = self.entries[entry]
        remark, client = uuid.uuid4().hex, uuid.uuid4().hex

        def send(words: str = remark) -> str:
            return verdicts.judge(
                self.store, who.id, client, entry, version, decision, {"L1": "breaks"}, {"": words}, self.now
            )

        done = send()
        if who.id in self.gone:
            assert done == "closed"  # whose verdicts there were is erased with them
        elif who.id in {judge for judge, _ in found.said.get(version, [])}:
            assert done == "judged"
        elif self.rests or who.role == "author" or who.id in found.writers:
            assert done == "closed"
        elif found.status != "proposed" or version != found.version:
            assert done == "stale"
        else:
            assert done == "kept"
            found.said.setdefault(version, []).append((who.id, decision))
            self.told[remark] = who.id
            became = outcome(self.quota, found.decisions())
            assert (became is None) == (self._shown(entry).status == "proposed")
            if became is not None:
                self._moved(entry, became)
                self.held = {one: given for one, given in self.held.items() if given[0] != entry}
            if twice:
                assert send() == "had" and send("other words") == "judged"
        if done in ("kept", "stale") and self.held.get(who.id, ("",))[0] == entry:
            del self.held[who.id]

    @precondition(lambda self: len(self.entries) > 1)
    @rule(data=st.data(), late=st.booleans(), again=st.booleans())
    def merge(self, data: st.DataObject, late: bool, again: bool) -> None:
        who = self._pick(data, "admin", "author")
        names = data.draw(st.permutations(list(self.entries)))
        merged = [entry for entry in names if self.entries[entry].status == "merged"]
        names.sort(key=lambda entry: self.entries[entry].status not in MERGED)
        some = (merged[:1] if again else []) + [entry for entry in names if entry not in merged[:1]]
        keep, *others = data.draw(st.permutations(some[:3]))
        text = f"Junta {uuid.uuid4().hex}?"
        bases = [(entry, self.entries[entry].version) for entry in (keep, *others)]
        if late:
            bases[-1] = (bases[-1][0], bases[-1][1] - 1)
        client = uuid.uuid4().hex
        done = writing.merge(self.store, who.id, client, bases[0], bases[1:], ask(text), self.now)
        if who.role == "author" or who.id in self.gone:
            assert done == "closed"
        elif late or any(self.entries[entry].status not in MERGED for entry in (keep, *others)):
            assert done == "conflict"
        else:
            found = self.entries[keep]
            assert done == Written(keep, found.version + 1)
            for words, then in ((text, done), ("x?", "conflict")):
                question = ask(words)
                again_ = writing.merge(self.store, who.id, client, bases[0], bases[1:], question, self.now)
                assert again_ == then
            found.contents.append(text)
            found.writers.append(who.id)
            self._moved(keep, found.status)
            for entry in others:
                self._moved(entry, "merged")

    @rule(data=st.data())
    def say(self, data: st.DataObject) -> None:
        if not self.entries:
            return
        who, entry = self._pick(data, "author", "adjudicator"), self._entry(data)
        text, client = uuid.uuid4().hex, uuid.uuid4().hex
        done = discussion.add(self.store, who.id, client, entry, text, self.now)
        may = who.role != "author" or who.id in self.entries[entry].writers
        assert done == ("kept" if may and who.id not in self.gone else "closed")
        if done == "kept":
            self.told[text] = who.id
            assert discussion.add(self.store, who.id, client, entry, text, self.now) == "had"
            other = uuid.uuid4().hex
            for words, then in ((other, "kept"), (other, "had"), (text, "had")):
                assert discussion.add(self.store, who.id, client, entry, words, self.now) == then
            self.told[other] = who.id

    @precondition(lambda self: len(self.gone) < 3)
    @rule(data=st.data(), sure=st.integers(0, 1))
    def withdraw(self, data: st.DataObject, sure: int) -> None:
        if sure or not self.told:
            return
        who = self.people[data.draw(st.sampled_from(list(self.told.values())))]
        if who.role == "admin":
            return
        people.withdraw(self.store, who.id, self.now)
        self.gone.add(who.id)
        self.held.pop(who.id, None)
        with self.store.read() as session:
            for table in (Writing, Review, VerdictAuthorship, Comment):
                assert session.scalars(select(table).where(table.person_id == who.id)).all() == []
        self.told = {text: of for text, of in self.told.items() if of != who.id}
        assert self._remarks() == set(self.told)

    @rule()
    def wait_until_all_holds_are_over(self) -> None:
        self.now += 60 * 20
        self.held = {}

    @rule(sure=st.integers(0, 3))
    def rest(self, sure: int) -> None:
        if sure:
            return
        self.rests = not self.rests
        new = "paused" if self.rests else "open"
        assert studies.set_status(
            self.store, self.study, new, studies.state(self.store, self.study).version, self.now
        )

    def _shown(self, entry: str) -> entries.Shown:
        found = entries.shown(self.store, self.study, entry)
        assert found is not None
        return found

    def _remarks(self) -> set[str]:
        said = {
            d.comments.get("", "")
            for those in verdicts.decided(self.store, self.study).values()
            for d in those
        }
        for entry in self.entries:
            said |= {comment.text for comment in discussion.read(self.store, self.study, entry)}
        return said - {""}

    @invariant()
    def everything_is_where_it_was_put(self) -> None:
        rows = {row.id: row for row in entries.listed(self.store, self.study)}
        assert {entry: (row.status, row.version, row.question.question) for entry, row in rows.items()} == {
            entry: (found.status, found.version, found.contents[-1]) for entry, found in self.entries.items()
        }
        private = {entry for entry, found in self.entries.items() if found.private}
        public = entries.listed(self.store, self.study, private=False)
        assert {row.id for row in public if row.status != "draft"} == set(self.entries) - private
        assert {row.id for row in rows.values() if entries.is_private(self.store, self.study, row)} == private
        kept = verdicts.decided(self.store, self.study)
        for entry, found in self.entries.items():
            said = [
                (version, "" if who in self.gone else self.people[who].pseudonym, decision)
                for version, those in found.said.items()
                for who, decision in those
            ]
            assert Counter((d.version, d.person, d.decision) for d in kept.get(entry, [])) == Counter(said)
            for version, those in found.said.items():
                assert len(those) <= (3 if self.quota == 2 else 1)
                assert not {who for who, _ in those} & set(found.writers[:version])
        wait = [found.decisions() for found in self.entries.values() if found.status == "proposed"]
        ties = sum(len(said) == 2 for said in wait) if self.quota == 2 else 0
        asked = verdicts.waiting(self.store, self.study), verdicts.tied(self.store, self.study)
        assert asked == (len(wait), ties)

    def teardown(self) -> None:
        for entry, found in self.entries.items():
            past = entries.history(self.store, self.study, entry)
            assert [p.question.question for p in past] == found.contents
            seen = entries.history(self.store, self.study, entry, drafts=False)
            handed_over = [n for n, status in enumerate(found.saved, 1) if status != "draft"]
            assert [p.version for p in seen] == handed_over
            assert [p.person for p in past] == [
                "" if who in self.gone else self.people[who].pseudonym for who in found.writers
            ]
        if self.entries:
            assert self._remarks() == set(self.told)


@pytest.mark.parametrize("quota", [1, 2])
def test_whatever_a_community_does(store: Store, quota: int) -> None:
    few = store.engine.dialect.name != "sqlite"
    machine = type("Community", (Community,), {"store": store, "quota": quota})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=10 if few else 24,
            stateful_step_count=40,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            phases=(Phase.reuse, Phase.generate),  # shrinking would take minutes
        ),
    )


def test_eight_at_once_give_each_question_what_it_needs(url: str, store: Store) -> None:
    study, quota = f"crowd-{uuid.uuid4().hex}", 2
    opened(store, quota, study)
    writer = somebody(store, "author", study)
    asked = {proposed(store, writer.id, ask(f"De que cor é o número {n}?")).entry for n in range(12)}
    judges = [somebody(store, "adjudicator", study) for _ in range(8)]
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.crowd", "pg8000", "psycopg"])
    with ProcessPoolExecutor(8, mp_context=context) as pool:
        done = pool.map(judge_all, [url] * 8, [judge.id for judge in judges], [time.monotonic() + 120] * 8)
        kept = [one for part in done for one in part]
    said = verdicts.decided(store, study)
    assert set(said) == asked
    assert Counter(kept) == Counter((entry, d.decision) for entry, those in said.items() for d in those)
    for row in entries.listed(store, study):
        decisions = [d.decision for d in said[row.id]]
        assert row.status == outcome(quota, decisions)
        assert all(outcome(quota, decisions[:n]) is None for n in range(len(decisions)))
        assert len({d.person for d in said[row.id]}) == len(decisions)


# ---- single rules -------------------------------------------------------------------------------


def test_a_study_that_comes_to_ask_for_fewer_verdicts_leaves_nothing_waiting(store: Store) -> None:
    study = f"fewer-{uuid.uuid4().hex}"
    opened(store, 2, study)
    writer, one, two = (somebody(store, role, study) for role in ("author", "adjudicator", "adjudicator"))
    entry = proposed(store, writer.id, ask("De que cor são os marcos?")).entry
    assert verdicts.judge(store, one.id, "f" + entry[:20], entry, 1, "accept", {}, {}, NOW) == "kept"
    opened(store, 1, study)
    assert verdicts.next_review(store, two.id, NOW) == "done"
    found = entries.shown(store, study, entry)
    assert found is not None and found.status == "accepted"


def test_a_stale_copy_holds_nothing_up_and_its_reader_gets_the_new_one(store: Store) -> None:
    study = f"stale-{uuid.uuid4().hex}"
    opened(store, 1, study)
    writer, one, two, three = (
        somebody(store, role, study) for role in ("author", "adjudicator", "adjudicator", "adjudicator")
    )
    first = proposed(store, writer.id, ask("De que cor são os marcos?")).entry
    assert verdicts.next_review(store, one.id, NOW) == (first, 1)
    second = proposed(store, writer.id, ask("Que dia é o Natal?")).entry
    again = writing.write(
        store,
        writer.id,
        uuid.uuid4().hex,
        ask("De que cor é um marco?"),
        NOW + 1,
        entry=first,
        base=1,
        propose=True,
    )
    assert again == Written(first, 2)
    assert verdicts.judge(store, one.id, uuid.uuid4().hex, first, 1, "accept", {}, {}, NOW) == "stale"
    assert verdicts.next_review(store, one.id, NOW, prefer=first) == (first, 2)
    assert verdicts.next_review(store, two.id, NOW) == (second, 1)
    # The new version of what the second holds is free at once for the third.
    writing.write(store, writer.id, uuid.uuid4().hex, ask("?"), NOW + 2, entry=second, base=1, propose=True)
    assert verdicts.next_review(store, three.id, NOW) == (second, 2)


def test_guidelines_change_by_whoever_saw_the_newest(store: Store) -> None:
    study = f"rules-{uuid.uuid4().hex}"
    opened(store, 1, study)
    for version in range(3):
        added = guidance.Added(notes={"L1": f"note {version}"})
        assert guidance.change(store, study, added, version, NOW)
        assert not guidance.change(store, study, guidance.Added(), version, NOW)
        assert guidance.newest(store, study)[:2] == (version + 1, added)
    assert [v.added.notes["L1"] for v in guidance.versions(store, study)] == ["note 0", "note 1", "note 2"]
    writer = somebody(store, "author", study)
    entry = proposed(store, writer.id, ask("De que cor são os marcos?")).entry
    assert [p.guidelines for p in entries.history(store, study, entry)] == [3]


def test_an_imported_set_is_put_once_and_keeps_what_it_was(store: Store) -> None:
    study = f"import-{uuid.uuid4().hex}"
    opened(store, 1, study)
    questions = [msgspec.structs.replace(ask(f"Pergunta {n}?"), id=f"x:{n}") for n in range(5)]
    assert writing.put_imported(store, study, questions[:3], NOW) == 3
    assert writing.put_imported(store, study, questions, NOW) == 2
    rows = entries.listed(store, study, rounds=("review",))
    assert [row.number for row in rows] == [1, 2, 3, 4, 5]
    assert all(row.imported and row.status == "proposed" for row in rows)
    judge = somebody(store, "adjudicator", study)
    given = verdicts.next_review(store, judge.id, NOW)
    assert given == (rows[0].id, 1)
    fixed = writing.write(
        store, judge.id, uuid.uuid4().hex, ask("Melhor?"), NOW, entry=rows[0].id, base=1, propose=True
    )
    assert fixed == Written(rows[0].id, 2)
    assert verdicts.judge(store, judge.id, uuid.uuid4().hex, rows[0].id, 2, "accept", {}, {}, NOW) == "closed"
    assert [p.why for p in entries.history(store, study, rows[0].id)] == ["imported", "corrected"]


def test_an_accepted_entry_is_not_merged_into_one_that_was_just_rejected(store: Store) -> None:
    study = f"toctou-{uuid.uuid4().hex}"
    opened(store, 1, study)
    writer, judge, admin = (somebody(store, role, study) for role in ("author", "adjudicator", "admin"))
    keep, other = (proposed(store, writer.id, ask(text)) for text in ("Que dia é?", "Que dia é ?"))
    for one, decision in ((other, "accept"), (keep, "reject")):
        client = uuid.uuid4().hex
        assert verdicts.judge(store, judge.id, client, one.entry, 1, decision, {}, {}, NOW) == "kept"
    for first, second in ((keep, other), (other, keep)):
        client = uuid.uuid4().hex
        done = writing.merge(store, admin.id, client, first, [second], ask("Que dia é?"), NOW)
        assert done == "conflict"
    assert [row.status for row in entries.listed(store, study)] == ["rejected", "accepted"]


def test_what_was_a_draft_is_known_after_a_restore(url: str, store: Store, tmp_path: Path) -> None:
    study = f"restored-{uuid.uuid4().hex}"
    opened(store, 1, study)
    writer, judge, admin = (somebody(store, role, study) for role in ("author", "adjudicator", "admin"))

    def save(who: Somebody, entry: str | None, base: int, propose: bool) -> Written:
        client, text = uuid.uuid4().hex, ask(f"Pergunta {uuid.uuid4().hex}?")
        done = writing.write(store, who.id, client, text, NOW, entry=entry, base=base, propose=propose)
        assert isinstance(done, Written)
        return done

    between = save(writer, None, 0, True).entry
    save(writer, between, 1, False)
    save(writer, between, 2, True)
    save(judge, between, 3, False)
    alone, both = save(writer, None, 0, False).entry, save(writer, None, 0, True).entry
    save(writer, both, 1, False)
    for entry, version in ((alone, 1), (both, 2)):
        assert writing.take_back(store, writer.id, entry, version, NOW) is None
    handed_over = save(writer, None, 0, True).entry
    assert writing.take_back(store, writer.id, handed_over, 1, NOW) is None
    writing.put_imported(store, study, [msgspec.structs.replace(ask("Importada?"), id="x:1")], NOW)
    (imported,) = (row.id for row in entries.listed(store, study, rounds=("review",)))
    save(judge, imported, 1, True)
    absorbed = save(writer, None, 0, True).entry
    merged = writing.merge(
        store, admin.id, uuid.uuid4().hex, (between, 4), [(absorbed, 1)], ask("Junta?"), NOW
    )
    assert merged == Written(between, 5)
    backup(store, tmp_path / "b.zip")
    with database("sqlite" if "://" in url else "postgresql", tmp_path) as other:
        restore(tmp_path / "b.zip", other)
        again = Store(other)
        for place in (store, again):
            seen = {
                name: [past.version for past in entries.history(place, study, entry, drafts=False)]
                for name, entry in (("between", between), ("alone", alone), ("both", both),
                                    ("imported", imported), ("absorbed", absorbed))
            }  # fmt: skip
            assert seen == {
                "between": [1, 3, 4, 5], "alone": [], "both": [1], "imported": [1, 2], "absorbed": [1],
            }  # fmt: skip
            assert entries.kept_back(place, study) == {alone, both}
            public = entries.listed(place, study, statuses=("dropped",), private=False)
            assert [row.id for row in public] == [handed_over]
        again.close()
