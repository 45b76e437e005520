"""Masks as run-length text: decoding hostile cells, and areas without ever painting a pixel.

A mask is written ``start length start length ...``: runs of foreground, the first pixel is 1. How
pixels are numbered (down each column first, or along each row first) only matters where a mask is
painted: areas and overlaps are the same. No metric.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from competitions.metrics.cells import answer_texts, parsed, texts
from competitions.metrics.checks import check_columns

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from competitions.metrics.base import Context

    Integers = NDArray[np.int64]

Order = Literal["columns", "rows"]  # which direction consecutive numbers run along
_THREE = 3
_SAFE = 2**62  # the sum of two smaller numbers is a 64-bit integer


@dataclass(frozen=True)
class Runs:
    """Foreground of one mask: sorted runs [start, end) of pixels counted from 0, none overlapping.

    Examples
    --------
    >>> a, b = decode("1 3 10 5", size=20), decode("3 9", size=20)
    >>> a.area, b.area, a.overlap(b)
    (8, 9, 3)
    """

    starts: Integers
    ends: Integers

    @property
    def area(self) -> int:
        """Count of foreground pixels."""
        return int((self.ends - self.starts).sum())

    def _before(self, positions: Integers) -> Integers:
        """Count foreground pixels in front of each position."""
        n_runs = np.searchsorted(self.starts, positions, side="left")
        total = np.concatenate([[0], np.cumsum(self.ends - self.starts)])
        last_end = np.concatenate([[0], self.ends])[n_runs]
        counted: Integers = total[n_runs] - np.maximum(last_end - positions, 0)
        return counted

    def overlap(self, other: Runs) -> int:
        """Count pixels that are foreground in both masks, in O((n + m) log n)."""
        return int((self._before(other.ends) - self._before(other.starts)).sum())

    def pixels(self) -> Integers:
        """List the foreground pixels, ascending."""
        lengths = self.ends - self.starts
        offsets = np.repeat(self.starts - (np.cumsum(lengths) - lengths), lengths)
        found: Integers = np.arange(lengths.sum(), dtype=np.int64) + offsets
        return found


NOTHING = Runs(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))


def _bounds(starts: list[int], lengths: list[int], *, strict: bool) -> tuple[Integers, Integers]:
    """Turn 1-based starts and lengths into [start, end); numbers of any size."""
    if max([*starts, *lengths]) < _SAFE:
        first = np.array(starts, dtype=np.int64) - 1
        return first, first + np.array(lengths, dtype=np.int64)
    if strict:
        first_, widths = np.array(starts, dtype=object) - 1, np.array(lengths, dtype=object)
        ends = first_ + widths
    else:  # as NumPy types such lists: exact beyond 64 bits, wrapping around or a float within
        first_ = np.array(starts) - 1
        ends = first_ + np.array(lengths)
    if first_.dtype.kind == "f" or ends.dtype.kind == "f":
        raise ValueError("numbers too large for a mask")
    limit = _SAFE
    low = [min(int(n), limit) for n in np.broadcast_to(first_, ends.shape)]
    high = [min(max(int(n), 0), limit) for n in ends]
    return np.array(low, dtype=np.int64), np.array(high, dtype=np.int64)


def decode(text: str, size: int, *, strict: bool = False) -> Runs:
    """Read run-length text; it may be hostile.

    Parameters
    ----------
    text : str
        Whole numbers between any white space; blank text is an empty mask.
    size : int
        Number of pixels. Runs that reach past the end are cut, those that start there are dropped.
    strict : bool
        Refuse an odd count of numbers. Otherwise, as the published graders do, one number is an
        empty mask and of three numbers the single length serves both starts; and numbers near 2⁶³
        do what 64-bit integers do.

    Returns
    -------
    Runs
        Sorted, within the image.

    Raises
    ------
    ValueError
        With a short reason: no whole numbers, starts not ascending, a start or length below 1,
        overlapping runs, an odd count.

    Examples
    --------
    >>> decode("1 3 10 5", size=12).area
    6
    """
    try:
        numbers = [int(word) for word in text.split()]
    except ValueError:
        raise ValueError("a run-length cell holds something else than whole numbers") from None
    if not numbers:
        return NOTHING
    starts, lengths = numbers[0::2], numbers[1::2]
    if min(numbers) <= 0:
        raise ValueError("a start or length of a run is below 1")
    if starts != sorted(starts):
        raise ValueError("the starts of the runs do not ascend")
    if len(starts) != len(lengths):
        if strict or len(numbers) > _THREE:
            raise ValueError("an odd count of numbers where start and length come in pairs")
        if not lengths:
            return NOTHING
    low, high = _bounds(starts, lengths, strict=strict)
    high = np.minimum(high, size)
    inside = low < high
    low, high = low[inside], high[inside]
    if (low[1:] < high[:-1]).any():
        raise ValueError("runs overlap")
    return Runs(low, high)


def paint(runs: Runs, height: int, width: int, order: Order = "columns") -> NDArray[np.bool_]:
    """Paint a mask, shape (height, width)."""
    flat = np.zeros(height * width, dtype=bool)
    flat[runs.pixels()] = True
    return flat.reshape(width, height).T if order == "columns" else flat.reshape(height, width)


def encode(mask: NDArray[np.bool_], order: Order = "columns") -> str:
    """Write a mask, shape (height, width), as run-length text; an empty one as the empty text.

    Examples
    --------
    >>> encode(np.array([[1, 0], [1, 1]], dtype=bool))
    '1 2 4 1'
    """
    flat = (mask.T if order == "columns" else mask).ravel().astype(np.int8)
    change = np.diff(np.concatenate([[0], flat, [0]]))
    starts, ends = np.flatnonzero(change == 1), np.flatnonzero(change == -1)
    pairs = np.stack([starts + 1, ends - starts], axis=1)
    return " ".join(map(str, pairs.ravel().tolist()))


def sizes_of(answers: pd.DataFrame, context: Context) -> tuple[list[int], list[int]]:
    """Return height and width of each row's mask.

    The arguments ``height`` and ``width`` are numbers or name columns of the answers.
    """
    found = []
    for name in ("height", "width"):
        given = context.arguments.get(name, name)
        column = answers[given].tolist() if isinstance(given, str) else [given] * len(answers)
        found.append([int(n) for n in column])
    return found[0], found[1]


def submitted_runs(
    submission: pd.DataFrame, context: Context, areas: list[int], *, missing: str | None
) -> list[Runs]:
    """Decode the submitted masks; refuses a cell with a name of the fault and its rows."""
    cells = texts(submission, context.target, context, missing=missing)
    word = context.arguments.get("empty_word")
    cells = ["" if cell == word else cell for cell in cells]
    strict = context.variant == "fixed"
    return parsed(
        submission,
        context.target,
        context,
        cells,
        lambda row, cell: decode(cell, areas[row], strict=strict),
    )


def mask_areas(
    answers: pd.DataFrame, submission: pd.DataFrame, context: Context
) -> tuple[Integers, Integers, Integers]:
    """Measure each row's true mask, submitted mask and what they share, in pixels.

    Reads the arguments ``answer`` (column of the true masks, by default the target's name),
    ``height`` and ``width`` (`sizes_of`), ``empty_word`` (a cell that means an empty mask) and
    ``missing`` (``empty`` where an empty cell is an empty mask; it is refused by default), and
    ``columns`` (`competitions.metrics.checks.check_columns`).

    Raises
    ------
    InvalidSubmissionError
        Where `decode` refuses a submitted cell, or it is no text.
    """
    check_columns(submission, context)
    arguments = context.arguments
    heights, widths = sizes_of(answers, context)
    areas = [h * w for h, w in zip(heights, widths, strict=True)]
    missing = "" if arguments.get("missing") == "empty" else None
    predicted = submitted_runs(submission, context, areas, missing=missing)
    word, column = arguments.get("empty_word"), str(arguments.get("answer", context.target))
    true = [
        decode("" if cell == word else cell, size)
        for cell, size in zip(answer_texts(answers, column), areas, strict=True)
    ]
    measured = np.array(
        [(t.area, p.area, t.overlap(p)) for t, p in zip(true, predicted, strict=True)],
        dtype=np.int64,
    ).reshape(-1, 3)
    return measured[:, 0], measured[:, 1], measured[:, 2]
