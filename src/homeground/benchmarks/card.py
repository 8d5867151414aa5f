"""The card of a benchmark: what it is, what it is not, in the words a reader needs first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from homeground.benchmarks.folder import About
from homeground.schema import CONCEPTS, CuePair, Culture, Scaffold, Scene

_MATCH = {
    "drawn": "The scenes are drawn, so figures published for photographs are no match for these.",
    "photographs": "The scenes are photographs, so figures for drawn scenes are no match for these.",
}
_TEXT = """\
# {name} {version}

Conversations in which ordinary things of ordinary life hint at where a user is from, each about a
{picture} and followed by one question. Can a model name the user's country, and does its answer use the units,
currency and words of that place?

- Cultures: {cultures}
- Protocol: `{protocol}`; seed {seed}; built by homeground {homeground}
- Licence: {licence}

| concept | scenes | scaffolds | conversations |
|---|---|---|---|
{rows}

`scenes.jsonl` holds the pictures' true values and descriptions, `scaffolds.jsonl` the dialogues with their two
slots, `cues.jsonl` what fills the slots for each culture (with the source of each cue), `cultures.jsonl` what
each culture expects. Conversations at the six levels of cue are derived from these, never stored.

{writer}## What a score on it does not mean

A country is a proxy for a culture, not a person: people use both systems, move, and grow up between cultures. {match}
The dialogues are in English.
"""
_WRITER = """\
## Who wrote the dialogues

A language model, `{model}` (prompts `{prompts}`), in {tries} tries at most for each of two stages: a dialogue free of
culture with two slots, then the kinds of cue that fit them. Every dialogue was checked by rule for names, units,
currencies, spelling, length and likeness to the others; no person has read them. The cues are not the model's: they
are drawn from the same sourced lists as everywhere. Scores on these are no match for scores on hand-written dialogues.

{left_out}

"""
_SHOWN = 20
"""Scaffolds left out that the card names; beyond these it counts."""


def card(
    about: About,
    cultures: Sequence[Culture],
    scenes: Sequence[Scene],
    scaffolds: Sequence[Scaffold],
    cues: Sequence[CuePair],
    left_out: Sequence[str] = (),
) -> str:
    """The Markdown text of a benchmark's README; ``left_out`` are scaffolds that its writer never got right."""
    concept_of = {scaffold.id: scaffold.concept for scaffold in scaffolds}
    n_scenes = Counter(scene.concept for scene in scenes)
    n_scaffolds = Counter(concept_of.values())
    n_cues = Counter(concept_of[pair.scaffold] for pair in cues)
    rows = [f"| {c} | {n_scenes[c]} | {n_scaffolds[c]} | {n_cues[c]} |" for c in CONCEPTS if n_scenes[c]]
    rows.append(f"| all | {len(scenes)} | {len(scaffolds)} | {len(cues)} |")
    return _TEXT.format(
        name=about.name,
        version=about.version,
        cultures=", ".join(f"{c.name} ({c.code})" for c in cultures),
        protocol=about.protocol,
        seed=about.seed,
        homeground=about.homeground,
        licence=about.licence,
        picture="drawn picture" if about.origin == "drawn" else "photograph",
        match=_MATCH[about.origin],
        rows="\n".join(rows),
        writer=_writer(about, left_out),
    )


def _writer(about: About, left_out: Sequence[str]) -> str:
    writer = about.writer
    if writer is None:
        return ""
    said = f"Of {writer.asked} scaffolds asked for, {writer.left_out} never kept the rules and are left out"
    if left_out:
        more = f" and {len(left_out) - _SHOWN} more" if len(left_out) > _SHOWN else ""
        said += f": {', '.join(left_out[:_SHOWN])}{more}"
    return _WRITER.format(model=writer.model, prompts=writer.prompts, tries=writer.tries, left_out=f"{said}.")
