"""Miniature raw files made from the task's YAML, for trials without the real data."""

from __future__ import annotations

from competitions.errors import RefusedError
from competitions.miniature import is_miniature, write_miniature
from competitions.sources.base import Raw, Request


def fetch(request: Request) -> Raw:
    """Make a miniature in our scratch folder.

    Raises
    ------
    RefusedError
        When the data directory holds raw files that are no miniature: the two must not mix.
    """
    placed = request.placed
    if placed.is_dir() and any(placed.iterdir()) and not is_miniature(placed):
        raise RefusedError(
            f"{placed} holds raw files that are no miniature.",
            "Give miniatures a data directory of their own: --data-dir DIR",
        )
    write_miniature(request.spec, request.scratch, request.seed)
    return Raw(request.scratch, "miniature")
