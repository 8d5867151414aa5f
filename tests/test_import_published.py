"""The published conversations: a round trip gives every text back; what does not fit is named."""

import json
import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from homeground.benchmarks import Benchmark, load_benchmark
from homeground.benchmarks.check import check_benchmark
from homeground.benchmarks.folder import NO_DESCRIPTION
from homeground.benchmarks.import_published import import_published
from homeground.benchmarks.published_records import PublishedFiles, Version, country, read_mapping
from homeground.benchmarks.recovery import Siblings, cut
from homeground.dialogues import conversation
from homeground.errors import InputError
from homeground.prompts import closing_question
from homeground.schema import DIALOGUE_KINDS, LEVELS, Culture, Level, Turn
from tests.test_imports import command, picture

UK = {"GB": "UK", "US": "USA", "FR": "France", "JP": "Japan"}
KINDS = {"chitchat": "chit-chat", "information": "info_seek", "support": "Customer Support"}
NAMES = {
    "null": "Null", "neutral": "Neutral", "cue1": "ImplicitCue1", "cue2": "ImplicitCue2", "implicit": "ImplicitFull",
    "explicit": "ExplicitFull",
}  # fmt: skip


@pytest.fixture(scope="module")
def built(benchmark: Benchmark) -> Benchmark:
    """A part of our own benchmark: three scenes of three concepts, four cultures."""
    scenes = [
        scene
        for concept in ("price", "size", "quantifier")
        for scene in [s for s in benchmark.scenes.values() if s.concept == concept][:3]
    ]
    names = {scene.id for scene in scenes}
    scaffolds = [s for s in benchmark.scaffolds.values() if s.scene in names]
    kept = {scaffold.id for scaffold in scaffolds}
    return Benchmark(
        benchmark.folder,
        benchmark.about,
        tuple(culture for code, culture in benchmark.cultures.items() if code in UK),
        tuple(scenes),
        tuple(scaffolds),
        tuple(p for p in benchmark.cues.values() if p.scaffold in kept and p.culture in UK),
    )


def keyed(turns: tuple[Turn, ...]) -> dict[str, str]:
    """Turns as published: ``user_1, chatbot_1, …``, each speaker counted apart where two of a kind meet."""
    number, out, last = 0, {}, ""
    for turn in turns:
        number += turn.speaker == "user" or turn.speaker == last
        out[f"{turn.speaker}_{number}"] = turn.text
        last = turn.speaker
    return out


def published(benchmark: Benchmark, levels: tuple[Level, ...] = LEVELS) -> Iterator[dict[str, object]]:
    """Our conversations as records of the published shape, one a conversation and level."""
    for (name, code), pair in benchmark.cues.items():
        scaffold = benchmark.scaffolds[name]
        for level in levels:
            closing = closing_question(scaffold.concept)
            turns = conversation(scaffold, benchmark.cultures[code], pair, level, closing)
            yield {
                "conv_id": f"{name}/{code}",
                "dimension": scaffold.concept.replace("_", " ").title(),
                "background": UK.get(code, benchmark.cultures[code].name),
                "conv_type": KINDS[scaffold.kind],
                "variation": NAMES[level],
                "image_id": scaffold.scene,
                "image_path": benchmark.scenes[scaffold.scene].image,
                "cue1": pair.cues[0].value,
                "cue2": pair.cues[1].value,
                "cue1_type": pair.cues[0].kind,
                "cue2_type": pair.cues[1].kind,
                "template_id": scaffold.template,
                "conversation": keyed(turns),
            }


@pytest.fixture
def download(tmp_path: Path, built: Benchmark) -> Path:
    folder = tmp_path / "download"
    (folder / "images").mkdir(parents=True)
    for scene in built.scenes.values():
        shutil.copyfile(built.folder / scene.image, folder / scene.image)
    (folder / "data.jsonl").write_text("".join(json.dumps(r) + "\n" for r in published(built)))
    return folder


def rewrite(download: Path, change: Callable[[dict[str, Any]], dict[str, Any] | None]) -> None:
    """Every record of a download changed by a function; ``None`` drops it."""
    path = download / "data.jsonl"
    records = [json.loads(line) for line in path.read_text().splitlines()]
    changed = [c for r in records if (c := change(r)) is not None]
    path.write_text("".join(json.dumps(r) + "\n" for r in changed))


def texts(benchmark: Benchmark) -> dict[tuple[str, str, str], tuple[Turn, ...]]:
    return {
        (name, code, level): conversation(
            benchmark.scaffolds[name], benchmark.cultures[code], pair, level, "?"
        )
        for (name, code), pair in benchmark.cues.items()
        for level in LEVELS
    }


def test_a_round_trip_gives_the_same_benchmark(download: Path, built: Benchmark, tmp_path: Path) -> None:
    result = import_published(download, tmp_path / "back")
    assert result.left_out == result.problems == ()
    back = load_benchmark(tmp_path / "back")
    assert {s.source for s in back.scaffolds.values()} == {"published"}
    as_built = {k: msgspec.structs.replace(s, source="hand-written") for k, s in back.scaffolds.items()}
    assert as_built == built.scaffolds
    assert back.cultures == built.cultures
    assert {k: [c.value for c in p.cues] for k, p in back.cues.items()} == {
        k: [c.value for c in p.cues] for k, p in built.cues.items()
    }
    assert texts(back) == texts(built)
    for name, scene in back.scenes.items():
        same = built.scenes[name]
        assert (scene.concept, scene.image_sha256) == (same.concept, same.image_sha256)
        assert scene.description == NO_DESCRIPTION
    assert check_benchmark(tmp_path / "back").problems == ()


def test_without_cue_values_every_text_is_still_the_same(
    download: Path, built: Benchmark, tmp_path: Path
) -> None:
    rewrite(download, lambda r: {k: v for k, v in r.items() if not k.startswith("cue")})
    result = import_published(download, tmp_path / "back")
    assert result.left_out == result.problems == ()
    assert texts(load_benchmark(tmp_path / "back")) == texts(built)


def test_other_shapes_and_names_are_read(download: Path, built: Benchmark, tmp_path: Path) -> None:
    """One record a conversation with all variations, nested names, sorted keys, empty turns, as JSON splits."""
    merged: dict[str, dict[str, object]] = {}
    for record in published(built):
        one = merged.setdefault(str(record["conv_id"]), {
            "meta": {"topic": record["dimension"], "who": str(record["background"]).lower()},
            "style": record["conv_type"], "picture": {"path": record["image_path"], "bytes": None}, "texts": {},
        })  # fmt: skip
        turns = dict.fromkeys((f"chatbot_{n}" for n in range(1, 12)), None) | record["conversation"]  # type: ignore[operator]
        level = str(record["variation"]).replace("ImplicitFull", "v9")
        one["texts"][level] = dict(sorted(turns.items()))  # type: ignore[index]
    (download / "data.jsonl").unlink()
    (download / "data.json").write_text(json.dumps({"train": [{"id": k} | v for k, v in merged.items()]}))
    (download / "info.json").write_text('{"citation": "…"}')
    (download / "map.toml").write_text(
        '[fields]\nconcept = "meta.topic"\nculture = ["nation", "meta.who"]\nkind = "style"\nconversation = "texts"\n'
        'image = "picture.path"\n[values]\nv9 = "implicit"\n'
    )
    result = import_published(download, tmp_path / "back", mapping=download / "map.toml")
    assert result.left_out == ("info.json: holds no conversations",)
    assert result.problems == ()
    back = texts(load_benchmark(tmp_path / "back"))
    assert sorted(map(repr, back.values())) == sorted(map(repr, texts(built).values()))


def test_the_whole_benchmark_comes_back(benchmark: Benchmark, tmp_path: Path) -> None:
    shutil.copytree(benchmark.folder / "images", tmp_path / "download" / "images")
    lines = (json.dumps(record) for record in published(benchmark, ("neutral", "implicit")))
    (tmp_path / "download" / "data.jsonl").write_text("\n".join(lines))
    result = import_published(tmp_path / "download", tmp_path / "back")
    assert (result.left_out, result.problems) == ((), ())
    assert result.conversations == len(benchmark.cues)
    back = load_benchmark(tmp_path / "back")
    assert {name: s.turns for name, s in back.scaffolds.items()} == {
        name: s.turns for name, s in benchmark.scaffolds.items()
    }
    assert texts(back) == texts(benchmark)


def test_what_does_not_fit_is_named_and_left_out(
    download: Path, built: Benchmark, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [s for s in built.scaffolds if (s, "JP") in built.cues]
    changes: dict[tuple[str, str], Callable[[dict[str, Any]], object]] = {
        (names[0], "JP"): lambda r: r["conversation"].update(chatbot_1="Konnichiwa!"),
        (names[1], "JP"): lambda r: r["conversation"].pop("chatbot_1"),
        (names[2], "JP"): lambda r: r.update(background="Atlantis"),
        (names[3], "JP"): lambda r: r.update(background="Portugal"),
        (names[4], "JP"): lambda r: r.update(dimension="knots"),
        (names[5], "JP"): lambda r: r.update(conv_type="quarrel"),
        (names[6], "JP"): lambda r: r.update(variation="shouted"),
        (names[7], "JP"): lambda r: r.update(background="France"),
        (names[8], "JP"): lambda r: r.update(image_path=r["image_path"] + "x"),
    }
    said = (
        "not ", "turns, but the neutral", "unknown culture 'Atlantis'", "culture PT is not in protocol capri",
        "unknown concept 'knots'", "unknown kind 'quarrel'", "unknown level 'shouted'", "stands twice for FR",
        "another picture or concept",
    )  # fmt: skip

    def change(record: dict[str, Any]) -> dict[str, Any]:
        name, _, code = record["conv_id"].rpartition("/")
        if record["variation"] == "ImplicitFull" and (name, code) in changes:
            changes[name, code](record)
        return record

    rewrite(download, change)
    assert command("published", download, "-o", tmp_path / "back", "--json") == 1
    out, err = capsys.readouterr()
    result = json.loads(out)
    assert len(result["left_out"]) >= len(changes)
    for name, words in zip(names, said, strict=False):
        assert any(line.startswith(f"{name}/JP: ") and words in line for line in result["left_out"]), (
            name,
            err,
        )
        assert f"homeground: left out: {name}/JP: " in err
        assert f"- {name}/JP: " in (tmp_path / "back" / "README.md").read_text()
        assert any(name in problem and "misses cues for JP" in problem for problem in result["problems"])
    back = load_benchmark(tmp_path / "back")
    assert built.cues.keys() - back.cues.keys() == {
        (name, "JP") for name, _ in zip(names, said, strict=False)
    }
    assert result["conversations"] == len(back.cues)


def test_levels_that_read_otherwise_are_counted(download: Path, built: Benchmark, tmp_path: Path) -> None:
    def change(record: dict[str, Any]) -> dict[str, Any] | None:
        turns = record["conversation"]
        if record["variation"] == "ExplicitFull":
            turns["user_1"] = "I am from afar. " + turns["user_1"]
        if record["variation"] == "ImplicitFull" and record["background"] == "USA":
            turns[max(turns, key=lambda k: int(k.partition("_")[2]))] = "How much is it?"
        return record if record["variation"] != "ImplicitCue1" else None

    rewrite(download, change)
    problems = import_published(download, tmp_path / "back").problems
    assert len(problems) == 4
    assert sum("close with 2 different questions" in problem for problem in problems) == 3
    total = len(built.cues)
    assert f"level explicit: {total} of {total} conversations read otherwise when published" in problems[-1]


def test_missing_fields_are_named_with_their_records(
    download: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def change(record: dict[str, Any]) -> dict[str, Any]:
        del record["conv_type"]
        if record["variation"] in ("Neutral", "Null"):
            del record["background"]  # nobody's, so nothing is missing
        if record["variation"] == "ImplicitCue2":
            del record["variation"]
        return record

    rewrite(download, change)
    assert command("published", download, "-o", tmp_path / "back") == 2
    out, err = capsys.readouterr()
    assert out == ""
    first, second = err.splitlines()
    assert "data.jsonl: field kind (looked for: kind, conversation_type, conv_type, " in first
    assert re.search(r"is missing in record 2, 3, 4 and \d+ more", first)
    assert "field level" in second
    assert "is missing in record 4, 10, 16 and" in second
    assert not (tmp_path / "back").exists()


def test_pictures_must_be_there_and_png(
    download: Path, built: Benchmark, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one, two, three = list(built.scenes)[:3]
    for name in (one, two):
        (download / "images" / f"{name}.png").unlink()
        picture(download / "images" / f"{name}.jpg", 5, "JPEG")
    picture(tmp_path / "elsewhere.png", 7)

    def change(record: dict[str, Any]) -> dict[str, Any]:
        if record["image_id"] in (one, two):
            record["image_path"] = record["image_path"].replace(".png", ".jpg")
        if record["image_id"] == three:
            record["image_path"] = "../elsewhere.png"
        return record

    rewrite(download, change)
    assert command("published", download, "-o", tmp_path / "back") == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 3
    assert "JPEG, not PNG; convert it to PNG" in lines[0]
    assert "lies outside" in lines[2]
    # What was converted beside its JPEG is found.
    picture(download / "images" / f"{one}.png", 5)
    picture(download / "images" / f"{two}.png", 6)
    rewrite(download, lambda r: None if r["image_id"] == three else r)
    assert command("published", download, "-o", tmp_path / "back") == 0
    assert one in load_benchmark(tmp_path / "back").scenes


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("a.json", "[{]", "a.json: not valid JSON"),
        ("a.jsonl", '{"id": 1}\n[1]\n', "a.jsonl:2: "),
        ("a.json", '[{"messages": [], "mood": 1}]', "whose fields are messages, mood"),
        ("a.parquet", "PAR1", "in 0 JSON or JSON Lines files"),
        ("map.toml", '[fields]\nconcpt = "x"', "unknown field 'concpt' (did you mean concept?)"),
        ("map.toml", "[words]\na = 1", "map.toml: Object contains unknown field words"),
    ],
)
def test_downloads_that_are_none(tmp_path: Path, name: str, text: str, said: str) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / name).write_text(text)
    mapping = tmp_path / "in" / name if name == "map.toml" else None
    with pytest.raises(InputError, match=re.escape(said)):
        import_published(tmp_path / "in", tmp_path / "out", mapping=mapping)
    assert [p.name for p in tmp_path.iterdir()] == ["in"]


def test_a_used_folder_is_left_alone(download: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = sorted(download.rglob("*"))
    assert command("published", download, "-o", download) == 2
    assert "already exists and is not empty" in capsys.readouterr().err
    assert sorted(download.rglob("*")) == before


@pytest.mark.parametrize(
    ("text", "code"),
    [("UK", "GB"), ("us", "US"), ("the United States", "US"), ("South_Korea", "KR"), ("IN", "IN"), ("Indian", "IN"),
     ("iran", "IR"), ("china", "CN"), ("Atlantis", None), ("", None)],
)  # fmt: skip
def test_countries(text: str, code: str | None) -> None:
    assert country(text) == code


# ---- slots --------------------------------------------------------------------------------------

WORDS = st.text("ab é,.{}1", min_size=1, max_size=8).map(str.strip).filter(bool)
CODES = ("US", "FR", "JP")


@st.composite
def families(draw: st.DrawFn) -> tuple[list[Turn], tuple[int, int], list[tuple[str, str]], bool]:
    """Turns with a slot in each of two user turns, fills for the neutral version and each culture."""
    length = 2 * draw(st.integers(3, 5))
    texts = draw(st.lists(WORDS, min_size=length, max_size=length))
    one = draw(st.integers(0, length // 2 - 3))
    two = draw(st.integers(one + 1, length // 2 - 2))
    turns = [Turn(speaker="chatbot" if i % 2 else "user", text=text) for i, text in enumerate(texts)]
    fills = draw(st.lists(st.tuples(WORDS, WORDS), min_size=4, max_size=4))
    return turns, (2 * one, 2 * two), fills, draw(st.booleans())


@given(families(), WORDS, WORDS)
def test_recovered_slots_give_every_text_back(
    family: tuple[list[Turn], tuple[int, int], list[tuple[str, str]], bool], before: str, after: str
) -> None:
    turns, slots, fills, named = family

    def filled(pair: tuple[str, str]) -> tuple[Turn, ...]:
        made = list(turns)
        for slot, fill in zip(slots, pair, strict=True):
            made[slot] = Turn(speaker="user", text=f"{before} {fill}{after}")
        return tuple(made)

    told: list[tuple[str, Level, tuple[str, str]]] = [("", "neutral", fills[0])]
    told += [(code, "implicit", fill) for code, fill in zip(CODES, fills[1:], strict=True)]
    versions = [
        Version(
            code, "price", code, "support", level, filled(pair), "scene", "scaffold",
            dict.fromkeys(("template", "cue1", "cue2", "cue1_kind", "cue2_kind"), "")
            | ({"cue1": pair[0], "cue2": pair[1]} if named and level == "implicit" else {}),
        )
        for code, level, pair in told
    ]  # fmt: skip
    siblings = Siblings(versions[0])
    assert [siblings.add(version) for version in versions] == [None] * 4
    left_out: list[str] = []
    made = siblings.recover(left_out)
    there = {pair.culture: pair for pair in made.pairs} if made else {}
    assert there.keys() | {line.partition(":")[0] for line in left_out} == set(CODES)
    assert len(there) + len(left_out) == len(CODES)
    for version in versions[1:]:
        if made and version.culture in there:
            who = Culture(code=version.culture, name="x", accepted={})
            pair = there[version.culture]
            assert conversation(made.scaffold, who, pair, "implicit", "?")[:-1] == version.turns
            assert conversation(made.scaffold, who, pair, "neutral", "?")[:-1] == versions[0].turns
            assert all(cue.value for cue in pair.cues)
            assert all(slot.neutral for slot in made.scaffold.slots)
    if not made:
        braces = any("{cue" in turn.text for version in versions for turn in version.turns)
        unlike = any(all(a != b for a, b in zip(fills[0], fill, strict=True)) for fill in fills[1:])
        assert braces or not unlike


@pytest.mark.parametrize(
    ("base", "others", "around"),
    [
        ("I am Sam.", [("I am Sara.", "")], ("I am ", ".")),
        ("sold at a shop", [("sold at amazon", ""), ("sold at allegro", "")], ("sold at ", "")),
        ("it is the name on file", [("it is the Sun", "")], ("it is the ", "")),
        ("it is the name on file", [("it is the Sun", "the Sun")], ("it is ", "")),
        ("at a shop, ok", [("at, ok", "")], ("", ", ok")),
        ("a b", [("a Kim b", "")], ("", "b")),
        ("No. Me, no.", [("No. No, no.", "No")], ("No. ", ", no.")),
        ("call me", [("call", "")], ("", "")),
    ],
)
def test_slots_are_whole_words(base: str, others: list[tuple[str, str]], around: tuple[str, str]) -> None:
    assert cut(base, others) == around


def test_mapping_has_every_field_that_is_used() -> None:
    names = read_mapping(None).fields
    assert {"concept", "culture", "kind", "level", "conversation", "image", "cue1", "cue2"} <= names.keys()
    assert set(DIALOGUE_KINDS) < set(read_mapping(None).values.values()) | {"chitchat"}
    with pytest.raises(InputError, match="no such folder"):
        PublishedFiles(Path("/nowhere"), read_mapping(None)).versions()
