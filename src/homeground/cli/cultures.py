"""``homeground cultures list``, ``show`` and ``check``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from homeground.cli.show import add_json, print_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from homeground.cultures.facts import Facts
    from homeground.cultures.library import CultureFile


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    add_json(actions.add_parser("list", help="cultures, with what they expect"))
    show = actions.add_parser("show", help="all facts of a culture or territory, its cues, and their sources")
    show.add_argument("code", help="such as FR")
    add_json(show)
    check = actions.add_parser("check", help="say line by line what is wrong with a culture's file")
    check.add_argument("file", type=Path, help="a file such as PT.toml")
    add_json(check)


def call(arguments: Namespace) -> int:
    """List, show or check."""
    if arguments.action == "list":
        return _list(arguments)
    return _show(arguments) if arguments.action == "show" else _check(arguments)


def _list(arguments: Namespace) -> int:
    import msgspec

    from homeground.cultures import cue_kinds, cultures_of
    from homeground.cultures.facts import territory_codes
    from homeground.cultures.library import codes

    cultures = cultures_of("cldr", codes())
    for culture in cultures:
        if arguments.json:
            print_json(msgspec.to_builtins(culture) | {"cue_kinds": cue_kinds(culture.code)})
            continue
        expects = ", ".join(f"{c} {' or '.join(a)}" for c, a in culture.accepted.items())
        print(
            f"{culture.code:6} {culture.name} ({culture.kind}, {len(cue_kinds(culture.code))} kinds of cue)"
        )
        print(f"       {expects}")
    if not arguments.json:
        print(f"\nFacts without cues: {len(territory_codes())} territories; homeground cultures show CODE")
    return 0


def _show(arguments: Namespace) -> int:
    from homeground.cultures.facts import facts_of, territory_codes
    from homeground.cultures.library import codes, load_file
    from homeground.errors import unknown

    code = arguments.code
    if code not in (*codes(), *territory_codes()):
        raise unknown("culture", code, (*codes(), *territory_codes()))
    data = load_file(code) if code in codes() else None
    facts = facts_of(data.territory if data else code)
    if arguments.json:
        cues = {"cues": data.cues, "rules": data.rules} if data else {}
        print_json({"code": code, "kind": data.kind if data else "territory", "facts": facts} | cues)
        return 0
    if data and data.inherits:
        print(f"{code}  {data.name}: a {data.kind} with the facts of {data.inherits}")
    for line in (*_fact_lines(facts), *(_cue_lines(data) if data else ())):
        print(line)
    return 0


def _fact_lines(facts: Facts) -> Iterator[str]:
    import msgspec

    yield f"{facts.code}  {facts.name.value}"
    for concept, accepted in facts.accepted.items():
        for fact in accepted:
            yield f"  right for {concept}: {fact.value}  ({fact.source})"
    for usage, unit in facts.units.items():
        yield f"  unit for {usage}: {', '.join(unit.value)}  ({unit.source})"
    plain = msgspec.to_builtins(facts)
    for name in facts.__struct_fields__:
        fact = plain[name]
        if name in ("code", "name", "accepted", "units") or not fact:
            continue
        if isinstance(fact, (list, tuple)):
            for item in fact:
                yield f"  {name.replace('_', ' ')}: {_words(item)}"
        else:
            yield f"  {name.replace('_', ' ')}: {_words(fact['value'])}  ({fact['source']})"


def _words(value: Any) -> str:  # noqa: ANN401
    """A fact's value in words: its fields without the empty ones."""
    if isinstance(value, dict):
        known = {k: v for k, v in value.items() if v not in (None, "", [], (), {})}
        return ", ".join(f"{k.replace('_', ' ')} {_words(v)}" for k, v in known.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(_words(item) for item in value if item is not None)
    return str(value)


def _cue_lines(data: CultureFile) -> Iterator[str]:
    from homeground.cultures.strength import fits

    for kind, cues in data.cues.items():
        yield f"  cue {kind}:"
        for cue in cues:
            others = [code for code in fits(kind, cue.value) if code != data.code]
            also = f", fits {' '.join(others)} too" if others else ""
            yield f"    {cue.value}{also}  ({cue.source})"
    for kind, rule in data.rules.items():
        yield f"  cue {kind}: {' or '.join(rule.patterns)}  ({rule.source})"


def _check(arguments: Namespace) -> int:
    from homeground.cultures.check import check_file

    problems = check_file(arguments.file)
    if arguments.json:
        print_json({"file": str(arguments.file), "problems": problems})
        return 2 if problems else 0
    import sys

    for problem in problems:
        print(problem, file=sys.stderr)
    if not problems:
        print(f"{arguments.file}: no problems")
    return 2 if problems else 0
