"""The validation score that a log tells, in the task's own metric."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from detectors.training.figures import values_of
from detectors.training.sayings import spoken

if TYPE_CHECKING:
    from collections.abc import Iterable

    from detectors.text_file import TextFile

MAX_EXCERPT = 300  # characters
_VALIDATION = re.compile(
    r"\b(?:cv|oof|out[- ]of[- ]fold|val|valid|validation|cross[- ]?validat\w*|hold[- ]?out|local)\b"
    r"|(?:^|[^a-z])(?:val|cv|oof)_",
    re.IGNORECASE,
)
_PART = re.compile(r"\b(?:fold|epoch|iter\w*|round|step|seed|trial)\s*[#:]?\s*\d", re.IGNORECASE)
_OTHER = re.compile(r"\b(?:train(?:ing)?|baseline|target|goal|expected|previous)\b", re.IGNORECASE)
# What a metric is called in logs, by its name here.
_CALLED = {
    "auc-roc": r"auc|auroc|roc",
    "accuracy": r"acc|accuracy",
    "top-1-error": r"error",
    "log-loss": r"log[-_ ]?loss|logloss|bce|nll|cross[- ]entropy",
    "multi-class-log-loss": r"log[-_ ]?loss|logloss|mlogloss|nll|cross[- ]entropy",
    "rmse": r"rmse|root mean squared error",
    "mcrmse": r"mcrmse",
    "mae": r"mae|mean absolute error",
    "macro-f1": r"f1",
    "micro-f1": r"f1",
    "quadratic-weighted-kappa": r"qwk|kappa",
    "matthews-correlation": r"mcc|matthews",
    "pearson": r"pearson|corr\w*",
    "dice": r"dice",
    "mean-column-wise-auc": r"auc",
    "mean-column-wise-rmsle": r"rmsle",
    "mean-column-wise-spearman": r"spearman",
    "map-at-k": r"map(?:@\d+)?",
    "weighted-auc": r"auc",
    "kl-divergence": r"kl\w*",
    "kendall-tau": r"kendall|tau",
    "word-jaccard": r"jaccard",
}
_ORDERS = 10  # times the hidden score, within which the own one is in the same unit


class Claimed(NamedTuple):
    """A validation score and the line that tells it."""

    value: float
    path: str
    line: int
    text: str


def claim_of(logs: Iterable[TextFile], metric: str, hidden: float) -> Claimed | None:
    """Return the last validation score that logs tell in a metric; None where they tell none.

    Lines of a fold or an epoch are left out for one that tells of all, if there is one.

    Parameters
    ----------
    metric : str
        The metric's name as a task names it.
    hidden : float
        The hidden score, by which a percentage or another unit is told.
    """
    called = _CALLED.get(metric)
    if called is None:
        return None
    named = re.compile(rf"(?<![a-z])(?:{called})(?![a-z])", re.IGNORECASE)
    whole = part = None
    for said in spoken(logs):
        if not _VALIDATION.search(said.text) or _OTHER.search(said.text):
            continue
        at = named.search(said.text)
        values = list(values_of(said.text[at.start() :])) if at else []
        value = _in_unit(float(values[0]), hidden) if values else None
        if value is None:
            continue
        claimed = Claimed(value, said.path, said.line, said.text.strip()[:MAX_EXCERPT])
        if _PART.search(said.text):
            part = claimed
        else:
            whole = claimed
    return whole or part


def _in_unit(value: float, hidden: float) -> float | None:
    """Return a score in the unit of another, None where it is in none that is known.

    Examples
    --------
    >>> _in_unit(87.5, 0.81), _in_unit(0.9, 0.8), _in_unit(4000.0, 0.8)
    (0.875, 0.9, None)
    """
    if 1 < value <= 100 and 0 <= hidden <= 1:  # noqa: PLR2004 - per cent
        return value / 100 if value > _ORDERS else (value if hidden > 0.1 else None)  # noqa: PLR2004
    small, large = sorted((abs(value), abs(hidden)))
    return value if large <= _ORDERS * max(small, 1e-3) else None
