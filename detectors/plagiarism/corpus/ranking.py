"""What documents share with a text, and which of them share most."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MOST_COMPLETED = 256  # documents held against hashes that very many hold
TINY = 1e-12


class Candidate(NamedTuple):
    """A document that shares something with the text that was asked about.

    Parameters
    ----------
    document : int
        Its number.
    score : float in [0, 1]
        What it is ranked by: `share_of_source`, less where there is little to share.
    share_of_source : float in [0, 1]
        How much of the document the text holds, weighted by rarity.
    share_of_file : float in [0, 1]
        How much of the text the document holds, weighted by rarity.
    n_shared : int
        Hashes that both hold.
    """

    document: int
    score: float
    share_of_source: float
    share_of_file: float
    n_shared: int


class Found(NamedTuple):
    """Documents with the weight and number of what they share."""

    documents: NDArray[np.int64]
    matched: NDArray[np.float64]
    counts: NDArray[np.int64]

    def best(self, masses: NDArray[np.float32]) -> Found:
        """Return those that share the largest part of themselves, in the order of their numbers."""
        shares = self.matched / np.maximum(masses[self.documents], TINY)
        chosen = np.sort(highest(shares, MOST_COMPLETED))
        return Found(self.documents[chosen], self.matched[chosen], self.counts[chosen])


class Shared(NamedTuple):
    """What a text shares with each document that shares anything with it; arrays side by side."""

    documents: NDArray[np.int64]
    scores: NDArray[np.float64]
    shares_of_source: NDArray[np.float64]
    shares_of_file: NDArray[np.float64]
    counts: NDArray[np.int64]

    def candidate(self, place: int) -> Candidate:
        """Return one of them."""
        return Candidate(
            int(self.documents[place]),
            float(self.scores[place]),
            float(self.shares_of_source[place]),
            float(self.shares_of_file[place]),
            int(self.counts[place]),
        )


def highest(values: NDArray[np.float64], most: int) -> NDArray[np.int64]:
    """Return the places of the highest values, best first; equal ones in their order.

    Examples
    --------
    >>> highest(np.array([0.1, 0.3, 0.2, 0.3]), 2).tolist()
    [1, 3]
    """
    places = np.arange(len(values))
    if len(values) > most > 0:
        places = np.flatnonzero(values >= np.partition(values, -most)[-most])
    return places[np.argsort(-values[places], kind="stable")[:most]]
