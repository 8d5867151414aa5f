"""Scenes: every picture decodes, the same seed gives the same bytes, words favour no system."""

import io
import itertools
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from homeground.benchmarks import Benchmark
from homeground.scenes import draw_scenes
from homeground.scenes.reading import both_systems
from homeground.schema import CONCEPTS, SUBJECTIVE

METRIC = re.compile(r"\d\s*(°C|km/h|km|cm|m|square m)\b")
IMPERIAL = re.compile(r"\d\s*(°F|mph|miles?|feet|inch(es)?|square feet)\b")


def test_every_concept_has_three_scenes_with_a_picture(benchmark: Benchmark) -> None:
    for concept in CONCEPTS:
        assert sum(s.concept == concept for s in benchmark.scenes.values()) >= 3
    for scene in benchmark.scenes.values():
        with Image.open(benchmark.folder / scene.image) as picture:
            assert picture.format == "PNG"
            assert picture.size == (640, 480)
            assert len(picture.convert("RGB").getcolors(1 << 24) or []) > 50
        assert scene.plausible[0] <= scene.value <= scene.plausible[1]
        assert scene.reviewed.startswith("20")


def test_same_seed_same_bytes() -> None:
    one, two = (draw_scenes(("speed",), seed=5) for _ in range(2))
    assert [(d.scene, d.png) for d in one] == [(d.scene, d.png) for d in two]
    other = draw_scenes(("speed",), seed=6)
    assert [d.png for d in other] != [d.png for d in one]
    assert all(d.png.startswith(b"\x89PNG") for d in one)
    with Image.open(io.BytesIO(one[0].png)) as picture:
        picture.verify()


def test_descriptions_name_both_systems_or_none(benchmark: Benchmark) -> None:
    for scene in benchmark.scenes.values():
        metric = METRIC.search(scene.description)
        imperial = IMPERIAL.search(scene.description)
        assert (metric is None) == (imperial is None), scene.description
        assert (metric is not None) == (scene.first_system is not None)
        if metric and imperial:
            first = "metric" if metric.start() < imperial.start() else "imperial"
            assert first == scene.first_system
        assert "{" not in scene.description
        if scene.concept in SUBJECTIVE or scene.concept == "price":
            assert scene.first_system is None


def test_which_system_comes_first_alternates(benchmark: Benchmark) -> None:
    for concept in ("temperature", "distance", "speed", "size"):
        firsts = [s.first_system for s in benchmark.scenes.values() if s.concept == concept]
        assert all(a != b for a, b in itertools.pairwise(firsts))


@pytest.mark.parametrize(
    ("value", "unit", "metric", "imperial"),
    [
        (40, "celsius", "40 °C", "104 °F"),
        (-5, "celsius", "-5 °C", "23 °F"),
        (37.5, "celsius", "37.5 °C", "99.5 °F"),
        (3, "metre", "3 m", "9.8 feet"),
        (12, "metre", "12 m", "39 feet"),
        (0.5, "metre", "50 cm", "20 inches"),
        (5000, "metre", "5 km", "3.1 miles"),
        (80, "kilometre_per_hour", "80 km/h", "50 mph"),
        (12, "square_metre", "12 square m", "129 square feet"),
    ],
)
def test_readings(value: float, unit: str, metric: str, imperial: str) -> None:
    assert both_systems(value, unit, "metric") == f"{metric}, the same as {imperial}"
    assert both_systems(value, unit, "imperial") == f"{imperial}, the same as {metric}"


@given(st.floats(-40, 250))
def test_celsius_and_fahrenheit_agree(value: float) -> None:
    numbers = re.findall(r"-?[\d.]+(?:e-?\d+)?", both_systems(round(value, 1), "celsius", "metric"))
    assert abs(float(numbers[0]) * 1.8 + 32 - float(numbers[1])) < 0.06
