"""The interface's languages: the same things in each, right for their scripts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import pytest
from fastapi.testclient import TestClient

from homeground.annotate.app import create_app
from homeground.annotate.app.context import culture_name
from homeground.annotate.app.words import choose, languages
from homeground.annotate.store import Store
from homeground.annotate.store.leases import Load
from homeground.cultures.local_names import PAGE_LANGUAGES, PageLanguage
from homeground.questions.guidelines import guidelines
from tests.annotating import NOW, filled, hidden, person, study
from tests.community import Rooms
from tests.persian import ISOLATED, assert_persian

ENGLISH = languages()["en"].words


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = filled(str(tmp_path / "s.sqlite"), 2, Load(3, 20, 0))
    yield store
    store.close()


def browser(store: Store, stage: str = "items", asks: str = "", role: str = "annotator") -> TestClient:
    headers = {"accept-language": asks} if asks else None
    client = TestClient(
        create_app(store, study(), clock=lambda: NOW), follow_redirects=False, headers=headers
    )
    client.cookies.set("homeground", person(store, stage, role)[1])
    return client


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@pytest.mark.parametrize("code", list(languages()))
def test_languages_say_the_same_things(code: str) -> None:
    language = languages()[code]
    assert set(language.words) == set(ENGLISH)
    for key, text in language.words.items():
        assert places(text) == places(ENGLISH[key]), key
        assert text.strip(), key
        assert text.strip().count("\n\n") == ENGLISH[key].strip().count("\n\n"), key
        said = language.say(key, **dict.fromkeys(places(text), "x"))
        assert not set("{}") & set(said), key
        assert "  " not in said and said.count("\u2068") == said.count("\u2069"), key


def test_what_the_check_and_the_instructions_quote_is_what_the_buttons_say() -> None:
    for code, language in languages().items():
        words = language.words
        for key, button in (
            ("instructions_cue_check_4", "unsure"),
            ("instructions_validation_3", "other_unit"),
            ("check_missing_other", "other_unit"),
            ("fault_unit", "other_unit"),
        ):
            quoted = re.findall("[“«]([^”»]+)[”»]", words[key])
            assert words[button].casefold() in [said.casefold() for said in quoted], (code, key)


def test_persian_is_written_as_persians_write() -> None:
    language = languages()["fa"]
    assert language.direction == "rtl"
    for key, text in language.words.items():
        assert_persian(re.sub(r"\{\w+\}", "", text), key)
        for left_to_right in ISOLATED.findall(text):
            assert not re.search("[آ-ی]", left_to_right), key


def test_names_of_countries_are_the_languages_own() -> None:
    assert [culture_name("IR", code) for code in ("en", "fa", "pt")] == ["Iran", "ایران", "Irão"]
    assert culture_name("IN-AS", "fa") == culture_name("IN-AS", "en") == "Assam"


def test_a_language_is_chosen() -> None:
    assert choose("xx", None, "de-DE,pt-BR;q=0.8,en;q=0.5") == "pt"
    assert choose("fa-IR,en") == "fa"
    assert choose(None, "") == "en"


@pytest.mark.parametrize(("code", "asks", "save"), [("pt", "pt-PT", "Guardar"), ("fa", "fa-IR,en", "ذخیره")])
def test_the_interface_speaks(store: Store, code: str, asks: str, save: str) -> None:
    direction = languages()[code].direction
    page = browser(store, asks=asks).get("/item").text
    assert f'<html lang="{code}" dir="{direction}">' in page and save in page
    chosen = browser(store)
    assert save not in chosen.get("/item").text
    assert save in chosen.get(f"/item?lang={code}").text
    assert save in chosen.get("/item").text


def test_years_may_be_written_in_persian_digits(store: Store) -> None:
    client = browser(store, "eligibility", "fa")
    form = hidden(client.get("/eligibility").text)
    for wrong in ("۱۶", "۱٫۵", "²", "-۱", ""):
        assert client.post("/eligibility", data=form | {"years": wrong}).status_code == 400
    assert client.post("/eligibility", data=form | {"years": "۱۲"}).status_code == 303
    assert client.get("/").headers["location"] == "/instructions"


@pytest.mark.parametrize(
    ("given", "persian"),
    [
        (0, "۰"), (1_234, "۱۲۳۴"), ("1,234,567", "۱٬۲۳۴٬۵۶۷"), ("3.5", "۳٫۵"), (2.5, "۲٫۵"),
        ("L1, D2", "L1, D2"), ("CC-BY-4.0", "CC-BY-4.0"), ("+98 21", "+98 21"), ("1,2", "1,2"), ("", ""), ("۱۲", "۱۲"),
    ],
)  # fmt: skip
def test_numbers_are_said_in_the_languages_own_figures(given: object, persian: str) -> None:
    said = {code: languages()[code].say("question_votes", number=given) for code in ("en", "fa")}
    assert said == {"en": f"{given} votes", "fa": f"{persian} رأی"}


def test_in_a_persian_page_figures_and_english_run_from_left_to_right(store: Store) -> None:
    page = browser(store, asks="fa", role="admin").get("/admin").text
    assert "<h1><bdi>Cues of Portugal</bdi>" in page
    assert re.search(r'dir="ltr">0 / 6<', page) and re.search(r'<bdi dir="ltr">0 / 2</bdi>', page)
    assert '<blockquote lang="en" dir="auto">' in browser(store, asks="fa").get("/item").text


@pytest.mark.parametrize("code", PAGE_LANGUAGES)
def test_the_guidelines_stand_beside_the_form_in_the_languages_own_words(
    tmp_path: Path, code: PageLanguage
) -> None:
    store = Store(str(tmp_path / "q.sqlite"))
    store.migrate()
    author, _ = Rooms(store).enter("author")
    page = author.get(f"/question/new?lang={code}").text
    store.close()
    assert f'<div class="rules" lang="{code}" dir="{languages()[code].direction}">' in page
    for guideline in guidelines("PT", code).guidelines:
        assert f"<b>{guideline.id}</b> {guideline.title} " in page
