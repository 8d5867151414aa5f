"""The fifteen guidelines: complete in all languages, filled for any culture, and harmless whatever an example says."""

import json
import re
from argparse import ArgumentParser
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from unicodedata import bidirectional

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from homeground.cli import guidelines as command
from homeground.cultures.facts import territory_codes
from homeground.cultures.library import codes
from homeground.cultures.local_names import PAGE_LANGUAGES, PageLanguage, local_names
from homeground.errors import InputError
from homeground.files import jsonl
from homeground.questions.guideline_sheet import SHEET_FORMATS, SheetFormat, guideline_sheet
from homeground.questions.guidelines import Rejected, Sheet, guidelines
from tests.persian import assert_persian

ORDER = [*(f"L{n}" for n in range(1, 8)), *(f"E{n}" for n in range(1, 6)), *(f"D{n}" for n in range(1, 4))]
GROUPS = {"L": "linguistic", "E": "endogenous", "D": "discriminative"}
CULTURES = sorted({*territory_codes(), *codes()})
VOID = {"meta"}


class Outline(HTMLParser):
    """Tags, attributes and text of a page; a tag left open or closed out of turn is an error."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.text = ""
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes.update(name for name, _ in attrs)
        if tag not in VOID:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self._open:
            self.text += data


def rejected(folder: Path, *lines: object) -> Path:
    path = folder / "rejected.jsonl"
    path.write_bytes(jsonl(lines))
    return path


@pytest.mark.parametrize("language", PAGE_LANGUAGES)
def test_all_fifteen_say_all_there_is_to_say(language: PageLanguage) -> None:
    sheet = guidelines("PT", language)
    assert [g.id for g in sheet.guidelines] == ORDER
    assert list(sheet.groups) == list(GROUPS.values())
    for guideline in sheet.guidelines:
        assert guideline.group == GROUPS[guideline.id[0]]
        assert guideline.title and guideline.rule.endswith(".") and guideline.why.endswith((".", "?", "؟"))
        assert guideline.good and guideline.bad and not guideline.rejected
        for example in (*guideline.good, *guideline.bad):
            assert example.question.endswith("؟" if language == "fa" else "?") and example.answer.strip()
        assert all(example.why for example in guideline.bad)


def test_no_two_languages_share_a_text() -> None:
    sheets = [guidelines("PT", language).guidelines for language in PAGE_LANGUAGES]
    for same in zip(*sheets, strict=True):
        for field in ("title", "rule", "why"):
            assert len({getattr(guideline, field) for guideline in same}) == len(PAGE_LANGUAGES)


def texts(sheet: Sheet) -> Iterator[str]:
    """All texts of a sheet, apart from its codes, tags and direction."""
    words = msgspec.to_builtins(sheet.words)
    yield from (text for key, text in words.items() if key not in ("tag", "direction"))
    for heading in sheet.groups.values():
        yield from (heading.title, heading.about)
    for guideline in sheet.guidelines:
        yield from (guideline.title, guideline.rule, guideline.why)
        for example in (*guideline.good, *guideline.bad):
            yield from (example.question, example.answer, example.why or "", example.culture or "")


@pytest.mark.parametrize("culture", ["IR", "ES-PV"])
def test_persian_is_written_as_persians_write(culture: str) -> None:
    sheet = guidelines(culture, "fa")
    for text in texts(sheet):
        assert_persian(text)
    name, latin = sheet.culture, re.search("[A-Za-z]", sheet.culture) is not None
    assert latin == (culture == "ES-PV")
    assert all(f"\u2068{name}\u2069" in text for text in texts(sheet) if latin and name in text)


def test_names_in_persian_are_in_persian_letters() -> None:
    for code in {*territory_codes()} - {"CQ"}:  # Sark, which CLDR does not know in Persian
        _, culture, language, _ = local_names(code, "fa")
        for name in (culture, language or ""):
            assert_persian(name)
            assert not re.search("[A-Za-z]", name), code


@pytest.mark.parametrize("form", ["markdown", "text"])
def test_no_line_of_a_persian_sheet_begins_with_a_letter_that_turns_it(form: SheetFormat) -> None:
    for line in guideline_sheet(guidelines("IR", "fa"), form).splitlines():
        turning = [char for char in line if bidirectional(char) in ("L", "R", "AL")]
        assert line.startswith("<") or bidirectional(turning[0] if turning else "\u200f") != "L", line
    assert '<div dir="rtl" lang="fa-IR">' in guideline_sheet(guidelines("IR", "fa"), "markdown")
    assert "\u200f" not in guideline_sheet(guidelines("IR", "en"), form)


@pytest.mark.parametrize("language", PAGE_LANGUAGES)
def test_the_page_runs_in_its_languages_direction(language: PageLanguage) -> None:
    page = guideline_sheet(guidelines("IR", language), "html")
    tag, direction = {"en": ("en", "ltr"), "pt": ("pt-PT", "ltr"), "fa": ("fa-IR", "rtl")}[language]
    assert f'<html lang="{tag}" dir="{direction}">' in page


@given(st.sampled_from(CULTURES), st.sampled_from(PAGE_LANGUAGES), st.sampled_from(SHEET_FORMATS))
def test_no_placeholder_is_left_for_any_culture(
    culture: str, language: PageLanguage, form: SheetFormat
) -> None:
    sheet = guidelines(culture, language)
    page = guideline_sheet(sheet, form)
    assert sheet.culture == local_names(culture, language).culture
    if form == "html":
        page = Outline(page).text
    assert not re.search(r"[{}]|None|undefined", page)
    shown = " ".join(page.replace("\\", "").split())
    assert sheet.culture in shown and sheet.language in shown
    assert all(guideline.title in shown for guideline in sheet.guidelines)


def test_names_are_those_of_the_page_and_the_language_is_the_cultures() -> None:
    assert local_names("DE", "pt")[1:] == ("Alemanha", "alemão", "de-DE")
    assert local_names("DE", "en")[1:] == ("Germany", "German", "de-DE")
    assert local_names("IR", "pt").culture == "Irão"
    assert local_names("DE", "fa")[1:] == ("آلمان", "آلمانی", "de-DE")
    assert local_names("AQ", "pt")[1:] == ("Antártida", None, None)
    assert local_names("ES-PV", "en")[1:] == ("the Basque Country", None, None)
    with pytest.raises(InputError, match="unknown culture 'Portugal'"):
        local_names("Portugal", "pt")


def test_the_sheet_speaks_portuguese_and_persian_to_those_who_do() -> None:
    assert {code: guidelines(code).words.tag for code in ("PT", "BR", "IR", "AF", "JP", "AQ")} == {
        "PT": "pt-PT",
        "BR": "pt-PT",
        "IR": "fa-IR",
        "AF": "fa-IR",
        "JP": "en",
        "AQ": "en",
    }


def test_a_rejected_entry_becomes_a_bad_example_of_its_guideline_alone(tmp_path: Path) -> None:
    entry = {"guideline": "L4", "question": "O que se come?", "answer": "pão", "why": "Muita coisa."}
    sheet = guidelines("PT", rejected=rejected(tmp_path, entry))
    shown = {g.id: g.rejected for g in sheet.guidelines if g.rejected}
    assert list(shown) == ["L4"]
    for form in SHEET_FORMATS:
        page = guideline_sheet(sheet, form)
        assert "O que se come?" in page and "Muita coisa." in page and sheet.words.rejected in page


HOSTILE = st.text(
    st.one_of(
        st.sampled_from("<>&\"'{}%`*_[]()!#|\\\n→"), st.characters(codec="utf-8", exclude_characters="\x00\r")
    ),
    max_size=40,
)


@given(HOSTILE, HOSTILE)
def test_no_example_becomes_markup(tmp_path_factory: pytest.TempPathFactory, question: str, why: str) -> None:
    hostile = Rejected(
        guideline="D1",
        question=f"<b onclick=x>{question}",
        answer="</p><script>alert(1)</script>",
        why=f"{why}{{culture}}",
    )
    harmless = Rejected(guideline="D1", question="?", answer="x", why="y")
    folder = tmp_path_factory.mktemp("rejected")
    sheet, usual = (guidelines("PT", "en", rejected(folder, entry)) for entry in (hostile, harmless))
    page, plain = (Outline(guideline_sheet(each, "html")) for each in (sheet, usual))
    assert (page.tags, page.attributes) == (plain.tags, plain.attributes)
    for said in (hostile.question, hostile.answer, hostile.why):
        assert said in page.text
    marked, unmarked = (guideline_sheet(each, "markdown") for each in (sheet, usual))
    assert marked.count("\n") == unmarked.count("\n")
    assert not re.search(r"(?<!\\)[<`]", marked)


def test_a_broken_line_of_rejected_entries_is_named(tmp_path: Path) -> None:
    good = {"guideline": "L4", "question": "?", "answer": "x", "why": "y"}
    with pytest.raises(InputError, match=r"rejected\.jsonl:2: field guideline: Invalid enum value 'L9'"):
        guidelines("PT", rejected=rejected(tmp_path, good, good | {"guideline": "L9"}))
    with pytest.raises(InputError, match=r"rejected\.jsonl:1: .*missing required field why"):
        guidelines("PT", rejected=rejected(tmp_path, {k: v for k, v in good.items() if k != "why"}))


def call(*words: str) -> int:
    parser = ArgumentParser()
    command.arguments(parser)
    return command.call(parser.parse_args(words))


def test_the_command_prints_writes_and_speaks_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call("--culture", "PT") == 0
    assert capsys.readouterr().out == guideline_sheet(guidelines("PT", "pt"))
    page = tmp_path / "sheet.html"
    assert call("--culture", "FR", "--language", "pt", "--format", "html", "-o", str(page)) == 0
    assert capsys.readouterr().out == f"Guidelines: {page}\n"
    assert page.read_text(encoding="utf-8") == guideline_sheet(guidelines("FR", "pt"), "html")
    assert call("--culture", "IR", "--language", "fa") == 0
    assert capsys.readouterr().out == guideline_sheet(guidelines("IR"))
    assert call("--culture", "FR", "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    assert (printed["culture"], [g["id"] for g in printed["guidelines"]]) == ("France", ORDER)
    with pytest.raises(InputError, match="unknown culture 'XX'"):
        call("--culture", "XX")


def test_the_page_loads_nothing_from_elsewhere() -> None:
    page = guideline_sheet(guidelines("PT"), "html")
    assert "default-src 'none'" in page
    assert not re.search(r"https?:|url\(|@import|<script|<link|<img", page)
