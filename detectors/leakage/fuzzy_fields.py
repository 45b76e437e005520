"""Columns that identify somebody: which they are, and their values as hashes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from detectors.leakage.fuzzy_texts import Kind, kind_of, written
from detectors.leakage.row_texts import as_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from detectors.leakage.row_hashes import Hashes, Rows

N_LOOKED_AT = 20_000
MAX_FIELDS = 6
MAX_SHARED = 0.01  # chance of two rows to have the same value, beyond which a column is a category
LENGTHS = (3, 80)  # median characters of what identifies somebody
MAX_WORDS = 8
MIN_DIGITS = 7  # of numbers that are no amounts
SAME_LENGTH = 0.9
N_TIES = 20_000
MIN_TIES = 20
TIED = 0.5
_FOLD = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True)
class Field:
    """A column of both tables that identifies somebody.

    Parameters
    ----------
    name : str
    kind : Kind
    values : tuple of two Series
        As they stand in the left and in the right table.
    whole, first, last : tuple of two ndarrays
        Hashes of the written value and of two parts of it; of a missing one like no other.
    known : tuple of two ndarrays of bool
    columns : tuple of str
        Those that it is made of.
    """

    name: str
    kind: Kind
    values: tuple[pd.Series, pd.Series]
    whole: tuple[Hashes, Hashes]
    first: tuple[Hashes, Hashes]
    last: tuple[Hashes, Hashes]
    known: tuple[NDArray[np.bool_], NDArray[np.bool_]]
    columns: tuple[str, ...] = ()

    def right_taken(self, rows: Rows) -> Field:
        """Return it with some rows of the right table."""
        return replace(
            self,
            values=(self.values[0], self.values[1].iloc[rows]),
            whole=(self.whole[0], self.whole[1][rows]),
            first=(self.first[0], self.first[1][rows]),
            last=(self.last[0], self.last[1][rows]),
            known=(self.known[0], self.known[1][rows]),
        )

    def texts(self, side: int, rows: Rows) -> list[str]:
        """Return the written values of some rows."""
        each, at = np.unique(rows, return_inverse=True)
        texts = [written(t, self.kind).whole for t in _texts(self.values[side].iloc[each])]
        return [texts[n] for n in at.tolist()]


def identifying(table: pd.DataFrame, columns: Sequence[str]) -> list[str]:
    """Return the columns that may identify somebody, the most telling first.

    Texts and long numbers of one length that few rows share. Measurements, amounts, categories and
    prose are none.
    """
    step = max(1, len(table) // N_LOOKED_AT)
    told = {c: share for c in columns if (share := _shared(table[c].iloc[::step])) is not None}
    return sorted(told, key=lambda c: (told[c], c))[:MAX_FIELDS]


def _shared(values: pd.Series) -> float | None:
    """Return the chance of two rows to share a value, or None where it identifies nobody."""
    from pandas.api.types import is_bool_dtype, is_float_dtype, is_numeric_dtype

    known = values.dropna()
    if len(known) < max(2, len(values) / 2) or is_bool_dtype(values):
        return None
    has_fractions = is_float_dtype(values) and _has_fractions(known)
    if is_numeric_dtype(values) and (has_fractions or not _are_long(known)):
        return None
    n, n_levels = len(known), known.nunique()
    if n / n_levels - 1 > MAX_SHARED * (n - 1):
        return None  # however the rows fall on so few values
    texts = known.astype(str)
    length = float(texts.str.len().median())
    if not LENGTHS[0] <= length <= LENGTHS[1] or texts.str.count(r"\s+").median() >= MAX_WORDS:
        return None
    counts = texts.value_counts().to_numpy(float)
    shared = float((counts * (counts - 1)).sum() / (len(texts) * (len(texts) - 1)))
    return shared if shared <= MAX_SHARED else None


def _are_long(known: pd.Series) -> bool:
    """Say whether whole numbers are long and mostly of one length, as phone numbers are."""
    if known.abs().median() < 10 ** (MIN_DIGITS - 1):
        return False
    digits = known.abs().astype("int64").astype(str).str.len()
    one_length = float((digits == digits.median()).mean())
    return bool(digits.median() >= MIN_DIGITS and one_length >= SAME_LENGTH)


def _has_fractions(known: pd.Series) -> bool:
    numbers = known.to_numpy(float)
    return not bool((np.isfinite(numbers) & (numbers == np.floor(numbers))).all())


def field_of(name: str, left: pd.Series, right: pd.Series) -> Field:
    """Write the values of a column of both tables, each different one once, and hash them."""
    import pandas as pd

    both = pd.concat([left, right], ignore_index=True)
    codes, levels = pd.factorize(both)
    texts = _texts(pd.Series(levels))
    kind = kind_of(texts[:: max(1, len(texts) // N_LOOKED_AT)])
    parts = np.empty((3, len(texts) + 1), np.int64)
    empty = np.ones(len(texts) + 1, dtype=bool)
    for n, text in enumerate(texts):
        one = written(text, kind)
        parts[0, n], parts[1, n], parts[2, n] = hash(one.whole), hash(one.first), hash(one.last)
        empty[n] = not one.whole
    known = ~empty[codes]
    numbered = np.arange(len(both), dtype=np.uint64) * _FOLD
    hashed = []
    for line in parts:
        values = line[codes].view(np.uint64)
        values[~known] = numbered[~known]  # nothing is like it
        hashed.append((values[: len(left)], values[len(left) :]))
    sides = known[: len(left)], known[len(left) :]
    return Field(name, kind, (left, right), hashed[0], hashed[1], hashed[2], sides, (name,))


def _texts(values: pd.Series) -> list[str]:
    from pandas.api.types import is_float_dtype

    texts = as_text(values)
    return [t.removesuffix(".0") for t in texts] if is_float_dtype(values) else texts


def tied(fields: Sequence[Field], seed: int = 0) -> list[list[int]]:
    """Put fields together that say one thing, such as the address and the phone of a household.

    Two fields are tied where left rows that share the one mostly share the other, rows that share
    all fields left aside.

    Returns
    -------
    list of lists of positions in `fields`
    """
    group = list(range(len(fields)))
    for n, field in enumerate(fields):
        one, other = _sharing(field.whole[0], np.random.default_rng(seed))
        same = np.array([f.whole[0][one] == f.whole[0][other] for f in fields])
        partly = ~same.all(axis=0)
        if partly.sum() < MIN_TIES:
            continue
        for m in range(len(fields)):
            if m != n and same[m][partly].mean() > TIED:
                old, new = group[m], group[n]
                group = [new if g == old else g for g in group]
    return [[n for n, g in enumerate(group) if g == one] for one in dict.fromkeys(group)]


def _sharing(values: Hashes, rng: np.random.Generator) -> tuple[Rows, Rows]:
    """Return pairs of rows that share a value."""
    order = np.argsort(values, kind="stable")
    again = np.flatnonzero(values[order[1:]] == values[order[:-1]])
    if len(again) > N_TIES:
        again = np.sort(rng.choice(again, N_TIES, replace=False))
    return order[again], order[again + 1]
