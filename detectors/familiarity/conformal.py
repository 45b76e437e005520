"""How unusual a score is among scores of control texts, and how well scores tell groups apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray


def conformal_p(
    scores: Sequence[float] | NDArray[np.float64], controls: Sequence[float] | NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return p-values against control texts: the share of controls, and itself, at least as high.

    Valid at any sample size where target and controls are exchangeable; never below `p_floor`.

    References
    ----------
    Vovk, Gammerman & Shafer, Algorithmic Learning in a Random World, 2005; Bates et al., Testing
    for outliers with conformal p-values, 2023 (arXiv:2104.08279).

    Examples
    --------
    >>> conformal_p([5.0, 1.5], [1.0, 2.0, 3.0]).tolist()
    [0.25, 0.75]
    """
    ordered = np.sort(np.asarray(controls, dtype=np.float64))
    n_above = len(ordered) - np.searchsorted(ordered, np.asarray(scores), side="left")
    return np.asarray((1 + n_above) / (1 + len(ordered)), dtype=np.float64)


def p_floor(n_controls: int) -> float:
    """Return the smallest p-value that so many controls can give.

    Examples
    --------
    >>> p_floor(99)
    0.01
    """
    return 1 / (1 + n_controls)


def auc(
    seen: Sequence[float] | NDArray[np.float64], unseen: Sequence[float] | NDArray[np.float64]
) -> float:
    """Return the share of pairs in which the seen text scores higher; ties count half.

    Examples
    --------
    >>> auc([2.0, 3.0], [1.0, 2.0])
    0.875
    """
    high, low = np.asarray(seen)[:, None], np.asarray(unseen)[None, :]
    return float(np.mean((high > low) + 0.5 * (high == low)))
