"""Grading reports with MLE-bench's keys, and their aggregation over seeds.

Every key that MLE-bench writes is here with its meaning; what it cannot say stands beside it under
`mle_audit`. Headline figures follow MLE-bench: the share of attempts with any medal per seed over
the tasks, then mean ± standard error over seeds (Chan et al. 2024, https://arxiv.org/abs/2410.07095).
"""

from __future__ import annotations

import json
import math
import os
import statistics
from collections import Counter, defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final, Literal, NamedTuple

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError, field_validator

from competitions.errors import DocumentError
from competitions.spec import problems_of

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime
    from pathlib import Path

    from competitions.grade import Grade


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class GradeDetails(_Record):
    """What MLE-bench's keys cannot say of one graded attempt."""

    outcome: str
    score_repr: str | None = None
    problems: tuple[str, ...] = ()
    error: str | None = None
    variant: str = "v1"
    board_kind: str
    board_sha256: str
    board_n_teams: int
    comparable_with_board: bool = True
    percentile: float | None = None
    is_most_common: bool = False  # equal to the score that most of the board's teams have
    share_most_common: float | None = None  # in [0, 1]: of the teams that have it
    attempt: str | None = None
    agent: str | None = None
    seed: int | None = None
    exit_status: str | None = None
    exit_code: int | None = None
    limit_hit: str | None = None  # which limit ended it, in words
    earlier_tries: tuple[str, ...] = ()  # how earlier tries ended, oldest first
    submission_sha256: str | None = None

    @field_validator("percentile")
    @classmethod
    def _is_one(cls, value: float | None) -> float | None:
        if value is not None and not 0 <= value <= 100:  # noqa: PLR2004 - per cent
            raise ValueError(f"expected a percentile from 0 to 100, found {value:g}")
        return value


class CompetitionReport(_Record):
    """One graded attempt, key for key as MLE-bench writes it, plus `mle_audit`."""

    competition_id: str
    score: float | None
    gold_threshold: float | None
    silver_threshold: float | None
    bronze_threshold: float | None
    median_threshold: float | None
    any_medal: bool
    gold_medal: bool
    silver_medal: bool
    bronze_medal: bool
    above_median: bool
    submission_exists: bool
    valid_submission: bool
    is_lower_better: bool
    created_at: str
    submission_path: str
    mle_audit: GradeDetails | None = None


class MeanSem(_Record):
    """A mean over seeds and its standard error (ddof 1); no error with a single seed."""

    mean: float
    sem: float | None = None


class Headline(_Record):
    """The figures people quote, of one agent over a set of attempts."""

    agent: str
    attempts: str  # "all" or "without attempts in question"
    n_attempts: int
    seeds: tuple[int, ...]
    n_tasks: int
    # Over the tasks whose board awards medals; None when there is none. Shares in [0, 1].
    any_medal: MeanSem | None
    valid_submission: MeanSem | None
    above_median: MeanSem | None
    n_medal_tasks: int | None = None  # None in documents written before it was counted
    medals_comparable: bool = True  # False when a counted medal was not won on the board's terms


class NotGraded(_Record):
    """An attempt without a grade.

    Parameters
    ----------
    state : str
        ``ended`` when it could not be graded, as where its task is unknown or not prepared here;
        else it is ``running``, ``interrupted`` or ``not_made``; ``unknown`` stands for all that a
        plan names which cannot be read.
    group : str or None
        The folder of its run group, where that has a plan to go on with.
    """

    attempt: str
    competition_id: str
    why: str
    state: Literal["ended", "running", "interrupted", "not_made", "unknown"] = "ended"
    agent: str | None = None
    seed: int | None = None
    group: str | None = None


class GradingDetails(_Record):
    """What MLE-bench's totals cannot say of a graded group."""

    tool_version: str
    created_at: AwareDatetime
    headlines: tuple[Headline, ...] = ()
    not_graded: tuple[NotGraded, ...] = ()


class GradingReport(_Record):
    """A graded group, key for key as MLE-bench writes it, plus `mle_audit`."""

    total_runs: int
    total_runs_with_submissions: int
    total_valid_submissions: int
    total_medals: int
    total_gold_medals: int
    total_silver_medals: int
    total_bronze_medals: int
    total_above_median: int
    competition_reports: tuple[CompetitionReport, ...] = Field(default=())
    mle_audit: GradingDetails | None = None


class Attempted(NamedTuple):
    """Whose attempt a grade belongs to."""

    attempt: str | None = None
    agent: str | None = None
    seed: int | None = None
    exit_status: str | None = None
    exit_code: int | None = None
    limit_hit: str | None = None
    earlier_tries: tuple[str, ...] = ()


def report_of(grade: Grade, now: datetime, attempted: Attempted | None = None) -> CompetitionReport:
    """Write one grade in MLE-bench's words.

    `valid_submission` follows MLE-bench: a NaN or infinite score counts as valid there; the truth
    stands in ``mle_audit.outcome``.
    """
    who = attempted or Attempted()
    board = grade.thresholds
    return CompetitionReport(
        competition_id=grade.competition_id,
        score=grade.score,
        gold_threshold=board.gold,
        silver_threshold=board.silver,
        bronze_threshold=board.bronze,
        median_threshold=board.median,
        any_medal=grade.medal is not None,
        gold_medal=grade.medal == "gold",
        silver_medal=grade.medal == "silver",
        bronze_medal=grade.medal == "bronze",
        above_median=grade.above_median,
        submission_exists=grade.outcome != "missing",
        valid_submission=grade.outcome in {"graded", "nan", "infinite"},
        is_lower_better=grade.is_lower_better,
        created_at=now.isoformat(),
        submission_path=os.fsencode(grade.submission_path or "").decode(
            "utf-8", "backslashreplace"
        ),
        mle_audit=GradeDetails(
            outcome=grade.outcome,
            score_repr=grade.score_repr,
            problems=grade.problems,
            error=grade.error,
            variant=grade.variant,
            board_kind=board.kind,
            board_sha256=board.sha256,
            board_n_teams=board.n_teams,
            comparable_with_board=grade.comparable,
            percentile=grade.percentile,
            is_most_common=grade.is_most_common,
            share_most_common=board.share_most_common if grade.is_most_common else None,
            attempt=who.attempt,
            agent=who.agent,
            seed=who.seed,
            exit_status=who.exit_status,
            exit_code=who.exit_code,
            limit_hit=who.limit_hit,
            earlier_tries=who.earlier_tries,
            submission_sha256=grade.submission_sha256,
        ),
    )


def mean_sem(values: Iterable[float]) -> MeanSem | None:
    """Return mean and standard error (ddof 1) of one value per seed; None when there is none.

    Examples
    --------
    >>> mean_sem([0.5, 1.0, 0.0])
    MeanSem(mean=0.5, sem=0.2886751345948129)
    >>> mean_sem([1.0])
    MeanSem(mean=1.0, sem=None)
    """
    found = list(values)
    if not found:
        return None
    # Exact sums: scores as large as floats get have a mean, though no float holds their sum.
    mean = float(statistics.mean(map(Fraction, found)))
    try:
        sem = statistics.stdev(found) / math.sqrt(len(found)) if len(found) > 1 else None
    except OverflowError:
        sem = None
    return MeanSem(mean=mean, sem=sem)


def headline(agent: str, attempts: str, rows: Iterable[CompetitionReport]) -> Headline:
    """Aggregate one agent's graded attempts: shares per seed, then mean ± SEM over seeds.

    Medals are counted over the tasks whose board awards them. A row without `mle_audit`, as
    MLE-bench writes it, counts as one of these.

    Parameters
    ----------
    agent : str
        Whose attempts they are.
    attempts : str
        Which attempts are counted, in words.
    rows : iterable of CompetitionReport
        Rows without a seed are numbered, see `numbered`.
    """
    seeded = numbered(rows)
    everything = [r for _, r in seeded]
    awarding = [(seed, r) for seed, r in seeded if awards_medals(r)]
    return Headline(
        agent=agent,
        attempts=attempts,
        n_attempts=len(everything),
        seeds=tuple(sorted({seed for seed, _ in seeded})),
        n_tasks=len({r.competition_id for r in everything}),
        any_medal=_share(awarding, "any_medal"),
        valid_submission=_share(seeded, "valid_submission"),
        above_median=_share(seeded, "above_median"),
        n_medal_tasks=len({r.competition_id for _, r in awarding}),
        medals_comparable=all(is_comparable(r) for _, r in awarding),
    )


def awards_medals(row: CompetitionReport) -> bool:
    """Say whether a row's board awards medals; boards made of baselines do not."""
    return row.mle_audit is None or row.mle_audit.board_kind != "baselines"


def is_comparable(row: CompetitionReport) -> bool:
    """Say whether a row's medal means what it means on the board."""
    return row.mle_audit is None or row.mle_audit.comparable_with_board


def numbered(rows: Iterable[CompetitionReport]) -> list[tuple[int, CompetitionReport]]:
    """Give each row of one agent with its seed.

    Runs of MLE-bench name none: there the n-th run of a task is its n-th seed, whether the runs lie
    in one group or in several, so rows without a seed are counted task by task, from 0.
    """
    met: Counter[tuple[str, str]] = Counter()
    found = []
    for row in rows:
        details = row.mle_audit
        seed = details.seed if details else None
        if seed is None:
            task = row.competition_id, details.variant if details else "v1"
            seed = met[task]
            met[task] += 1
        found.append((seed, row))
    return found


def _share(rows: Iterable[tuple[int, CompetitionReport]], flag: str) -> MeanSem | None:
    """Take the share of rows with a flag per seed, then mean ± SEM over the seeds."""
    by_seed: dict[int, list[bool]] = defaultdict(list)
    for seed, row in rows:
        by_seed[seed].append(bool(getattr(row, flag)))
    return mean_sem(statistics.fmean(by_seed[s]) for s in sorted(by_seed))


def headlines(rows: Iterable[CompetitionReport], attempts: str = "all") -> tuple[Headline, ...]:
    """Aggregate each agent's rows apart, agents in alphabetical order."""
    by_agent: dict[str, list[CompetitionReport]] = defaultdict(list)
    for row in rows:
        by_agent[(row.mle_audit.agent if row.mle_audit else None) or "unknown"].append(row)
    return tuple(headline(agent, attempts, by_agent[agent]) for agent in sorted(by_agent))


def grading_report(
    rows: Iterable[CompetitionReport],
    *,
    tool_version: str,
    now: datetime,
    not_graded: Iterable[NotGraded] = (),
) -> GradingReport:
    """Count rows the way MLE-bench does and add the headline per agent."""
    listed = tuple(rows)

    def count(flag: str) -> int:
        return sum(bool(getattr(r, flag)) for r in listed)

    return GradingReport(
        total_runs=len(listed),
        total_runs_with_submissions=count("submission_exists"),
        total_valid_submissions=count("valid_submission"),
        total_medals=count("any_medal"),
        total_gold_medals=count("gold_medal"),
        total_silver_medals=count("silver_medal"),
        total_bronze_medals=count("bronze_medal"),
        total_above_median=count("above_median"),
        competition_reports=listed,
        mle_audit=GradingDetails(
            tool_version=tool_version,
            created_at=now,
            headlines=headlines(listed),
            not_graded=tuple(not_graded),
        ),
    )


def read_grading(path: Path) -> GradingReport:
    """Read a grading report, ours or MLE-bench's own; NaN and Infinity are read as null.

    Raises
    ------
    DocumentError
        When the file is missing, not JSON, or lacks MLE-bench's keys.
    """

    def no_number(_text: str) -> None:
        return None

    try:
        content: Any = json.loads(path.read_text(encoding="utf-8"), parse_constant=no_number)
        return GradingReport.model_validate(content)
    except OSError as error:
        raise DocumentError(f"{path}: no grading report here ({error.strerror}).") from error
    except ValidationError as error:
        raise DocumentError(f"{path}: " + "; ".join(problems_of(error)[:10])) from error
    except ValueError as error:
        raise DocumentError(f"{path}: expected JSON, found: {error}.") from error


NOT_COMPARABLE: Final = "not comparable with the board"
Table = tuple[tuple[str, ...], list[tuple[str, ...]]]


def shown_score(row: CompetitionReport) -> str:
    """Say a row's score, or what stands in its place."""
    details = row.mle_audit
    if row.score is not None:
        return f"{row.score:.5f}"
    return (details.score_repr or details.outcome) if details else "none"


def shown_medal(row: CompetitionReport) -> str:
    """Name a row's medal, with an asterisk where it does not mean what it means on the board."""
    medals = [m for m in ("gold", "silver", "bronze") if getattr(row, f"{m}_medal")]
    star = "" if is_comparable(row) else "*"
    return f"{medals[0]}{star}" if medals else ""


def crowd(row: CompetitionReport) -> str:
    """Say that a score is the one most teams have; empty when it is not, or is no board score."""
    details = row.mle_audit
    if not details or not details.is_most_common or not details.comparable_with_board:
        return ""
    whose = "baselines" if details.board_kind == "baselines" else "teams"
    share = "" if details.share_most_common is None else (
        f", that of {100 * details.share_most_common:.1f}% of its {details.board_n_teams} {whose}"
    )  # fmt: skip
    return f"equal to the board's most common score{share}"


def shown_notes(row: CompetitionReport) -> str:
    """Say what a reader of a row's score and medal has to know."""
    return crowd(row) if is_comparable(row) else f"* {NOT_COMPARABLE}"


def grade_rows(row: CompetitionReport) -> Table:
    """Lay out one graded submission, a fact a line."""
    details = row.mle_audit
    facts: list[tuple[str, ...]] = [
        ("competition", row.competition_id),
        ("score", shown_score(row)),
        ("better is", "lower" if row.is_lower_better else "higher"),
        ("medal", shown_medal(row) or "none"),
        ("above median", "yes" if row.above_median else "no"),
        ("median", f"{row.median_threshold:g}" if row.median_threshold is not None else "none"),
        ("gold", f"{row.gold_threshold:g}" if row.gold_threshold is not None else "none"),
        ("silver", f"{row.silver_threshold:g}" if row.silver_threshold is not None else "none"),
        ("bronze", f"{row.bronze_threshold:g}" if row.bronze_threshold is not None else "none"),
    ]
    if details:
        board = f"{details.board_n_teams} {details.board_kind}, sha256 {details.board_sha256[:12]}"
        place = "none" if details.percentile is None else f"{details.percentile:.1f}"
        facts += [("percentile", place), ("outcome", details.outcome)]
        facts += [("variant", details.variant), ("board", board)]
    if note := shown_notes(row):
        facts.append(("note", note))
    return ("fact", "value"), facts
