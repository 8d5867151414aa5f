"""Tables as CSV, Markdown and LaTeX: any text survives, none of it acts, and the numbers stand where they belong."""

import csv as reader
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from homeground.experiments.table import Row, Table, Unit
from homeground.report.formats import csv, latex, markdown
from homeground.schema import Estimate

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=30) | st.sampled_from(
    [
        "=1+1",
        "+1",
        "-1",
        "-1.5",
        "@SUM(A1)",
        "\tx",
        "\r\n=x",
        "'=x",
        "''",
        '"',
        ",",
        "＝1",
        "-0.5; DROP",
        "a\x00b",
        "-",
    ]
)
SIGNATURE = "homeground:1|model:a_b|judge:c"


def table(
    *names: str,
    unit: Unit = "share",
    across: str = "",
    p: float | None = None,
    note: str = "",
    signature: str = SIGNATURE,
) -> Table:
    """One row for each model of these names, 61 of 55 to 67, at two levels where they stand side by side."""
    rows = [
        Row(
            by={"model": name, "level": level, "said": name},
            estimate=Estimate(value=0.61, low=0.55, high=0.67, se=0.03, n=n, clusters=12),
            unit=unit, p=p, holm=p, counts={"flips": 3}, beside={"published": 0.7}, note=note,
        )
        for name in names
        for level, n in (("cue1", 132), ("implicit", 131))
    ]  # fmt: skip
    return Table(
        name="t", title="Title", columns=("model", "level", "said"), rows=tuple(rows), across=across,
        notes=("A note.",), signature=signature,
    )  # fmt: skip


def read(text: str) -> list[dict[str, str]]:
    return list(reader.DictReader(io.StringIO(text, newline="")))


def unguarded(cell: str) -> str:
    return cell[1:] if cell.startswith("'") else cell


@given(TEXT, TEXT, TEXT)
def test_any_text_survives_csv_and_no_cell_is_a_formula(one: str, note: str, signature: str) -> None:
    text = csv(table(one, note=note, signature=signature))
    rows = read(text)
    assert len(rows) == 2
    for row in rows:
        assert [unguarded(row[name]) for name in ("model", "said", "note", "signature")] == [
            one,
            one,
            note,
            signature,
        ]
        for cell in row.values():
            assert not cell.startswith(("=", "+", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"))
            assert not cell.startswith("-") or re.fullmatch(r"-\d+\.\d+", cell)


def test_csv_holds_every_number_once_and_says_nothing_where_there_is_nothing() -> None:
    (row, _) = read(csv(table("m", p=0.04)))
    assert row == {
        "model": "m", "level": "cue1", "said": "m", "value": "0.610000", "low": "0.550000", "high": "0.670000",
        "se": "0.030000", "n": "132", "clusters": "12", "unit": "share", "p": "0.040000", "test": "",
        "holm": "0.040000", "flips": "3", "published": "0.700000", "note": "", "signature": SIGNATURE,
    }  # fmt: skip
    nothing = Estimate(value=None, low=None, high=None, se=None, n=0, clusters=0, boot=(-0.25, 0.5))
    empty = Row(by={"model": "m"}, estimate=nothing, unit="points", note="nobody was asked")
    (row,) = read(csv(Table(name="t", title="t", columns=("model",), rows=(empty,), signature=SIGNATURE)))
    assert [row[name] for name in ("value", "low", "high", "se", "p", "holm")] == [""] * 6
    assert (row["boot_low"], row["boot_high"], row["note"]) == ("-0.250000", "0.500000", "nobody was asked")


def test_wide_tables_give_percent_with_interval_and_n() -> None:
    wide = table("m", across="level")
    assert "| 61 \\[55–67\\] (n = 132) | 61 \\[55–67\\] (n = 131) |" in markdown(wide)
    assert "61 {[}55--67{]} (n = 132) & 61 {[}55--67{]} (n = 131) \\\\" in latex(wide)
    assert "| cue 1 | implicit |" in markdown(wide)
    assert "cue 1 & implicit \\\\" in latex(wide)


def test_long_tables_give_n_and_p_in_columns_of_their_own() -> None:
    tested = table("m", unit="points", p=0.0004)
    assert "| level | points \\[95 %\\] | n | p (Holm) |" in markdown(tested)
    assert "| cue 1 | +61.0 \\[+55.0 to +67.0\\] | 132 | \\<.001 |" in markdown(tested)
    assert "cue 1 & +61.0 {[}+55.0 to +67.0{]} & 132 & \\textless{}.001 \\\\" in latex(tested)


@pytest.mark.parametrize("write", [csv, markdown, latex])
@pytest.mark.parametrize("names", [("m",), ()])
def test_every_form_carries_the_signature(write: object, names: tuple[str, ...]) -> None:
    assert callable(write)
    text = write(table(*names, signature="homeground:1"))
    if names or write is not csv:
        assert "homeground:1" in text
    assert text.endswith("\n")


def test_what_many_rows_remark_is_said_once() -> None:
    text = markdown(table("a", "b", "c", note="only a few"))
    assert text.count("only a few") == 1
    assert "and 3 more: only a few." in text


@given(TEXT, TEXT)
def test_markdown_shows_text_as_it_is(one: str, note: str) -> None:
    text = markdown(table(one, note=note))
    for line in text.splitlines():
        bare = re.sub(r"\\.", "", line.removeprefix("**").removesuffix("**"))
        assert not re.search(r"[`*_<>\[\]{}~$&]", bare), line
        if line.startswith("| "):
            assert bare.count("|") in (5, 4), line
        else:
            assert "|" not in bare
            assert not re.match(r"[-+=#]|\d+[.)]", line)


@given(TEXT, TEXT)
def test_latex_has_no_command_but_its_own(one: str, note: str) -> None:
    text = latex(table(one, note=note))
    commands = set(re.findall(r"\\[A-Za-z]+", text))
    assert commands <= {
        rf"\{name}"
        for name in (
            "begin", "end", "centering", "caption", "label", "toprule", "midrule", "bottomrule", "par", "footnotesize",
            "textbackslash", "textasciitilde", "textasciicircum", "textless", "textgreater", "textbar", "allowbreak",
            "textasciigrave",
        )
    }  # fmt: skip
    plain = re.sub(r"\\\\$|\\[A-Za-z]+|\\[{}$&#_%]", "", text, flags=re.MULTILINE)
    assert not re.search(r"[\\#%^_]", plain.replace("footnotesize", ""))
    assert plain.count("{") == plain.count("}")
    assert plain.count("$") == 2 * plain.count("$-$")
    for line in text.splitlines():
        assert not line.startswith(("[", "*"))
        if line.endswith(r"\\"):
            assert len(re.findall(r"(?<!\\)&", line)) in (2, 3)


def test_latex_keeps_hyphens_apart_and_dashes_whole() -> None:
    text = latex(table("a--b–c−d"))
    assert "a-{}-b--c$-$d" in text


def test_latex_takes_no_name_for_an_argument_of_the_line_before() -> None:
    rows = [
        Row(by={"said": name}, estimate=table("m").rows[0].estimate) for name in ("m", "[1cm]", "*", "\\\\")
    ]
    text = latex(Table(name="t", title="Title", columns=("said",), rows=tuple(rows)))
    lines = [line.partition(" &")[0] for line in text.splitlines() if line.endswith("132 " + "\\\\")]
    assert lines == ["m", "{[}1cm{]}", "{*}", r"\textbackslash{}\textbackslash{}"]
