"""The table of the positive control, for people and as JSON."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from audit.console import table as laid_out
from detectors.familiarity.metrics import METRICS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.familiarity.twins import SelftestTable

_NO_TRUST = "The positive control failed: no verdict of familiarity is to be trusted here."


def lines(table: SelftestTable) -> Iterator[str]:
    """Yield the table, the null rates, and each target that was missed."""
    documents = sorted({r.documents for r in table.rows})
    exposures = sorted({r.exposures for r in table.rows})
    asked = [(n, times) for n in documents for times in exposures]
    head = ["AUC", *(f"{times}x" + (f", {n} texts" if n > 1 else "") for n, times in asked)]
    cells = [
        [
            METRICS[name].label,
            *(f"{table.row(name, times, n).auc:.3f}" for n, times in asked),
            f"{table.row(name, exposures[0]).placebo:.3f}",
        ]
        for name in dict.fromkeys(r.metric for r in table.rows)
    ]
    yield laid_out([*head, "placebo"], cells)
    yield ""
    for name, rate in table.null_rate.items():
        share = table.false_discoveries[name]
        yield (
            f"{METRICS[name].label}: {rate:.1%} of unseen texts familiar at .05; of what is found "
            f"at q = .1, {share:.1%} unseen"
        )
    yield (
        f"{table.n_parameters:,} parameters, seed {table.seed}; model and reference correlate by "
        f"{table.correlation:.2f} on unseen texts"
    )
    if table.passed:
        yield "Every target is met."
    else:
        yield from table.misses
        yield _NO_TRUST


def as_json(table: SelftestTable) -> str:
    """Return the same as a JSON object, with ``passed`` and ``misses``."""
    found = {**asdict(table), "passed": table.passed, "misses": table.misses}
    return json.dumps(found, indent=2)
