"""The guidelines as a sheet for people who write: Markdown, plain text, or one HTML page to read and to print."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Literal, TypeAlias

from homeground.questions.guidelines import Example, Guideline, Sheet, Words

if TYPE_CHECKING:
    from jinja2 import Template

SheetFormat: TypeAlias = Literal["markdown", "html", "text"]
SHEET_FORMATS: tuple[SheetFormat, ...] = ("markdown", "html", "text")
_WIDTH = 78
_RIGHT_TO_LEFT = "\u200f"
_MARKUP = re.compile(r"[\\`*_\[\]<>#|~!&]")


def guideline_sheet(sheet: Sheet, form: SheetFormat = "markdown") -> str:
    """The sheet as one text, ending in a line break.

    Nothing in an example can become markup: HTML is escaped, and so are the signs of Markdown.
    """
    if form == "html":
        return _page().render(sheet=sheet, words=sheet.words)
    return "\n".join(_markdown(sheet) if form == "markdown" else _text(sheet)) + "\n"


def _parts(sheet: Sheet, guideline: Guideline) -> Iterator[tuple[str, Example]]:
    words = sheet.words
    for label, examples in (
        (words.good, guideline.good),
        (words.bad, guideline.bad),
        (words.rejected, guideline.rejected),
    ):
        for example in examples:
            yield label, example


def _mark(words: Words) -> str:
    """What begins a line whose first letter would turn it: Latin in a sheet that runs from right to left."""
    return _RIGHT_TO_LEFT if words.direction == "rtl" else ""


def _markdown(sheet: Sheet) -> Iterator[str]:
    words, mark = sheet.words, _mark(sheet.words)
    arrow = "←" if mark else "→"
    if mark:
        yield f'<div dir="{words.direction}" lang="{words.tag}">\n'
    yield f"# {words.title}"
    yield f"\n{words.culture}: **{_plain(sheet.culture)}** · {words.language}: **{_plain(sheet.language)}**"
    yield f"\n{words.lead} {words.who}"
    for group, heading in sheet.groups.items():
        yield f"\n## {heading.title}\n\n{heading.about}"
        for guideline in (g for g in sheet.guidelines if g.group == group):
            yield f"\n### {mark}{guideline.id}. {guideline.title}\n\n{_plain(guideline.rule)} *{guideline.why}*\n"
            for label, example in _parts(sheet, guideline):
                about = f" ({_plain(example.culture)})" if example.culture else ""
                why = f" {_plain(example.why)}" if example.why else ""
                yield (
                    f"- **{label}**{about}: {_plain(example.question)} {arrow} **{_plain(example.answer)}**.{why}"
                )
    yield f"\n{words.form}"
    if mark:
        yield "\n</div>"


def _plain(text: str) -> str:
    """Text on one line that Markdown shows as it is."""
    return _MARKUP.sub(r"\\\g<0>", " ".join(text.split()))


def _text(sheet: Sheet) -> Iterator[str]:
    words, mark = sheet.words, _mark(sheet.words)
    yield f"{words.title}\n{mark}{'=' * len(words.title)}"
    yield f"\n{words.culture}: {sheet.culture}\n{words.language}: {sheet.language}\n"
    yield _wrapped(f"{words.lead} {words.who}")
    for group, heading in sheet.groups.items():
        yield f"\n\n{heading.title}\n{mark}{'-' * len(heading.title)}"
        yield _wrapped(heading.about)
        for guideline in (g for g in sheet.guidelines if g.group == group):
            yield f"\n{mark}{guideline.id}  {guideline.title}"
            yield _wrapped(f"{guideline.rule} {guideline.why}", "    ")
            for label, example in _parts(sheet, guideline):
                about = f" ({example.culture})" if example.culture else ""
                why = f" [{example.why}]" if example.why else ""
                yield _wrapped(
                    f"{label}{about}: {example.question} - {example.answer}{why}", "    - ", "      "
                )
    yield f"\n{_wrapped(words.form)}"


def _wrapped(text: str, first: str = "", later: str | None = None) -> str:
    return textwrap.fill(
        text, _WIDTH, initial_indent=first, subsequent_indent=first if later is None else later
    )


@cache
def _page() -> Template:
    import jinja2

    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("homeground.questions", "."),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    return environment.get_template("guidelines.html.j2")
