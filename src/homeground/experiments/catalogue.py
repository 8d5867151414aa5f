"""The experiments by the name they have on the command line."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Literal, NamedTuple

from homeground.errors import InputError
from homeground.experiments.study import Study
from homeground.experiments.table import Table

Kind = Literal["conversations", "questions"]


class Experiment(NamedTuple):
    """One question that is asked of stored answers."""

    home: str
    """Module and function."""
    line: str
    """What it answers."""
    kinds: tuple[Kind, ...] = ("conversations",)
    """Benchmarks that it can be asked of."""


_BOTH: tuple[Kind, ...] = ("conversations", "questions")
EXPERIMENTS = {
    "levels": Experiment("levels:levels", "what is known and acted on, by level, culture, concept and cue"),
    "answers": Experiment("answers:answers", "what is said instead, and which options are chosen"),
    "strategies": Experiment("strategies:strategies", "does reasoning close the gap"),
    "sizes": Experiment("sizes:sizes", "do larger models of a family close the gap"),
    "priors": Experiment("priors:priors", "what is assumed of a user of whom nothing is known"),
    "reasoning": Experiment("reasoning:reasoning", "how deep the reasoning goes"),
    "divergences": Experiment(
        "divergences:divergences", "how far answers without a right one move with the user"
    ),
    "time_words": Experiment("time_words:time_words", "when it is morning, noon, afternoon, evening, night"),
    "ceiling": Experiment("ceiling:ceiling", "how far from people's accuracy (needs --human)"),
    "oracle": Experiment("oracle:oracle", "what is known only when told: plain against oracle", _BOTH),
    "questions": Experiment(
        "questions:questions",
        "scores of a question set beside their baselines, and whose answers stand instead",
        ("questions",),
    ),
    "sets": Experiment("sets:sets", "how well the items tell models apart, and what headroom is left", _BOTH),
}


def fitting(study: Study) -> list[str]:
    """Names of the experiments that apply to a study's kind of benchmark."""
    return [name for name, one in EXPERIMENTS.items() if _kind(study) in one.kinds]


def _kind(study: Study) -> Kind:
    return study.source.about.kind


def run_experiment(name: str, study: Study) -> list[Table]:
    """The tables of one experiment.

    Raises:
        InputError: there is no such experiment, or it is for another kind of benchmark.
    """
    if name not in EXPERIMENTS:
        raise InputError(f"no experiment {name!r}; one of {', '.join(EXPERIMENTS)}")
    if _kind(study) not in EXPERIMENTS[name].kinds:
        raise InputError(
            f"{study.runs[0].folder}: a run over {_kind(study)}; experiment {name} is for "
            f"{' and '.join(EXPERIMENTS[name].kinds)}; there are {', '.join(fitting(study))}"
        )
    module, _, function = EXPERIMENTS[name].home.partition(":")
    work: Callable[[Study], list[Table]] = getattr(
        importlib.import_module(f"homeground.experiments.{module}"), function
    )
    return work(study)
