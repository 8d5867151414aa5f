"""``homeground check``."""

from __future__ import annotations

import re
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from homeground.cli.show import add_json, print_json, say
from homeground.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from homeground.experiments.gate import Verdict
    from homeground.experiments.study import Study

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that an XML 1.0 file cannot hold."""


def arguments(parser: ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("runs", type=Path, nargs="+", metavar="RUN", help="runs' folders")
    parser.add_argument(
        "--require",
        action="append",
        default=[],
        metavar="EXPRESSION",
        help='what must hold, such as "question.implicit >= 0.8" (the low end of the interval counts), '
        '"question.implicit.FR value >= 80%%" or "[openai:MODEL/direct] gap.implicit <= 0.2"; once for each',
    )
    parser.add_argument(
        "--require-file", type=Path, metavar="FILE", help="a file of expressions, one a line, # for comments"
    )
    parser.add_argument("--junit", type=Path, metavar="FILE", help="write the verdicts as JUnit XML")
    parser.add_argument(
        "--markdown",
        type=Path,
        metavar="FILE",
        help="write them as a Markdown table, such as a step's summary",
    )
    add_json(parser)


def call(arguments: Namespace) -> int:
    """Say what is not met; exit code 1 where anything is not."""
    from homeground.experiments.gate import check
    from homeground.experiments.requirements import parse_requirement, read_requirements
    from homeground.experiments.study import open_study
    from homeground.files import write_whole

    required = [parse_requirement(text) for text in arguments.require]
    if arguments.require_file:
        required += read_requirements(arguments.require_file)
    if not required:
        raise InputError('check: nothing is required; give --require "question.implicit >= 0.8" or a file')
    study = open_study(arguments.runs)
    verdicts = check(study, required)
    if arguments.junit:
        write_whole(arguments.junit, junit(verdicts))
    if arguments.markdown:
        write_whole(arguments.markdown, markdown(verdicts, study.signature))
    for line in _missing(study):
        say(line)
    failed = [verdict for verdict in verdicts if not verdict.met]
    if arguments.json:
        print_json(
            {"met": not failed, "signature": study.signature, "verdicts": [_plain(one) for one in verdicts]}
        )
    else:
        for verdict in failed:
            print(f"not met: {_requirement(verdict)}: {_because(verdict)}")
        print(f"{len(verdicts) - len(failed)} of {len(verdicts)} met")
    return 1 if failed else 0


def _missing(study: Study) -> list[str]:
    """Runs that are not finished, since a gate speaks of all cells."""
    import numpy as np

    there = np.bincount(study.frame.run.codes, minlength=len(study.runs))
    return [
        f"{run.folder}: {len(run.cells) - count:,} of {len(run.cells):,} cells have no answer yet"
        for run, count in zip(study.runs, there.tolist(), strict=True)
        if count < len(run.cells)
    ]


def junit(verdicts: Sequence[Verdict]) -> str:
    """The verdicts as JUnit XML: a test case each, what could not be judged among the failures."""
    from xml.etree import ElementTree

    failed = sum(not verdict.met for verdict in verdicts)
    counts = {"tests": str(len(verdicts)), "failures": str(failed), "errors": "0", "skipped": "0"}
    root = ElementTree.Element("testsuites", {"name": "homeground", **counts})
    suite = ElementTree.SubElement(root, "testsuite", {"name": "homeground check", **counts})
    for verdict in verdicts:
        names = {"classname": _series(verdict) or "homeground", "name": str(verdict.requirement), "time": "0"}
        case = ElementTree.SubElement(suite, "testcase", {k: _xml(v) for k, v in names.items()})
        if verdict.met:
            ElementTree.SubElement(case, "system-out").text = _xml(_because(verdict))
        else:
            said = _xml(_because(verdict))
            kind = "not judged" if verdict.why else "not met"
            ElementTree.SubElement(case, "failure", {"message": said, "type": kind}).text = said
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def markdown(verdicts: Sequence[Verdict], signature: str) -> str:
    """The verdicts as a Markdown table, what is not met first."""
    from homeground.cli.compare import plain
    from homeground.report.examples import pictured

    failed = sum(not verdict.met for verdict in verdicts)
    lines = [
        f"### Homeground: {f'{failed} of {len(verdicts)} requirements not met' if failed else 'all requirements met'}",
        "",
        "| | requirement | series | seen |",
        "|---|---|---|---|",
    ]
    for verdict in sorted(verdicts, key=lambda verdict: verdict.met):
        cells = (str(verdict.requirement), _series(verdict) or "–", _because(verdict))
        lines.append(f"| {'met' if verdict.met else '**not met**'} | {' | '.join(map(plain, cells))} |")
    return "\n".join([*lines, "", f"<sub>{plain(pictured(signature))}</sub>", ""])


def _plain(verdict: Verdict) -> dict[str, object]:
    """The verdict as plain data, with the requirement as it is written."""
    from msgspec.structs import asdict

    return {**asdict(verdict), "requirement": str(verdict.requirement)}


def _requirement(verdict: Verdict) -> str:
    series = _series(verdict)
    return f"{verdict.requirement} ({series})" if series else str(verdict.requirement)


def _series(verdict: Verdict) -> str:
    from homeground.report.examples import pictured

    by = verdict.by
    run = f"{by['run']}: " if "run" in by else ""
    return pictured(run + "/".join(by[name] for name in ("model", "strategy") if name in by))


def _because(verdict: Verdict) -> str:
    """What was seen, or why nothing was."""
    from homeground.report.examples import pictured

    seen, e = verdict.seen, verdict.estimate
    if seen is None or verdict.why:
        return f"cannot be judged: {pictured(verdict.why)}"
    # As many digits as it takes to see on which side of the limit it is.
    shown = (f"{seen:.{digits}f}" for digits in range(4, 17))
    number = next(
        (n for n in shown if verdict.requirement.met_by(float(n)) == verdict.met), repr(seen)
    ).replace("-", "−")
    ends = ", no interval"
    if e.low is not None and e.high is not None:
        ends = f", interval {e.low:.4f} to {e.high:.4f}".replace("-", "−")
    bound = verdict.requirement.bound
    value = f"; estimate {e.value:.4f}".replace("-", "−") if bound != "value" else ""
    return f"{bound} is {number}{value}{ends}; {e.n:,} answers in {e.clusters:,} clusters"


def _xml(text: str) -> str:
    return _NOT_XML.sub("\ufffd", text)
