"""How a released set was made, in Markdown for its card: people, rounds, agreement, models, audit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from homeground.annotate.release.gather import ROUNDS, Release
from homeground.annotate.store.entries import STATUSES
from homeground.questions.audit import titles
from homeground.schema import Estimate

_WORDS = {
    "draft": "draft", "proposed": "waiting for a verdict", "sent_back": "sent back", "accepted": "accepted",
    "rejected": "rejected", "dropped": "taken back", "merged": "merged into another",
}  # fmt: skip
_MARKUP = re.compile(r"[\\`*_\[\]<>#|~!&]")


def card(release: Release) -> str:
    """The part of the card that says how the set was made."""
    return "\n".join(
        [
            "# How it was made",
            "",
            *_simulated(release),
            f"Written and judged by people in the study {_plain(release.source.title)} "
            f"(`{_code(release.source.id)}`), with the pages of `homeground annotate`.",
            "",
            *(f"- {line}" for line in _facts(release)),
            "",
            "# What became of everything",
            "",
            *_table(release),
            "",
            "# What the audit still flags",
            "",
            *_flags(release),
        ]
    )


def _simulated(release: Release) -> Iterator[str]:
    if release.simulated:
        yield "**Everybody in this study was simulated by a program: nothing here was said by people.**"
        yield ""


class Figures(NamedTuple):
    """How many took part in what of a release."""

    writers: int
    writers_gone: bool
    """Some who wrote have withdrawn, so that nobody knows how many they are."""
    judges: int
    judges_gone: bool
    rounds: dict[str, int]
    """Questions by round."""
    reviewed_changed: int
    """Imported questions that were changed."""
    trial: int
    """Entries of the trial round, none of which is in the release."""
    guidelines: int
    """Version of the study's additions; 0 for none."""
    tried: dict[str, int]
    """Models whose answers writers looked at, by name, with the number of questions."""


def figures(release: Release) -> Figures:
    """Count who took part."""
    items = release.items
    writers = {past.person for item in items for past in item.entry.versions if past.why != "imported"}
    judges = {verdict.person for item in items for verdict in item.entry.verdicts}
    looks: dict[str, set[int]] = {}
    for item in items:
        for entry in (item.entry, *item.absorbed):
            for look in entry.looks:
                looks.setdefault(look.model, set()).add(item.entry.number)
    versions = release.source.guidelines
    return Figures(
        writers=len(writers - {""}),
        writers_gone="" in writers,
        judges=len(judges - {""}),
        judges_gone="" in judges,
        rounds={name: sum(item.entry.round == name for item in items) for name in ROUNDS},
        reviewed_changed=sum(i.entry.round == "review" and len(i.entry.versions) > 1 for i in items),
        trial=sum(count for (round_, _), count in release.counts.items() if round_ == "trial"),
        guidelines=versions[-1].version if versions else 0,
        tried={model: len(those) for model, those in sorted(looks.items())},
    )


def _facts(release: Release) -> Iterator[str]:
    found = figures(release)
    yield f"Writers, those who corrected among them: {_people(found.writers, gone=found.writers_gone)}"
    yield (
        f"Adjudicators: {_people(found.judges, gone=found.judges_gone)}, blind to the writer; {_asked(release)}"
    )
    yield (
        f"Questions of the main round: {found.rounds['main']}; of an imported set that was reviewed: "
        f"{found.rounds['review']}, changed since: {found.reviewed_changed}"
    )
    yield f"Questions of a trial round, none of which is in the set: {found.trial}"
    yield (
        f"Corrected or merged after they were accepted, without another verdict: {len(release.changed_since)}"
    )
    own = f", with the study's own additions in version {found.guidelines}" if found.guidelines else ""
    yield f"Guidelines: Homeground's fifteen{own}"
    yield from _agreement(release)
    tried = ", ".join(f"`{_code(model)}` ({number})" for model, number in found.tried.items())
    yield f"Models whose answers writers looked at while writing, and at how many questions: {tried or 'none'}"
    yield from _screening(release)


def _people(known: int, *, gone: bool) -> str:
    return f"{known}" + (", and some who withdrew" if gone else "")


def _asked(release: Release) -> str:
    if int(release.source.settings.get("quota", 1)) > 1:
        return "two decide on each question, and where they differ one more"
    return "one decides on each question"


def _agreement(release: Release) -> Iterator[str]:
    found = release.agreement
    if not found.raw.n:
        yield "Agreement of adjudicators: nothing to measure, no version was judged by two"
        return
    yield (
        f"Agreement of the first two adjudicators of a version, tie-breaks aside: raw {_share(found.raw)}, "
        f"Gwet's AC1 {_number(found.ac1)}, Krippendorff's alpha {_number(found.alpha)} "
        f"({found.raw.n} versions of the main round and the review; 95 % intervals)"
    )


def _share(estimate: Estimate) -> str:
    value, low, high = (
        None if end is None else f"{100 * end:.0f}" for end in (estimate.value, estimate.low, estimate.high)
    )
    return f"{value} %" + (f" [{low}–{high}]" if low is not None else "")


def _number(estimate: Estimate) -> str:
    if estimate.value is None:
        return "undefined (all said the same)"
    ends = "" if estimate.low is None else f" [{estimate.low:.2f} to {estimate.high:.2f}]"
    return f"{estimate.value:.2f}{ends}".replace("-", "−")


def _screening(release: Release) -> Iterator[str]:
    joined = release.joined
    if joined is None:
        yield "Screened with models afterwards: no"
        return
    left = f"{len(release.items)} kept, {joined.left_out} left out"
    if joined.evidence is None:
        yield f"Screened: {left}"
        return
    head = joined.evidence
    said = ", ".join(
        f"`{_code(one.model)}` already answers {one.already} of {head.questions}" for one in head.models
    )
    yield (
        f"Screened with {head.samples} samples at temperature {head.temperature:g}: {said}; {left}. A model already "
        "answers a question if more than half of its samples are right"
    )


def _table(release: Release) -> Iterator[str]:
    rounds = ("main", "review", "trial")
    yield f"| | {' | '.join(rounds)} |"
    yield "|---|" + "---:|" * len(rounds)
    for status in STATUSES:
        counts = [release.counts[name, status] for name in rounds]
        if any(counts):
            yield f"| {_WORDS[status]} | {' | '.join(map(str, counts))} |"


def _flags(release: Release) -> Iterator[str]:
    found = release.profile
    flagged = [count for count in found.counts if count.flagged]
    yield (
        f"{found.flagged} of {found.items} questions, each accepted by people all the same. The rules see form and "
        "words, not whether an answer is right."
    )
    if flagged:
        yield ""
    for count in flagged:
        yield f"- {count.rule} ({titles()[count.rule]}): {count.flagged}"
    if found.twins:
        yield (
            f"- nearly the same as an earlier one: {len(found.twins)}, of which people looked at "
            f"{release.found_different} and found that they ask something else"
        )


def _plain(text: str) -> str:
    """Text on one line that Markdown shows as it is."""
    return _MARKUP.sub(r"\\\g<0>", " ".join(text.split()))


def _code(text: str) -> str:
    return " ".join(text.replace("`", "'").split())
