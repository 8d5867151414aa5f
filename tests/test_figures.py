"""Figures: whatever the names and gaps in the numbers, SVG is well formed, text stays inside, marks are in place."""

import io
import re
from itertools import product
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from homeground.experiments.table import Row, Table, Unit
from homeground.report.export import pdf, png
from homeground.report.figures import FIGURES, draw
from homeground.report.figures.canvas import WIDTH, Scale
from homeground.report.figures.paint import COLOURS, SIZE, look
from homeground.report.figures.words import width, wrapped
from homeground.schema import LEVELS, Estimate

SVG = "{http://www.w3.org/2000/svg}"
FREE = "?"
"""Stands for a name that anybody can give."""
LEVEL = ("cue1", "implicit")
TASKS = ("background", "question")
COLUMNS: dict[str, dict[str, tuple[str, ...]]] = {
    "accuracy_by_level": {"task": TASKS, "level": LEVELS},
    "acted_by_level": {"level": LEVELS},
    "contrast_by_level": {"level": LEVELS},
    "gap_by_level": {"level": LEVELS},
    "heat_map": {"culture": (FREE, "FR"), "concept": ("temperature", "price"), "level": LEVEL},
    "ceiling": {"culture": ("all", FREE), "concept": ("all", "price"), "who": ("people", FREE)},
    "strategies": {"quantity": ("names the country", "answers in its units"), "level": LEVEL},
    "strategy_differences": {"against": ("direct",), "level": LEVEL},
    "sizes": {"family": (FREE,), "parameters": ("0.135", "8", "32"), "task": TASKS, "level": LEVEL},
    "size_differences": {"larger": (FREE,), "smaller": ("b",), "task": TASKS, "level": LEVEL},
    "size_gap_differences": {"larger": (FREE,), "smaller": ("b",), "level": LEVEL},
    "priors": {
        "kind": ("country", "system"), "concept": ("all", "speed"),
        "said": (FREE, "US", "metric", "refused", "none"),
    },
    "depth": {"level": LEVEL, "depth": ("L0", "L1", "L2", "L3")},
    "divergences": {
        "concept": ("both", FREE), "measure": ("D_inter", "D_implicit", "D_placebo_cues", "D_rerun"),
        "level": LEVEL, "culture": ("all", FREE),
    },
    "divergences_above_floor": {"concept": ("both",), "measure": ("D_inter",), "culture": ("all", FREE)},
    "time_words": {
        "culture": ("all", FREE), "level": LEVEL, "hours": ("00–03", "09–12", "21–24"), "option": ("noon", FREE),
    },
    "time_word_means": {
        "culture": ("all", FREE), "level": LEVEL, "option": ("noon", FREE), "quantity": ("model", "people"),
    },
    "plain_oracle": {"quantity": ("plain", "oracle", "gap", "plain where oracle")},
    "exhaustion": {
        "level": LEVEL, "quantity": ("best model", "headroom", "no model gets", "every model gets"),
    },
    "comparison": {"against": (FREE,), "task": TASKS, "level": LEVEL},
    "comparison_by_culture": {"against": (FREE,), "culture": ("FR", FREE)},
    "comparison_by_concept": {"against": (FREE,), "concept": ("speed", FREE)},
}  # fmt: skip
"""What the rows of each table with a figure speak of, beside model and strategy."""
POINTS = {
    "gap_by_level", "strategy_differences", "size_differences", "size_gap_differences", "divergences_above_floor",
    "comparison", "comparison_by_culture", "comparison_by_concept",
}  # fmt: skip
HOSTILE = [
    "<script>alert(1)</script>",
    "]]></style><b>&lt;&amp;",
    "NUL \x00 escape \x1b \u202e turned \ufffe",
    "x" * 5000,
    "a/b-c_d " * 100,
    "한국어 모델 이름이 아주 길다 " * 20,
    "",
    "'\"",
]


def estimate(value: float | None, n: int = 7, half: float | None = 0.1) -> Estimate:
    low, high = (None, None) if value is None or half is None else (value - half, value + half)
    return Estimate(value=value, low=low, high=high, se=None, n=n, clusters=3)


def unit_of(name: str, by: dict[str, str]) -> Unit:
    if name == "time_word_means":
        return "hours"
    return "points" if name in POINTS or by.get("quantity") in ("gap", "headroom") else "share"


def specimen(name: str, free: str = "x", *, value: float | None = 0.4, half: float | None = 0.1) -> Table:
    """A table of this name, in which everything that can be named freely has one name."""
    columns = {"model": (FREE, "openai:m"), "strategy": ("direct", "pragmatic"), **COLUMNS[name]}
    rows = []
    for values in product(*columns.values()):
        by = {key: part.replace(FREE, free) for key, part in zip(columns, values, strict=True)}
        rows.append(
            Row(by=by, estimate=estimate(value, half=half), unit=unit_of(name, by), p=0.01, note=free)
        )
    return Table(
        name=name, title=free, columns=tuple(columns), rows=tuple(rows), notes=(free,), signature=free
    )


def parsed(table: Table, *, alone: bool = False, names: dict[str, str] | None = None) -> ElementTree.Element:
    svg = draw(table, alone=alone, names=names, floor=dict.fromkeys(LEVELS, 0.6))
    assert svg is not None
    return ElementTree.fromstring(svg)  # noqa: S314  (our own)


def test_every_figure_has_a_specimen() -> None:
    assert set(COLUMNS) == set(FIGURES)


@pytest.mark.parametrize("name", FIGURES)
@pytest.mark.parametrize("alone", [False, True])
def test_no_name_breaks_a_figure(name: str, alone: bool) -> None:
    for free in HOSTILE:
        root = parsed(specimen(name, free), alone=alone, names={"FR": free})
        assert {element.tag for element in root.iter()}.isdisjoint({f"{SVG}script", f"{SVG}b"})
        assert root.get("role") == ("group" if name == "heat_map" and not alone else "img")
        assert root.find(f"{SVG}title") is not None and root.find(f"{SVG}desc") is not None


@given(free=st.text(max_size=60), value=st.floats(0, 1), half=st.none() | st.floats(0, 1))
@settings(max_examples=40)
@pytest.mark.parametrize("name", ["accuracy_by_level", "gap_by_level", "priors", "heat_map", "time_words"])
def test_numbers_are_finite_and_text_stays_inside(
    name: str, free: str, value: float, half: float | None
) -> None:
    root = parsed(specimen(name, free, value=value, half=half))
    for element in root.iter():
        numbers = " ".join(
            element.get(key, "") for key in ("x", "y", "x1", "x2", "y1", "y2", "d", "points", "width")
        )
        assert not re.search("nan|inf", numbers), numbers
        if element.tag == f"{SVG}text":
            x, wide = float(element.attrib["x"]), width(element.text or "")
            left = {"end": x - wide, "middle": x - wide / 2}.get(element.get("text-anchor", ""), x)
            assert left >= -1 and left + wide <= WIDTH + 1, (element.text, element.attrib)


@pytest.mark.parametrize("name", FIGURES)
def test_every_interval_is_drawn_and_every_mark_says_its_n(name: str) -> None:
    svg = draw(specimen(name))
    assert svg is not None
    assert "n = 7" in svg
    if name not in ("heat_map", "priors", "depth", "time_words"):
        assert 'class="bar"' in svg
        without = draw(specimen(name, half=None))
        assert without is not None and 'class="bar"' not in without
        assert re.search('class="(mark|open)"', without)


@pytest.mark.parametrize("name", FIGURES)
def test_nothing_to_draw_is_no_figure(name: str) -> None:
    empty = Table(name=name, title="t", columns=(), rows=())
    assert draw(empty) is None
    assert draw(specimen(name, value=None)) is None
    assert draw(specimen(name, value=float("nan"))) is None


def test_a_table_without_a_figure_has_none() -> None:
    table = specimen("accuracy_by_level")
    assert draw(Table(name="options", title="t", columns=table.columns, rows=table.rows)) is None


@pytest.mark.parametrize("name", FIGURES)
def test_a_single_point_is_drawn(name: str) -> None:
    table = specimen(name)
    one = {tuple(row.by.items())[2:]: row for row in reversed(table.rows)}
    several = name in ("exhaustion", "plain_oracle")
    rows = tuple(one.values()) if several else table.rows[:1]
    svg = draw(Table(name=name, title="t", columns=table.columns, rows=rows))
    assert svg is not None and "NaN" not in svg


@given(value=st.floats(0, 1))
def test_marks_are_where_their_value_is(value: float) -> None:
    by = {"model": "m", "strategy": "direct", "task": "background", "level": "implicit"}
    table = Table(
        name="accuracy_by_level", title="t", columns=tuple(by), rows=(Row(by=by, estimate=estimate(value)),)
    )
    root = parsed(table)
    ticks = {
        element.text: float(element.attrib["y"]) - SIZE * 0.35
        for element in root.iter(f"{SVG}text")
        if (element.text or "").endswith(" %")
    }
    assert ticks["100 %"] < ticks["0 %"] - 100
    drawn = [element for element in root.iter(f"{SVG}circle") if element.find(f"{SVG}title") is not None]
    (mark,) = drawn
    wanted = ticks["0 %"] + value * (ticks["100 %"] - ticks["0 %"])
    assert abs(float(mark.attrib["cy"]) - wanted) < 0.2


@given(value=st.floats(-1, 1))
def test_differences_lie_on_their_side_of_zero(value: float) -> None:
    by = {"model": "m", "strategy": "direct", "level": "implicit"}
    row = Row(by=by, estimate=estimate(value, half=None), unit="points", p=0.01)
    root = parsed(Table(name="gap_by_level", title="t", columns=tuple(by), rows=(row,)))
    zero = next(float(e.attrib["x1"]) for e in root.iter(f"{SVG}line") if e.get("class") == "zero")
    (mark,) = (e for e in root.iter(f"{SVG}polygon") if e.find(f"{SVG}title") is not None)
    points = [float(point.split(",")[0]) for point in mark.attrib["points"].split()]
    away = sum(points) / len(points) - zero
    assert abs(away) < 0.2 or (away > 0) == (value > 0)


def test_the_clock_has_noon_above_and_morning_at_the_left() -> None:
    by = {"model": "m", "strategy": "direct", "culture": "FR", "level": "implicit", "quantity": "model"}
    rows = [
        Row(by={**by, "option": option}, estimate=estimate(hour), unit="hours")
        for option, hour in (("night", 0.0), ("morning", 6.0), ("noon", 12.0), ("afternoon", 18.0))
    ]
    root = parsed(Table(name="time_word_means", title="t", columns=tuple(rows[0].by), rows=tuple(rows)))
    ring = next(element for element in root.iter(f"{SVG}circle") if element.get("class") == "ring")
    x, y = float(ring.attrib["cx"]), float(ring.attrib["cy"])
    centre: dict[str, list[float]] = {}
    for shape in root.iter():
        title = shape.find(f"{SVG}title")
        if title is not None and title.text and "implicit, " in title.text:
            points = [tuple(map(float, p.split(","))) for p in shape.get("points", "").split()]
            points = points or [(float(shape.attrib["cx"]), float(shape.attrib["cy"]))]
            option = title.text.split(", ")[2].split(":")[0]
            centre[option] = [sum(axis) / len(points) for axis in zip(*points, strict=True)]
    assert centre["noon"][1] < y - 10 and abs(centre["noon"][0] - x) < 1
    assert centre["night"][1] > y + 10
    assert centre["morning"][0] < x - 10
    assert centre["afternoon"][0] > x + 10


def test_cells_of_the_heat_map_are_links_on_a_page_alone() -> None:
    table = specimen("heat_map", "ES-PV")
    links = {element.get("href") for element in parsed(table).iter(f"{SVG}a")}
    assert {"#cell-FR-price", "#cell-ES-PV-temperature"} <= links
    assert not list(parsed(table, alone=True).iter(f"{SVG}a"))


# ---- what carries meaning ---------------------------------------------------------------------------


def luminance(colour: str) -> float:
    digits = colour[1:] if len(colour) == 7 else "".join(c * 2 for c in colour[1:])
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, two: str) -> float:
    """WCAG 2.2, "contrast ratio"."""
    light, dark = sorted((luminance(one), luminance(two)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def mixed(colour: str, page: str, share: float) -> str:
    def parts(text: str) -> list[int]:
        digits = text[1:] if len(text) == 7 else "".join(c * 2 for c in text[1:])
        return [int(digits[i : i + 2], 16) for i in (0, 2, 4)]

    both = zip(parts(colour), parts(page), strict=True)
    return "#" + "".join(f"{round(a * share + b * (1 - share)):02x}" for a, b in both)


@pytest.mark.parametrize("scheme", [0, 1])
def test_colours_stand_out_and_text_can_be_read_on_them(scheme: int) -> None:
    page, ink = COLOURS["page"][scheme], COLOURS["ink"][scheme]
    for name, both in COLOURS.items():
        if name not in ("page", "rule"):
            assert contrast(both[scheme], page) >= 4.5, name
            if name not in ("ink", "quiet"):
                # The fullest field that has text on it: parts of bars, cells, the deepest reasoning.
                assert contrast(ink, mixed(both[scheme], page, 0.42)) >= 4.5, name
    assert contrast(ink, mixed(COLOURS["question"][scheme], page, 0.5)) >= 4.5
    assert contrast(ink, mixed(COLOURS["hue-1"][scheme], page, 0.5)) >= 4.5


def test_looks_differ_by_more_than_colour() -> None:
    looks = [look(number) for number in range(12)]
    assert len({(one.shape, one.open) for one in looks}) == len(looks)


# ---- files ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_that_stands_alone_becomes_png_and_pdf(name: str) -> None:
    svg = draw(specimen(name, "a name"), alone=True)
    assert svg is not None
    assert "var(" not in svg and "prefers-color-scheme" not in svg
    picture = png(svg)
    assert picture.startswith(b"\x89PNG\r\n")
    colours = Image.open(io.BytesIO(picture)).convert("RGB").getcolors(1 << 24)
    assert colours is not None and len(colours) > 20
    assert max(colours)[1] == (255, 255, 255)
    document = pdf(svg)
    assert document.startswith(b"%PDF-")
    assert b"LiberationSans" in document


def test_files_have_the_same_bytes_each_time() -> None:
    for name in ("accuracy_by_level", "divergences", "exhaustion"):
        svg = draw(specimen(name, "a name"), alone=True)
        assert svg is not None
        assert len({pdf(svg) for _ in range(8)}) == 1
        assert len({png(svg) for _ in range(2)}) == 1
        assert b"Date" not in pdf(svg)


# ---- scales and words -------------------------------------------------------------------------------


@given(st.floats(-1, 1), st.floats(0.001, 2), st.integers(2, 8))
def test_ticks_are_few_and_inside(low: float, length: float, most: int) -> None:
    scale = Scale(low, low + length, 0, 100)
    ticks = scale.ticks(most)
    assert len(ticks) <= most + 1
    assert all(low - 1e-9 <= tick <= low + length + 1e-9 for tick in ticks)


@given(st.text(max_size=80), st.floats(20, 400), st.integers(1, 4))
def test_wrapped_text_fits_and_loses_nothing_without_saying_so(text: str, most: float, lines: int) -> None:
    found = wrapped(text, most, lines)
    assert len(found) <= lines
    assert all(width(line.rstrip("…")) <= most or len(line) <= 2 for line in found)
    if found and not found[-1].endswith("…"):
        assert "".join(found).replace(" ", "") == "".join(wrapped(text, 1e9, 1)).replace(" ", "")


def test_words_that_only_people_use_stand_in_the_legend() -> None:
    said = {"culture": "FR", "level": "implicit", "quantity": "model", "option": "noon"}
    told = {"culture": "FR", "level": "", "quantity": "people", "option": "evening"}
    elsewhere = {"culture": "BR", "level": "", "quantity": "people", "option": "night"}
    rows = tuple(Row(by=by, estimate=estimate(12.0), unit="hours") for by in (said, told, elsewhere))
    root = parsed(Table(name="time_word_means", title="t", columns=tuple(said), rows=rows))
    words = {element.text for element in root.iter(f"{SVG}text")}
    assert words >= {"noon", "evening"}
    assert "night" not in words
