"""The result of one model and strategy as a table that fits 80 columns."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from homeground.experiments.study import Series
    from homeground.experiments.table import Row
    from homeground.report.results import QuestionResults, Results


def print_series(results: Results, series: Series, to: Console) -> None:
    """What a run is about first: levels of cue, or a question set's conditions."""
    from homeground.report.results import QuestionResults

    if isinstance(results, QuestionResults):
        _print_questions(results, series, to)
    else:
        _print_levels(results, series, to)


def _print_questions(results: QuestionResults, series: Series, to: Console) -> None:
    """Plain, oracle and what lies between, with the baselines below them."""
    from rich.markup import escape
    from rich.table import Table

    from homeground.experiments.questions import BASELINES
    from homeground.report.numbers import CONDITION_NAMES
    from homeground.schema import TOLD

    table = Table(title=_title(series), title_justify="left")
    table.add_column("answers")
    for name in ("right", "by the published rule", "n"):
        table.add_column(name, justify="right")
    for group in (TOLD, BASELINES):
        for name in group:
            careful, published = (
                results.row("baselines", series, answers=name, rulebook=rulebook)
                for rulebook in ("careful", "published")
            )
            if careful and published:
                table.add_row(
                    CONDITION_NAMES.get(name, name),
                    _value(careful),
                    _value(published),
                    str(careful.estimate.n),
                )
        table.add_section()
    to.print(table)
    to.print(escape(results.told(series)))


def _title(series: Series) -> str:
    from rich.markup import escape

    from homeground.report.examples import pictured

    return escape(pictured(", ".join(part for part in series if part)))


def _value(row: Row) -> str:
    from homeground.report.numbers import interval_of, value_of

    ends = interval_of(row)
    return value_of(row) + (rf" \[{ends}]" if ends else "")


def _print_levels(results: Results, series: Series, to: Console) -> None:
    """Both tasks by level with what was acted on; the options where nothing is right or wrong."""
    from rich.table import Table

    from homeground.report.numbers import CONDITION_NAMES, percent

    table = Table(title=_title(series), title_justify="left")
    table.add_column("level")
    for name in ("names the country", "uses its units", "floor", "acted on, if known"):
        table.add_column(name, justify="right")
    table.caption = (
        "Below each figure, in italics, the same by the literature's rulebook: an accepted form anywhere."
    )
    table.caption_justify = "left"
    for level in results.levels:
        known = results.row("accuracy_by_level", series, task="background", level=level)
        used = results.row("accuracy_by_level", series, task="question", level=level)
        acted = results.row("acted_by_level", series, level=level)
        if known or used:
            table.add_row(
                CONDITION_NAMES[level],
                _both(known),
                _both(used),
                percent(used.beside["floor"] if used else None),
                _both(acted, f" of {acted.estimate.n}") if acted and acted.estimate.n else "–",
            )
    if table.rows:
        to.print(table)
    else:
        _print_options(results, series, to)


def _print_options(results: Results, series: Series, to: Console) -> None:
    """What was chosen where nothing is right or wrong."""
    from rich.table import Table

    from homeground.report.numbers import CONDITION_NAMES

    table = Table(title=_title(series), title_justify="left")
    for name in ("concept", "level", "options chosen"):
        table.add_column(name)
    chosen: dict[tuple[str, str], list[tuple[int, str]]] = {}
    for row in results.tables["options"].rows:
        if row.by.items() >= series.by.items():
            key = row.by["concept"].replace("_", " "), CONDITION_NAMES[row.by["level"]]
            chosen.setdefault(key, []).append((-row.counts["answers"], row.by["option"]))
    for (concept, level), options in chosen.items():
        table.add_row(concept, level, ", ".join(f"{name} {-count}" for count, name in sorted(options)))
    to.print(table)


def _both(row: Row | None, after: str = "") -> str:
    """A figure by the careful rulebook over the same by the published one."""
    from homeground.report.numbers import interval_of, percent, value_of

    if row is None:
        return "–"
    ends = interval_of(row)
    careful = value_of(row) + (rf" \[{ends}]" if ends else "") + after
    return f"{careful}\n[italic dim]{percent(row.beside.get('published'))}[/]"
