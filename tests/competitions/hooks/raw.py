"""A task prepared from a miniature of raw files that a test may have changed before."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions import spec
from competitions.miniature import write_miniature
from competitions.prepare import prepare

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from competitions.spec import Variant


def prepared_from(
    folder: Path,
    competition_id: str,
    change: Callable[[Path], object] | None = None,
    variant: Variant = "v1",
) -> tuple[Path, Path]:
    """Write a miniature, let `change` do something to it, prepare it; its raw and its data."""
    task = spec.load(competition_id, variant)
    write_miniature(task, folder / "raw", 0)
    if change is not None:
        change(folder / "raw")
    return folder / "raw", prepare(task, folder / "data", "local", folder / "raw").folder
