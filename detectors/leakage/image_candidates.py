"""Find, for each picture, the few others that could be it: flipped, turned, cropped or re-encoded.

Pictures are compared by the low frequencies of their grey values, against a bank of views: eight
flips and turns of the one, times crops and small turns of either. What is found here is only
likely; `detectors.leakage.image_alignment` looks at the pixels.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from detectors.leakage.image_pixels import SIDE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

GRID = 32  # pixels a side at which views are compared
N_LOW = 10  # frequencies a side that are kept
BLOCK = 64  # pictures that are held against all others at once


class Candidate(NamedTuple):
    """A picture that may be another, and the map between their pixels.

    Parameters
    ----------
    left, right : int
        Positions in the two lists.
    affine : ndarray of shape (2, 3)
        Takes (x, y, 1) of the right picture to (x, y) of the left; both from -1 to 1.
    cosine : float
        How alike they are at low frequencies, at most 1.
    """

    left: int
    right: int
    affine: NDArray[np.float64]
    cosine: float


@cache
def crops() -> tuple[NDArray[np.float64], ...]:
    """Return maps from a whole picture to a part of it: itself first, crops, small turns."""
    views = [np.array([[1.0, 0, 0], [0, 1, 0]])]
    for scale, steps in ((0.9, (-1, 1)), (0.8, (-1, 0, 1)), (0.9, (0,))):
        slack = 1 - scale
        views += [
            np.array([[scale, 0, dx * slack], [0, scale, dy * slack]])
            for dx in steps
            for dy in steps
        ]
    for degrees in (-6, 6):
        a = np.deg2rad(degrees)
        s = 1 / (abs(np.cos(a)) + abs(np.sin(a)))  # the largest square that stays inside
        views.append(s * np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0]]))
    return tuple(views)


@cache
def turns() -> tuple[NDArray[np.float64], ...]:
    """Return the maps of `image_pixels.orientations`, in its order."""
    turned = [np.linalg.matrix_power(np.array([[0.0, -1], [1, 0]]), k) for k in range(4)]
    mirror = np.array([[-1.0, 0], [0, 1]])
    return tuple(np.hstack([m, np.zeros((2, 1))]) for m in [*turned, *(t @ mirror for t in turned)])


def composed(outer: NDArray[np.float64], inner: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the affine map that applies `inner` and then `outer`."""
    return np.hstack([outer[:, :2] @ inner[:, :2], outer[:, :2] @ inner[:, 2:] + outer[:, 2:]])


def inverse(affine: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the map that undoes an affine one."""
    back = np.linalg.inv(affine[:, :2])
    return np.hstack([back, -back @ affine[:, 2:]])


def low_frequencies(greys: NDArray[np.uint8], views: Sequence[NDArray[np.float64]]) -> Floats:
    """Describe views of pictures by their low frequencies, each of length 1.

    Parameters
    ----------
    greys : ndarray of uint8, shape (n, SIDE, SIDE)
    views : sequence of ndarray of shape (2, 3)

    Returns
    -------
    ndarray of float32, shape (n_views, n, N_LOW² − 1)
    """
    from scipy.fft import dct
    from scipy.ndimage import gaussian_filter

    step = SIDE // GRID
    smooth = gaussian_filter(greys.astype(np.float32), (0, step / 2, step / 2))
    basis = dct(np.eye(GRID, dtype=np.float32), axis=0, norm="ortho")[:N_LOW]
    at = (np.arange(GRID) + 0.5) * 2 / GRID - 1
    x, y = np.meshgrid(at, at)
    points = np.stack([x.ravel(), y.ravel(), np.ones(x.size)])
    found = np.empty((len(views), len(greys), N_LOW * N_LOW - 1), dtype=np.float32)
    for number, view in enumerate(views):
        where = np.clip(np.rint((view @ points + 1) * SIDE / 2 - 0.5), 0, SIDE - 1).astype(int)
        seen = smooth[:, where[1], where[0]].reshape(-1, GRID, GRID)
        low = (basis @ seen @ basis.T).reshape(len(greys), -1)[:, 1:]
        found[number] = low / np.maximum(np.linalg.norm(low, axis=1, keepdims=True), 1e-6)
    return found


class Bank:
    """The train pictures' views, against which others are held.

    Parameters
    ----------
    greys : ndarray of uint8, shape (n, SIDE, SIDE)
    """

    def __init__(self, greys: NDArray[np.uint8]) -> None:
        self.greys = greys
        self._views = low_frequencies(greys, crops())

    def nearest(
        self, greys: NDArray[np.uint8], most: int, itself: NDArray[np.intp] | None = None
    ) -> list[Candidate]:
        """Return the `most` nearest train pictures of each picture, nearest first.

        Parameters
        ----------
        greys : ndarray of uint8, shape (m, SIDE, SIDE)
        itself : ndarray of shape (m,), optional
            For pictures that are in the bank: where. A picture is not held against itself.

        Notes
        -----
        Time grows with m × n: 8 × 2 × 19 products of 99 numbers a pair.
        """
        found: list[Candidate] = []
        for start in range(0, len(greys), BLOCK):
            block = greys[start : start + BLOCK]
            skip = None if itself is None else itself[start : start + BLOCK]
            found += [c._replace(right=c.right + start) for c in self._block(block, most, skip)]
        return found

    def _block(
        self, greys: NDArray[np.uint8], most: int, itself: NDArray[np.intp] | None
    ) -> list[Candidate]:
        n = len(self.greys)
        best = np.full((len(greys), n), -1.0, dtype=np.float32)
        which = np.zeros((len(greys), n), dtype=np.int32)
        n_crops = len(crops())
        flat = self._views.reshape(n_crops * n, -1)
        for t, turn in enumerate(turns()):
            views = low_frequencies(greys, [composed(turn, crop) for crop in crops()])
            of_train = (views[0] @ flat.T).reshape(len(greys), n_crops, n)
            of_test = views[1:] @ self._views[0].T
            for c in range(n_crops):
                _keep(best, which, of_train[:, c], t * 2 * n_crops + c)
                if c:
                    _keep(best, which, of_test[c - 1], (t * 2 + 1) * n_crops + c)
        if itself is not None:
            best[np.arange(len(greys)), itself] = -1
        most = min(most, n)
        near = np.argpartition(-best, most - 1, axis=1)[:, :most]
        return [
            Candidate(int(i), m, _affine(int(which[m, i])), float(best[m, i]))
            for m in range(len(greys))
            for i in near[m][np.argsort(-best[m, near[m]])]
            if best[m, i] > 0
        ]


def _keep(best: Floats, which: NDArray[np.int32], score: Floats, code: int) -> None:
    better = score > best
    best[better] = score[better]
    which[better] = code


def _affine(code: int) -> NDArray[np.float64]:
    """Return the map from the right picture to the left one that a code of `Bank` stands for."""
    n_crops = len(crops())
    turn, rest = divmod(code, 2 * n_crops)
    is_test, crop = divmod(rest, n_crops)
    # left(L p) is like right(R p), so the point of the left one is L R⁻¹ of the right one's.
    right = composed(turns()[turn], crops()[crop]) if is_test else turns()[turn]
    left = crops()[0] if is_test else crops()[crop]
    return composed(left, inverse(right))
