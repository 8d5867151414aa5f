"""A language model as the author of scaffolds: drafts, the rules, and another try for what breaks one.

In two stages, as Miao, Zhu and Shwartz (2026, section 2.3) made theirs. The model never writes a cue: those are drawn
from the cultures' files afterwards, so each keeps its source.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count
from typing import NamedTuple, TypeAlias

from msgspec.structs import replace

from homeground.dialogues.writer_checks import (
    Phrases,
    copies,
    fitting,
    phrases,
    slots_problems,
    turns_problems,
)
from homeground.dialogues.writer_drafts import Draft, Drafts
from homeground.dialogues.writer_prompts import (
    Stage,
    cues_prompt,
    deal_topics,
    dialogue_prompt,
    sampling,
    signature,
)
from homeground.dialogues.writer_reply import read_slots, read_turns
from homeground.errors import EnvironmentProblem, InputError
from homeground.files import sha256_json
from homeground.schema import (
    DIALOGUE_KINDS,
    Answer,
    Concept,
    DialogueKind,
    Request,
    Scaffold,
    Scene,
    Slot,
    Turn,
    Written,
)

TRIES = 4
"""Answers that each stage of a scaffold may take."""
Ask: TypeAlias = Callable[[Sequence[tuple[str, Request]]], Iterable[tuple[str, Answer | str]]]
"""Asks a model many requests at once and gives, as they come, the answer to each key, or why it was refused."""
_TENTHS = 20
"""Requests in a round from which on every tenth of them is worth a line."""


class Writer(NamedTuple):
    """The model that writes, and what it must know of the questions that follow."""

    model: str
    """``engine:name``."""
    identity: Mapping[str, str]
    """Everything about the engine that can change an answer."""
    ask: Ask
    question_of: Callable[[Concept], str]
    options_of: Callable[[Concept], tuple[str, ...]]
    tries: int = TRIES
    say: Callable[[str], None] = lambda line: None


class LeftOut(NamedTuple):
    """A scaffold that never passed, and what was wrong with its last answer."""

    scaffold: str
    problem: str


class Outcome(NamedTuple):
    """What a model wrote."""

    scaffolds: list[Scaffold]
    left_out: list[LeftOut]


class _Job:
    """One scaffold on its way."""

    def __init__(self, scene: Scene, place: str, kind: DialogueKind, topic: str) -> None:
        self.scene, self.place, self.kind, self.topic = scene, place, kind, topic
        self.id = f"{scene.id}/{kind}"
        self.stage: Stage = "dialogue"
        self.attempt = 1
        self.turns: tuple[Turn, ...] = ()
        self.slots: tuple[Slot, Slot] | None = None
        self.reasons: list[str] = []
        self.failed = ""
        self.taken: list[tuple[str, int, float]] = []

    @property
    def open(self) -> bool:
        return not self.failed and self.slots is None


def write_scaffolds(
    scenes: Sequence[tuple[Scene, str]], offered: Sequence[str], seed: int, writer: Writer, drafts: Drafts
) -> Outcome:
    """Have a model write three scaffolds a scene, one of each kind, and keep those that pass every rule.

    What comes of it depends on the answers alone, not on the order in which they arrive or on how often it was stopped.

    Args:
        scenes: each with its place, as dialogues say it.
        offered: kinds of cue that every culture has.
        seed: deals out what the dialogues turn on.
        writer: the model.
        drafts: where every answer's outcome is kept at once, and found again by the next call.

    Raises:
        InputError: fewer than one try.
        EnvironmentProblem: the model cannot be used, or refuses every prompt; drafts stay.
    """
    if writer.tries < 1:
        raise InputError("give the writer at least 1 try")
    topics = deal_topics([scene for scene, _ in scenes], seed)
    jobs = [
        _Job(scene, place, kind, topics[scene.id, kind]) for scene, place in scenes for kind in DIALOGUE_KINDS
    ]
    passed: list[Phrases] = []
    for number in count(1):
        waiting = [job for job in jobs if job.open]
        if not waiting:
            break
        writer.say(f"round {number}: {len(waiting)} of {len(jobs)} scaffolds to write")
        requests = {job.id: _request(job, offered, writer) for job in waiting}
        outcomes = _round(waiting, requests, offered, writer, drafts)
        for job in waiting:
            _take(job, outcomes[job.id], requests[job.id], writer.tries, passed)
    written = [_scaffold(job, job.slots, writer) for job in jobs if job.slots is not None]
    return Outcome(written, [LeftOut(job.id, job.failed) for job in jobs if job.failed])


def hopeless(outcome: Outcome, writer: Writer) -> InputError:
    """The error for a model of whose scaffolds none passed."""
    problem, times = Counter(left.problem for left in outcome.left_out).most_common(1)[0]
    tries = "1 try" if writer.tries == 1 else f"{writer.tries} tries"
    return InputError(
        f"--writer {writer.model}: none of {len(outcome.left_out)} scaffolds kept the rules within {tries}; "
        f"the last fault of {times} was: {problem}; name a more able model, or more --tries"
    )


def _request(job: _Job, offered: Sequence[str], writer: Writer) -> Request:
    options = writer.options_of(job.scene.concept)
    if job.stage == "dialogue":
        question = writer.question_of(job.scene.concept)
        messages = dialogue_prompt(job.scene, job.place, job.kind, job.topic, question, options, job.reasons)
    else:
        messages = cues_prompt(job.turns, fitting(offered, job.scene.concept), options, job.reasons)
    return Request(engine=dict(writer.identity), messages=messages, sampling=sampling(job.attempt))


def _round(
    jobs: Sequence[_Job],
    requests: Mapping[str, Request],
    offered: Sequence[str],
    writer: Writer,
    drafts: Drafts,
) -> dict[str, Draft]:
    """What each job's answer came to; only answers that no draft knows are asked for."""
    keys = {job.id: sha256_json([job.id, job.attempt, signature(), requests[job.id]]) for job in jobs}
    by_id = {job.id: job for job in jobs}
    outcomes = {name: known for name, key in keys.items() if (known := drafts.get(key)) is not None}
    # A draft is checked again: the file stood where anybody could write.
    outcomes = {name: _checked(by_id[name], draft, offered, writer) for name, draft in outcomes.items()}
    left = [(name, requests[name]) for name in keys if name not in outcomes]
    refusals: list[str] = []
    for done, (name, answer) in enumerate(writer.ask(left) if left else (), start=1):
        job = by_id[name]
        blank = Draft(
            scene=job.scene.id,
            kind=job.kind,
            model=writer.model,
            prompts=signature(),
            key=keys[name],
            stage=job.stage,
        )
        if isinstance(answer, str):
            refusals.append(answer)
            outcomes[name] = replace(blank, problems=("the prompt was refused",))
        else:
            outcomes[name] = _checked(job, _read(blank, answer), offered, writer)
            drafts.add(outcomes[name])
        if len(left) >= _TENTHS and done * 10 // len(left) > (done - 1) * 10 // len(left):
            writer.say(f"  {done} of {len(left)} answers")
    if refusals and len(refusals) == len(left) and not len(drafts):
        raise EnvironmentProblem(f"all {len(left)} prompts were refused, the first with {refusals[0]}")
    missing = [name for name in keys if name not in outcomes]
    if missing:
        raise EnvironmentProblem(
            f"{writer.model}: no answer for {len(missing)} prompts, the first {missing[0]}"
        )
    return outcomes


def _read(blank: Draft, answer: Answer) -> Draft:
    try:
        if blank.stage == "dialogue":
            return replace(blank, turns=read_turns(answer.text))
        return replace(blank, slots=read_slots(answer.text))
    except InputError as error:
        cut = " (it was cut off at the limit of new tokens)" if answer.finish_reason == "length" else ""
        return replace(blank, problems=(f"{error}{cut}",))


def _checked(job: _Job, draft: Draft, offered: Sequence[str], writer: Writer) -> Draft:
    """The draft itself if it keeps all rules; else what is wrong and nothing of the answer."""
    if draft.problems:
        return draft
    options = writer.options_of(job.scene.concept)
    if job.stage == "dialogue":
        found = turns_problems(draft.turns, job.scene.thing, options)
    else:
        found = slots_problems(draft.slots, fitting(offered, job.scene.concept), job.scene.concept, options)
    return replace(draft, turns=(), slots=None, problems=tuple(found)) if found else draft


def _take(job: _Job, draft: Draft, request: Request, tries: int, passed: list[Phrases]) -> None:
    """Move a job on: to the next stage, to another try, or out."""
    found = list(draft.problems)
    if not found and job.stage == "dialogue":
        own = phrases(draft.turns, (job.scene.thing, job.place))
        found = copies(own, passed)
        if not found:
            passed.append(own)
    if found:
        job.reasons = [*(reason for reason in job.reasons if reason not in found), *found]
        job.attempt += 1
        if job.attempt > tries:
            job.failed = f"{job.stage}: {found[0]}"
        return
    job.taken.append((sha256_json(request), job.attempt, request.sampling.temperature))
    if job.stage == "dialogue":
        job.stage, job.attempt, job.reasons, job.turns = "cues", 1, [], draft.turns
    else:
        job.slots = draft.slots


def _scaffold(job: _Job, slots: tuple[Slot, Slot], writer: Writer) -> Scaffold:
    (one, first, cold), (two, second, warm) = job.taken
    return Scaffold(
        id=job.id,
        scene=job.scene.id,
        concept=job.scene.concept,
        kind=job.kind,
        template=job.id,
        slots=slots,
        turns=job.turns,
        source=Written(
            model=writer.model,
            prompts=signature(),
            requests=(one, two),
            tries=(first, second),
            temperatures=(cold, warm),
        ),
    )
