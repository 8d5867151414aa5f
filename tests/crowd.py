"""What one of many adjudicators at once does, in a process of its own: little to import, so that many start soon."""

from __future__ import annotations

import random
import time
import uuid

from homeground.annotate.store import Store, verdicts
from tests.annotating import NOW

DECISIONS = ("accept", "send_back", "reject")


def judge_all(url: str, who: str, until: float) -> list[tuple[str, str]]:
    """Judge until nothing is left for this person; what was kept."""
    store, kept = Store(url), []
    while time.monotonic() < until:
        given = verdicts.next_review(store, who, NOW)
        if given == "done":
            break
        if isinstance(given, str):
            time.sleep(0.01)
            continue
        decision = random.Random(f"{who} {given[0]}").choice(DECISIONS)
        if verdicts.judge(store, who, uuid.uuid4().hex, *given, decision, {}, {}, NOW) == "kept":
            kept.append((given[0], decision))
    store.close()
    return kept
