"""Build a conversation benchmark from cultures, scenes and dialogues: same seed, same bytes."""

from __future__ import annotations

from pathlib import Path

from homeground.benchmarks.card import card
from homeground.benchmarks.folder import About, AboutWriter, Benchmark, load_benchmark
from homeground.benchmarks.save import save_tables
from homeground.cultures import cultures_of, load_file
from homeground.cultures.library import UNVERIFIED, kinds
from homeground.dialogues import fill_scaffolds, make_scaffolds
from homeground.dialogues.writer import Outcome, Writer, hopeless, write_scaffolds
from homeground.dialogues.writer_drafts import Drafts
from homeground.dialogues.writer_prompts import signature
from homeground.errors import InputError, unknown
from homeground.files import new_folder
from homeground.scenes import draw_scenes
from homeground.schema import CONCEPTS, Concept, Culture, Scene
from homeground.version import __version__

VERSION = "0.1"
_FEWEST_KINDS = 3
"""Two for a scaffold's slots, and one that may give its answer away."""


def build_conversations(
    folder: Path | str,
    *,
    cultures: tuple[str, ...] | None = None,
    concepts: tuple[str, ...] | None = None,
    protocol: str = "capri",
    seed: int = 1,
    unverified: bool = False,
    writer: Writer | None = None,
) -> Benchmark:
    """Write a new benchmark folder and load it.

    A build with a writer that was stopped goes on where it was: what the answers came to is kept beside the folder, in
    ``drafts_path``, until the folder stands.

    Args:
        folder: where it will stand; must not exist or be empty.
        cultures: codes, all of the protocol's by default.
        concepts: all seven by default.
        protocol: which table says what a culture expects.
        seed: draws the scenes, the cues and the order of units in descriptions.
        unverified: also draw cues whose source nobody has looked up.
        writer: the model that writes the dialogues, instead of those written by hand; what never keeps the rules is
            left out, and so is a scene without a dialogue.

    Raises:
        InputError: an unknown culture, concept or protocol, ``folder`` is in use, or no dialogue of the writer's keeps
            the rules; nothing is written.
        EnvironmentProblem: the writer cannot be used, or the disk refuses; drafts are kept.
    """
    people = cultures_of(protocol, cultures)
    wanted = _concepts(concepts)
    drawn = draw_scenes(wanted, seed)
    placed = [(d.scene, d.place) for d in drawn]
    if writer is None:
        scaffolds, left_out = Outcome(make_scaffolds(placed, seed), [])
    else:
        _refuse_taken(Path(folder))
        scaffolds, left_out = _written(Path(folder), placed, _offered(people, unverified), seed, writer)
        used = {scaffold.scene for scaffold in scaffolds}
        drawn = [d for d in drawn if d.scene.id in used]
    cues = fill_scaffolds(scaffolds, people, seed, unverified=unverified)
    about = About(
        name=f"{protocol}-drawn" if writer is None else f"{protocol}-drawn-written",
        kind="conversations",
        version=VERSION,
        licence="Apache-2.0",
        protocol=protocol,
        seed=seed,
        origin="drawn",
        homeground=__version__,
        writer=None if writer is None else _about(writer, len(scaffolds), len(left_out)),
    )
    scenes = [d.scene for d in drawn]
    with new_folder(Path(folder)) as scratch:
        (scratch / "images").mkdir()
        for picture in drawn:
            (scratch / picture.scene.image).write_bytes(picture.png)
        readme = card(about, people, scenes, scaffolds, cues, [left.scaffold for left in left_out])
        save_tables(scratch, about, people, scenes, scaffolds, cues, readme)
    if writer is not None:
        drafts_path(Path(folder)).unlink(missing_ok=True)
    return load_benchmark(folder)


def drafts_path(folder: Path) -> Path:
    """Where a writer's drafts for a folder are kept until it stands."""
    folder = folder.resolve()
    return folder.with_name(f"{folder.name}.drafts.jsonl")


def _written(
    folder: Path, scenes: list[tuple[Scene, str]], offered: list[str], seed: int, writer: Writer
) -> Outcome:
    """What the writer wrote, and a word on what it did not."""
    drafts = Drafts(drafts_path(folder))
    if len(drafts):
        writer.say(f"{drafts.path}: going on with {len(drafts)} answers of an earlier call")
    outcome = write_scaffolds(scenes, offered, seed, writer, drafts)
    if not outcome.scaffolds:
        drafts.forget(writer.model)
        raise hopeless(outcome, writer)
    for left in outcome.left_out:
        writer.say(f"{left.scaffold}: left out; the last fault was {left.problem}")
    total = len(outcome.scaffolds) + len(outcome.left_out)
    writer.say(
        f"{writer.model} wrote {len(outcome.scaffolds)} of {total} scaffolds; {len(outcome.left_out)} left out"
    )
    return outcome


def _about(writer: Writer, written: int, left_out: int) -> AboutWriter:
    engine = {name: value for name, value in writer.identity.items() if name != "base_url"}
    return AboutWriter(
        model=writer.model,
        prompts=signature(),
        engine=engine,
        tries=writer.tries,
        asked=written + left_out,
        left_out=left_out,
    )


def _refuse_taken(folder: Path) -> None:
    """Before a model is asked for hours, see that there is room for what it writes."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise InputError(f"{folder}: already exists and is not empty; name a new folder")


def _offered(people: tuple[Culture, ...], unverified: bool) -> list[str]:
    """Kinds of cue that can be drawn for every culture.

    Raises:
        InputError: there are not enough of them for two slots that give nothing away.
    """
    offered = [kind for kind in kinds() if all(_has(culture.code, kind, unverified) for culture in people)]
    if len(offered) < _FEWEST_KINDS:
        raise InputError(
            f"the cultures have {len(offered)} kinds of cue in common; {_FEWEST_KINDS} are needed"
        )
    return offered


def _has(code: str, kind: str, unverified: bool) -> bool:
    data = load_file(code)
    return kind in data.rules or any(
        unverified or cue.source != UNVERIFIED for cue in data.cues.get(kind, ())
    )


def _concepts(wanted: tuple[str, ...] | None) -> tuple[Concept, ...]:
    for name in wanted or ():
        if name not in CONCEPTS:
            raise unknown("concept", name, CONCEPTS)
    return tuple(c for c in CONCEPTS if wanted is None or c in wanted)
