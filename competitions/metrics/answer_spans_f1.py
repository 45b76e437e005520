"""Long and short answers to questions, as spans of words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.metrics.base import Context, Metric
from competitions.metrics.cells import aligned, parsed, shown, texts

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    import pandas as pd

    Answer = tuple[int, int] | str

_SPAN_WORDS = 2


def _answer(_row: int, cell: str) -> Answer:
    """Read a cell: (start, end), YES, NO, or the empty text for none."""
    text = cell.strip()
    parts = text.split(":")
    if len(parts) == _SPAN_WORDS:
        try:
            return int(parts[0]), int(parts[1])
        except ValueError:
            pass
    elif text in {"YES", "NO", ""}:
        return text
    raise ValueError(f"expected start:end, YES, NO or nothing, found {shown(cell)}")


def allowed_answers(annotation: Mapping[str, Any]) -> tuple[set[Answer], set[Answer]]:
    """Return the long and the short answers that one annotation allows.

    Examples
    --------
    >>> span = {"start_token": 3, "end_token": 9}
    >>> allowed_answers({"long_answer": span, "short_answers": [], "yes_no_answer": "YES"})
    ({(3, 9)}, {'YES'})
    """

    def span(of: Mapping[str, Any]) -> Answer:
        return int(of["start_token"]), int(of["end_token"])

    long = annotation["long_answer"]
    none = long["start_token"] == -1
    short: set[Answer] = {span(part) for part in annotation["short_answers"]}
    if annotation["yes_no_answer"] != "NONE":
        short.add(annotation["yes_no_answer"])
    return (set() if none else {span(long)}), short


def score(answers: pd.DataFrame, submission: pd.DataFrame, context: Context) -> float:
    """Return the F1 of answer spans, from tables that nobody has aligned.

    Parameters
    ----------
    answers : DataFrame
        One row per question: the key and ``annotations``, a list of which the first counts, as the
        lines of the raw JSON have them.
    submission : DataFrame
        Two rows per question, whose keys end in ``_long`` and ``_short``.

    Raises
    ------
    InvalidSubmissionError
        When keys are missing, unknown or repeated, or a cell is none of ``start:end``, ``YES``,
        ``NO`` and nothing.

    Notes
    -----
    A row is right when its answer is an allowed one, or when it is empty and none is allowed. Under
    ``v1`` the score is the share of right rows, (1/n) · Σᵢ [rightᵢ], which is what micro-averaged
    F1 over both outcomes comes to, so that right blanks count. Under ``fixed`` it is what the
    competition states: F1 = 2·TP / (2·TP + FP + FN), a right answer being TP, a wrong one FP, a
    blank where there is an answer FN, and a right blank nothing; 1 where none of them occurs.

    References
    ----------
    Kwiatkowski et al. (2019), Natural Questions: a Benchmark for Question Answering Research.
    https://doi.org/10.1162/tacl_a_00276

    Examples
    --------
    >>> import pandas as pd
    >>> said = {"long_answer": {"start_token": 3, "end_token": 9}, "short_answers": []}
    >>> truth = pd.DataFrame({"id": ["q"], "annotations": [[{**said, "yes_no_answer": "NONE"}]]})
    >>> rows = pd.DataFrame({"id": ["q_long", "q_short"], "answer": ["3:9", "4:5"]})
    >>> score(truth, rows, Context(("answer",), key=("id",)))
    0.5
    """
    import pandas as pd

    (key,) = context.key
    keys: list[str] = []
    allowed: list[set[Answer]] = []
    for name, notes in zip(answers[key], answers["annotations"], strict=True):
        keys += [f"{name}_long", f"{name}_short"]
        allowed += allowed_answers(notes[0])
    _, rows = aligned(pd.DataFrame({key: keys}), submission, context)
    cells = texts(rows, context.target, context, missing="", numbers=True)
    found = parsed(rows, context.target, context, cells, _answer)
    right = [f in a if f else not a for f, a in zip(found, allowed, strict=True)]
    if context.variant == "v1":
        return sum(right) / len(right)
    n_given = sum(bool(f) for f in found)
    n_hits = sum(ok and bool(f) for f, ok in zip(found, right, strict=True))
    n_missed = sum(not f and bool(a) for f, a in zip(found, allowed, strict=True))
    relevant = n_hits + n_given + n_missed
    return 2 * n_hits / relevant if relevant else 1.0


METRIC = Metric(name="answer-spans-f1", direction="higher", best=1.0, score=score)
