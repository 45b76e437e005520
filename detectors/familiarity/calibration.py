"""How unusual a text's score is beside control texts that the model cannot have seen.

Controls differ from the target in length, tables and how hard they are: a score is regressed on
these, and the rest is compared. The p-value is a conformal one of the whole procedure (the line is
fitted to the controls and the target together), so that it is right at any number of controls
where target and controls are exchangeable once the covariates are taken out. Whether they are, no
number here can tell: `blind.py` looks for signs that they are not.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from competitions.errors import UsageError
from detectors.familiarity.conformal import p_floor
from detectors.known import Calibrated, Decision

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

RATE = 0.05  # of findings that may be chance, and the level of bounds
POWER = 0.8  # with which an effect is called visible
MIN_CORRELATION = 0.8  # of target and reference on controls; below it the reference is no match
MIN_CONTROLS = 19  # fewer have no p of .05
_TIE = 1e-9  # residuals that differ by less are equal: sums in another order


def calibrate(
    score: float,
    covariates: Sequence[float],
    controls: Sequence[float] | NDArray[np.float64],
    control_covariates: Sequence[Sequence[float]] | NDArray[np.float64],
) -> Calibrated:
    """Hold a score against controls, after what length and the like explain.

    Parameters
    ----------
    covariates : sequence of float, shape (k,)
        Of the target.
    controls : array of float, shape (n,)
        Their scores, oriented as the target's.
    control_covariates : array of float, shape (n, k)

    Raises
    ------
    UsageError
        When there are too few controls, or a score is missing.

    References
    ----------
    Vovk, Gammerman & Shafer, Algorithmic Learning in a Random World, 2005, chapter 2: conformal
    prediction with ridge regression; here with studentised residuals.
    """
    y = np.asarray(controls, dtype=np.float64)
    n = len(y)
    require_controls(n, [score, *covariates], y, control_covariates)
    known = np.column_stack([np.ones(n), np.asarray(control_covariates, dtype=np.float64)])
    own = np.array([1.0, *covariates])
    together = studentised(np.vstack([known, own]), np.append(y, score))
    p = (1 + int(np.sum(together[:-1] >= together[-1] - _TIE))) / (n + 1)
    line, _, _, _ = np.linalg.lstsq(known, y, rcond=None)
    expected = float(own @ line)
    differences = left_out(known, y)
    low, middle, high = np.quantile(differences, [RATE, 1 - POWER, 1 - RATE])
    return Calibrated(
        score=score,
        expected=expected,
        spread=float(differences.std(ddof=1)),
        p=p,
        floor=p_floor(n),
        upper=float(max(0.0, score - expected - low)),
        visible=float(high - middle),
    )


def least_controls(n_covariates: int) -> int:
    """Return how many controls a line through so many covariates needs for a p of .05."""
    return max(MIN_CONTROLS, 3 * (1 + n_covariates))


def require_number(n: int, least: int = MIN_CONTROLS) -> None:
    """See that there are controls enough.

    Raises
    ------
    UsageError
        With both numbers.
    """
    if n < least:
        raise UsageError(
            f"Expected at least {least} control texts, found {n}.",
            "Name a folder with more: --controls DIR, or ask for more: --n-controls N",
        )


def require_controls(
    n: int,
    own: Sequence[float],
    scores: NDArray[np.float64],
    covariates: Sequence[Sequence[float]] | NDArray[np.float64],
) -> None:
    """See that there are controls enough for so many covariates, and that no number is missing.

    Parameters
    ----------
    own : sequence of float
        Score and covariates of what is asked about.

    Raises
    ------
    UsageError
        When it is not so.
    """
    require_number(n, least_controls(len(own) - 1))
    if not (np.isfinite(own).all() and np.isfinite(scores).all() and np.isfinite(covariates).all()):
        raise UsageError("Expected a score for the text and every control, found none for some.")


def _hat(design: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the leverage of each row; columns that others explain add nothing."""
    u, s, _ = np.linalg.svd(design, full_matrices=False)
    kept = u[:, s > s[0] * max(design.shape) * np.finfo(float).eps]
    return np.asarray(np.sum(kept**2, axis=1))


def _residuals(design: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    line, _, _, _ = np.linalg.lstsq(design, y, rcond=None)
    return np.asarray(y - design @ line)


def studentised(design: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Divide residuals by what they vary for being far out: a far text is not odd for that."""
    free = np.sqrt(np.maximum(1 - _hat(design), np.finfo(float).eps))
    return np.asarray(_residuals(design, y) / free)


def left_out(design: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what each control differs from the line through all others."""
    free = np.maximum(1 - _hat(design), np.finfo(float).eps)
    return np.asarray(_residuals(design, y) / free)


def correlation(first: Sequence[float], second: Sequence[float]) -> float:
    """Return Pearson's r, NaN where one of them does not vary."""
    a, b = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if len(a) < 3 or not a.std() or not b.std():  # noqa: PLR2004 - two points are always a line
        return math.nan
    return float(np.corrcoef(a, b)[0, 1])


def decide(one: Calibrated, q: float, *, confounded: bool) -> Decision:
    """Say what may be said of a text whose p became `q` when all texts of the call are counted.

    Where a text is above every control and that is still not enough for so many texts, there are
    too few controls: no decision, and no p-value is shown.
    """
    if confounded:
        return Decision.CONFOUNDED
    if q <= RATE:
        return Decision.FAMILIAR
    at_floor = one.p <= one.floor * (1 + _TIE)
    if one.floor > RATE or at_floor:
        return Decision.NO_DECISION
    return Decision.NOTHING_SEEN


def controls_needed(n_texts: int) -> int:
    """Return how many controls let a single familiar text among so many be found.

    Examples
    --------
    >>> controls_needed(1), controls_needed(75)
    (19, 1499)
    """
    return round(n_texts / RATE) - 1
