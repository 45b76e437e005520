"""How scores and places change from the public rows of a solution to its private ones."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING

from competitions.errors import InvalidSubmissionError, MleAuditError, UsageError
from competitions.grade import DECIMALS, score_tables
from competitions.io import listed
from competitions.metric_file import USAGE, MetricFileError, metric_for
from competitions.prepared import load_prepared, verify_answers
from competitions.submission import key_index, max_lines, read_submission, validate
from competitions.work import read_raw

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import pandas as pd

    from competitions.prepared import Prepared
    from competitions.spec import Competition


@dataclass(frozen=True)
class Shake:
    """One submission on public and private rows.

    Parameters
    ----------
    public, private : float or None
        Rounded scores; both None when `problem` says why there are none.
    public_rank, private_rank : int or None
        From 1 among the submissions that were scored; equal scores share the better place.
    """

    submission: Path
    public: float | None = None
    private: float | None = None
    public_rank: int | None = None
    private_rank: int | None = None
    problem: str | None = None

    @property
    def change(self) -> int | None:
        """Places won (positive) or lost from public to private."""
        if self.public_rank is None or self.private_rank is None:
            return None
        return self.public_rank - self.private_rank


def shake_up(spec: Competition, submissions: Sequence[Path], data_dir: Path) -> list[Shake]:
    """Score submissions on the public and on the private rows of the answers.

    Parameters
    ----------
    submissions : sequence of Path
        CSV files; one that cannot be scored has a `problem`, and no place.

    Returns
    -------
    list of Shake
        Best on private rows first; those without a score last.

    Raises
    ------
    UsageError
        When the answers do not say which rows are public.
    NotPreparedError, DigestMismatchError
        See `competitions.grade.grade`.
    """
    prepared = load_prepared(spec, data_dir)
    verify_answers(prepared)
    answers = read_raw(prepared.answers)
    if USAGE not in answers.columns:
        raise UsageError(
            f"{spec.id}: expected a column {USAGE} of Public and Private in its answers, "
            f"found {listed(answers.columns[:20])}."
        )
    pairs = [_scored(prepared, answers, path) for path in submissions]
    sign = 1 if spec.metric.is_lower_better else -1
    found = []
    for path, pair in zip(submissions, pairs, strict=True):
        if isinstance(pair, str):
            found.append(Shake(path, problem=pair))
            continue
        first, second = (
            1 + sum(sign * p[half] < sign * pair[half] for p in pairs if not isinstance(p, str))
            for half in (0, 1)
        )
        found.append(Shake(path, *pair, first, second))
    return sorted(found, key=lambda s: (s.private_rank is None, s.private_rank))


def _scored(prepared: Prepared, answers: pd.DataFrame, path: Path) -> tuple[float, float] | str:
    """Return both scores of one file, or say why there are none."""
    schema = prepared.schema
    try:
        submission = read_submission(path, max_lines(len(answers)))
        problems = validate(schema, submission, key_index(answers, schema.key))
        if problems:
            return "; ".join(problems)
        keys, metric, scores = key_index(submission, schema.key), metric_for(prepared.spec), []
        for usage in ("Public", "Private"):
            rows = answers[answers[USAGE] == usage]
            own = submission[keys.isin(key_index(rows, schema.key))]
            scores.append(metric.rounded(score_tables(prepared, rows, own), DECIMALS))
    except InvalidSubmissionError as error:
        return "; ".join(error.problems)
    except MleAuditError:
        raise
    except MetricFileError as error:
        return f"the metric failed: {str(error).strip().rpartition(chr(10))[2]}"
    except Exception:  # noqa: BLE001 - as in `competitions.grade`: the metric's fault
        return f"the metric failed: {traceback.format_exc().strip().rpartition(chr(10))[2]}"
    if any(score != score for score in scores):  # noqa: PLR0124 - NaN has no place
        return "the score is no number"
    return scores[0], scores[1]
