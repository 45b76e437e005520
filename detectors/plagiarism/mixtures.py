"""How well submissions reproduce one another: scaled, bent, mixed, or with some rows overridden.

Everything is told in standard deviations of a column, and most of it from one matrix of inner
products, so that asking for one more submission costs no pass over the rows.

References
----------
.. [1] C. Lawson and R. Hanson, "Solving Least Squares Problems", 1974, ch. 23: non-negative least
   squares. https://doi.org/10.1137/1.9781611971217
.. [2] P. Rousseeuw and K. Van Driessen, "Computing LTS regression for large data sets", 2006: the
   concentration steps of `concentrated`. https://doi.org/10.1007/s10618-005-0024-4
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

MAX_INGREDIENTS = 6  # more than public blends have
MIN_WEIGHT = 0.02  # of the sum of weights; less is none
SMALLEST = 1e-12  # an unexplained part below this is rounding
DIGITS = 6  # decimals by which values are told to be different
_MOST_DIGITS = 12  # decimals that are looked for in a file, after leading zeros
_DEEPEST = 300  # decimals of which a float knows
_FLOAT32 = 1e-7  # what arithmetic in single precision loses, in parts of the largest value
_ARITHMETIC = 1e-9  # standard deviations that sums of floating-point numbers lose, by far
_SAME = 1e-5  # standard deviations; what differs by more is told apart however small the target
_LOOSEST = 0.005  # standard deviations; rounding coarser than this makes nothing exact
_RARE = 0.01  # a value on at most so many of the cells is telling
_STEPS = 10
_NO_WEIGHT = 1e-3  # of the heaviest; a source of less has no part in an exact mix
_KEPT = 0.7  # of the cells that a concentration step fits
_BENT_CELLS = 6_000  # cells that a monotone fit looks at
_BENT_SOURCES = 3  # files with the most alike order that a monotone fit is tried with


class Fit(NamedTuple):
    """How one submission follows from others.

    Parameters
    ----------
    sources : tuple of int
        Numbers of the files, the heaviest first; empty where nothing helps.
    weights : tuple of float
        One for each.
    unexplained : float in [0, 1]
        1 - R² over all cells.
    """

    sources: tuple[int, ...] = ()
    weights: tuple[float, ...] = ()
    unexplained: float = 1.0


EMPTY = Fit()


@dataclass(frozen=True)
class Mixtures:
    """Submissions of one task side by side.

    Parameters
    ----------
    values : ndarray of float, shape (n_files, n_rows, n_columns)
        Predicted numbers without gaps.
    """

    values: NDArray[np.float64]

    @cached_property
    def scales(self) -> NDArray[np.float64]:
        """Standard deviation of each column, typical of the files; 1 for one that never varies."""
        spread = self.values.std(axis=1)
        spread = np.where(spread > 0, spread, np.nan)
        some = ~np.isnan(spread).all(axis=0)
        scales = np.ones(self.values.shape[2])
        if some.any():
            scales[some] = np.nanmedian(spread[:, some], axis=0)
        return scales

    @cached_property
    def cells(self) -> NDArray[np.float64]:
        """Each file as one row of cells: columns centred and in standard deviations."""
        return self._cells(self.values / self.scales)

    @cached_property
    def ranks(self) -> NDArray[np.float64]:
        """The same of each column's ranks."""
        from scipy.stats import rankdata

        ranks = rankdata(self.values, axis=1) / max(1, self.values.shape[1])
        return self._cells(ranks * np.sqrt(12))

    @staticmethod
    def _cells(values: NDArray[np.float64]) -> NDArray[np.float64]:
        centred: NDArray[np.float64] = values - values.mean(axis=1, keepdims=True)
        return centred.reshape(len(values), -1)

    @cached_property
    def products(self) -> NDArray[np.float64]:
        """Inner products of all files, followed by all files' ranks."""
        both = np.concatenate([self.cells, self.ranks])
        found: NDArray[np.float64] = both @ both.T
        return found

    @cached_property
    def varies(self) -> NDArray[np.bool_]:
        """Whether a file predicts anything but one value for each column."""
        n = len(self.values)
        found: NDArray[np.bool_] = np.diag(self.products)[:n] > SMALLEST * self.cells.shape[1]
        return found

    def alike(self, one: int, other: int) -> float:
        """Return what of a file a scaled copy of another leaves unexplained; 1 where it falls."""
        product = self.products[one, other]
        both = self.products[one, one] * self.products[other, other]
        return float(max(0.0, 1 - product**2 / both)) if product > 0 and both > 0 else 1.0

    def apart(self, one: int, other: int) -> float:
        """Return the mean square of what two files differ by, in variances of a column."""
        return float((((self.values[one] - self.values[other]) / self.scales) ** 2).mean())

    def scaled(self, one: int, among: Sequence[int]) -> Fit:
        """Reproduce a file as a scaled copy of the nearest of the others."""
        left = [self.alike(one, other) for other in among]
        if not left or min(left) >= 1:
            return EMPTY
        best = among[int(np.argmin(left))]
        weight = self.products[one, best] / self.products[best, best]
        return Fit((best,), (float(weight),), min(left))

    def blended(self, one: int, among: Sequence[int], *, of_ranks: bool = False) -> Fit:
        """Reproduce a file as a sum of others, or of others' ranks, with weights of at least 0."""
        from scipy.optimize import nnls

        shift = len(self.values) if of_ranks else 0
        whole = self.products[one, one]
        active = [other + shift for other in among]
        weights = np.zeros(0)
        for most in (len(active), MAX_INGREDIENTS):
            active = active[:most]
            if not active or whole <= 0:
                return EMPTY
            inner = self.products[np.ix_(active, active)]
            ridge = SMALLEST * np.trace(inner) / len(active) + np.finfo(float).tiny
            lower = np.linalg.cholesky(inner + ridge * np.eye(len(active)))
            target = np.linalg.solve(lower, self.products[active, one])
            weights, _ = nnls(lower.T, target, maxiter=50 * len(active))
            order = np.argsort(-weights, kind="stable")
            heavy = [i for i in order if weights[i] > MIN_WEIGHT * weights.sum()]
            active, weights = [active[i] for i in heavy], weights[heavy]
        if not active:
            return EMPTY
        inner = self.products[np.ix_(active, active)]
        left = whole - 2 * weights @ self.products[active, one] + weights @ inner @ weights
        unexplained = float(np.clip(left / whole, 0, 1))
        return Fit(tuple(a - shift for a in active), tuple(map(float, weights)), unexplained)

    def bent(self, one: int, among: Sequence[int]) -> Fit:
        """Reproduce a file as a function of another that never falls."""
        n = len(self.values)
        along = [(self.products[n + one, n + other], other) for other in among]
        nearest = [other for _, other in sorted(along, reverse=True)[:_BENT_SOURCES]]
        fits = [Fit((other,), (1.0,), self._bent(one, other)) for other in nearest]
        return min(fits, key=lambda f: f.unexplained, default=EMPTY)

    def _bent(self, one: int, other: int) -> float:
        from sklearn.isotonic import IsotonicRegression

        step = max(1, self.cells.shape[1] // _BENT_CELLS)
        left = whole = 0.0
        for column in range(self.values.shape[2]):
            target = self.values[one, ::step, column] / self.scales[column]
            source = self.values[other, ::step, column]
            curve = IsotonicRegression().fit_transform(source, target)
            left += float(((target - curve) ** 2).sum())
            whole += float(((target - target.mean()) ** 2).sum())
        return left / whole if whole > 0 else 1.0

    # ------------------------------------------------------------ to the last digit

    @cached_property
    def _known_digits(self) -> dict[int, NDArray[np.float64]]:
        return {}

    def _digits(self, one: int) -> NDArray[np.float64]:
        """Return, for each column, half a unit of the last decimal that a file prints."""
        if one in self._known_digits:
            return self._known_digits[one]
        halves = np.empty(self.values.shape[2])
        for column in range(len(halves)):
            values = self.values[one, :, column]
            largest = float(np.abs(values).max())
            slack = 1e-14 * largest  # of numbers in binary; no decimal is as small
            zeros = max(0, int(-np.log10(largest))) if largest > 0 else 0
            most = min(_MOST_DIGITS + zeros, _DEEPEST)
            kept = (d for d in range(most) if np.abs(values - np.round(values, d)).max() <= slack)
            halves[column] = 0.5 * 10.0 ** -next(kept, most)
            with np.errstate(over="ignore"):
                is_single = (values.astype(np.float32) == values).all()
            if is_single:
                halves[column] = max(halves[column], _FLOAT32 * largest)
        self._known_digits[one] = halves
        return halves

    def _tolerance(self, one: int) -> NDArray[np.float64]:
        """Return by how much a file's cells were rounded, in standard deviations, by column."""
        return np.minimum(self._digits(one) * 1.01 / self.scales, _LOOSEST) + _ARITHMETIC

    def coarseness(self, one: int) -> float:
        """Return how much of a file its rounding may take, in standard deviations of a column."""
        return float(self._tolerance(one).max())

    def size(self, one: int) -> float:
        """Return a file's own standard deviation, in typical ones."""
        return float(np.sqrt(self.products[one, one] / self.cells.shape[1]))

    def telling(self, one: int) -> NDArray[np.bool_]:
        """Say which cells of a file hold a value that few of its rows have."""
        rows, columns = self.values.shape[1:]
        found = np.zeros((rows, columns), np.bool_)
        for column in range(columns):
            values = np.round(self.values[one, :, column], DIGITS)
            _, where, counts = np.unique(values, return_inverse=True, return_counts=True)
            found[:, column] = counts[where] <= max(2, _RARE * rows)
        return found.ravel()

    def apart_by(self, one: int, other: int) -> NDArray[np.float64]:
        """Return what the cells of two files differ by, told in what rounding takes of the first.

        Returns
        -------
        ndarray, shape (n_cells,)
            Up to 1 where they are equal to six decimals, or to those that the file has.
        """
        apart = np.abs(self.values[one] - self.values[other]) / self.scales
        sixth = np.minimum(0.5 * 10.0**-DIGITS / self.scales, _SAME)
        found: NDArray[np.float64] = apart / np.maximum(self._tolerance(one), sixth)
        return found.ravel()

    def equal(self, one: int, other: int) -> NDArray[np.bool_]:
        """Say which cells of two files are equal to six decimals, or to those that they have."""
        found: NDArray[np.bool_] = self.apart_by(one, other) <= 1
        return found

    def clipped(self, one: int, other: int) -> bool:
        """Say whether a file is another whose smallest and largest values were cut off."""
        odd = ~self.equal(one, other).reshape(self.values.shape[1:])
        for column in range(self.values.shape[2]):
            values = self.values[one, :, column]
            edge = (values == values.min()) | (values == values.max())
            if (odd[:, column] & ~edge).any():
                return False
        return True

    def concentrated(self, one: int, sources: Sequence[int]) -> tuple[Fit, NDArray[np.float64]]:
        """Fit a file to others on those cells that fit best, and say what is then left of each.

        Returns
        -------
        Fit
            Over the cells that were kept, at least seven in ten.
        ndarray of float, shape (n_cells,)
            What is left, told in what rounding takes of the file: up to 1 where the sources have
            the digits that were mixed, up to 2 where they were rounded to as many as the file.
        """
        columns = self.values.shape[2]
        ones = np.tile(np.eye(columns), (self.values.shape[1], 1))
        known = self.cells[list(sources)].T
        target = self.cells[one]
        kept = np.ones(len(target), np.bool_)
        weights, apart = np.zeros(len(sources)), np.abs(target)
        for _ in range(_STEPS):
            both = np.column_stack([known, ones])[kept]
            weights = np.linalg.lstsq(both, target[kept], rcond=None)[0][: len(sources)]
            apart = (target - known @ weights).reshape(-1, columns)
            apart = np.abs(apart - np.median(apart, axis=0)).ravel()
            closer = apart <= np.quantile(apart, _KEPT)
            if (closer == kept).all():
                break
            kept = closer
        whole = float(np.var(target[kept]) * kept.sum())
        left = float((apart[kept] ** 2).sum()) / whole if whole > 0 else 1.0
        tolerance = np.tile(self._tolerance(one), self.values.shape[1])
        heavy = [i for i, w in enumerate(np.abs(weights)) if w > _NO_WEIGHT * np.abs(weights).max()]
        fit = Fit(
            tuple(sources[i] for i in heavy), tuple(map(float, weights[heavy])), min(1.0, left)
        )
        return fit, apart / tolerance
