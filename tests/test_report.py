"""The report: hostile answers are shown and do nothing, odd runs are told in words, a real browser agrees."""

import csv
import io
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from homeground.benchmarks import Benchmark
from homeground.cli import main
from homeground.errors import InputError
from homeground.plan import Selection
from homeground.prompts import Prompts
from homeground.report import write_report
from homeground.report.examples import LONGEST, visible
from homeground.runs.folder import Run, begin_run, make_spec
from homeground.schema import OBJECTIVE, PLACEBOS, Answer, Level, Request
from tests.simulated import simulated_run

MODEL = "openai:recorded"
HOSTILE = [
    "<script>document.title='owned'</script>",
    "]]></style><img src=x onerror=\"document.title='owned'\">",
    "NUL \x00 and \x1b[31m escape and \u202e turned round",
    "</div></main><h1>90 °F</h1>" + "{{ 7*7 }}",
    "&lt;b&gt; \ufffe \U0010ffff \u0378",
]
HUGE = "x" * 1_000_000
Answerer = Callable[[int, Request], str]


def recorded_run(folder: Path, benchmark: Benchmark, selection: Selection, say: Answerer) -> Run:
    """A run whose answers were recorded beforehand, as any server could have given them."""
    engines = {MODEL: {"engine": "openai", "model": "recorded", "base_url": "http://127.0.0.1/v1"}}
    run = begin_run(folder, benchmark, make_spec(benchmark, selection, engines, Prompts("description"), None))
    with run.store(write=True) as store:
        for index, (key, request) in enumerate(run.plan.requests.items()):
            text = say(index, request)
            store.add(
                key,
                request,
                Answer(text=text, finish_reason="stop", prompt_tokens=1, completion_tokens=1, seconds=0.1),
            )
    return run


@pytest.mark.parametrize("levels", [("implicit",), ()])
def test_placebos_have_rows_but_no_place_among_the_levels(
    benchmark: Benchmark, tmp_path: Path, levels: tuple[Level, ...]
) -> None:
    selection = Selection(sample=7, conditions=(*levels, *PLACEBOS), cultures=("US", "FR"))
    files = write_report(recorded_run(tmp_path / "run", benchmark, selection, lambda i, r: "30 °C"))
    assert {row.by["level"] for row in files.results.tables["accuracy_by_level"].rows} == {*levels, *PLACEBOS}
    page = files.page.read_text()
    assert "placebo: filler" in page
    assert "should change no answer" in page
    figure = (tmp_path / "run" / "figures" / "accuracy_by_level.svg").read_text()
    assert ("placebo" in figure) == (levels == ())


@pytest.fixture(scope="module")
def hostile(benchmark: Benchmark, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile") / "run"

    def say(index: int, request: Request) -> str:
        if "which country" in request.messages[0].text:
            return "France" if index % 2 else "I think the user is from Japan."
        return HUGE if index % 3 == 0 else "\n".join(HOSTILE)

    write_report(recorded_run(folder, benchmark, Selection(sample=21), say))
    return folder


def test_hostile_answers_are_escaped(hostile: Path) -> None:
    page = (hostile / "report.html").read_text()
    assert "<script>document" not in page
    assert "&lt;script&gt;document" in page
    assert 'onerror="document' not in page
    assert "{{ 7*7 }}" in page
    assert "\x00" not in page
    assert "\u202e" not in page
    assert "x" * (LONGEST + 1) not in page
    assert "996,000 more characters" in page


def test_names_of_models_cannot_steer_a_terminal_or_the_page(
    benchmark: Benchmark, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nasty = "openai:e\x1b[31mvil\u202e\x07"
    for name, skill in (("one", 1.0), ("two", 0.5)):
        simulated_run(
            tmp_path / name, benchmark, Selection(sample=14, conditions=("implicit",)), {nasty: skill}
        )
    one, two = str(tmp_path / "one"), str(tmp_path / "two")
    markdown = tmp_path / "verdicts.md"
    for words in (
        ["report", one],
        ["experiment", "levels", one],
        ["experiment", "sets", one],
        ["compare", one, two],
        ["compare", one, two, "--format", "markdown"],
        ["compare", one, two, "--against", "nobody"],
        ["case", one, "--model", "nobody"],
        ["check", one, "--require", "[nobody] question.implicit >= 0", "--markdown", str(markdown)],
    ):
        main(words)
        said = capsys.readouterr()
        shown = said.out + said.err
        assert {"\x1b", "\u202e", "\x07"}.isdisjoint(shown), words
        assert "\u241b[31mvil" in shown.replace("\\", ""), words
    for path in (markdown, tmp_path / "one" / "report.html"):
        assert {"\x1b", "\u202e", "\x07"}.isdisjoint(path.read_text()), path


def test_visible_text_is_bounded_and_without_controls() -> None:
    assert visible("a\x00b\x7f\n\tc") == "a␀b␡\n\tc"
    assert visible("\u202eabc") == "\ufffdabc"
    assert visible("می‌خواهم") == "می‌خواهم"


def test_tables_are_plain_csv_with_signatures(hostile: Path) -> None:
    paths = list((hostile / "tables").glob("*.csv"))
    assert {path.stem for path in paths} >= {
        "accuracy_by_level",
        "gap_by_level",
        "kinds",
        "options",
        "priors",
    }
    for path in paths:
        rows = list(csv.DictReader(io.StringIO(path.read_text())))
        assert rows, path
        assert all(row["signature"].startswith("homeground:") and MODEL in row["signature"] for row in rows)
        for ending in (".md", ".tex"):
            assert MODEL in path.with_suffix(ending).read_text().replace("\\", "")


def test_every_figure_comes_in_three_forms(hostile: Path) -> None:
    drawn = list((hostile / "figures").glob("*.svg"))
    assert {path.stem for path in drawn} >= {"accuracy_by_level", "gap_by_level", "heat_map", "priors"}
    for path in drawn:
        ElementTree.parse(path)  # noqa: S314
        assert path.with_suffix(".png").read_bytes().startswith(b"\x89PNG")
        assert path.with_suffix(".pdf").read_bytes().startswith(b"%PDF")


def right_answer(benchmark: Benchmark) -> Answerer:
    """Answers as an ideal user-aware model would: reads the country in the stated sentence, else says metric."""

    def say(_: int, request: Request) -> str:
        text = request.messages[0].text
        country = next((c.name for c in benchmark.cultures.values() if f"I am from {c.name}." in text), "")
        if "which country" in text:
            return country or "unknown"
        if "Choose exactly one" in text:
            return "evening" if "evening" in text else "some"
        if "What is the price?" in text:
            return "$5"
        return (
            "30 °C"
            if "temperature" in text
            else "30 km/h"
            if "speed?" in text
            else "3 m²"
            if "size?" in text
            else "3 m"
        )

    return say


def test_a_metric_and_dollar_model_scores_its_floor(benchmark: Benchmark, tmp_path: Path) -> None:
    run = recorded_run(tmp_path / "run", benchmark, Selection(concepts=OBJECTIVE), right_answer(benchmark))
    results = write_report(run).results
    (series,) = results.study.series
    floors = set()
    for row in results.tables["accuracy_by_level"].rows:
        if row.by["task"] == "question":
            assert row.estimate.value == pytest.approx(row.beside["floor"])
            floors.add(row.beside["floor"])
        else:
            assert row.estimate.value == (row.by["level"] == "explicit")
    (floor,) = floors
    acted = results.row("acted_by_level", series, level="explicit")
    gap = results.row("gap_by_level", series, level="explicit")
    assert acted is not None and acted.estimate.value == pytest.approx(floor)
    assert gap is not None and gap.estimate.value == pytest.approx(1 - floor)


@pytest.mark.parametrize(
    "selection",
    [
        Selection(tasks=("background",), sample=3),
        Selection(tasks=("question",), sample=3),
        Selection(concepts=("quantifier",), sample=2),
        Selection(conditions=("null",), cultures=("US",), sample=10),
        Selection(cultures=("GB",), concepts=("price",), conditions=("explicit",), sample=1),
        Selection(strategies=("direct", "pragmatic"), sample=3),
    ],
)
def test_odd_runs_are_reported_in_words(benchmark: Benchmark, selection: Selection, tmp_path: Path) -> None:
    page = write_report(recorded_run(tmp_path / "run", benchmark, selection, right_answer(benchmark))).page
    text = page.read_text()
    assert "nan" not in text.lower().replace("finance", "").split()
    assert "None" not in text
    assert "What these scores do not mean" in text
    if selection.conditions == ("null",):
        assert "Without any cue it names the user" in text
        assert "No wrong answer to show" not in text
    if selection.tasks == ("question",):
        assert "The background task was not asked" in text
    if selection.concepts == ("quantifier",):
        assert "Only concepts without a right answer were asked" in text
        assert "Nothing that was answered has a right answer in both tasks" in text
        assert "not asked" not in text
        assert "where known" not in text
    else:
        assert "has a right answer in both tasks" not in text


def test_the_same_answers_give_the_same_bytes(benchmark: Benchmark, tmp_path: Path) -> None:
    run = simulated_run(tmp_path / "run", benchmark, Selection(sample=5))

    def written() -> dict[str, bytes]:
        write_report(run, replicates=50)
        return {str(path): path.read_bytes() for path in run.folder.rglob("*.*") if path.suffix != ".sqlite"}

    assert written() == written()


def test_several_runs_need_a_place_for_their_page(benchmark: Benchmark, tmp_path: Path) -> None:
    runs = [
        simulated_run(tmp_path / name, benchmark, Selection(sample=4), {"openai:one": skill})
        for name, skill in (("before", 0.2), ("after", 0.9))
    ]
    with pytest.raises(InputError, match="several runs: say with -o"):
        write_report(runs)
    files = write_report(runs, tmp_path / "both" / "report.html")
    assert (tmp_path / "both" / "tables" / "accuracy_by_level.csv").is_file()
    assert {series.run for series in files.results.study.series} == {"before", "after"}
    page = files.page.read_text()
    assert "before, openai:one, direct" in page
    assert "after, openai:one, direct" in page


@pytest.mark.browser
def test_the_answer_browser_filters_and_a_cell_of_the_heat_map_opens_its_answers(
    benchmark: Benchmark, chromium: str, tmp_path: Path
) -> None:
    from playwright.sync_api import sync_playwright

    run = simulated_run(tmp_path / "run", benchmark, Selection(sample=40, cultures=("FR", "US", "JP")))
    files = write_report(run)
    frame = files.results.study.frame
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.goto(files.page.as_uri())
        status = page.locator("#answers [role=status]")
        assert status.inner_text() == f"1–20 of {len(frame):,} answers"
        page.select_option("#answers select[name=culture]", label="France")
        page.select_option("#answers select[name=verdict]", label="wrong")
        wrong = int((frame.where(culture="FR") & (frame.correct == 0)).sum())
        assert f"of {wrong} answers" in status.inner_text()
        assert all("France" in text for text in page.locator("#answers li").all_inner_texts())
        page.fill("#answers input[name=text]", "no such answer")
        assert status.inner_text() == "No answer fits these filters."
        page.locator("a[href='#cell-JP-price']").first.dispatch_event("click")
        cell = int(frame.where(culture="JP", concept="price", task="question").sum())
        assert f"of {cell} answers" in status.inner_text()
        assert page.locator("#answers select[name=concept] option:checked").inner_text() == "price"
        browser.close()


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1280])
def test_a_real_browser_shows_the_page(hostile: Path, chromium: str, width: int, scheme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe
    from playwright.sync_api import sync_playwright

    said: list[str] = []
    asked: list[str] = []
    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=chromium,
            args=[
                "--no-sandbox",
                "--disable-gpu",
                "--disable-background-networking",
                "--disable-component-update",
            ],
        )
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)  # type: ignore[arg-type]
        page.on("console", lambda message: said.append(message.text))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("request", lambda request: asked.append(request.url))
        page.goto((hostile / "report.html").as_uri())
        for summary in page.locator("summary").all():
            summary.click()
        assert page.title() == f"Homeground report: {MODEL}"
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator("h1").count() == 1
        cut = page.evaluate(
            """[...document.querySelectorAll('figure svg text')].filter(t => {
                const box = t.getBBox(), width = t.ownerSVGElement.viewBox.baseVal.width;
                return box.x < -0.5 || box.x + box.width > width + 0.5 }).map(t => t.textContent)"""
        )
        assert cut == []
        found = Axe().run(page)
        serious = [v["id"] for v in found.response["violations"] if v["impact"] in ("serious", "critical")]
        assert serious == [], found.generate_report()
        browser.close()
    assert said == []
    assert all(url.startswith(("file:", "data:")) for url in asked)
