"""What of an answer is judged: what stands outside its blocks of reasoning, behind the marker if it was asked for."""

from __future__ import annotations

import re
from functools import cache

# <think>, [THINK], ◁think▷, <|thought|>, <seed:think>, <|START_THINKING|>, <|begin_of_thought|>, <think budget="512">…
_WORD = (
    r"(?:think|thinking|thinks|thought|thoughts|reason|reasoning|analysis|reflection|scratchpad|inner_monologue"
    r"|chain_of_thought|cot|rationale)"
)
_LEFT, _RIGHT = r"(?:<\|?|\[|◁)\s{0,3}", r"(?:\s{1,3}[\w-]{1,20}=[^<>\n]{0,40})?\s{0,3}(?:\|?>|\]|▷)"
_TAG = re.compile(
    rf"(?P<close>{_LEFT}(?:/\s{{0,3}}(?:\w{{1,10}}:)?|end_(?:of_)?){_WORD}{_RIGHT}"
    r"|<\|channel\|>\s{0,3}final\s{0,3}(?:<\|[a-z]{1,12}\|>[^<>\n]{0,20}){0,2}<\|message\|>"
    r"|<channel\|>|<unused95>)"
    rf"|(?P<open>{_LEFT}(?:(?:begin_of_|begin_|start_|start_of_)|\w{{1,10}}:)?{_WORD}{_RIGHT}"
    r"|<\|channel\|>\s{0,3}(?:analysis|commentary)\b[^<>\n]{0,40}<\|message\|>"
    r"|<\|channel>\s{0,3}thought|<unused94>)",
    re.IGNORECASE,
)
_LEAKED = re.compile(r"\A\s{0,9}analysis(?=[A-Z\s])", re.ASCII)
_LEAKED_END = re.compile(r"assistant\s?(?:<\|channel\|>)?final(?:<\|message\|>)?", re.ASCII)


def judged_part(answer: str, marker: str | None = None) -> tuple[int, int] | None:
    """Start and end of what is judged: the last text outside reasoning blocks, after the marker.

    A reasoning block that never closes, or a marker that never comes, means that there is no answer. A closing tag
    without an opening one closes all that stands before it.
    """
    part = _outside(answer)
    if part is None or marker is None:
        return part
    after = [match.end() for match in _marked(marker).finditer(answer, *part)]
    return (after[-1], part[1]) if after else None


def _outside(answer: str) -> tuple[int, int] | None:
    if "<" not in answer and "[" not in answer and "◁" not in answer and "analysis" not in answer:
        return 0, len(answer)
    parts: list[tuple[int, int]] = []
    start, inside = 0, False
    for tag in _TAG.finditer(answer):
        if tag["open"]:
            if not inside:
                parts.append((start, tag.start()))
            inside = True
        else:
            if not inside:
                parts.clear()
            start, inside = tag.end(), False
    if inside:
        return None
    parts.append((start, len(answer)))
    if start == 0 and _LEAKED.match(answer):
        ends = list(_LEAKED_END.finditer(answer))
        return (ends[-1].end(), len(answer)) if ends else (0, len(answer))
    return next((p for p in reversed(parts) if not answer[slice(*p)].isspace() and p[0] < p[1]), parts[-1])


@cache
def _marked(marker: str) -> re.Pattern[str]:
    """The marker as models write it: with Markdown around it, or alone on its line without its colon."""
    words = r"\s{1,3}".join(re.escape(word) for word in marker.rstrip(":").split())
    dress = r"[*_`# ]{0,6}"
    return re.compile(rf"{dress}{words}{dress}(?::{dress}|(?=\n))", re.IGNORECASE)
