"""Correlation of predicted and true classes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.metrics.base import Context, Metric
from competitions.metrics.checks import refuse_rows, whole_numbers

if TYPE_CHECKING:
    import pandas as pd


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return Matthews' correlation coefficient; 0 where a side is constant.

    Under ``v1`` a whole number that is no class of the answers counts as one more class; under
    ``fixed`` anything but 0 and 1 is refused.

    Raises
    ------
    InvalidSubmissionError
        When a cell is empty, text or a fraction; under ``fixed`` also when it is not 0 or 1.

    Notes
    -----
    With two classes φ = (TP·TN - FP·FN) / √((TP+FP)(TP+FN)(TN+FP)(TN+FN)); with more, the
    correlation of the indicator matrices, Σₖ cov(x̂ₖ, xₖ) / √(Σₖ cov(x̂ₖ, x̂ₖ) · Σₖ cov(xₖ, xₖ)).

    References
    ----------
    Matthews (1975). https://doi.org/10.1016/0005-2795(75)90109-9
    Gorodkin (2004), with K classes. https://doi.org/10.1016/j.compbiolchem.2004.09.006

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"y": [1, 1, 0, 0]})
    >>> round(score(truth, pd.DataFrame({"y": [1, 0, 0, 0]}), Context(("y",))), 5)
    0.57735
    """
    from sklearn.metrics import matthews_corrcoef

    predicted = whole_numbers(submission, context, context.target)
    if context.variant == "fixed":
        said = f"{context.target}: values other than 0 and 1"
        refuse_rows(submission, ~predicted.isin([0, 1]), said, context)
    if (predicted == predicted.iloc[0]).all():
        return 0.0
    return float(matthews_corrcoef(answers[context.target], predicted))


METRIC = Metric(name="matthews-correlation", direction="higher", best=1.0, score=score)
