"""Judges: the shared cases, the traps other tools fell into, any text at all, and the two rulebooks."""

import json
import shutil
from importlib.resources import files
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from homeground.judging import Asked, judge, judge_answer, read_answer
from homeground.judging.judge import value_right
from homeground.prompts import marker
from homeground.schema import Answer, Cell, Concept, Cue, Culture, Judgement, Level, Scene, Strategy, Task
from tests.conftest import SHARED

CONCEPT_NAMES: list[Concept] = [
    "temperature", "distance", "speed", "size", "price", "time_expression", "quantifier",
]  # fmt: skip
CASES = Path(__file__).parent / "cases"


def culture(code: str) -> Culture:
    from homeground.cultures import cultures_of

    return cultures_of("capri", (code,))[0]


def judged(
    code: str, concept: Concept, text: str, task: Task = "question", strategy: Strategy = "direct"
) -> Judgement:
    level: Level = "implicit"
    cell = Cell(
        item="i", scene="s", template="t", concept=concept, culture=code, condition=level, task=task,
        strategy=strategy, model="m",
    )  # fmt: skip
    answer = Answer(text=text, finish_reason="stop", prompt_tokens=0, completion_tokens=0, seconds=0)
    return judge_answer(cell, "k", answer, Asked({code: culture(code)}))


def _shared(name: str) -> list[dict[str, object]]:
    path = SHARED / "cases" / name
    return [json.loads(line) for line in path.read_text().splitlines()] if path.is_file() else []


def test_shared_countries() -> None:
    cases = _shared("countries.jsonl")
    if not cases:
        pytest.skip("the shared answer-reading cases are not beside this checkout")
    for case in cases:
        assert list(read_answer("country", str(case["answer"])).found) == case["countries"], case


def test_own_cases() -> None:
    lines = (CASES / "answers.jsonl").read_text().splitlines()
    assert len(lines) > 60
    for line in lines:
        case = json.loads(line)
        reading = read_answer(case["about"], case["answer"])
        assert (reading.status, list(reading.found)) == (case["status"], case["found"]), case


@given(st.sampled_from([*CONCEPT_NAMES, "country"]), st.text())
def test_any_text_is_read(about: Concept, text: str) -> None:
    reading = read_answer(about, text)
    assert reading == read_answer(about, text)
    if reading.span is not None:
        start, end = reading.span
        assert 0 <= start < end <= len(text)


MESSY = st.text(alphabet="0123456789 .,'°CFmkhftin²×x$€¥£R-–()*<>/think\n", max_size=200)


@given(st.sampled_from([*CONCEPT_NAMES, "country"]), MESSY)
def test_any_text_of_numbers_and_units_is_read(about: Concept, text: str) -> None:
    read_answer(about, text)


@pytest.mark.parametrize("piece", ["9", "1 ", "1,", "9 m ", "a ", "$", "<think>", "not ", "half ", "5'", " "])
@pytest.mark.parametrize("about", [*CONCEPT_NAMES, "country"])
def test_long_texts_are_read(about: Concept, piece: str) -> None:
    """A quadratic reader would not come back from this within the suite's patience."""
    read_answer(about, piece * 30_000)


def test_rulebooks_differ_where_they_should() -> None:
    both = judged("FR", "temperature", "40 °C (104 °F)")
    assert (both.correct, both.published, both.hedged) == (False, True, True)
    wrong = judged("FR", "temperature", "104 °F")
    assert (wrong.correct, wrong.published, wrong.hedged) == (False, False, False)
    right = judged("US", "temperature", "104 °F")
    assert (right.correct, right.published) == (True, True)
    local = judged("KR", "size", "10 pyeong")
    assert (local.correct, local.published) == (True, False)
    yen = judged("JP", "price", "¥500")
    assert yen.reading.status == "ambiguous"
    assert yen.correct
    assert judged("CN", "price", "¥500").correct
    assert not judged("US", "price", "¥500").correct
    assert not judged("US", "price", "R$ 500").published
    assert judged("GB", "speed", "30 mph").correct
    assert judged("GB", "temperature", "30 °C").correct


def scene(concept: Concept, value: float, unit: str) -> Scene:
    return Scene(
        id="s", concept=concept, image="x.png", image_sha256="0" * 64, value=value, unit=unit,
        plausible=(0.9 * value, 1.1 * value), thing="it", description="",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("text", "right"),
    [("30 °C", True), ("86 °F", True), ("77 °F", False), ("28 to 31 °C", True), ("10 to 20 °C", False), ("30", None),
     ("30 °C (86 °F)", True), ("no idea", None), ("303 K", True)],
)  # fmt: skip
def test_values_are_right_once_converted(text: str, right: bool | None) -> None:
    assert value_right(read_answer("temperature", text), scene("temperature", 30, "celsius")) is right


def test_values_of_every_concept() -> None:
    room = scene("size", 12, "square_metre")
    assert value_right(read_answer("size", "3 m by 4 m"), room)
    assert value_right(read_answer("size", "130 sq ft"), room)
    assert value_right(read_answer("size", "3.5 pyeong"), room)
    assert value_right(read_answer("speed", "20 mph"), scene("speed", 32, "kilometre_per_hour"))
    assert value_right(read_answer("distance", "5 ft 3 in"), scene("distance", 1.6, "metre"))
    assert value_right(read_answer("price", "$5"), scene("price", 0, "none")) is None
    assert value_right(read_answer("quantifier", "most"), scene("quantifier", 0.5, "share")) is None


def test_an_answer_belongs_to_those_who_would_expect_it() -> None:
    from homeground.cultures import cultures_of

    ten = {culture.code: culture for culture in cultures_of("capri", None)}

    def belongs(concept: Concept, text: str) -> set[str]:
        cell = judged("FR", concept, text).cell
        answer = Answer(text=text, finish_reason="stop", prompt_tokens=0, completion_tokens=0, seconds=0)
        return set(judge_answer(cell, "k", answer, Asked(ten)).belongs_to)

    assert belongs("temperature", "86 °F") == {"US"}
    assert belongs("temperature", "30 °C") == set(ten) - {"US"}
    assert belongs("speed", "30 mph") == {"US", "GB"}
    assert belongs("size", "4 pyeong") == {"KR"}
    assert belongs("price", "¥500") == {"JP", "CN"}
    assert belongs("price", "500 Swiss francs") == set()
    assert belongs("temperature", "30 °C (86 °F)") == set()


def test_a_sign_is_right_for_whoever_uses_it() -> None:
    canada = Culture(code="CA", name="Canada", accepted={"price": ("CAD",)})
    cell = msgspec.structs.replace(judged("US", "price", "$5").cell, culture="CA")
    answer = Answer(text="$5", finish_reason="stop", prompt_tokens=0, completion_tokens=0, seconds=0)
    assert judge_answer(cell, "k", answer, Asked({"CA": canada})).correct


def test_hedges_are_wrong_but_counted_apart() -> None:
    both = judged("FR", "temperature", "86 °F (30 °C)")
    assert (both.correct, both.hedged, both.hedged_right, both.reading.found[0]) == (
        False,
        True,
        True,
        "imperial",
    )
    assert not judged("FR", "price", "$5 or £4").hedged_right
    assert judged("FR", "price", "€5").hedged_right


def test_depth_is_read_where_reasoning_shows() -> None:
    cell = judged("FR", "temperature", "30 °C").cell
    cues = (Cue(kind="shopping_platform", value="Fnac", source="x"),)

    def depth(text: str, reasoning: str = "", strategy: Strategy = "direct") -> int | None:
        answer = Answer(
            text=text,
            reasoning=reasoning,
            finish_reason="stop",
            prompt_tokens=0,
            completion_tokens=0,
            seconds=0,
        )
        asked = Asked({"FR": culture("FR")}, cues=cues)
        return judge_answer(msgspec.structs.replace(cell, strategy=strategy), "k", answer, asked).depth

    assert depth("30 °C") is None
    assert depth("30 °C", "The needle points at thirty.") == 0
    assert depth("30 °C", "They mention Fnac.") == 1
    assert depth("<think>The user is from France, so I should use Celsius.</think>30 °C") == 3
    assert depth(f"Fnac is a French shop.\n{marker()} 30 °C", strategy="pragmatic") == 2


def test_a_changed_table_changes_the_signature(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = judge.signature()
    assert before.startswith(f"{judge.VERSION}@")
    for room in judge._ROOMS:
        shutil.copytree(Path(str(files(f"homeground.{room}"))), tmp_path / room)
    monkeypatch.setattr(judge, "files", lambda name: tmp_path / name.rpartition(".")[2])
    judge.signature.cache_clear()
    assert judge.signature() == before
    table = tmp_path / "judging/words/options.toml"
    table.write_text(table.read_text() + "\n")
    judge.signature.cache_clear()
    assert judge.signature() != before
    judge.signature.cache_clear()


def test_background_and_subjective() -> None:
    assert judged("FR", "price", "France", "background").correct
    assert not judged("FR", "price", "France or Belgium", "background").correct
    assert judged("FR", "price", "France or Belgium", "background").published
    assert not judged("IN", "price", "Indiana", "background").correct
    option = judged("FR", "time_expression", "evening")
    assert option.correct is None
    assert option.published is None
    assert option.reading.found == ("evening",)


def test_only_what_follows_the_marker_counts() -> None:
    text = f"The user is French, not American, so no 86 °F.\n{marker()} 30 °C"
    assert judged("FR", "temperature", text, strategy="pragmatic").correct
    unmarked = judged("FR", "temperature", "I think 30 °C", strategy="pragmatic")
    assert unmarked.reading.status == "none"
    assert not unmarked.correct
    assert not unmarked.published


def test_a_filtered_answer_is_a_refusal() -> None:
    cell = judged("FR", "price", "x").cell
    answer = Answer(text="", finish_reason="content_filter", prompt_tokens=0, completion_tokens=0, seconds=0)
    assert judge_answer(cell, "k", answer, Asked({"FR": culture("FR")})).reading.status == "refused"
