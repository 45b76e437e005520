"""Mean angle between predicted and true directions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.errors import InvalidSubmissionError
from competitions.metrics.base import Context, Metric
from competitions.metrics.checks import check_columns, numbers

if TYPE_CHECKING:
    import pandas as pd


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the mean angle in radians between the directions (azimuth, zenith), the two targets.

    Argument ``columns``: see `competitions.metrics.checks.check_columns`.

    Raises
    ------
    InvalidSubmissionError
        When an angle is empty, infinite, text or True/False, or a column is too many.

    Notes
    -----
    M = (1/n) · Σᵢ arccos(sin ẑᵢ sin zᵢ cos(âᵢ - aᵢ) + cos ẑᵢ cos zᵢ), in [0, π]; the cosine is
    clipped to [-1, 1]. Near 0 the arc cosine loses half of the digits: a perfect submission may
    score 1e-9. The range of the angles does not matter.

    References
    ----------
    https://www.kaggle.com/competitions/icecube-neutrinos-in-deep-ice/overview/evaluation

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"azimuth": [0.0, 0.0], "zenith": [0.0, 0.0]})
    >>> guess = pd.DataFrame({"azimuth": [1.0, 2.0], "zenith": [0.5, 1.0]})
    >>> round(score(truth, guess, Context(("azimuth", "zenith"))), 5)
    0.75
    """
    import numpy as np

    check_columns(submission, context)
    flags = [name for name in context.targets if submission[name].dtype == bool]
    if flags:
        raise InvalidSubmissionError([f"{n}: expected angles, found True and False" for n in flags])
    angles = numbers(submission, context)
    azimuth, zenith = context.targets
    a1, z1 = answers[azimuth].to_numpy(), answers[zenith].to_numpy()
    a2, z2 = angles[azimuth].to_numpy(), angles[zenith].to_numpy()
    along = np.cos(a1) * np.cos(a2) + np.sin(a1) * np.sin(a2)
    cosine = np.sin(z1) * np.sin(z2) * along + np.cos(z1) * np.cos(z2)
    return float(np.mean(np.arccos(np.clip(cosine, -1.0, 1.0))))


METRIC = Metric(name="mean-angular-error", direction="lower", best=0.0, score=score)
