"""How much two submissions of labels agree where neither says what most say.

Good classifiers agree on the easy rows, so agreement as such proves nothing. Answers that hardly
anybody else gives do, the more the rarer: it is how copied multiple-choice exams are found.

References
----------
J. Wollack, "A nominal response model approach for detecting answer copying", Applied Psychological
Measurement 21, 1997. https://doi.org/10.1177/01466216970214002
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

MAX_CELLS = 20_000


@dataclass(frozen=True)
class Agreement:
    """Labels of several files side by side.

    Parameters
    ----------
    labels : ndarray of int, shape (n_files, n_rows, n_columns)
    voters : tuple of int
        The files that say what is usual: one of each family of equal ones.
    """

    labels: NDArray[np.int64]
    voters: tuple[int, ...]

    @cached_property
    def cells(self) -> NDArray[np.int64]:
        """Each file as one row of cells, some of them where there are very many."""
        whole = self.labels.reshape(len(self.labels), -1)
        return whole[:, :: max(1, whole.shape[1] // MAX_CELLS)]

    @cached_property
    def _votes(self) -> NDArray[np.int64]:
        """How many voters say what a file says, by file and cell."""
        votes = np.zeros(self.cells.shape, np.int64)
        for voter in self.voters:
            votes += self.cells == self.cells[voter]
        return votes

    @cached_property
    def odd(self) -> NDArray[np.bool_]:
        """Where a file says what fewer than half of the voters, itself apart, say."""
        own = np.isin(np.arange(len(self.cells)), self.voters).astype(int)[:, None]
        found: NDArray[np.bool_] = 2 * (self._votes - own) < len(self.voters) - own
        return found

    def weights(self, one: int, besides: int) -> NDArray[np.float64]:
        """Weigh a file's odd labels by how rare they are among voters but these two."""
        own, others = int(one in self.voters), int(besides in self.voters)
        votes = self._votes[one] - own - others * (self.cells[one] == self.cells[besides])
        rarity = -np.log((votes + 0.5) / (len(self.voters) - own - others + 1))
        found: NDArray[np.float64] = np.where(self.odd[one], np.maximum(rarity, 0), 0)
        return found

    def shared(self, one: int, other: int) -> float:
        """Return the share of two files' odd labels that both have, by weight; 0 without any."""
        mine, theirs = self.weights(one, other), self.weights(other, one)
        both = (self.cells[one] == self.cells[other]) & self.odd[one] & self.odd[other]
        common = float(theirs[both].sum())
        whole = common + float(mine[~both].sum() + theirs[~both].sum())
        return common / whole if whole > 0 else 0.0

    def equal(self, one: int, other: int) -> float:
        """Return the share of cells in which two files agree."""
        return float((self.cells[one] == self.cells[other]).mean())

    def surprise(self, one: int, among: Sequence[int]) -> tuple[float, int]:
        """Return how much a file agrees with the nearest of others, on a scale without bound.

        Returns
        -------
        float
            ``-log10`` of the share of odd labels that the two do not share; one label counts as
            half shared.
        int
            Number of the other file; -1 where there is none.
        """
        if not among:
            return 0.0, -1
        shared = [self.shared(one, other) for other in among]
        best = int(np.argmax(shared))
        smallest = 0.5 / max(1, int(self.odd[one].sum()))
        return float(-np.log10(max(1 - shared[best], smallest))), among[best]
