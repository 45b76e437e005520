"""What a metric is: a name, its best value, and a function of aligned answers and submission."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import pandas as pd

    from competitions.spec import Scalar, Variant


@dataclass(frozen=True)
class Context:
    """What a metric may know beside the two tables.

    Parameters
    ----------
    targets : tuple of str
        Predicted columns.
    arguments : mapping
        The YAML's `metric.arguments`.
    variant : {"v1", "fixed"}
        ``v1`` keeps the oddities of the published scores.
    key : tuple of str
        Columns that name a row.
    """

    targets: tuple[str, ...]
    arguments: Mapping[str, Scalar] = field(default_factory=dict)
    variant: Variant = "v1"
    key: tuple[str, ...] = ()

    @property
    def target(self) -> str:
        """The predicted column of a metric that takes exactly one."""
        (only,) = self.targets
        return only


@dataclass(frozen=True)
class Metric:
    """A metric by its canonical name.

    Parameters
    ----------
    best : float
        The score of a perfect submission.
    score : callable
        ``(answers, submission, context) -> float``. Both frames hold the same keys in the same row
        order. Raises `InvalidSubmissionError` for a declared violation; any other exception is the
        grader's fault and is never caught here.
    rounding : {"numpy", "python"}
        Of what type the published graders' score is: NumPy's rounds the scaled value, so that
        0.665625 becomes 0.66562; Python's rounds the exact one, to 0.66563.
    """

    name: str
    direction: Literal["higher", "lower"]
    best: float
    score: Callable[[pd.DataFrame, pd.DataFrame, Context], float]
    rounding: Literal["numpy", "python"] = "numpy"

    def rounded(self, value: float, decimals: int) -> float:
        """Round a score as the published graders do.

        Examples
        --------
        >>> metric = Metric("auc-roc", "higher", 1.0, lambda *_: 0.0)
        >>> metric.rounded(0.665625, 5), round(0.665625, 5)
        (0.66562, 0.66563)
        """
        if self.rounding == "python":
            return round(float(value), decimals)
        import numpy as np

        return float(np.round(np.float64(value), decimals))
