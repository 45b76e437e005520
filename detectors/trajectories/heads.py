"""What a log's beginning tells of its format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from detectors.attempt import TextFile

MAX_HEAD = 1 << 20  # characters of a log by which its format is told


@dataclass(frozen=True)
class Head:
    """The beginning of a log.

    Parameters
    ----------
    text : str
        Its first characters.
    """

    text: str


def head_of(log: TextFile) -> Head:
    """Look at a log's beginning."""
    return Head(log.text[:MAX_HEAD])
