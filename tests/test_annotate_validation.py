"""The validation study: which items there are, whose turn is what, stages, replies, shared links, answers, demo."""

from __future__ import annotations

import json
import multiprocessing
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import pytest
from fastapi.testclient import TestClient
from hypothesis import given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from homeground.annotate import demo
from homeground.annotate.analysis import read_export
from homeground.annotate.app import create_app
from homeground.annotate.export import export
from homeground.annotate.lines import AnswerLine, Exclusion, PersonLine, StudyLine
from homeground.annotate.serve import open_study
from homeground.annotate.store import Store, people, progress, recruiting, replies, studies
from homeground.annotate.store.leases import Given, Load, lease, submit
from homeground.annotate.store.replies import Replied
from homeground.annotate.store.tables import Judgement, Person
from homeground.annotate.study import Material, StudyFile, load_study
from homeground.annotate.validation import priming
from homeground.annotate.validation.grading import grade, units_of
from homeground.annotate.validation.items import Plan, items_of
from homeground.benchmarks import Benchmark
from homeground.errors import InputError
from homeground.files import read_jsonl
from homeground.schema import OBJECTIVE, Concept
from tests.annotating import NOW, database, hidden, person, put_at

CULTURES = ("FR", "GB", "JP", "IR")
STUDY = """\
id = "s"
kind = "validation"
title = "Do people hear the cues?"
contact = "a@b.example"
benchmark = "benchmark"
cultures = ["FR", "IR"]
items_per_cell = 5
completion_code = "DONE1"
screen_out_code = "OUT1"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, benchmark_folder: Path) -> Path:
    made = tmp_path_factory.mktemp("validation")
    (made / "benchmark").symlink_to(benchmark_folder)
    (made / "study.toml").write_text(STUDY)
    return made


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    with database(request.param, tmp_path) as found:
        yield found


def opened(folder: Path, url: str) -> tuple[Store, StudyFile, Material]:
    store, study, material = open_study(folder / "study.toml", url, NOW)
    studies.set_status(store, "s", "open", 1, NOW)
    return store, study, material


def somebody(store: Store, culture: str = "FR", stage: str = "items") -> str:
    secret = people.invite(store, "s", "annotator", culture, 1, NOW)
    who = people.who(store, "s", people.redeem(store, "s", secret, {}, NOW) or "", NOW)
    assert who is not None
    put_at(store, who.id, stage)
    return who.id


# ---- items --------------------------------------------------------------------------------------


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10**6),
    a_cell=st.integers(1, 29),
    control=st.sampled_from([0.0, 0.1, 0.2, 0.5]),
    cultures=st.lists(st.sampled_from((*CULTURES, "US")), min_size=1, unique=True),
)
def test_cells_are_full_and_no_scaffold_comes_in_two_cultures(
    benchmark: Benchmark, seed: int, a_cell: int, control: float, cultures: list[str]
) -> None:
    plan = Plan("s", cultures, OBJECTIVE, a_cell, control, "US", True, seed)
    items = list(items_of(benchmark, plan))
    assert len({item.id for item in items}) == len(items)
    assert items == list(items_of(benchmark, plan))
    for culture in cultures:
        own = [item for item in items if item.culture == culture and item.part != "attention"]
        families = [item.family for item in own]
        assert len(set(families)) == len(families)
        accepted = set(benchmark.cultures[culture].accepted)
        assert Counter(item.cell for item in own) == dict.fromkeys(accepted & set(OBJECTIVE), a_cell)
        for item in own:
            assert item.content["asked"] == ("US" if item.part == "control" else culture)
            pair = benchmark.cues[item.family, item.content["asked"]]
            whole = " ".join(text for _, text in item.content["turns"])
            assert all(cue.value in whole for cue in pair.cues)
        controls = Counter(item.cell for item in own if item.part == "control")
        wanted = 0 if culture == "US" else round(control * a_cell)
        assert set(controls.values()) <= {wanted} and (len(controls) == len(accepted) or wanted == 0)


def test_scenes_come_again_only_when_all_have_come(benchmark: Benchmark) -> None:
    scenes = Counter(scene.concept for scene in benchmark.scenes.values())
    plan = Plan("s", ["FR"], ["speed"], scenes["speed"], 0.0, "US", False, 3)
    seen = [benchmark.scaffolds[item.family].scene for item in items_of(benchmark, plan)]
    assert len(set(seen)) == len(seen) == scenes["speed"]


def test_what_is_not_there_is_said(folder: Path, benchmark: Benchmark) -> None:
    with pytest.raises(InputError, match="items_per_cell: 9999 are wanted"):
        list(items_of(benchmark, Plan("s", ["FR"], OBJECTIVE, 9999, 0.2, "US", True, 1)))
    with pytest.raises(InputError, match="control_culture: 'XX' is not in"):
        list(items_of(benchmark, Plan("s", ["FR"], OBJECTIVE, 3, 0.2, "XX", True, 1)))
    file = folder / "wrong.toml"
    for old, new, said in (
        ('benchmark = "benchmark"\n', "", "field benchmark: missing"),
        ('"IR"', '"XX"', "unknown culture 'XX'"),
        ("items_per_cell = 5", "items_per_cell = 0", "items_per_cell"),
        ("items_per_cell = 5", 'concepts = ["quantifier"]', "concepts: 'quantifier'"),
        ("items_per_cell = 5", "exclusion = { control_share = 2.0 }", "control_share"),
        ("items_per_cell = 5", 'completion_urls = { prolific = "javascript:alert(1)" }', "completion_urls"),
    ):
        file.write_text(STUDY.replace(old, new))
        with pytest.raises(InputError, match=said) as raised:
            load_study(file)
        assert "\n" not in str(raised.value)


@pytest.mark.parametrize("code", ["FR", "IR", "BR", "US", "JP", "IN"])
def test_priming_asks_for_things_of_the_culture_alone(code: str) -> None:
    for seed in range(5):
        questions = priming.questions(code, seed)
        assert questions == priming.questions(code, seed) and len(questions) >= 3
        assert len({q.kind for q in questions}) == len(questions)
        for q in questions:
            assert q.right in q.options and len(set(q.options)) == 4


# ---- answers ------------------------------------------------------------------------------------


def test_every_unit_that_can_be_chosen_is_read(benchmark: Benchmark) -> None:
    accepted = {code: dict(culture.accepted) for code, culture in benchmark.cultures.items()}
    for concept in OBJECTIVE:
        found = {
            unit: grade({"concept": concept, "asked": "US"}, {"value": "20", "unit": unit}, accepted)
            for unit in units_of(concept, accepted)
        }
        assert all(graded.found for unit, graded in found.items() if unit != "K"), found
        assert {graded.correct for graded in found.values()} == {True, False}


@pytest.mark.parametrize("concept", OBJECTIVE)
@settings(max_examples=60, deadline=None)
@given(
    number=st.sampled_from(["20", "3.5", "3,50", "1.200", "-4", "۲۰", "２０"]),
    around=st.sampled_from(
        ["{}.", "{},", "{};", "({})", "{}!", "{}?", "{}…", "~{}", "{} or so", "{} approx", "{} approx.",
         "{} (maybe)", "{} or more", "about {}", "ca. {}", "{}–25", "{} to 25", "no more than {}", "{}, I think."]
    ),
)  # fmt: skip
def test_what_stands_around_a_number_takes_no_chosen_unit_away(
    benchmark: Benchmark, concept: Concept, number: str, around: str
) -> None:
    accepted = {code: dict(culture.accepted) for code, culture in benchmark.cultures.items()}
    for unit in units_of(concept, accepted):
        for asked in ("US", "FR"):
            content = {"concept": concept, "asked": asked}
            plain = grade(content, {"value": number, "unit": unit}, accepted)
            assert grade(content, {"value": around.format(number), "unit": unit}, accepted) == plain


def test_a_unit_that_the_value_names_counts_beside_the_chosen_one() -> None:
    accepted: dict[str, Any] = {"FR": {"distance": ("metric",), "price": ("EUR",)}}
    for concept, value, unit, found in (
        ("distance", "20 km", "km", ("metric",)),
        ("distance", "(20 miles)", "mi", ("imperial",)),
        ("distance", "6 ft 2", "in", ("imperial",)),
        ("price", "20 €", "EUR", ("EUR",)),
    ):
        graded = grade({"concept": concept, "asked": "FR"}, {"value": value, "unit": unit}, accepted)
        assert graded.found == found
    both = grade({"concept": "distance", "asked": "FR"}, {"value": "20 miles.", "unit": "km"}, accepted)
    assert not both.correct and "imperial" in both.found


@given(value=st.text(max_size=40), unit=st.text(max_size=40))
def test_any_answer_can_be_graded(value: str, unit: str) -> None:
    accepted: dict[str, Any] = {"FR": {"size": ("metric",)}}
    content = {"concept": "size", "asked": "FR"}
    assert grade(content, {"value": value, "unit": unit}, accepted).correct in (True, False)


def test_attention_is_read_in_digits_of_any_script() -> None:
    content = {"concept": "distance", "asked": "", "instructed": ["77", "yd"]}
    for value, unit, right in (
        ("77", "yd", True),
        ("۷۷", "yd", True),
        (" 7 7", "YD", True),
        ("78", "yd", False),
    ):
        assert grade(content, {"value": value, "unit": unit}, {}).correct is right


# ---- whose turn is what -------------------------------------------------------------------------


def test_a_person_gets_a_fifth_controls_and_attention_now_and_then(folder: Path, url: str) -> None:
    store, study, _ = opened(folder, url)
    who = somebody(store)
    parts, families = list[str](), list[str]()
    while isinstance(given := lease(store, who, NOW + len(parts)), Given):
        parts.append(given.part)
        families.append(given.content["scaffold"])
        submit(store, who, given.item, given.item, "metric", "", NOW + len(parts), {"value": "1"})
    assert given == "done" and len(parts) > 25
    ordinary = [part for part in parts if part != "attention"]
    assert [ordinary[i : i + 5].count("control") for i in range(0, 25, 5)] == [1] * 5
    assert parts.count("attention") >= len(ordinary) // study.attention_every
    assert "attention" not in parts[:2]
    named = [family for family in families if family]
    assert len(set(named)) == len(named)
    store.close()


def test_two_people_do_not_get_controls_at_the_same_places(folder: Path, tmp_path: Path) -> None:
    store, *_ = opened(folder, str(tmp_path / "s.sqlite"))
    orders = set()
    for _ in range(4):
        who, parts = somebody(store), list[str]()
        for number in range(6):
            given = lease(store, who, NOW)
            assert isinstance(given, Given)
            parts.append(given.part)
            submit(store, who, f"{who}{number}", given.item, "metric", "", NOW, {"value": "1"})
        orders.add(tuple(parts))
    assert len(orders) > 1
    store.close()


def test_who_has_had_all_attention_items_gets_controls_as_before(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "s.sqlite"))
    store.migrate()
    parts = ["evaluation"] * 32 + ["control"] * 8 + ["attention"]
    new = [studies.NewItem(f"i{n}", "FR", {}, "size", "", part) for n, part in enumerate(parts)]
    studies.put(store, "s", "validation", "t", Load(1, 20, 0, 0.2, 4), new, NOW)
    studies.set_status(store, "s", "open", 1, NOW)
    who, got = somebody(store), list[str]()
    while isinstance(held := lease(store, who, NOW), Given):
        got.append(held.part)
        submit(store, who, held.item, held.item, "metric", "", NOW)
    assert got.index("attention") < 10
    ordinary = [part for part in got if part != "attention"]
    assert [ordinary[place : place + 5].count("control") for place in range(0, 40, 5)] == [1] * 8
    store.close()


def test_nobody_gets_two_items_of_a_family(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "s.sqlite"))
    store.migrate()
    new = [studies.NewItem(f"i{n}", "FR", {}, "size", f"family {n // 3}") for n in range(9)]
    studies.put(store, "s", "validation", "t", Load(9, 20, 0), new, NOW)
    studies.set_status(store, "s", "open", 1, NOW)
    who = somebody(store)
    given = [lease(store, who, NOW)]
    while isinstance(held := given[-1], Given):
        submit(store, who, held.item, held.item, "metric", "", NOW)
        other = f"i{3 * (int(held.item[1:]) // 3) + (int(held.item[1:]) + 1) % 3}"
        assert submit(store, who, other, other, "metric", "", NOW) == "closed"
        given.append(lease(store, who, NOW))
    assert given[-1] == "done" and len(given) == 4
    store.close()


def _work(url: str, those: list[str], until: float) -> list[str]:
    store = Store(url)
    kept, open_ones = [], list(those)
    while open_ones:
        assert time.monotonic() < until, "waited for an item that nobody gives back"
        for who in list(open_ones):
            given = lease(store, who, NOW)
            if given == "done":
                open_ones.remove(who)
            elif isinstance(given, Given):
                client = f"{who[:20]}-{given.item}"
                if submit(store, who, client, given.item, "metric", "", NOW, {"value": "1"}) == "kept":
                    kept.append(given.item)
    store.close()
    return kept


def test_items_given_out_by_twelve_processes_are_given_once(folder: Path, url: str) -> None:
    store, study, material = opened(folder, url)
    everybody = [[somebody(store, culture) for culture in study.cultures * 2] for _ in range(12)]
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["homeground.annotate.store.leases", "pg8000", "psycopg"])
    with ProcessPoolExecutor(12, mp_context=context) as pool:
        kept = [
            item
            for part in pool.map(_work, [url] * 12, everybody, [time.monotonic() + 240] * 12)
            for item in part
        ]
    needed = {item.id for item in material.items if item.part != "attention"}
    counts = Counter(item for item in kept if item in needed)
    assert counts == dict.fromkeys(needed, 1)
    assert all(
        row.judgements == row.needed and row.full == row.items for row in progress.progress(store, "s", NOW)
    )
    store.close()


# ---- the way through ----------------------------------------------------------------------------


class Walk:
    """Somebody with a browser."""

    def __init__(self, folder: Path, url: str) -> None:
        self.store, self.study, self.material = opened(folder, url)
        self.app = create_app(self.store, self.study, self.material, clock=lambda: NOW)

    def browser(self, cookie: str | None = None) -> TestClient:
        client = TestClient(self.app, follow_redirects=True)
        if cookie:
            client.cookies.set("homeground", cookie)
        return client

    def at(self, stage: str, culture: str = "FR") -> tuple[TestClient, str]:
        secret = people.invite(self.store, "s", "annotator", culture, 1, NOW)
        cookie = people.redeem(self.store, "s", secret, {}, NOW) or ""
        who = people.who(self.store, "s", cookie, NOW)
        assert who is not None
        put_at(self.store, who.id, stage)
        return self.browser(cookie), who.id

    def stage(self, who: str) -> str:
        with self.store.read() as session:
            return session.get_one(Person, who).stage


@pytest.fixture
def walk(folder: Path, tmp_path: Path) -> Iterator[Walk]:
    made = Walk(folder, str(tmp_path / "s.sqlite"))
    yield made
    made.store.close()


def send(browser: TestClient, path: str, **fields: str) -> Any:  # noqa: ANN401
    return browser.post(path, data=hidden(browser.get(path).text) | fields)


def test_priming_is_scored_and_gates_nothing(walk: Walk) -> None:
    asked = walk.material.priming["FR"]
    for right in (True, False):
        browser, who = walk.at("priming")
        fields = {q.kind: q.right if right else next(o for o in q.options if o != q.right) for q in asked}
        assert send(browser, "/priming", **(fields | {asked[0].kind: "no such"})).status_code == 400
        assert walk.stage(who) == "priming"
        send(browser, "/priming", **fields)
        assert walk.stage(who) == "instructions"
        (member,) = [m for m in studies.people(walk.store, "s") if m.stage == "instructions"]
        assert (member.priming_right, member.priming_asked) == ((len(asked) if right else 0), len(asked))
        put_at(walk.store, who, "done")


def test_who_has_nothing_to_be_asked_goes_straight_on(walk: Walk) -> None:
    assert priming.questions("ES-PV", 1) == ()
    walk.app.state.material = walk.material._replace(priming={})
    browser, _ = walk.at("priming")
    assert browser.get("/").url.path == "/instructions"


@pytest.mark.parametrize(("tries", "stage"), [("r", "items"), ("wr", "items"), ("ww", "screened_out")])
def test_the_check_has_two_tries(walk: Walk, tries: str, stage: str) -> None:
    right = {"whose": "user", "american": "fahrenheit", "missing": "other"}
    browser, who = walk.at("check")
    assert send(browser, "/check", **(right | {"whose": ""})).status_code == 400
    for number, kind in enumerate(tries):
        assert walk.stage(who) == "check"
        form = hidden(browser.get("/check").text) | (right if kind == "r" else right | {"american": "both"})
        browser.post("/check", data=form)
        page = browser.post("/check", data=form)  # sent twice, it counts once
        assert ("second try" in page.text) == (kind == "w" and number == 0)
    assert walk.stage(who) == stage
    if stage == "screened_out":
        assert "OUT1" in page.text and "two tries" in page.text
        assert browser.get("/item").url.path == "/end"
    (member,) = studies.people(walk.store, "s")
    assert member.check_tries == len(tries)
    assert replies.checked(walk.store, who, 2, [Replied("whose", "user", True)], NOW) == "had"


def test_an_answer_is_a_number_and_one_unit(walk: Walk) -> None:
    browser, _ = walk.at("items")
    for fields, said in (
        ({"value": "warm", "unit": "°C"}, "write a number"),
        ({"value": "", "unit": "°C"}, "write a number"),
        ({"value": "20"}, "choose one unit"),
        ({"value": "20", "unit": "other"}, "choose one unit"),
        ({"value": "20", "unit": "°C", "other": "jō"}, "keep one of the two"),
        ({"value": "2" * 41, "unit": "°C"}, "write a number"),
        ({"value": "20", "unit": "°C", "comment": "x" * 2_001}, "2,000 characters"),
    ):
        answer = send(browser, "/item", **fields)
        assert answer.status_code == 400 and said in answer.text, fields
    assert studies.said(walk.store, "s") == []
    held = hidden(browser.get("/item").text)["item"]
    send(browser, "/item", value=" 6 ", unit="other", other=" <b>jō</b>  mats", comment="=1+1")
    (said_,) = studies.said(walk.store, "s")
    assert (said_.item, said_.answer) == (held, {"value": "6", "unit": "<b>jō</b> mats", "other": True})
    assert said_.comment == "=1+1" and said_.seconds == 0


def test_what_was_typed_comes_back_with_the_fault(walk: Walk) -> None:
    browser, _ = walk.at("items")
    page = send(browser, "/item", value='"><script>', unit="other", other="jō", comment="a <b>").text
    assert "<script>" not in page and 'value="&#34;&gt;&lt;script&gt;"' in page
    assert 'value="jō"' in page and "a &lt;b&gt;" in page


def test_pictures_are_those_of_the_benchmark(walk: Walk) -> None:
    browser, _ = walk.at("items")
    page = browser.get("/item").text
    name = page.partition('src="/picture/')[2].partition('"')[0]
    answer = browser.get(f"/picture/{name}")
    assert answer.headers["content-type"] == "image/png" and answer.content.startswith(b"\x89PNG")
    for wrong in ("x", "..%2F..%2Fstudy.toml", "%2e%2e/benchmark.toml", name[:-1]):
        assert browser.get(f"/picture/{wrong}").status_code == 404
    assert walk.browser().get(f"/picture/{name}").status_code == 401


def test_a_shared_link_takes_each_number_once(walk: Walk) -> None:
    secret = recruiting.share(walk.store, "s", "prolific", "IR", 2, 1, NOW)

    def joins(query: str, browser: TestClient | None = None) -> Any:  # noqa: ANN401
        browser = browser or walk.browser()
        page = browser.get(f"/join/{secret}{query}")
        if page.url.path != f"/join/{secret}":
            return page
        return browser.post(f"/join/{secret}", data=hidden(page.text))

    first = walk.browser()
    assert joins("?PROLIFIC_PID=one&STUDY_ID=x", first).url.path == "/consent"
    assert joins("?PROLIFIC_PID=one", first).url.path == "/consent"  # same browser: goes on
    send(first, "/consent", agree="yes")
    again = joins("?PROLIFIC_PID=one")
    assert again.status_code == 409 and "private link" in again.text
    assert joins("").status_code == 409
    assert joins("?PROLIFIC_PID=two").url.path == "/consent"
    assert "places are taken" in joins("?PROLIFIC_PID=three").text
    (link,) = recruiting.links(walk.store, "s")
    assert (link.joined, link.most) == (2, 2)
    assert walk.browser().get("/join/wrong").status_code == 404
    assert {m.culture for m in studies.people(walk.store, "s")} == {"IR"}
    assert "one" not in json.dumps([m._asdict() for m in studies.people(walk.store, "s")])


def _only(store: Store) -> str:
    with store.read() as session:
        return session.scalars(select(Person.id).where(Person.role == "annotator")).one()


def test_the_end_has_code_and_way_back(walk: Walk, tmp_path: Path) -> None:
    secret = recruiting.share(walk.store, "s", "prolific", "FR", 2, 1, NOW)
    browser = walk.browser()
    page = browser.get(f"/join/{secret}?PROLIFIC_PID=five")
    browser.post(f"/join/{secret}", data=hidden(page.text))
    with walk.store.write() as session:
        session.query(Person).one().stage = "done"
    end = browser.get("/end").text
    assert ">DONE1<" in end and "https://app.prolific.com/submissions/complete?cc=DONE1" in end
    done = send(browser, "/end", said="Nice <i>pictures</i>")
    assert "It is saved" in done.text
    send(browser, "/end", said="One was\nmissing")
    admin = walk.browser(person(walk.store, role="admin")[1]).get("/admin").text
    assert '<dd dir="auto" class="wrap">Nice &lt;i&gt;pictures&lt;/i&gt;</dd>' in admin
    export(walk.store, "s", tmp_path / "out")
    (line,) = [line for _, line in read_jsonl(tmp_path / "out" / "people.jsonl", PersonLine)]
    assert line.debrief == ("Nice <i>pictures</i>", "One was\nmissing")
    put_at(walk.store, _only(walk.store), "items")
    send(browser, "/end", said="not at the end")
    replies.said_at_the_end(walk.store, _only(walk.store), "nor by any other way", NOW)
    assert studies.people(walk.store, "s")[0].debrief == line.debrief
    put_at(walk.store, _only(walk.store), "done")
    assert "app.prolific" not in walk.at("done")[0].get("/end").text


def test_two_admins_at_once_the_second_is_told(walk: Walk) -> None:
    one, two = (walk.browser(person(walk.store, role="admin")[1]) for _ in range(2))
    form = hidden(two.get("/admin").text)
    send_one = hidden(one.get("/admin").text) | {"status": "paused"}
    assert one.post("/admin/status", data=send_one).status_code == 200
    told = two.post("/admin/status", data=form | {"status": "closed", "sure": "yes"})
    assert told.status_code == 409 and "Somebody else changed" in told.text
    assert studies.state(walk.store, "s").status == "paused"


def test_who_is_stuck_and_how_long_things_take(folder: Path, url: str) -> None:
    store, *_ = opened(folder, url)
    quick, slow, gone = (somebody(store) for _ in range(3))
    for number, who in enumerate((quick, quick, slow)):
        given = lease(store, who, NOW + 100 * number)
        assert isinstance(given, Given)
        submit(store, who, str(number), given.item, "metric", "", NOW + 100 * number + 30, {"value": "1"})
    held = lease(store, quick, NOW + 4_000)
    assert isinstance(held, Given)
    people.withdraw(store, gone, NOW)
    (row,) = progress.stuck(store, "s", NOW + 4_000)
    assert (row.stage, row.items, round(row.minutes)) == ("items", 1, 63)
    whole, *cells = [row for row in progress.progress(store, "s", NOW + 4_000) if row.culture == "FR"]
    assert (whole.seconds, whole.judgements, whole.in_hand) == (30, 3, int(held.part != "attention"))
    assert whole.judgements == sum(cell.judgements for cell in cells)
    store.close()


def test_many_agree_to_the_same_text_at_once(folder: Path, url: str) -> None:
    store, *_ = opened(folder, url)
    everybody = [somebody(store, stage="consent") for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        versions = list(pool.map(lambda who: people.consented(store, who, "en", "I agree.", NOW), everybody))
    assert len(set(versions)) == 1 and len(studies.consents(store, "s")) == 1
    assert {member.stage for member in studies.people(store, "s")} == {"eligibility"}
    store.close()


# ---- rules, export, demo ------------------------------------------------------------------------


def test_rules_of_exclusion_cannot_change_once_there_are_answers(
    folder: Path, url: str, tmp_path: Path
) -> None:
    store, *_ = opened(folder, url)
    file = folder / "rules.toml"
    file.write_text(STUDY + "[exclusion]\ncontrol_share = 0.7\n")
    open_study(file, url, NOW + 50)[0].close()  # no answer yet: they may change
    who = somebody(store)
    given = lease(store, who, NOW)
    assert isinstance(given, Given)
    answer = {"value": "1", "unit": "m", "other": False}
    submit(store, who, "c", given.item, "metric", "", NOW + 60, answer)
    with pytest.raises(InputError, match="fixed since the first answer"):
        open_study(folder / "study.toml", url, NOW + 99)
    open_study(file, url, NOW + 99)[0].close()
    export(store, "s", tmp_path / "out")
    about = msgspec.json.decode((tmp_path / "out" / "study.json").read_bytes(), type=StudyLine)
    assert about.exclusion == Exclusion(control_share=0.7)
    assert about.fixed == "2027-01-15T08:00:50+00:00"
    store.close()


def test_what_has_items_cannot_be_taken_out_of_the_file(folder: Path, url: str, tmp_path: Path) -> None:
    store, *_ = opened(folder, url)
    file = folder / "less.toml"
    for old, new, said in (
        ('cultures = ["FR", "IR"]', 'cultures = ["FR"]', "field cultures: 'IR' is gone"),
        ("items_per_cell", 'concepts = ["size"]\nitems_per_cell', "field concepts: '.*' is gone"),
    ):
        file.write_text(STUDY.replace(old, new))
        with pytest.raises(InputError, match=said) as raised:
            open_study(file, url, NOW)
        assert "items of it" in str(raised.value) and "\n" not in str(raised.value)
    file.write_text(STUDY.replace('cultures = ["FR", "IR"]', 'cultures = ["FR", "IR", "JP"]'))
    open_study(file, url, NOW)[0].close()
    who = somebody(store, "IR", "done")
    replies.said_at_the_end(store, who, "Thanks", NOW)
    export(store, "s", tmp_path / "out")
    assert read_export(tmp_path / "out").study.cultures == ("FR", "IR", "JP")
    store.close()


def test_a_benchmark_without_the_control_culture_of_items_is_refused(tmp_path: Path) -> None:
    store = Store(str(tmp_path / "s.sqlite"))
    store.migrate()
    item = studies.NewItem("i", "FR", {"asked": "US"}, "size", "", "control")
    more = {"cultures": ["FR"], "concepts": ["size"], "accepted": {"FR": {}, "US": {}}}
    studies.put(store, "s", "validation", "t", Load(1, 20, 0), [item], NOW, more)
    studies.put(store, "s", "validation", "t", Load(1, 20, 0), [], NOW, more)
    with pytest.raises(
        InputError, match="field benchmark: 'US' is gone, and this database has 1 items of it"
    ):
        studies.put(store, "s", "validation", "t", Load(1, 20, 0), [], NOW, more | {"accepted": {"FR": {}}})
    store.close()


def test_an_export_with_a_time_that_was_stored_below_zero_can_be_analysed(
    folder: Path, url: str, tmp_path: Path
) -> None:
    store, *_ = opened(folder, url)
    who = somebody(store)
    given = lease(store, who, NOW + 5)
    assert isinstance(given, Given)
    answer = {"value": "1", "unit": "m", "other": False}
    assert submit(store, who, "c", given.item, "metric", "", NOW, answer) == "kept"
    other = next(i for i in load_study(folder / "study.toml")[1].items if i.id != given.item)
    with store.write() as session:
        session.add(
            Judgement(
                client_id="old",
                item_id=other.id,
                verdict="none",
                made=NOW,
                answer=json.dumps(answer),
                seconds=-2,
            )
        )
    export(store, "s", tmp_path / "out")
    assert sorted(str(line.seconds) for line in read_export(tmp_path / "out").answers) == ["0.0", "None"]
    store.close()


def test_a_demo_fills_every_page_and_says_that_it_is_one(tmp_path: Path, folder: Path) -> None:
    file = folder / "demo.toml"
    file.write_text(
        STUDY.replace('id = "s"', 'id = "demo"') + "simulated = true\nper_person = 9\nquota = 2\n"
    )
    store, study, material = open_study(file, str(tmp_path / "d.sqlite"), NOW - demo.DAYS * people.DAY)
    made = demo.fill(store, study, material, 26, 3, NOW)
    export(store, "demo", tmp_path / "out")
    answers = [line for _, line in read_jsonl(tmp_path / "out" / "answers.jsonl", AnswerLine)]
    members = [line for _, line in read_jsonl(tmp_path / "out" / "people.jsonl", PersonLine)]
    assert len(answers) == made > 80
    assert {"done", "screened_out", "consent", "items"} <= {m.stage for m in members}
    assert {line.group for line in answers} == {"evaluation", "control", "attention"}
    assert "" in {line.person for line in answers} and len(members) == 25
    about = msgspec.json.decode((tmp_path / "out" / "study.json").read_bytes(), type=StudyLine)
    assert about.simulated and about.fixed[:10] <= min(line.made for line in answers)
    assert progress.stuck(store, "demo", NOW)
    app = create_app(store, study, material, clock=lambda: NOW)
    secret = people.invite(store, "demo", "admin", None, 1, NOW)
    browser = TestClient(app)
    browser.cookies.set("homeground", people.redeem(store, "demo", secret, {}, NOW) or "")
    page = browser.get("/admin").text
    assert "simulated by a program" in page and "Nobody is stuck" not in page
    store.close()
