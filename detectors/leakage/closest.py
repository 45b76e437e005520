"""How alike two honest things of one set are at most: where a likeness begins to mean a copy."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

MIN_NULL = 20  # honest things from which a tail can be told
DECADES = (
    2.5  # beyond the hundredth closest: one honest thing in 30,000, if distances shrink evenly
)
NEARER = 3.0  # times closer than the hundredth closest honest thing a copy is at least
MOST_RECURRING = 0.5  # share of train items with an equal one, above which all contents recur


class Bounds(NamedTuple):
    """Between what the bound of a likeness lies.

    Parameters
    ----------
    loosest, strictest : float
        It is never below the one nor above the other.
    common : float
        Nor above this one, unless the closest hundredth of honest things comes near it.
    """

    loosest: float
    common: float
    strictest: float


def bound_of(null: NDArray[np.float64], bounds: Bounds) -> float:
    """Return the likeness from which two things of a set are no longer honest neighbours.

    Each thing of the train part is held against the others; its greatest likeness is one value of
    `null`. Distances ``1 − likeness`` are taken to shrink by one factor from the closest tenth to
    the closest hundredth, and by that factor again per ten times rarer.

    Parameters
    ----------
    null : ndarray
        Greatest likeness of each train item to another one, at most 1. Those from `strictest` on
        are taken for copies within the train part and left out.

    Examples
    --------
    >>> near = 1 - np.geomspace(0.2, 0.6, 100)
    >>> limits = Bounds(0.8, 0.99, 0.99)
    >>> round(bound_of(near, limits), 2), bound_of(near[:5], limits)
    (0.93, 0.99)
    """
    honest = np.log(np.maximum(1 - null[null < bounds.strictest], 1e-9))
    if len(honest) < MIN_NULL:
        return bounds.strictest
    closest, close = np.quantile(honest, [0.01, 0.1])
    bound = 1 - float(np.exp(closest - DECADES * (close - closest)))
    bound = max(min(bound, bounds.common), 1 - float(np.exp(closest)) / NEARER)
    return min(max(bound, bounds.loosest), bounds.strictest)


def recurring(null: NDArray[np.float64], bounds: Bounds) -> float:
    """Return the share of train items that another train item equals, copies and all."""
    return float(np.mean(null >= bounds.strictest)) if len(null) else 0.0
