"""What two agents reached on a task, as rows for a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audit.counterexample import means_of
from audit.counterexample_separation import Estimate, estimated

if TYPE_CHECKING:
    from collections.abc import Sequence

    from audit.counterexample_agents import Attempted
    from audit.counterexample_separation import Separation

_Row = tuple[str, str | float, str | float | None]


def rows_of(found: Separation) -> list[_Row]:
    """Return facts with what holds for the naive and for the careful agent."""
    naive, careful = means_of(found)
    rows: list[_Row] = [
        ("folds", _said(found, "folds", "naive"), _said(found, "folds", "careful")),
        ("model", _said(found, "chosen", "naive"), _said(found, "chosen", "careful")),
        ("local score", naive.local, careful.local),
        ("hidden score", naive.hidden, careful.hidden),
        ("gap", _shown(found.gap), _shown(_gap(found, [r.careful for r in found.own]))),
        ("regret", _shown(found.regret), None),
    ]
    if found.fresh:
        rows.append(("regret on this task", _shown(estimated(found.regrets(found.own))), None))
    rows += [
        ("pass line", found.line, None),
        ("passes in", _passes(found, "naive"), _passes(found, "careful")),
    ]
    return rows


def _gap(found: Separation, side: Sequence[Attempted]) -> Estimate:
    return estimated([found.sign * (one.local - one.hidden) for one in side])


def _said(found: Separation, field: str, agent: str) -> str:
    values = [getattr(getattr(r, agent), field) for r in found.own]
    return ", ".join(dict.fromkeys(values))


def _passes(found: Separation, agent: str) -> str:
    hidden = [getattr(r, agent).hidden for r in found.own]
    return f"{sum(map(found.passes, hidden))} of {len(hidden)} runs"


def _shown(estimate: Estimate) -> str:
    return f"{estimate.mean:.4g} [{estimate.low:.4g}, {estimate.high:.4g}]"
