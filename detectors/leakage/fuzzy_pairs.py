"""Pairs of rows about the same person or thing: who may be, and how much speaks for it.

After Fellegi and Sunter (1969): how rare an agreement is, is measured; how often true pairs agree,
is fixed, so that nothing has to be fitted or configured.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from detectors.leakage.fuzzy_texts import Kind, are_close, shares_some_words
from detectors.leakage.near_rows import matched
from detectors.leakage.row_hashes import counts_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from detectors.leakage.fuzzy_fields import Field
    from detectors.leakage.row_hashes import Hashes, Rows

M_EQUAL, M_CLOSE = 0.9, 0.1  # of true pairs, how many fields are equal and how many hold a slip
DIFFERS = -4.0  # bits that speak against a pair for each field that differs
CLOSE = {Kind.WORDS: 0.82, Kind.DATE: 0.86, Kind.NUMBER: 0.86}
N_RANDOM = 100_000  # random pairs by which the chance of closeness is measured
MIN_AGREE = 3
WRONG_PAIRS = 0.1  # that are to be expected in all, at the threshold
EXTRA_BITS = 12.0  # that are asked where there are but two things to agree in
_AT_ONCE = 1 << 17
MISSING, DIFFER, NEAR, EQUAL = range(4)


class Alike(NamedTuple):
    """Right rows that are about the same as a left row, each with the likeliest.

    Parameters
    ----------
    left, right : ndarray of shape (n_found,)
        Positions; `right` ascending.
    bits : ndarray of shape (n_found,)
        How much speaks for it, as a logarithm of a ratio of likelihoods.
    states : ndarray of shape (n_found, n_fields)
        0 one is missing, 1 differs, 2 equal but for a slip, 3 equal.
    """

    left: Rows
    right: Rows
    bits: NDArray[np.float64]
    states: NDArray[np.int8]

    def ordered(self, order: Rows) -> Alike:
        """Return what was found in another order."""
        return Alike(self.left[order], self.right[order], self.bits[order], self.states[order])


@dataclass(frozen=True)
class Search:
    """Fields of two tables, those that say one thing together, and how rare it is that they agree.

    Parameters
    ----------
    fields : tuple of Field
    groups : tuple of tuples of positions in `fields`
    by_chance : tuple of float
        Share of random pairs of rows that are close in each field.
    """

    fields: tuple[Field, ...]
    groups: tuple[tuple[int, ...], ...]
    by_chance: tuple[float, ...]

    @property
    def n_rows(self) -> tuple[int, int]:
        """Rows of both tables."""
        return len(self.fields[0].whole[0]), len(self.fields[0].whole[1])

    @property
    def threshold(self) -> float:
        """Bits from which a pair counts: then a tenth of a wrong pair is to be expected."""
        n_left, n_right = self.n_rows
        bits = float(np.log2(max(1, n_left) * max(1, n_right) / WRONG_PAIRS))
        return bits + (EXTRA_BITS if len(self.groups) < MIN_AGREE else 0.0)


def searched(fields: Sequence[Field], groups: Sequence[Sequence[int]], seed: int = 0) -> Search:
    """Measure how often random pairs of rows are close in each field."""
    rng = np.random.default_rng(seed)
    n_left, n_right = len(fields[0].whole[0]), len(fields[0].whole[1])
    n = max(1, min(N_RANDOM, n_left * n_right))
    one, other = (rng.integers(0, rows, n if rows else 0) for rows in (n_left, n_right))
    chances = []
    for field in fields:
        part = np.flatnonzero(_share_a_part(field, one, other))
        close = _close(field, one[part], other[part]) | _equal(field, one[part], other[part])
        chances.append((int(close.sum()) + 1) / n)
    return Search(tuple(fields), tuple(map(tuple, groups)), tuple(chances))


def alike(search: Search) -> Alike:
    """Find right rows that are about the same as a left row, each with the likeliest one."""
    n_left, _ = search.n_rows
    found = [_likely(search, matched(mine, theirs)) for mine, theirs in _keys(search)]
    pairs = np.unique(np.concatenate([np.zeros(0, np.int64), *found]))
    parts = [
        _weighed(search, pairs[at : at + _AT_ONCE], n_left) for at in range(0, len(pairs), _AT_ONCE)
    ]
    if not parts:
        nothing = np.zeros(0, np.intp)
        return Alike(nothing, nothing, np.zeros(0), np.zeros((0, len(search.fields)), np.int8))
    left, theirs, bits, states = (np.concatenate(p) for p in zip(*parts, strict=True))
    order = np.lexsort((left, -bits, theirs))
    first = np.ones(len(order), dtype=bool)
    first[1:] = theirs[order][1:] != theirs[order][:-1]
    chosen = order[first]
    return Alike(left[chosen], theirs[chosen], bits[chosen], states[chosen])


def _keys(search: Search) -> Iterator[tuple[Hashes, Hashes]]:
    """Yield hashes that agree where rows may be alike: a field, or one and part of another."""
    for n, field in enumerate(search.fields):
        yield field.whole
        for m, other in enumerate(search.fields):
            if m == n:
                continue
            for part in ((other.whole,) if m > n else ()) + (other.first, other.last):
                yield field.whole[0] + part[0], field.whole[1] + part[1]


def _likely(search: Search, pairs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Keep the pairs that agree in enough fields or in parts of them."""
    n_left, _ = search.n_rows
    kept = [np.zeros(0, np.int64)]
    for at in range(0, len(pairs), _AT_ONCE):
        theirs, mine = np.divmod(pairs[at : at + _AT_ONCE], n_left)
        agree = np.zeros(len(mine), np.int8)
        for group in search.groups:
            shares = np.zeros(len(mine), dtype=bool)
            for n in group:
                shares |= _share_a_part(search.fields[n], mine, theirs)
            agree += shares
        enough = agree >= min(MIN_AGREE, len(search.groups))
        kept.append(pairs[at : at + _AT_ONCE][enough])
    return np.concatenate(kept)


def _share_a_part(field: Field, mine: Rows, theirs: Rows) -> NDArray[np.bool_]:
    first, last = field.first[0][mine], field.last[0][mine]
    other_first, other_last = field.first[1][theirs], field.last[1][theirs]
    shares: NDArray[np.bool_] = (first == other_first) | (last == other_last)
    if field.kind is Kind.WORDS:  # a slip in its first letter puts a word elsewhere
        shares |= (first == other_last) | (last == other_first)
    return shares | _equal(field, mine, theirs)


def _equal(field: Field, mine: Rows, theirs: Rows) -> NDArray[np.bool_]:
    return np.asarray(field.whole[0][mine] == field.whole[1][theirs])


def _close(field: Field, mine: Rows, theirs: Rows) -> NDArray[np.bool_]:
    pairs = list(zip(field.texts(0, mine), field.texts(1, theirs), strict=True))
    return are_close(pairs, field.kind, CLOSE[field.kind])


def _weighed(
    search: Search, pairs: NDArray[np.int64], n_left: int
) -> tuple[Rows, Rows, NDArray[np.float64], NDArray[np.int8]]:
    """Compare pairs field by field and keep those that the rule takes for the same."""
    theirs, mine = np.divmod(pairs, n_left)
    states = np.stack([_states(field, mine, theirs) for field in search.fields], axis=1)
    bits = np.stack(
        [_bits(search, n, mine, states[:, n]) for n in range(len(search.fields))], axis=1
    )
    best = np.stack([states[:, list(g)].max(axis=1) for g in search.groups], axis=1)
    total = sum(bits[:, list(g)].max(axis=1) for g in search.groups)
    n_agree, n_differ = (best >= NEAR).sum(axis=1), (best == DIFFER).sum(axis=1)
    n_groups = len(search.groups)
    may_differ = 1 if n_groups > MIN_AGREE else 0
    keep = (n_agree >= min(MIN_AGREE, n_groups)) & (n_differ <= may_differ)
    keep &= np.asarray(total) >= search.threshold
    at = np.flatnonzero(keep)
    at = at[~_of_one_household(search, mine[at], theirs[at], states[at])]
    return mine[at], theirs[at], np.asarray(total)[at], states[at]


def _states(field: Field, mine: Rows, theirs: Rows) -> NDArray[np.int8]:
    states = np.full(len(mine), DIFFER, np.int8)
    states[~(field.known[0][mine] & field.known[1][theirs])] = MISSING
    states[_equal(field, mine, theirs)] = EQUAL
    open_still = np.flatnonzero((states == DIFFER) & _share_a_part(field, mine, theirs))
    close = _close(field, mine[open_still], theirs[open_still])
    states[open_still[close]] = NEAR
    return states


def _bits(search: Search, n: int, mine: Rows, states: NDArray[np.int8]) -> NDArray[np.float64]:
    """Return what a field says for or against each pair."""
    field = search.fields[n]
    bits = np.zeros(len(mine))
    bits[states == DIFFER] = DIFFERS
    bits[states == NEAR] = np.log2(M_CLOSE / search.by_chance[n])
    at = np.flatnonzero(states == EQUAL)
    asked = field.whole[0][mine[at]]
    count = counts_of(field.whole[0], asked) + counts_of(field.whole[1], asked)
    bits[at] = np.log2(M_EQUAL * sum(search.n_rows) / np.maximum(count, 1))
    return bits


def _of_one_household(
    search: Search, mine: Rows, theirs: Rows, states: NDArray[np.int8]
) -> NDArray[np.bool_]:
    """Say which pairs differ in one of their names only: brothers share address, phone and name."""
    found = np.zeros(len(mine), dtype=bool)
    for n, field in enumerate(search.fields):
        at = np.flatnonzero(states[:, n] == DIFFER)
        if field.kind is Kind.WORDS and len(at):
            pairs = zip(field.texts(0, mine[at]), field.texts(1, theirs[at]), strict=True)
            found[at] |= np.array([shares_some_words(a, b) for a, b in pairs])
    return found
