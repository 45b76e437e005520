"""Where raw files come from: one small table from ``--source`` names to functions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.sources import embedded, kaggle, local, synthetic
from competitions.sources.base import Raw, Request

if TYPE_CHECKING:
    from collections.abc import Callable

    from competitions.spec import Competition

__all__ = ["NAMES", "SOURCES", "Raw", "Request", "default_source", "refuse_others"]

SOURCES: dict[str, Callable[[Request], Raw]] = {
    "embedded": embedded.fetch,
    "kaggle": kaggle.fetch,
    "local": local.fetch,
    "miniature": synthetic.fetch,
}
_REFUSALS: dict[str, Callable[[Request], None]] = {
    "embedded": embedded.refuse_others,
    "kaggle": kaggle.refuse_others,
    "local": local.refuse_others,
    "miniature": synthetic.refuse_others,
}
# Data that MLE-bench prepared have no raw files to fetch; see `competitions.prepared.adopt`.
NAMES = (*SOURCES, "mlebench")


def refuse_others(request: Request, source: str | None) -> None:
    """Refuse a named source or folder that cannot serve the task, whatever is prepared already.

    Raises
    ------
    UsageError
        With the reason, as the source itself gives it.
    """
    if source is not None:
        _REFUSALS[source](request)
    elif request.raw is not None:
        local.refuse_others(request)


def default_source(spec: Competition, request: Request) -> str:
    """Say where raw files come from when nobody says it: a given or placed folder goes first."""
    if request.raw is not None:
        return "local"
    if spec.source.kind != "kaggle":
        return spec.source.kind
    return "local" if request.placed.is_dir() and any(request.placed.iterdir()) else "kaggle"
