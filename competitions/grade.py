"""Grade one submission: read, validate, score, place on the board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from pathlib import Path

GradeOutcome = Literal["graded", "invalid", "missing", "nan", "infinite", "grader_error"]
Medal = Literal["gold", "silver", "bronze"]


@dataclass(frozen=True)
class Thresholds:
    """A board in five numbers. Medal thresholds are None where the board awards none.

    Parameters
    ----------
    kind : {"kaggle", "baselines"}
        Whose scores they are.
    sha256 : str
        The pin of the board's file.
    """

    kind: Literal["kaggle", "baselines"]
    sha256: str
    n_teams: int
    gold: float | None
    silver: float | None
    bronze: float | None
    median: float


@dataclass(frozen=True)
class Grade:
    """What one submission is worth.

    Parameters
    ----------
    outcome : str
        ``graded``; ``invalid`` (breaks a rule: see `problems`); ``missing``; ``nan`` and
        ``infinite`` (a score that is no number, which MLE-bench counts as valid);
        ``grader_error`` (our grader crashed: see `error`; never the submission's fault).
    score : float or None
        Rounded to 5 decimals; None unless `outcome` is ``graded``.
    score_repr : str or None
        ``nan``, ``inf`` or ``-inf`` where the score is no number.
    percentile : float in [0, 100] or None
        Share of the board's scores that are strictly worse, in per cent.
    comparable : bool
        False when a medal means nothing: repaired variant or miniature data.
    """

    competition_id: str
    variant: Literal["v1", "fixed"]
    outcome: GradeOutcome
    is_lower_better: bool
    thresholds: Thresholds
    score: float | None = None
    score_repr: str | None = None
    problems: tuple[str, ...] = ()
    error: str | None = None
    medal: Medal | None = None
    above_median: bool = False
    percentile: float | None = None
    comparable: bool = True
    submission_path: Path | None = None
    submission_sha256: str | None = None
