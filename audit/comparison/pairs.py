"""Pair the attempts of two sides task by task, and take the difference of one metric."""

from __future__ import annotations

import math
import statistics
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Literal, NamedTuple

from audit.reproduction.uncertainty import DECIMALS
from competitions.errors import MleAuditError
from competitions.medals import load_board, percentile
from competitions.outside import known
from reports.comparison.schema import LeftOut, Pair, TaskDifference
from reports.grading import awards_medals
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from audit.comparison.document import Measure
    from audit.comparison.sides import Row, Side
    from competitions.spec import Variant
    from reports.comparison.schema import Metric
    from reports.grading import CompetitionReport

Task = tuple[str, str]  # competition and variant: scores on two splits are not compared
THRESHOLDS = ("gold_threshold", "silver_threshold", "bronze_threshold", "median_threshold")
_WIDEST = 1e100  # a difference; sums of squares of larger ones may be no floats
_TOLERANCE = 1e-6  # of thresholds: reports print them with few decimals
_NAMED = 8  # tasks in one sentence
_NO_FAULT_OF_ITS_OWN = frozenset({"grader_error"})


class Pairing(NamedTuple):
    """The common tasks with their pairs, and what entered none."""

    tasks: tuple[TaskDifference, ...]
    left_out: tuple[LeftOut, ...]


class _Matched(NamedTuple):
    """The attempts of both sides at one task, in pairs."""

    paired_by: Literal["seed", "order"]
    pairs: tuple[tuple[int | None, CompetitionReport, CompetitionReport], ...]
    n_alone: tuple[int, int]


class _Value(NamedTuple):
    value: float | None
    why: str = ""


def task_of(row: CompetitionReport) -> Task:
    """Return a row's competition and variant; MLE-bench's reports are of the published split."""
    return row.competition_id, row.mle_audit.variant if row.mle_audit else "v1"


def by_task(side: Side) -> dict[Task, list[Row]]:
    """Sort a side's rows by task."""
    found: dict[Task, list[Row]] = defaultdict(list)
    for row in side.rows:
        found[task_of(row.report)].append(row)
    return dict(found)


def common_tasks(before: Side, after: Side) -> tuple[Task, ...]:
    """List the tasks that both sides have attempts at, sorted."""
    return tuple(sorted(by_task(before).keys() & by_task(after).keys()))


def default_metric(sides: Sequence[Side]) -> Metric:
    """Choose medals where at least half of the common tasks award them, else percentiles."""
    tasks = [by_task(side) for side in sides]
    of_task = Counter(task for found in tasks for task in found)
    rows = {t: row.report for found in tasks for t, (row, *_) in found.items() if of_task[t] > 1}
    return "medal" if 2 * sum(map(awards_medals, rows.values())) >= len(rows) else "percentile"


def pairing(
    before: Side,
    after: Side,
    measure: Measure,
    labels: tuple[str, str] = ("A", "B"),
) -> Pairing:
    """Pair attempts by their recorded seeds, else in the order they stand there.

    Parameters
    ----------
    labels : tuple of str
        What the sides are called in what is left out.

    Returns
    -------
    Pairing
        Differences above 0 where `after` is better, whichever way the metric goes. Without tasks
        where no common task can be compared; `left_out` says why for each.
    """
    left, right = by_task(before), by_task(after)
    common = sorted(left.keys() & right.keys())
    out = _Out()
    for own, other, label in ((left, right, labels[0]), (right, left, labels[1])):
        for task in own.keys() - other.keys():
            out.add(len(own[task]), "attempt", task, f"only {label} has attempts there")
    boards = _Boards(measure.data_dir)
    tasks = []
    for task in common:
        scale, why = _scale(left[task], right[task], is_scaled=measure.is_scaled)
        if scale is None:
            out.add(len(left[task]) + len(right[task]), "attempt", task, why)
            continue
        matched = _match([r.report for r in left[task]], [r.report for r in right[task]])
        for n, label in zip(matched.n_alone, labels, strict=True):
            if n:
                why = f"attempts of {label} without one of the other side to pair with"
                out.add(n, "attempt", task, why)
        made = _difference(task, matched, measure.metric, scale, boards, out)
        tasks += [made] if made else []
    return Pairing(tuple(tasks), out.told())


class _Out:
    """What entered no pair, put together by why."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], dict[str, int]] = defaultdict(dict)

    def add(self, n: int, what: str, task: Task, why: str) -> None:
        """Note that so many of something on a task are left out."""
        counts = self._found[what, why]
        counts[_named(task)] = counts.get(_named(task), 0) + n

    def told(self) -> tuple[LeftOut, ...]:
        """Say it, a line for each reason."""
        found = []
        for (what, why), counts in self._found.items():
            names = sorted(counts)
            more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
            place = f"{counted(len(names), 'task')}: {', '.join(names[:_NAMED])}{more}"
            found.append(LeftOut(what=f"{counted(sum(counts.values()), what)} on {place}", why=why))
        return tuple(found)


def _named(task: Task) -> str:
    return task[0] if task[1] == "v1" else f"{task[0]} ({task[1]})"


def _scale(
    left: Sequence[Row], right: Sequence[Row], *, is_scaled: bool
) -> tuple[float | None, str]:
    """Return what a difference on a task is divided by, or why it cannot be taken."""
    rows = [r.report for r in (*left, *right)]
    if len({r.is_lower_better for r in rows}) > 1:
        return None, "the reports do not agree whether lower or higher scores are better"
    if not is_scaled:
        return 1.0, ""
    spans = {
        abs(r.gold_threshold - r.median_threshold)
        for r in rows
        if r.gold_threshold is not None and r.median_threshold is not None
    }
    if not spans or min(spans) == 0:
        return None, (
            "its board has no gold and median apart that would make scores of several tasks "
            "comparable; --metric percentile does"
        )
    if max(spans) - min(spans) > _TOLERANCE * max(spans):
        return None, "the reports hold its scores against different boards"
    return max(spans), ""


def _difference(
    task: Task, matched: _Matched, metric: Metric, scale: float, boards: _Boards, out: _Out
) -> TaskDifference | None:
    pairs = []
    for seed, one, other in matched.pairs:
        before, after = boards.value(one, metric), boards.value(other, metric)
        if before.value is None or after.value is None:
            out.add(1, "pair", task, before.why or after.why)
        elif not abs(after.value / 2 - before.value / 2) / scale < _WIDEST:
            out.add(1, "pair", task, "its scores are too far apart to be reckoned with")
        else:
            pairs.append(Pair(seed=seed, before=before.value, after=after.value))
    if not pairs:
        return None
    is_lower = metric == "score" and matched.pairs[0][1].is_lower_better
    sign = -1 if is_lower else 1
    moved = tuple(round(sign * (p.after - p.before) / scale, DECIMALS) + 0.0 for p in pairs)
    return TaskDifference(
        competition_id=task[0],
        variant=task[1],
        is_lower_better=is_lower,
        scale=scale,
        paired_by=matched.paired_by,
        pairs=tuple(pairs),
        differences=moved,
        mean=round(statistics.fmean(moved), DECIMALS) + 0.0,
    )


def _match(before: Sequence[CompetitionReport], after: Sequence[CompetitionReport]) -> _Matched:
    """Match by seed, and of equal seeds by their order; by order alone where seeds are unknown."""
    left, right = _by_seed(before), _by_seed(after)
    common = sorted(left.keys() & right.keys()) if left and right else []
    if common:
        pairs = tuple((key[0], left[key], right[key]) for key in common)
        return _Matched("seed", pairs, (len(left) - len(common), len(right) - len(common)))
    n = min(len(before), len(after))
    inorder = tuple((None, b, a) for b, a in zip(before[:n], after[:n], strict=True))
    return _Matched("order", inorder, (len(before) - n, len(after) - n))


def _by_seed(
    rows: Sequence[CompetitionReport],
) -> dict[tuple[int, int], CompetitionReport]:
    """Key rows by seed and how often it occurred before; empty where a row names none."""
    found: dict[tuple[int, int], CompetitionReport] = {}
    seen: Counter[int] = Counter()
    for row in rows:
        seed = row.mle_audit.seed if row.mle_audit else None
        if seed is None:
            return {}
        found[seed, seen[seed]] = row
        seen[seed] += 1
    return found


class _Boards:
    """The value of a metric for rows; boards are read for percentiles of others' reports."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir
        self._scores: dict[Task, tuple[float, ...] | str] = {}

    def value(self, row: CompetitionReport, metric: Metric) -> _Value:
        """Return what a row counts as; None with a reason where it cannot be said.

        A missing or invalid submission wins no medal and leaves nobody behind. A grader that
        crashed is no fault of the attempt.
        """
        if row.mle_audit and row.mle_audit.outcome in _NO_FAULT_OF_ITS_OWN:
            return _Value(None, "the grader crashed")
        if metric == "medal":
            awards = awards_medals(row) and row.gold_threshold is not None
            return (
                _Value(float(row.any_medal))
                if awards
                else _Value(None, "its board awards no medals")
            )
        if metric == "above-median":
            return _Value(float(row.above_median))
        if metric == "score":
            if row.score is None or not math.isfinite(row.score):
                return _Value(None, "one side has no score, which leaves its failures out")
            return _Value(row.score)
        return self._percentile(row)

    def _percentile(self, row: CompetitionReport) -> _Value:
        if row.score is None:
            return _Value(0.0)
        if row.mle_audit and row.mle_audit.percentile is not None:
            return _Value(row.mle_audit.percentile)
        scores = self._board(row)
        if isinstance(scores, str):
            return _Value(None, scores)
        return _Value(percentile(row.score, scores, is_lower_better=row.is_lower_better))

    def _board(self, row: CompetitionReport) -> tuple[float, ...] | str:
        """Return the pinned board's scores where it is the one that the row was held against."""
        task = task_of(row)
        if task not in self._scores:
            variant: Variant = "fixed" if task[1] == "fixed" else "v1"
            try:
                board = load_board(known(task[0], variant, self._data_dir))
            except MleAuditError as error:
                self._scores[task] = f"its board is not known here: {error.problem}"
            else:
                median = statistics.median(board.scores)
                same = row.median_threshold is not None and math.isclose(
                    median, row.median_threshold, rel_tol=_TOLERANCE, abs_tol=_TOLERANCE
                )
                self._scores[task] = (
                    board.scores if same else "its report's median is not that of the pinned board"
                )
        return self._scores[task]
