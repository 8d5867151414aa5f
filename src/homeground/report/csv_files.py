"""The tables as CSV; every row carries the run's signature."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

from homeground.report.answers import Depths, Kinds, Options
from homeground.report.tables import Acted, Row
from homeground.schema import Estimate


def rows_csv(rows: Iterable[Row], signature: str) -> str:
    """Rows as CSV; every row carries the run's signature."""
    return _csv(
        ["model", "strategy", "task", "level", "group", "accuracy", "low", "high", "se", "n", "clusters",
         "published", "hedged", "lenient", "value_right", "valued", "floor", "signature"],
        (
            [
                *r.series, r.task, r.level, r.group, *_numbers(r.estimate),
                *(_share(share) for share in (r.published, r.hedged, r.lenient, r.value_right)), r.valued,
                _share(r.floor), signature,
            ]
            for r in rows
        ),
    )  # fmt: skip


def acted_csv(rows: Iterable[Acted], signature: str) -> str:
    """Gaps and shares acted on, as CSV."""
    return _csv(
        ["model", "strategy", "level", "gap", "gap_low", "gap_high", "gap_se", "n", "clusters",
         "only_background", "only_question", "acted", "acted_low", "acted_high", "acted_se", "acted_n",
         "acted_clusters", "published_gap", "published_acted", "signature"],
        (
            [
                *r.series, r.level, *_numbers(r.gap.estimate), r.gap.only_first, r.gap.only_second,
                *_numbers(r.acted), _share(r.published_gap), _share(r.published_acted), signature,
            ]
            for r in rows
        ),
    )  # fmt: skip


def options_csv(rows: Iterable[Options], signature: str) -> str:
    """Options chosen, as CSV."""
    return _csv(
        ["model", "strategy", "concept", "level", "option", "count", "signature"],
        (
            [*r.series, r.concept, r.level, option, count, signature]
            for r in rows
            for option, count in sorted(r.counts.items())
        ),
    )


def kinds_csv(rows: Iterable[Kinds], signature: str) -> str:
    """Kinds of answer, as CSV."""
    return _csv(
        ["model", "strategy", "level", "culture", "kind", "count", "signature"],
        (
            [*r.series, r.level, r.culture, kind, count, signature]
            for r in rows
            for kind, count in r.counts.items()
        ),
    )


def depths_csv(rows: Iterable[Depths], signature: str) -> str:
    """Depths of reasoning, as CSV."""
    return _csv(
        ["model", "strategy", "level", "depth", "count", "signature"],
        ([*r.series, r.level, depth, count, signature] for r in rows for depth, count in r.counts.items()),
    )


def _share(share: float | None) -> str:
    return "" if share is None else f"{share:.6f}"


def _numbers(estimate: Estimate) -> list[str]:
    shares = (estimate.value, estimate.low, estimate.high, estimate.se)
    return [*(_share(value) for value in shares), str(estimate.n), str(estimate.clusters)]


def _csv(header: list[str], rows: Iterable[Sequence[object]]) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    return file.getvalue()
