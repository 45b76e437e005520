"""Grade one submission: read, validate, score, place on the board."""

from __future__ import annotations

import math
import traceback
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from competitions.errors import InvalidSubmissionError, MleAuditError
from competitions.io import sha256_file

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pandas as pd

    from competitions.metrics import Metric
    from competitions.prepared import Prepared
    from competitions.spec import Competition

GradeOutcome = Literal["graded", "invalid", "missing", "nan", "infinite", "grader_error"]
Medal = Literal["gold", "silver", "bronze"]
DECIMALS = 5  # of a score, as MLE-bench rounds it


@dataclass(frozen=True)
class Thresholds:
    """A board in a few numbers. Medal thresholds are None where the board awards none.

    Parameters
    ----------
    kind : {"kaggle", "baselines"}
        Whose scores they are.
    sha256 : str
        The pin of the board's file.
    most_common : float or None
        The score that most teams have; None when no score occurs twice.
    share_most_common : float in [0, 1]
        Of the teams.
    """

    kind: Literal["kaggle", "baselines"]
    sha256: str
    n_teams: int
    gold: float | None
    silver: float | None
    bronze: float | None
    median: float
    most_common: float | None = None
    share_most_common: float = 0.0


@dataclass(frozen=True)
class Grade:
    """What one submission is worth.

    Parameters
    ----------
    outcome : str
        ``graded``; ``invalid`` (breaks a rule: see `problems`); ``missing``; ``nan`` and
        ``infinite`` (a score that is no number, which MLE-bench counts as valid);
        ``grader_error`` (the grader crashed: see `error`; never the submission's fault).
    score : float or None
        Rounded to 5 decimals; None unless `outcome` is ``graded``.
    score_repr : str or None
        ``nan``, ``inf`` or ``-inf`` where the score is no number.
    percentile : float in [0, 100] or None
        Share of the board's scores that are strictly worse, in per cent.
    is_most_common : bool
        Whether it is the board's most common score: that of a sample, a public notebook, a leak.
    own_metric : bool
        Whether the metric is a file of the task's author: its crash is no fault of ours.
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
    is_most_common: bool = False
    own_metric: bool = False
    comparable: bool = True
    submission_path: Path | None = None
    submission_sha256: str | None = None

    @property
    def exit_code(self) -> int:
        """What a command that grades one file ends with: 1 for its faults, 70 for ours.

        3 where the task's own metric failed.
        """
        crashed = 3 if self.own_metric else 70
        return {"missing": 1, "invalid": 1, "grader_error": crashed}.get(self.outcome, 0)


def grade(spec: Competition, submission_path: Path | None, data_dir: Path) -> Grade:
    """Grade one submission of one task.

    Parameters
    ----------
    submission_path : Path or None
        None, a path without a file, and a file that is no ``.csv`` are a missing submission, as in
        MLE-bench.
    data_dir : Path
        Where the task is prepared.

    Returns
    -------
    Grade
        A fault of the submission is in its `problems`, a crash of the metric in its `error`.

    Raises
    ------
    NotPreparedError
        When the task is not prepared here.
    DigestMismatchError
        When the answers or the board are not the pinned ones.
    """
    from competitions.medals import load_board, thresholds
    from competitions.metric_file import MetricFileError, metric_for
    from competitions.prepared import load_prepared, verify_answers
    from competitions.submission import MAX_SUBMISSION_BYTES

    prepared = load_prepared(spec, data_dir)
    verify_answers(prepared)
    board = load_board(spec)
    blank = Grade(
        competition_id=spec.id,
        variant=spec.variant,
        outcome="missing",
        is_lower_better=spec.metric.is_lower_better,
        thresholds=thresholds(board),
        own_metric=spec.metric.file is not None,
        comparable=spec.variant == "v1" and prepared.source != "miniature",
        submission_path=submission_path,
    )
    if submission_path is None or not submission_path.is_file():
        where = submission_path or "none was handed in"
        return replace(blank, problems=(f"no submission file: {where}",))
    if submission_path.suffix.lower() != ".csv":
        said = f"expected a name that ends in .csv, found {submission_path.name}"
        return replace(blank, problems=(said,))
    # A link and a file that is too large are refused unread: see `read_submission`.
    if not submission_path.is_symlink() and submission_path.stat().st_size <= MAX_SUBMISSION_BYTES:
        blank = replace(blank, submission_sha256=sha256_file(submission_path))
    try:
        score = _score(prepared, submission_path)
    except InvalidSubmissionError as error:
        return replace(blank, outcome="invalid", problems=error.problems)
    except MleAuditError:
        raise  # our own set-up is wrong: no metric by this name, a broken schema
    except MetricFileError as error:
        return replace(blank, outcome="grader_error", error=str(error))
    except Exception:  # noqa: BLE001 - whatever a metric raises is our fault, told with its place
        return replace(blank, outcome="grader_error", error=traceback.format_exc())
    return _placed(blank, score, board.scores, metric_for(spec))


def _score(prepared: Prepared, submission_path: Path) -> float:
    """Read, validate and score; raises `InvalidSubmissionError` with every problem."""
    from competitions.submission import max_lines, read_submission
    from competitions.work import read_raw

    answers = read_raw(prepared.answers)
    submission = read_submission(submission_path, max_lines(len(answers)))
    return score_tables(prepared, answers, submission)


def score_tables(prepared: Prepared, answers: pd.DataFrame, submission: pd.DataFrame) -> float:
    """Validate and score a submission that was read, on all answers or on some of their rows.

    Raises
    ------
    InvalidSubmissionError
        With every problem; whatever else is raised is the metric's fault.
    """
    from competitions.hooks import hooks_of
    from competitions.metric_file import metric_for
    from competitions.metrics import Context
    from competitions.metrics.pairing import paired
    from competitions.submission import align, key_index, validate

    spec, schema = prepared.spec, prepared.schema
    context = Context(spec.targets, spec.metric.arguments, spec.variant, spec.submission.key)
    hooks = hooks_of(spec)
    if hooks is not None and hooks.score is not None:
        return hooks.score(answers, submission, context)
    problems = validate(schema, submission, key_index(answers, schema.key))
    if problems:
        raise InvalidSubmissionError(problems)
    metric = metric_for(spec)
    if schema.pairing is not None:
        rest = {k: v for k, v in context.arguments.items() if k != "pairing"}
        tables = answers, submission
        if schema.pairing != "as-read":
            tables = paired(answers, submission, context)
        return metric.score(*tables, replace(context, arguments=rest))
    return metric.score(*align(schema, submission, answers), context)


def _placed(blank: Grade, score: float, board: Sequence[float], metric: Metric) -> Grade:
    """Round a score and place it on the board; a score that is no number has no place."""
    from competitions.medals import is_at_least, is_most_common, medal_of, percentile

    if not math.isfinite(score):
        outcome: GradeOutcome = "nan" if math.isnan(score) else "infinite"
        return replace(blank, outcome=outcome, score_repr=repr(float(score)))
    rounded, lower = metric.rounded(score, DECIMALS), blank.is_lower_better
    return replace(
        blank,
        outcome="graded",
        score=rounded,
        medal=medal_of(rounded, blank.thresholds, is_lower_better=lower),
        above_median=not is_at_least(blank.thresholds.median, rounded, is_lower_better=lower),
        percentile=percentile(rounded, board, is_lower_better=lower),
        is_most_common=is_most_common(rounded, blank.thresholds),
    )
