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
        masses = np.array([w.sum() for w in weights])
        telling = [own[w > 0] for own, w in zip(self.hashes, weights, strict=True)]
        for (one, other), held in self._common(telling).items():
            matched = float(self.weights(held).sum())
            smaller = min(masses[one], masses[other])
            yield Shared(
                one,
                other,
                matched / (smaller + PRIOR),
                min(1.0, matched / masses[one]),
                min(1.0, matched / masses[other]),
                len(held),
            )

    def _common(
        self, telling: Sequence[NDArray[np.uint64]]
    ) -> dict[tuple[int, int], NDArray[np.uint64]]:
        """Return the hashes that pairs of attempts of different authors hold both."""
        hashes = np.concatenate(telling)
        owners = np.repeat(np.arange(len(telling)), [len(own) for own in telling])
        order = np.argsort(hashes, kind="stable")
        hashes, owners = hashes[order], owners[order]
        found: dict[tuple[int, int], list[np.uint64]] = {}
        edges = np.flatnonzero(hashes[1:] != hashes[:-1]) + 1
        for held in np.split(np.arange(len(hashes)), edges):
            for i, one in enumerate(owners[held]):
                for other in owners[held[i + 1 :]]:
                    if self.authors[one] != self.authors[other]:
                        found.setdefault((int(one), int(other)), []).append(hashes[held[0]])
        return {pair: np.array(shared, np.uint64) for pair, shared in sorted(found.items())}
