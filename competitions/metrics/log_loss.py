"""Logarithmic loss of a binary probability."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.metrics.base import Context, Metric
from competitions.metrics.checks import numbers

if TYPE_CHECKING:
    import pandas as pd


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the mean negative log-likelihood of 0/1 answers under the submitted P(1).

    Raises
    ------
    InvalidSubmissionError
        When a cell is empty, text or outside [0, 1].

    Notes
    -----
    L = -(1/n) · Σᵢ [yᵢ ln pᵢ + (1 - yᵢ) ln(1 - pᵢ)], p clipped to [ε, 1 - ε] with the machine
    epsilon of 64-bit floats, ε = 2.2e-16, so that a certain mistake costs 36.04 and not infinity.

    References
    ----------
    Good (1952), Rational Decisions. https://doi.org/10.1111/j.2517-6161.1952.tb00104.x

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"p": [1, 0]})
    >>> round(score(truth, pd.DataFrame({"p": [0.5, 0.5]}), Context(("p",))), 5)
    0.69315
    """
    from sklearn.metrics import log_loss

    probability = numbers(submission, context, limits=(0.0, 1.0))[context.target]
    return float(log_loss(answers[context.target], probability, labels=[0, 1]))


METRIC = Metric(name="log-loss", direction="lower", best=0.0, score=score, rounding="python")
