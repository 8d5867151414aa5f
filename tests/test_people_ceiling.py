"""People's accuracy as the ceiling of a report: where it is drawn, whose it is, and when it is not."""

import re
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from homeground.annotate.analysis import analyse, read_export
from homeground.annotate.analysis.write import write_analysis
from homeground.benchmarks import Benchmark
from homeground.cli import main
from homeground.errors import InputError
from homeground.experiments.people_ceiling import Ceiling, ceiling_for, read_ceiling
from homeground.experiments.study import open_study
from homeground.experiments.table import Row, Table
from homeground.judging import signature
from homeground.plan import Selection
from homeground.report import ReportFiles, write_report
from homeground.report.figures import draw
from homeground.runs.folder import Run
from homeground.schema import Concept, Estimate
from homeground.statistics.ceiling import CeilingPart, CeilingShare, HumanCeiling
from tests.exported import made_up_export
from tests.simulated import simulated_run
from tests.test_figures import HOSTILE, SVG, specimen

CULTURES = ("US", "FR", "JP")
CONCEPTS: tuple[Concept, ...] = ("temperature", "price")
FIGURES = ("accuracy_by_level", "strategies", "sizes", "ceiling")
MODELS = {"openai:Qwen3-VL-8B-Instruct": 0.5, "openai:Qwen3-VL-32B-Instruct": 1.0}


@pytest.fixture(scope="module")
def human(benchmark: Benchmark, tmp_path_factory: pytest.TempPathFactory) -> HumanCeiling:
    accepted = {code: culture.accepted for code, culture in benchmark.cultures.items()}
    folder = tmp_path_factory.mktemp("people") / "export"
    made_up_export(folder, benchmark.signature, CULTURES, CONCEPTS, accepted=accepted, simulated=False)
    return replace(analyse(read_export(folder)).ceiling, judge=signature())


@pytest.fixture(scope="module")
def run(benchmark: Benchmark, tmp_path_factory: pytest.TempPathFactory) -> Run:
    wanted = Selection(sample=18, cultures=CULTURES, concepts=CONCEPTS, strategies=("direct", "pragmatic"))
    return simulated_run(tmp_path_factory.mktemp("models") / "run", benchmark, wanted, MODELS)


@pytest.fixture(scope="module")
def files(run: Run, human: HumanCeiling, tmp_path_factory: pytest.TempPathFactory) -> ReportFiles:
    page = tmp_path_factory.mktemp("report") / "report.html"
    return write_report(run, page, human=human, print_forms=False)


def figures(files: ReportFiles) -> dict[str, str]:
    return {name: str(files.results.figure(name, alone=True)) for name in FIGURES}


def words(svg: str) -> str:
    return " ".join(re.sub("<[^>]+>", " ", svg).split())


def test_the_ceiling_stands_in_every_figure_of_answers_at_implicit(
    files: ReportFiles, human: HumanCeiling
) -> None:
    for name, svg in figures(files).items():
        assert ">people</text>" in svg, name
        assert "simulated" not in svg, name
        assert f"people:{human.study}@" in svg, name
    heat_map = str(files.results.figure("heat_map"))
    assert "the second figure is of people" in words(heat_map)
    reached = human.by_cell["FR"]["price"].after
    assert f"/{100 * reached.right / reached.asked:.0f}</text>" in heat_map
    assert ">people</text>" not in str(files.results.figure("contrast_by_level"))


def test_page_and_tables_name_the_study(files: ReportFiles, human: HumanCeiling) -> None:
    page = files.page.read_text()
    assert "How far is it from people?" in page
    assert f"people of study {human.study}" in page
    assert f"people:{human.study}@" in files.signature
    tables = files.results.tables
    shares = {
        (r.by["culture"], r.by["concept"]): r.estimate
        for r in tables["ceiling"].rows
        if r.by["who"] == "people"
    }
    part = human.total.after
    assert shares["all", "all"].value == part.right / part.asked
    assert shares.keys() == {("all", "all"), *((c, "all") for c in CULTURES), *(("all", c) for c in CONCEPTS)}
    for row in tables["accuracy_by_culture"].rows:
        same = row.by["task"] == "question" and row.by["level"] == "implicit"
        assert ("people" in row.beside) == same
        if same:
            assert row.beside["people"] == shares[row.by["culture"], "all"].value


def test_models_stand_beside_people_at_their_own_accuracy(files: ReportFiles) -> None:
    tables = files.results.tables
    for series in files.results.study.series:
        name = f"{series.model}, {series.strategy}"
        (mine,) = (
            r for r in tables["ceiling"].rows if r.by == {"culture": "all", "concept": "all", "who": name}
        )
        same = files.results.row("accuracy_by_level", series, task="question", level="implicit")
        assert same is not None and mine.estimate == same.estimate


def test_without_people_nothing_changes(run: Run, files: ReportFiles) -> None:
    study = open_study([run])
    assert study.ceiling is None
    assert "people" not in study.signature
    assert files.signature.startswith(study.signature)


def test_made_up_people_are_called_so(run: Run, human: HumanCeiling, tmp_path: Path) -> None:
    files = write_report(run, tmp_path / "p.html", human=replace(human, simulated=True), print_forms=False)
    for name, svg in figures(files).items():
        assert ">simulated people</text>" in svg, name
        assert ">people</text>" not in svg, name
    assert "(simulated)" in files.signature
    assert "are simulated: a program made their answers up" in files.page.read_text()
    assert "the second figure is of simulated people" in words(str(files.results.figure("heat_map")))


# ---- when people and models were not asked the same -------------------------------------------------

CELLS = [(culture, concept) for culture in CULTURES for concept in CONCEPTS]


def test_another_benchmark_is_refused_and_another_build_said_aloud(human: HumanCeiling) -> None:
    same = human.benchmark
    name, _, _ = same.rpartition("@")
    assert ceiling_for(human, same, human.judge, CELLS).notes == ()
    (note,) = ceiling_for(human, f"{name}@12345678", human.judge, CELLS).notes
    assert same in note and f"{name}@12345678" in note and "another seed" in note
    (note,) = ceiling_for(human, same, "judge-9@0", CELLS).notes
    assert "judge-9@0" in note
    for other in ("capri-drawn-9.9@12345678", "photographs-0.1@12345678", "12345678"):
        with pytest.raises(InputError, match="answered benchmark"):
            ceiling_for(human, other, human.judge, CELLS)


def test_a_part_is_left_out_unless_the_same_cells_were_asked(human: HumanCeiling) -> None:
    fewer = ceiling_for(human, human.benchmark, human.judge, CELLS[:-1])
    assert fewer.of() is fewer.of("JP") is fewer.of(concept="price") is None
    assert fewer.of("FR") and fewer.of(concept="temperature") and fewer.of("JP", "temperature")
    assert "Asked of people but not models: JP price" in fewer.notes[0] and "--cultures" in fewer.notes[0]
    more = ceiling_for(human, human.benchmark, human.judge, [*CELLS, ("KR", "size")])
    assert more.of() is None and more.of("KR") is None and more.of("JP")
    assert "Asked of models but not people: KR size" in more.notes[0]
    never = ceiling_for(human, human.benchmark, human.judge, [])
    assert not never.shares and "no model was asked at that level" in never.notes[0]


def test_a_cell_of_which_nothing_is_left_is_named(human: HumanCeiling) -> None:
    gone = CeilingShare(right=0, asked=0, low=None, high=None, clusters=0)
    cells = {c: dict(parts) for c, parts in human.by_cell.items()}
    cells["JP"]["price"] = CeilingPart(before=cells["JP"]["price"].before, after=gone)
    found = ceiling_for(replace(human, by_cell=cells), human.benchmark, human.judge, CELLS)
    assert found.of() and found.of("JP", "price") is None
    assert found.notes == ("Of people, no answer is left of JP price.",)


def test_a_report_at_other_levels_says_so(benchmark: Benchmark, human: HumanCeiling, tmp_path: Path) -> None:
    wanted = Selection(sample=12, cultures=CULTURES, concepts=CONCEPTS, conditions=("explicit",))
    files = write_report(
        simulated_run(tmp_path / "run", benchmark, wanted), human=human, print_forms=False
    )  # fmt: skip
    assert "no model was asked at that level" in files.page.read_text()
    assert not files.results.tables["ceiling"].rows
    assert ">people</text>" not in str(files.results.figure("accuracy_by_level"))


# ---- the file ---------------------------------------------------------------------------------------


def test_the_command_reads_the_file(
    run: Run, human: HumanCeiling, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "people.json"
    path.write_bytes(msgspec.json.encode(human))
    assert main(["experiment", "ceiling", str(run.folder), "--human", str(path)]) == 0
    out = capsys.readouterr().out
    assert "Beside people, at implicit cues" in out and max(map(len, out.splitlines())) <= 80
    assert main(["experiment", "ceiling", str(run.folder)]) == 2
    assert "needs --human" in capsys.readouterr().err
    path.write_bytes(msgspec.json.encode(replace(human, benchmark="other-1@1")))
    assert main(["report", str(run.folder), "--human", str(path)]) == 2
    assert "answered benchmark other-1@1" in capsys.readouterr().err


def test_an_analysis_can_be_read_back(benchmark: Benchmark, human: HumanCeiling, tmp_path: Path) -> None:
    accepted = {code: culture.accepted for code, culture in benchmark.cultures.items()}
    folder = made_up_export(
        tmp_path / "export", benchmark.signature, CULTURES, CONCEPTS, accepted=accepted, simulated=False
    )
    write_analysis(analyse(read_export(folder)), tmp_path / "out")
    assert replace(read_ceiling(tmp_path / "out" / "people.json"), judge=human.judge) == human


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"right": 9, "asked": 8}, "9 right of 8 asked"),
        ({"low": 0.9}, "lies outside low 0.9"),
        ({"high": None}, "both low and high, or neither"),
        ({"low": -0.1}, "low"),
        ({"asked": -1}, "asked"),
        ({"right": 0, "asked": 0}, "lies outside"),
        ({"share": 1}, "share"),
    ],
)
def test_a_broken_ceiling_is_named(
    human: HumanCeiling, tmp_path: Path, change: dict[str, object], said: str
) -> None:
    whole = msgspec.to_builtins(human)
    whole["total"]["after"] = {"right": 6, "asked": 8, "low": 0.5, "high": 0.9, "clusters": 3} | change
    path = tmp_path / "people.json"
    path.write_bytes(msgspec.json.encode(whole))
    with pytest.raises(InputError, match=r"total\.after") as refused:
        read_ceiling(path)
    assert str(path) in str(refused.value) and said in str(refused.value)


# ---- the drawing ------------------------------------------------------------------------------------


def reached(value: float, half: float | None, who: str = "people", study: str = "s") -> Ceiling:
    low, high = (None, None) if half is None else (max(0, value - half), min(1, value + half))
    estimate = Estimate(value=value, low=low, high=high, se=None, n=99, clusters=9)
    shares = {("all", "all"): estimate, ("FR", "price"): estimate}
    return Ceiling(who, study, "", shares, ())


@given(st.floats(0, 1), st.none() | st.floats(0.01, 1))
def test_the_line_is_where_people_are(value: float, half: float | None) -> None:
    people = reached(value, half)
    by = {"model": "m", "strategy": "direct", "task": "question", "level": "implicit"}
    one = Row(by=by, estimate=Estimate(value=0.5, low=None, high=None, se=None, n=7, clusters=3))
    table = Table(name="accuracy_by_level", title="t", columns=tuple(by), rows=(one,))
    svg = draw(table, people=people)
    assert svg is not None
    root = ElementTree.fromstring(svg)  # noqa: S314
    ticks = {
        (element.text or ""): float(element.attrib["y"])
        for element in root.iter(f"{SVG}text")
        if (element.text or "").endswith(" %")
    }

    def share(y: float) -> float:
        return (ticks["0 %"] - y - 15 * 0.35) / (ticks["0 %"] - ticks["100 %"])

    (group,) = (
        g for g in root.iter(f"{SVG}g") if g.get("class") == "is-ink" and g.find(f"{SVG}g") is not None
    )
    title = group.find(f"{SVG}g/{SVG}title")
    assert title is not None and "people" in (title.text or "") and "n = 99" in (title.text or "")
    line = group.find(f"{SVG}g/{SVG}path")
    assert line is not None
    height = float(re.split("[ L]", line.attrib["d"].removeprefix("M"))[1])
    assert abs(share(height) - value) < 0.002
    bands = group.findall(f"{SVG}rect")
    assert len(bands) == (half is not None)
    for band in bands:
        top, tall = float(band.attrib["y"]), float(band.attrib["height"])
        estimate = people.shares["all", "all"]
        assert abs(share(top) - (estimate.high or 0)) < 0.002
        assert abs(share(top + tall) - (estimate.low or 0)) < 0.002


@pytest.mark.parametrize("name", [*FIGURES, "heat_map", "gap_by_level"])
def test_no_name_breaks_a_figure_with_people(name: str) -> None:
    for free in HOSTILE:
        svg = draw(specimen(name, free), people=reached(0.9, 0.05, study=free), names={"FR": free})
        root = ElementTree.fromstring(str(svg))  # noqa: S314
        assert {element.tag for element in root.iter()}.isdisjoint({f"{SVG}script", f"{SVG}b"})


def test_people_are_drawn_at_their_own_level_alone() -> None:
    by = {"model": "m", "strategy": "direct", "task": "question", "level": "explicit"}
    one = Row(by=by, estimate=Estimate(value=0.5, low=None, high=None, se=None, n=7, clusters=3))
    table = Table(name="accuracy_by_level", title="t", columns=tuple(by), rows=(one,))
    assert "people" not in str(draw(table, people=reached(0.9, 0.05)))


@pytest.mark.browser
@pytest.mark.parametrize(("width", "scheme"), [(400, "dark"), (1280, "light")])
def test_a_real_browser_shows_people_beside_models(
    files: ReportFiles, chromium: str, width: int, scheme: str
) -> None:
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
        page.goto(files.page.as_uri())
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        cut = page.evaluate(
            """[...document.querySelectorAll('figure svg text')].filter(t => {
                const box = t.getBBox(), width = t.ownerSVGElement.viewBox.baseVal.width;
                return box.x < -0.5 || box.x + box.width > width + 0.5 }).map(t => t.textContent)"""
        )
        assert cut == []
        found = Axe().run(page, context="#results")
        serious = [v["id"] for v in found.response["violations"] if v["impact"] in ("serious", "critical")]
        assert serious == [], found.generate_report()
        browser.close()
