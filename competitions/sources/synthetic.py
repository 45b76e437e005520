"""Miniature raw files made from the task's YAML, for trials without the real data."""

from __future__ import annotations

from competitions.errors import RefusedError, UsageError
from competitions.miniature import has_miniature, is_miniature, write_miniature
from competitions.sources.base import Raw, Request


def refuse_others(request: Request) -> None:
    """Refuse a call that this source cannot serve.

    Raises
    ------
    UsageError
        When the task has no miniature, or `--raw` is given.
    """
    spec = request.spec
    if not has_miniature(spec):
        raise UsageError(
            f"{spec.id} has no miniature.", f"Prepare it with: mle-audit prepare -c {spec.id}"
        )
    if request.raw is not None:
        raise RefusedError("--raw goes with --source local; a miniature is made from nothing.")


def fetch(request: Request) -> Raw:
    """Make a miniature in our scratch folder.

    Raises
    ------
    UsageError
        See `refuse_others`.
    RefusedError
        When the data directory holds raw files that are no miniature: the two must not mix.
    """
    refuse_others(request)
    placed = request.placed
    if placed.is_dir() and any(placed.iterdir()) and not is_miniature(placed):
        raise RefusedError(
            f"{placed} holds raw files that are no miniature.",
            "Give miniatures a data directory of their own: --data-dir DIR",
        )
    write_miniature(request.spec, request.scratch, request.seed)
    return Raw(request.scratch, "miniature")
