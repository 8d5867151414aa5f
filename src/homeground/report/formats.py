"""Tables as CSV, Markdown and LaTeX; every one of them carries the signature behind its numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from homeground.experiments.table import Row, Table, Unit
from homeground.report.examples import visible
from homeground.report.numbers import CONDITION_NAMES, interval_of, p_of, value_of
from homeground.report.wide import Grid, grids

_UNITS: dict[Unit, str] = {
    "share": "percent",
    "points": "points",
    "hours": "hour",
    "count": "count",
    "number": "value",
}
_NAMED = 3
"""Rows that a remark names."""
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""What makes a spreadsheet take a cell for a formula (OWASP, CSV Injection)."""


# ---- CSV --------------------------------------------------------------------------------------------


def csv(table: Table) -> str:
    """One estimate a line; shares and differences in [−1, 1], hours as numbers, empty where there is nothing.

    Text that a spreadsheet would take for a formula gets an apostrophe before it, as does text that begins with one;
    whoever reads the file with a program takes one leading apostrophe away. Lines end in LF; RFC 4180 otherwise.
    """
    counted = list(dict.fromkeys(name for row in table.rows for name in row.counts))
    beside = list(dict.fromkeys(name for row in table.rows for name in row.beside))
    checked = any(row.estimate.boot for row in table.rows)
    lines: list[list[str]] = [[
        *table.columns, "value", "low", "high", "se", "n", "clusters", "unit",
        *(("boot_low", "boot_high") if checked else ()), "p", "test", "holm", *counted, *beside, "note", "signature",
    ]]  # fmt: skip
    for row in table.rows:
        e = row.estimate
        lines.append([
            *(row.by.get(name, "") for name in table.columns),
            *map(_number, (e.value, e.low, e.high, e.se)), str(e.n), str(e.clusters), row.unit,
            *(map(_number, e.boot or (None, None)) if checked else ()), _number(row.p), row.test, _number(row.holm),
            *(str(row.counts[name]) if name in row.counts else "" for name in counted),
            *(_number(row.beside.get(name)) for name in beside), row.note, table.signature,
        ])  # fmt: skip
    return "".join(",".join(map(csv_cell, line)) + "\n" for line in lines)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.6f}"


def csv_cell(text: str) -> str:
    """Text as a cell of CSV that no spreadsheet takes for a formula."""
    if text.startswith((*_FORMULA, "'")) and not _is_number(text):
        text = "'" + text
    return '"' + text.replace('"', '""') + '"' if any(char in text for char in ',"\r\n') else text


def _is_number(text: str) -> bool:
    """Whether this is a negative number of ours: digits and one point after a minus."""
    whole, _, part = text[1:].partition(".")
    return text[0] == "-" and whole.isascii() and whole.isdigit() and part.isascii() and part.isdigit()


# ---- Markdown and LaTeX -----------------------------------------------------------------------------


def markdown(table: Table) -> str:
    """Tables of GitHub's Markdown, one for each model and strategy, with notes and signature below."""
    parts = [f"**{_markdown(table.title)}**"]
    for grid in grids(table, values_only=False):
        heads, lines = _filled(grid, _markdown)
        right = len(heads) - len(grid.left)
        parts.append(_paragraph(_caption(grid)))
        parts.append(
            "\n".join(
                f"| {' | '.join(cells)} |"
                for cells in (heads, ["---"] * len(grid.left) + ["--:"] * right, *lines)
            )
        )
    parts += [_paragraph(note) for note in (*table.notes, *_remarks(table)) if note]
    parts.append(f"Signature: {_markdown(table.signature)}")
    return "\n\n".join(parts) + "\n"


def latex(table: Table) -> str:
    r"""``table`` environments for the package ``booktabs``, one for each model and strategy.

    Needs a LaTeX that reads UTF-8, as all have since 2018. Labels are ``tab:NAME``, from the second on ``tab:NAME-2``…
    """
    parts = []
    notes = " ".join((*table.notes, *_remarks(table)))
    below = " ".join(part for part in (_latex(notes), f"Signature: {_latex(table.signature)}") if part)
    for place, grid in enumerate(grids(table, values_only=False), start=1):
        heads, lines = _filled(grid, _latex)
        columns = "l" * len(grid.left) + "r" * (len(heads) - len(grid.left))
        label = table.name if place == 1 else f"{table.name}-{place}"
        rows = [" & ".join(cells) + r" \\" for cells in lines]
        parts.append("\n".join([
            r"\begin{table}", r"\centering", rf"\caption{{{_latex(table.title)}. {_latex(_caption(grid))}}}",
            rf"\label{{tab:{label}}}", rf"\begin{{tabular}}{{{columns}}}", r"\toprule", " & ".join(heads) + r" \\",
            r"\midrule", *rows, r"\bottomrule", r"\end{tabular}", rf"\par\footnotesize {below}", r"\end{table}",
        ]))  # fmt: skip
    return (
        "\n\n".join(
            parts or [f"% {visible(table.title)}: no rows. {visible(table.signature)}".replace("\n", " ")]
        )
        + "\n"
    )


def _filled(grid: Grid, escape: Callable[[str], str]) -> tuple[list[str], list[list[str]]]:
    """Heads and lines of a grid: an estimate as 61 [55–67], and its n where the grid's caption cannot tell it."""
    rows = grid.rows
    told = len({row.estimate.n for row in rows}) == 1
    heads = [_name(name) for name in grid.left]
    if grid.across:
        lines = [
            [
                *map(_name, line.names),
                *("" if row is None else _estimate(row, counted=not told) for row in line.cells),
            ]
            for line in grid.lines
        ]
        heads += [_name(name) for name in grid.across]
    else:
        tested = any(row.p is not None for row in rows)
        adjusted = any(row.holm is not None for row in rows)
        heads += [f"{_unit(rows)} [95 %]", "n"]
        heads += ["p (Holm)" if adjusted else "p"] if tested else []
        lines = [
            [
                *map(_name, line.names),
                _estimate(row, counted=False),
                str(row.estimate.n),
                *([p_of(row)] if tested else []),
            ]
            for line in grid.lines
            for row in line.cells
            if row is not None
        ]
    return [escape(head) for head in heads], [[escape(cell) for cell in line] for line in lines]


def _estimate(row: Row, *, counted: bool) -> str:
    ends = interval_of(row)
    words = value_of(row).removesuffix("\N{NO-BREAK SPACE}%") + (f" [{ends}]" if ends else "")
    return f"{words} (n = {row.estimate.n})" if counted and row.unit != "count" else words


def _unit(rows: Sequence[Row]) -> str:
    units = {row.unit for row in rows}
    return _UNITS[units.pop()] if len(units) == 1 else "value"


def _caption(grid: Grid) -> str:
    rows = grid.rows
    counts = {row.estimate.n for row in rows}
    parts = [*grid.series, *(_name(name) for name in grid.fixed if name)]
    if grid.across:
        parts.append(f"{_unit(rows)} [95 % interval]")
    if len(counts) == 1:
        parts.append(f"n = {counts.pop()}")
    return ", ".join(parts)


def _name(name: str) -> str:
    return CONDITION_NAMES.get(name, name.replace("_", " "))


def _remarks(table: Table) -> list[str]:
    """What rows say of themselves, each with what it speaks of; what many say is said once."""
    found: dict[str, list[str]] = {}
    for row in table.rows:
        if row.note:
            found.setdefault(row.note, []).append(", ".join(part for part in row.by.values() if part))
    return [
        f"{'; '.join(rows[:_NAMED])}{f' and {len(rows) - _NAMED} more' if len(rows) > _NAMED else ''}: {note}."
        for note, rows in found.items()
    ]


def _one_line(text: str) -> str:
    return " ".join(visible(text).split())


_MARKED = frozenset("\\`*_{}[]<>#|~$&")
_BLOCK = re.compile(r"^(?=[-+=])|^\d+(?=[.)])")
"""What begins a list or underlines a heading."""
_COMMANDS = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "_": r"\_", "%": r"\%",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar\allowbreak{}", "`": r"\textasciigrave{}", "−": "$-$", "–": "--", "\N{NO-BREAK SPACE}": "~",
    "[": "{[}", "]": "{]}", "*": "{*}",
}  # fmt: skip
"""A bracket or an asterisk after the end of a line would be read as an argument; a signature may break at its bars."""


def _markdown(text: str) -> str:
    return "".join("\\" + char if char in _MARKED else char for char in _one_line(text))


def _paragraph(text: str) -> str:
    return _BLOCK.sub(lambda start: start[0] + "\\", _markdown(text))


def _latex(text: str) -> str:
    # Two hyphens would become a dash.
    parts = [
        re.sub("-(?=-)", "-{}", part) if part[0] == "-" else _COMMANDS.get(part, part)
        for part in re.findall("-+|.", _one_line(text))
    ]
    return "".join(parts)
