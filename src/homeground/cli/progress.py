"""How far a run has come: a bar on the terminal, lines where there is none, and a log file for headless use."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING

from homeground.cli.show import console
from homeground.errors import EnvironmentProblem

if TYPE_CHECKING:
    from homeground.plan.forecast import Prices
    from homeground.runs.ask import Tally

_SECONDS = 10.0
"""Between two lines of the log."""
_MILLION = 1e6


class Progress:
    """A bar on standard error with rate, tokens, cost and the time left; a line a tenth where that is no terminal."""

    def __init__(self, prices: Prices | None = None, log: Path | None = None) -> None:
        """Draw nothing until the first call.

        Args:
            prices: of a million tokens, to see the cost so far.
            log: a file that lines are added to.

        Raises:
            EnvironmentProblem: the log cannot be written.
        """
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
        from rich.progress import Progress as Bar

        self._prices = prices
        self._log = _opened(log)
        self._console = console(stderr=True)
        self._bar = Bar(
            BarColumn(bar_width=16),
            MofNCompleteColumn(),
            TextColumn("{task.fields[said]}"),
            TimeRemainingColumn(),
            TextColumn("left"),
            console=self._console,
            transient=True,
            disable=not self._console.is_terminal,
        )
        self._task = self._bar.add_task("asking", total=None, said="")
        self._began = self._logged = time.monotonic()
        self._tenth: int | None = None

    def __call__(self, tally: Tally) -> None:
        """Follow ``run_benchmark``."""
        self._bar.start()
        said = self._said(tally)
        self._bar.update(self._task, completed=tally.done, total=tally.total, said=said)
        tenth = 10 * tally.done // max(tally.total, 1)
        if not self._console.is_terminal and tally.asked and tenth != self._tenth:
            self._console.print(
                f"asking: {tally.done} of {tally.total} prompts answered, {said}", soft_wrap=True
            )
            self._tenth = tenth
        now = time.monotonic()
        if self._log is not None and (
            now - self._logged >= _SECONDS or tally.done == tally.total or not tally.asked
        ):
            self._logged = now
            stamp = time.strftime("%Y-%m-%dT%H:%M:%S%z")
            self._log.write(f"{stamp} {tally.done} of {tally.total} answered, {said}\n")

    def _said(self, tally: Tally) -> str:
        """Rate, tokens, refusals and cost in a few words."""
        minutes = max(time.monotonic() - self._began, 1e-6) / 60
        parts = [
            f"{tally.asked / minutes:,.0f}/min",
            f"{_short(tally.prompt_tokens)}+{_short(tally.completion_tokens)} tokens",
        ]
        if tally.refused:
            parts.append(f"{tally.refused} refused")
        if self._prices is not None:
            spent = (
                tally.prompt_tokens * self._prices.prompt + tally.completion_tokens * self._prices.completion
            )
            parts.append(f"cost {spent / _MILLION:,.2f}")
        return ", ".join(parts)

    def close(self) -> None:
        """Remove the bar and close the log."""
        self._bar.stop()
        if self._log is not None:
            with contextlib.suppress(
                OSError
            ):  # a full disk: the log is a comfort, the answers are in the store
                self._log.close()


def _opened(log: Path | None) -> IO[str] | None:
    if log is None:
        return None
    try:
        return log.open("a", encoding="utf-8", buffering=1)
    except OSError as error:
        raise EnvironmentProblem(f"--log {log}: cannot be written: {error.strerror or error}") from error


def _short(count: int) -> str:
    """A count in a few characters: 950, 1.2k, 3.4M."""
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        if count >= size:
            return f"{count / size:.1f}{letter}"
    return str(count)
