"""The report: hostile answers are shown and do nothing, odd runs are told in words, a real browser agrees."""

import csv
import io
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from homeground.benchmarks import Benchmark
from homeground.plan import Selection
from homeground.prompts import Prompts
from homeground.report import write_report
from homeground.report.examples import LONGEST, visible
from homeground.report.tables import by_level, series_of
from homeground.runs.folder import Run, begin_run, make_spec
from homeground.runs.judge import judge_run
from homeground.schema import LEVELS, OBJECTIVE, PLACEBOS, Answer, Level, Request

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
    (one,) = files.chapters
    assert {row.level for row in one.levels} == {*levels, *PLACEBOS}
    page = files.page.read_text()
    assert "placebo: filler" in page
    assert "should change no answer" in page
    (figure,) = (tmp_path / "run" / "figures").glob("*.svg")
    assert ("placebo" in figure.read_text()) == (levels == ())


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


def test_visible_text_is_bounded_and_without_controls() -> None:
    assert visible("a\x00b\x7f\n\tc") == "a␀b␡\n\tc"
    assert visible("\u202eabc") == "\ufffdabc"
    assert visible("می‌خواهم") == "می‌خواهم"


def test_tables_are_plain_csv_with_signatures(hostile: Path) -> None:
    for path in (hostile / "tables").iterdir():
        rows = list(csv.DictReader(io.StringIO(path.read_text())))
        # The reasoning of this model is not shown, so there is no depth to count.
        assert rows or path.name == "depth.csv", path
        assert all(row["signature"].startswith("homeground:") and MODEL in row["signature"] for row in rows)
    for path in (hostile / "figures").iterdir():
        ElementTree.parse(path)  # noqa: S314


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
    (chapter,) = write_report(run).chapters
    for row in chapter.levels:
        assert row.estimate.value is not None
        if row.task == "question":
            assert row.estimate.value == pytest.approx(row.floor)
        elif row.level == "explicit":
            assert row.estimate.value == 1
        else:
            assert row.estimate.value == 0
    explicit = next(a for a in chapter.acted if a.level == "explicit")
    floor = next(r.floor for r in chapter.levels if r.task == "question")
    assert explicit.acted.value == pytest.approx(floor)
    assert explicit.gap.estimate.value == pytest.approx(1 - floor)


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


def test_rows_come_in_the_order_of_the_levels(benchmark: Benchmark, tmp_path: Path) -> None:
    run = recorded_run(
        tmp_path / "run", benchmark, Selection(concepts=("speed",), sample=9), right_answer(benchmark)
    )
    judgements = judge_run(run)
    series = series_of(judgements)[0]
    rows = by_level(judgements[::-1], series)
    assert [row.level for row in rows if row.task == "question"] == list(LEVELS)


@pytest.mark.browser
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [400, 1280])
def test_a_real_browser_shows_the_page(hostile: Path, chromium: str, width: int, scheme: str) -> None:
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
        assert page.locator("figure svg .mark").count() == 12
        assert page.locator("h1").count() == 1
        cut = page.evaluate(
            """[...document.querySelectorAll('figure svg text')].filter(t => {
                const box = t.getBBox(); return box.x < 0 || box.x + box.width > 560 }).map(t => t.textContent)"""
        )
        assert cut == []
        browser.close()
    assert said == []
    assert all(url.startswith(("file:", "data:")) for url in asked)
