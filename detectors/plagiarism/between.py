"""How much code attempts of different authors share that the rest of the group does not."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

PRIOR = 6.0  # hashes that code must hold before its share counts in full
MAX_AUTHORS = 8  # of one task that hold a hash; it says nothing of who copied whom where more do
_RARITY = 3  # a hash that n authors hold weighs (2 / n) to the power of this


class Shared(NamedTuple):
    """What two attempts share.

    Parameters
    ----------
    one, other : int
        Their numbers, `one` the smaller.
    score : float in [0, 1]
        The larger of both shares, less where there is little to share.
    of_one, of_other : float in [0, 1]
        Share of each one's code that the other holds, by weight.
    n_shared : int
        Hashes that both hold and that weigh anything.
    """

    one: int
    other: int
    score: float
    of_one: float
    of_other: float
    n_shared: int


@dataclass(frozen=True)
class Between:
    """The hashed code of the attempts of one task.

    Parameters
    ----------
    hashes : sequence of ndarray of uint64, each sorted and unique
        One for each attempt.
    authors : sequence of int
        Whose each attempt is.
    usual : ndarray of uint64, sorted
        Hashes that weigh nothing: what scaffolds write, and public code.
    """

    hashes: Sequence[NDArray[np.uint64]]
    authors: Sequence[int]
    usual: NDArray[np.uint64]

    @cached_property
    def _all(self) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
        """Return the different hashes, and how much each weighs."""
        whose: dict[int, list[NDArray[np.uint64]]] = {}
        for own, author in zip(self.hashes, self.authors, strict=True):
            whose.setdefault(author, []).append(own)
        of_author = [np.unique(np.concatenate(parts)) for parts in whose.values()]
        known, counts = np.unique(np.concatenate(of_author), return_counts=True)
        weights = (2 / np.maximum(2, counts)) ** _RARITY
        weights[(counts > MAX_AUTHORS) | np.isin(known, self.usual)] = 0
        return known, weights

    def weights(self, hashes: NDArray[np.uint64]) -> NDArray[np.float64]:
        """Weigh hashes of these attempts; one that none of them holds weighs 1."""
        known, weights = self._all
        found = np.ones(len(hashes))
        if len(known):
            places = np.minimum(np.searchsorted(known, hashes), len(known) - 1)
            found = np.where(known[places] == hashes, weights[places], 1.0)
        found[np.isin(hashes, self.usual)] = 0
        return found

    def pairs(self) -> Iterator[Shared]:
        """Yield what attempts of different authors share, those that share anything that weighs."""
        weights = [self.weights(own) for own in self.hashes]
        masses = [float(w.sum()) for w in weights]
        matched, counts = self._common(weights)
        for one, other in np.argwhere(counts > 0).tolist():
            held = float(matched[one, other])
            yield Shared(
                one,
                other,
                held / (min(masses[one], masses[other]) + PRIOR),
                min(1.0, held / masses[one]),
                min(1.0, held / masses[other]),
                int(counts[one, other]),
            )

    def _common(
        self, weights: Sequence[NDArray[np.float64]]
    ) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        """Return the weight and the number of hashes that two attempts of two authors both hold.

        Returns
        -------
        ndarray, shape (n_attempts, n_attempts)
            Above the diagonal; twice.
        """
        n = len(self.hashes)
        telling = [w > 0 for w in weights]
        hashes = np.concatenate([h[t] for h, t in zip(self.hashes, telling, strict=True)])
        weight = np.concatenate([w[t] for w, t in zip(weights, telling, strict=True)])
        owners = np.repeat(np.arange(n), [int(t.sum()) for t in telling])
        order = np.argsort(hashes, kind="stable")
        starts = np.flatnonzero(np.diff(hashes[order], prepend=~hashes[order][:1]))
        sizes = np.diff(starts, append=len(order))
        authors = np.asarray(self.authors)
        matched, counts = np.zeros(n * n), np.zeros(n * n, np.int64)
        for size in np.unique(sizes[sizes > 1]).tolist():  # hashes that so many attempts hold
            places = order[starts[sizes == size][:, None] + np.arange(size)]
            one, other = np.triu_indices(size, 1)
            left, right = owners[places[:, one]], owners[places[:, other]]
            apart = authors[left] != authors[right]
            keys = (left * n + right)[apart]
            of_each = np.broadcast_to(weight[places[:, :1]], left.shape)[apart]
            matched += np.bincount(keys, of_each, minlength=n * n)
            counts += np.bincount(keys, minlength=n * n)
        return matched.reshape(n, n), counts.reshape(n, n)
