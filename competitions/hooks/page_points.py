"""Characters on pages: boxes in the answers, points in submissions, and a point for each box."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.errors import RawDataError
from competitions.hooks import Hooks
from competitions.splits import Parts

if TYPE_CHECKING:
    import pandas as pd

    from competitions.spec import Competition

_WORDS = 5  # label x y width height


def points_in(boxes: str) -> str:
    """Turn each ``label x y width height`` into ``label x+1 y+1``, a point inside the box.

    Raises
    ------
    RawDataError
        When words are left over, or x and y are no whole numbers.

    Examples
    --------
    >>> points_in("U+306F 10 20 30 40 U+304C 1 2 3 4")
    'U+306F 11 21 U+304C 2 3'
    """
    words = boxes.split()
    try:
        points = [
            f"{label} {int(x) + 1} {int(y) + 1}"
            for label, x, y, _, _ in zip(*[iter(words)] * _WORDS, strict=True)
        ]
    except ValueError:
        said = " ".join(words[:_WORDS])
        raise RawDataError(
            f"labels: expected label, x, y, width and height of each box, found {said!r} and so on."
        ) from None
    return " ".join(points)


def rows(spec: Competition, parts: Parts) -> Parts:
    """Give the test part ``points``, a perfect submission."""
    boxes = parts.test[spec.targets[0]]
    return Parts(parts.train, parts.test.assign(points=[points_in(b) for b in boxes]))


def perfect(answers: pd.DataFrame) -> pd.DataFrame:
    """Return the submission that puts a point into each box."""
    return answers.assign(labels=[points_in(boxes) for boxes in answers["labels"]])


HOOKS = Hooks(rows=rows, perfect=perfect)
