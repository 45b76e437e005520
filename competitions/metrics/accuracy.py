"""Share of rows whose label is right."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.errors import InvalidSubmissionError
from competitions.labels import MIN_WORDS_TAKEN_AS_LABELS, is_integral, is_text, label_problem
from competitions.metrics.base import Context, Metric
from competitions.metrics.checks import refuse_rows

if TYPE_CHECKING:
    import pandas as pd


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the share of rows whose label equals the answer.

    Arguments: ``missing`` (``wrong``: an empty cell is a wrong label, where the answers are words;
    else it is refused) and ``as_text`` (true: cells are compared as they are written, 1.0 is not 1,
    and an empty cell equals an empty answer).

    Raises
    ------
    InvalidSubmissionError
        When the labels are missing, fractional, or words where the answers are none: see
        `competitions.labels.label_problem`. Under ``fixed`` also numbers where they are words.

    Notes
    -----
    A = (1/n) · Σᵢ [ŷᵢ = yᵢ]. ``True``, 1 and 1.0 are the same label. Under ``v1`` words against
    answers that are none, and whole numbers against words, count as wrong in every row, a valid
    0.0, because the published scores were made that way (scikit-learn 1.5 to 1.7); unless
    answers and submission both have at most two different labels, which was refused.

    References
    ----------
    https://scikit-learn.org/stable/modules/model_evaluation.html#accuracy-score

    Examples
    --------
    >>> import pandas as pd
    >>> truth = pd.DataFrame({"y": [True, False, True, True]})
    >>> score(truth, pd.DataFrame({"y": [1, 0, 0, 1]}), Context(("y",)))
    0.75
    """
    truth, labels = answers[context.target], submission[context.target]
    if context.arguments.get("as_text"):
        return float((as_written(truth).to_numpy() == as_written(labels).to_numpy()).mean())
    if is_text(truth):
        return _score_words(truth, submission, context)
    is_binary = truth.nunique() < MIN_WORDS_TAKEN_AS_LABELS
    lenient = context.variant == "v1"
    problem = label_problem(labels, words_count_as_wrong=lenient, is_binary=is_binary)
    if problem:
        raise InvalidSubmissionError([f"{context.target}: {problem}"])
    if is_text(labels):
        return 0.0
    return float((truth.to_numpy() == labels.to_numpy()).mean())


def _score_words(truth: pd.Series, submission: pd.DataFrame, context: Context) -> float:
    import pandas as pd

    name = context.target
    labels = submission[name]
    if context.arguments.get("missing") != "wrong":
        refuse_rows(submission, labels.isna(), f"{name}: empty cells", context)
    if labels.isna().all():
        return 0.0
    if pd.api.types.is_numeric_dtype(labels):
        n_labels = max(truth.nunique(), labels.nunique())
        if context.variant == "fixed" or n_labels < MIN_WORDS_TAKEN_AS_LABELS:
            raise InvalidSubmissionError([f"{name}: expected words, found numbers"])
        if labels.notna().all():
            said = f"{name}: values that are no whole numbers"
            refuse_rows(submission, ~is_integral(labels), said, context)
        return 0.0
    return float((truth.to_numpy() == labels.to_numpy()).mean())


def as_written(cells: pd.Series) -> pd.Series:
    """Turn cells to text, a missing one to ``nan``.

    Examples
    --------
    >>> import pandas as pd
    >>> list(as_written(pd.Series([1.0, None]))), list(as_written(pd.Series(["a", None])))
    (['1.0', 'nan'], ['a', 'nan'])
    """
    return cells.astype(object).where(cells.notna(), "nan").map(str)


METRIC = Metric(name="accuracy", direction="higher", best=1.0, score=score, rounding="python")
