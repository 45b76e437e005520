"""The table of the positive control for people, as JSON, as plots and as a page."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING

from audit.console import table as laid_out
from detectors.familiarity.metrics import METRICS
from detectors.familiarity.twins import HEADLINE, PLACEBO, WITHOUT_REFERENCE
from reports.curves import Curve, Frame, curves, rows
from reports.figures import Figure, render_figures

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from detectors.familiarity.twins import SelftestTable

_LEADING = (HEADLINE, WITHOUT_REFERENCE, "mean-probability")  # stand out in plots, in this order
_CAPTIONS = {
    "auc": "Single texts told from unseen ones, by how often they were seen",
    "placebo": "What is told apart by a model that has seen none of them",
    "power": "What is found at .05",
}
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


def plots(table: SelftestTable) -> dict[str, str]:
    """Return the plots as SVG files by name: ``auc``, ``placebo`` and ``power``."""
    others = dict.fromkeys(r.metric for r in table.rows if r.metric not in _LEADING)
    names = [*_LEADING, *others]
    times = sorted({r.exposures for r in table.rows})
    places = [f"{n}×" for n in times]
    found = [Curve(METRICS[name].label, [table.row(name, n).auc for n in times]) for name in names]
    placebo = [(METRICS[name].label, table.row(name, times[0]).placebo) for name in names]
    often = "times that the model has read a text"
    band = (0.5 - PLACEBO, 0.5 + PLACEBO)
    by_chance = "AUC; the band is what chance is allowed"
    return {
        "auc": curves(found, places, Frame(_CAPTIONS["auc"], often, "AUC", 0.5)),
        "placebo": rows(placebo, band, Frame(_CAPTIONS["placebo"], by_chance, "", 0.5)),
        "power": curves(
            list(_powers(table, times)),
            places,
            Frame(_CAPTIONS["power"], often, "share found at .05", 0.05),
        ),
    }


def _powers(table: SelftestTable, times: Sequence[int]) -> Iterator[Curve]:
    """Yield the power on tasks of several texts and single texts, best method first."""
    most = max(r.documents for r in table.rows)
    for name, documents in (
        (HEADLINE, most),
        (WITHOUT_REFERENCE, most),
        (_LEADING[2], most),
        *((metric, 1) for metric in _LEADING),
    ):
        what = f"{most} texts" if documents > 1 else "one text"
        short = METRICS[name].label.partition(" (")[0]
        yield Curve(f"{short}, {what}", [table.row(name, n, documents).power for n in times])


def page(table: SelftestTable) -> str:
    """Return a page with the plots, and every figure in a table."""
    figures = [Figure(svg, _CAPTIONS[name]) for name, svg in plots(table).items()]
    head = ("metric", "times seen", "texts a task", "AUC", "placebo", "found at .05")
    cells = [
        (
            METRICS[r.metric].label,
            str(r.exposures),
            str(r.documents),
            f"{r.auc:.3f}",
            f"{r.placebo:.3f}",
            f"{r.power:.0%}",
        )
        for r in table.rows
    ]
    said = ["Every target is met."] if table.passed else [*table.misses, _NO_TRUST]
    title = f"Positive control of familiarity, seed {table.seed}"
    return render_figures(title, said, figures, head, cells)
