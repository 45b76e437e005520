"""Runs of tokens that two texts share: pairs of equal hashes, joined along their diagonals."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MAX_PAIRS = 64  # pairs of one hash; one that would have more is paired occurrence by occurrence
MAX_RUNS = 20_000  # the heaviest ones are looked at


class Pairs(NamedTuple):
    """Places of equal hashes.

    Parameters
    ----------
    left, right : ndarray of int64, shape (n_pairs,)
        Positions in the two rows of hashes.
    """

    left: NDArray[np.int64]
    right: NDArray[np.int64]


class Runs(NamedTuple):
    """Stretches of tokens that agree, the heaviest first.

    Parameters
    ----------
    left, right : ndarray of int64, shape (n_runs,)
        First token of each.
    lengths : ndarray of int64, shape (n_runs,)
        Tokens.
    weights : ndarray of float64, shape (n_runs,)
        Sum of the rarities of its hashes; their number where no rarity is known.
    """

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    lengths: NDArray[np.int64]
    weights: NDArray[np.float64]


def paired(left: NDArray[np.uint64], right: NDArray[np.uint64]) -> Pairs:
    """Pair the places where two rows hold the same hash.

    A hash that stands `n` times left and `m` times right gives all n * m pairs up to `MAX_PAIRS`,
    else one for each time it stands left, with the right ones taken in turn: repetitive texts give
    a number of pairs that grows as they do, and not as its square.

    Examples
    --------
    >>> ones = np.ones(1000, np.uint64)
    >>> len(paired(ones, ones).left), len(paired(ones[:8], ones[:8]).left)
    (1000, 64)
    """
    at_left, at_right = np.argsort(left, kind="stable"), np.argsort(right, kind="stable")
    left_values, left_starts, n_left = _groups(left[at_left])
    right_values, right_starts, n_right = _groups(right[at_right])
    _, i, j = np.intersect1d(left_values, right_values, assume_unique=True, return_indices=True)
    n, m = n_left[i], n_right[j]
    n_each = np.where(n * m <= MAX_PAIRS, m, 1)  # pairs of each place on the left
    group = np.repeat(np.arange(len(i)), n)
    rank = _counted_up(n)
    each = n_each[group]
    place = np.repeat(left_starts[i][group] + rank, each)
    turn = np.repeat(np.where(each > 1, 0, rank), each) + _counted_up(each)
    group = np.repeat(group, each)
    return Pairs(at_left[place], at_right[right_starts[j][group] + turn % m[group]])


def _groups(
    ordered: NDArray[np.uint64],
) -> tuple[NDArray[np.uint64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the different values of a sorted row, where each begins and how often it stands."""
    values, starts, counts = np.unique(ordered, return_index=True, return_counts=True)
    return values, starts.astype(np.int64), counts.astype(np.int64)


def _counted_up(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return 0, 1, …, n - 1 for each n, in a row."""
    total = int(counts.sum())
    return np.arange(total) - np.repeat(np.cumsum(counts) - counts, counts)


def runs_of(pairs: Pairs, run: int, rarity: NDArray[np.float64] | None = None) -> Runs:
    """Join pairs that follow one another on both sides.

    Parameters
    ----------
    run : int
        Tokens that one hash covers.
    rarity : ndarray of float64, shape (n_left_hashes,), values in [0, 1], or None
        How rare each hash of the left text is among the solutions of the competition.
    """
    diagonal = pairs.right - pairs.left
    order = np.lexsort((pairs.left, diagonal))
    left, right, diagonal = pairs.left[order], pairs.right[order], diagonal[order]
    if not len(left):
        none = np.empty(0, np.int64)
        return Runs(none, none, none, np.empty(0))
    begins = np.ones(len(left), bool)
    begins[1:] = (np.diff(diagonal) != 0) | (np.diff(left) != 1)
    starts = np.flatnonzero(begins)
    counts = np.diff(np.append(starts, len(left)))
    rare = np.ones(len(left)) if rarity is None else rarity[left].astype(np.float64)
    weights = np.add.reduceat(rare, starts)
    heaviest = np.lexsort((left[starts], -counts, -weights))[:MAX_RUNS]
    first = starts[heaviest]
    return Runs(left[first], right[first], counts[heaviest] + run - 1, weights[heaviest])


def partners(runs: Runs, n_left: int, n_right: int, min_run: int) -> NDArray[np.int64]:
    """Give each token of the left text its partner on the right, from the heaviest run it is in.

    Parameters
    ----------
    n_left, n_right : int
        Tokens of the texts.
    min_run : int
        Runs of fewer tokens are passed over.

    Returns
    -------
    ndarray of int64, shape (n_left,)
        -1 where there is none. A token of the right text has at most one partner as long as there
        are others to choose from.
    """
    partner = np.full(n_left, -1, np.int64)
    is_taken = np.zeros(n_right, bool)
    second: list[int] = []
    for number, (left, right, length) in enumerate(
        zip(runs.left.tolist(), runs.right.tolist(), runs.lengths.tolist(), strict=True)
    ):
        if length < min_run:
            continue
        mine, theirs = slice(left, left + length), slice(right, right + length)
        free = (partner[mine] < 0) & ~is_taken[theirs]
        if free.sum() < length:
            second.append(number)
        if free.any():
            partner[mine][free] = np.arange(right, right + length)[free]
            is_taken[theirs][free] = True
    for number in second:  # what was copied twice
        left, right, length = (int(x[number]) for x in runs[:3])
        mine = slice(left, left + length)
        free = partner[mine] < 0
        partner[mine][free] = np.arange(right, right + length)[free]
    return partner
