"""How unlikely a value is among honest ones, with few of them seen."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_SMALLEST_MEAN = 0.05  # of what values exceed their median by; less would be too sure


def excess_p(null: NDArray[np.float64], value: float) -> float:
    """Return the chance that an honest value is as large as `value`.

    Parameters
    ----------
    null : ndarray of float, shape (n,), n >= 2
        Honest values; some may be of copies, which makes p larger and never smaller.

    Notes
    -----
    What values have above their median is taken as exponential. With the mean of m of them only
    estimated, the chance to exceed it by x is ``(1 + x / (m mean)) ** -m`` (Lomax). Where honest
    values are as large, p is at least the share of them, counted with `value` itself.

    References
    ----------
    J. Pickands, "Statistical inference using extreme order statistics", Ann. Statist. 3, 1975.
    https://doi.org/10.1214/aos/1176343003

    Examples
    --------
    >>> import numpy as np
    >>> honest = np.array([1.0, 1.2, 1.3, 1.5, 1.6, 1.9, 2.0, 2.4])
    >>> excess_p(honest, 2.1) > 0.1, excess_p(honest, 9.0) < 0.01
    (True, True)
    """
    n_larger = int((null >= value).sum())
    share = (1 + n_larger) / (len(null) + 1)
    middle = float(np.median(null))
    if value <= middle:
        return max(0.5, share)
    m = max(1, len(null) // 2)
    mean = max(_SMALLEST_MEAN, float(np.maximum(null - middle, 0).sum()) / m)
    tail = 0.5 * (1 + (value - middle) / (m * mean)) ** -m
    return float(max(tail, share) if n_larger else tail)
