"""How many requests a server is given at once: more while it keeps up, fewer when it says or shows that it cannot."""

from __future__ import annotations

from statistics import median

START = 8
MOST = 256
_STEP = 8
"""Requests more in flight after each round of answers."""
_CLIMB = 4.0
"""A round this many times slower than the quickest one is too slow…"""
_GAIN = 1.25
"""…unless it brought at least this many times its answers a second."""


class Pace:
    """Additive increase, multiplicative decrease (Chiu and Jain 1989), as in TCP.

    A round is as many answers as there may be requests in flight. Each whole round raises the limit; a server that is
    busy (429, 503, a cut connection) halves it, once for all requests sent before the cut; so does a round whose median
    latency climbed far above the quickest round's with nothing gained, but never below the start, where the quickest
    round was measured.
    """

    def __init__(self, start: int = START, most: int = MOST) -> None:
        """Start with ``start`` requests in flight, and never have more than ``most``."""
        self.limit = min(start, most)
        self._start = self.limit
        self._most = most
        self._cuts = 0
        self._round: list[float] = []
        self._quickest: tuple[float, int] | None = None

    def sent(self) -> int:
        """A mark for a request that is sent now, to be handed back with what became of it."""
        return self._cuts

    def answered(self, mark: int, seconds: float) -> None:
        """The server answered a request in ``seconds``."""
        if mark != self._cuts:
            return  # it tells of the time before the cut
        self._round.append(seconds)
        if len(self._round) < self.limit:
            return
        now, self._round = median(self._round), []
        if self._quickest is None or now < self._quickest[0]:
            self._quickest = now, self.limit
        quick, limit = self._quickest
        if now > _CLIMB * quick and self.limit * quick < _GAIN * limit * now:
            self._cut(self._start)
        else:
            self.limit = min(self.limit + _STEP, self._most)

    def busy(self, mark: int) -> None:
        """The server had no time for a request."""
        if mark == self._cuts:
            self._cut(1)

    def _cut(self, least: int) -> None:
        self._cuts += 1
        self._round = []
        self.limit = min(self.limit, max(self.limit // 2, least))
