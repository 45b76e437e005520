"""Things that no column names alone: two columns together, or the beginning of a text."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from detectors.leakage.entity_columns_structure import HALF, determined

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pandas as pd
    from numpy.typing import NDArray

SEPARATORS = "_-./:#|"
MIN_LEVELS = 5
MIN_SIZE = 1.15  # rows of a thing that a beginning names, on average
MIN_SIZE_OF_PAIR = 1.8
MOST_ENDS = 0.5  # different ends, as a share of the texts: a number within the thing recurs
UNIQUE = 0.9
SAME = 0.98
MIN_FIXED = 2  # columns that only the pair fixes


class Prefix(NamedTuple):
    """A column whose texts begin with the name of a thing."""

    column: str
    sign: str
    n_things: int
    size: float  # rows of a thing, on average


class Pair(NamedTuple):
    """Two columns that name a thing together, and what they fix that neither of them does."""

    columns: tuple[str, str]
    n_things: int
    fixed: tuple[str, ...]


def prefixes(rows: pd.DataFrame, columns: Sequence[str]) -> Iterator[Prefix]:
    """Yield columns of names whose beginning recurs, as in ``patient7_3.png``.

    What follows has to recur too, as a number within the thing does; else the texts are taken for
    random ones.
    """
    from pandas.api.types import is_numeric_dtype

    for column in columns:
        values = rows[column]
        if is_numeric_dtype(values) or values.isna().any() or not len(values):
            continue
        texts = values.astype(str)
        if texts.nunique() < UNIQUE * len(texts) or texts.str.contains(r"\s").any():
            continue
        for sign in SEPARATORS:
            parts = texts.str.partition(sign)
            n, ends = parts[0].nunique(), parts[2].nunique()
            if (parts[1] == "").any() or n < MIN_LEVELS or ends > MOST_ENDS * len(texts):
                continue
            if len(texts) >= MIN_SIZE * n and parts[0].str.contains(r"\d").mean() > HALF:
                yield Prefix(column, sign, n, len(texts) / n)
                break


def composites(
    columns: Sequence[str], codes: dict[str, NDArray[np.intp]], levels: dict[str, int]
) -> Iterator[Pair]:
    """Yield pairs such as a hospital and the number of a patient within it.

    A pair counts where at least two other columns are the same in all its rows, and neither of the
    two fixes them alone.
    """
    alone = {c: _fixed(codes[c], levels[c], codes, levels, {c}) for c in columns}
    for one, other in combinations(columns, 2):
        if other in alone[one] or one in alone[other] or min(levels[one], levels[other]) <= 1:
            continue
        both = codes[one].astype(np.int64) * levels[other] + codes[other]
        names, mine = np.unique(both, return_inverse=True)
        is_thing = len(mine) >= MIN_SIZE_OF_PAIR * len(names) and len(names) >= MIN_LEVELS
        if not is_thing or len(names) <= 1.5 * max(levels[one], levels[other]):
            continue
        fixed = _fixed(mine, len(names), codes, levels, {one, other})
        further = tuple(c for c in fixed if c not in alone[one] and c not in alone[other])
        if len(further) >= MIN_FIXED:
            yield Pair((one, other), len(names), further)


def _fixed(
    mine: NDArray[np.intp],
    n: int,
    codes: dict[str, NDArray[np.intp]],
    levels: dict[str, int],
    without: set[str],
) -> list[str]:
    others = {c: k for c, k in codes.items() if c not in without}
    return [c for c, share in determined(mine, n, others, levels).items() if share >= SAME]
