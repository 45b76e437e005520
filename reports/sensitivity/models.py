"""What an audit document says of how far an agent's figures hold."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Kind = Literal["variation", "split", "category"]
Measure = Literal["any_medal", "valid_submission", "above_median", "percentile", "normalised"]
Flag = Literal["any_medal", "above_median"]
Medal = Literal["gold", "silver", "bronze"]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Estimate(_Record):
    """A mean with two kinds of doubt; shares in [0, 1].

    `sem` is over seeds (ddof 1), as in the headline; `low` and `high` bound the 95 % bootstrap
    percentile interval over tasks and attempts. Both are None where nothing varies.
    """

    mean: float
    sem: float | None = None
    low: float | None = None
    high: float | None = None
    n_tasks: Annotated[int, Field(ge=1)]


class Figures(_Record):
    """An agent's figures over some attempts; each is None where it is not defined."""

    n_attempts: Annotated[int, Field(ge=1)]
    n_tasks: Annotated[int, Field(ge=1)]
    n_seeds: Annotated[int, Field(ge=1)]
    any_medal: Estimate | None = None  # over the tasks whose board awards medals
    valid_submission: Estimate | None = None
    above_median: Estimate | None = None
    percentile: Estimate | None = None  # share of the board that the score beats; none: 0
    normalised: Estimate | None = None  # 0: the board's median or worse, 1: gold or better
    percentile_of: Literal["teams", "baselines"] = "teams"
    comparable: bool = True  # False where a counted score is not on the board's terms


class SensitivityRow(_Record):
    """The figures with something left out, or of some of the tasks."""

    kind: Kind
    name: str
    figures: Figures
    left_out: tuple[str, ...] = ()  # tasks, or attempts, that the first row counts
    changes: bool = True  # whether any attempt is left out or counted otherwise
    note: str = ""  # why nothing changes, or how much of a split is there


class Omitted(_Record):
    """A row that would have no data, or would say nothing."""

    name: str
    why: str


class AtK(_Record):
    """What the best of k attempts reaches, averaged over tasks with at least k attempts."""

    k: Annotated[int, Field(ge=1)]
    flag: Literal["any_medal", "above_median", "percentile"]
    estimate: Estimate
    left_out: tuple[str, ...] = ()  # tasks with fewer than k attempts


class TaskFigures(_Record):
    """What an agent's attempts at one task came to."""

    task: str
    variant: str
    n_attempts: Annotated[int, Field(ge=1)]
    n_valid: Annotated[int, Field(ge=0)]
    n_gold: Annotated[int, Field(ge=0)]
    n_silver: Annotated[int, Field(ge=0)]
    n_bronze: Annotated[int, Field(ge=0)]
    n_above_median: Annotated[int, Field(ge=0)]
    n_scores: Annotated[int, Field(ge=0)]
    best: float | None = None
    mean: float | None = None  # of the scores that there are
    sem: float | None = None
    percentile: float | None = None  # mean share of the board that is beaten
    normalised: float | None = None
    awards_medals: bool = True
    is_lower_better: bool = False
    comparable: bool = True


class ReportedRow(_Record):
    """What a published report says of one attempt."""

    task: str
    variant: str = "v1"
    score: float | None = None
    medal: Medal | None = None
    above_median: bool = False
    has_submission: bool = True
    comparable: bool = True


class ReportedSeed(_Record):
    """One seed of published reports; `counted` where it has a row for every task."""

    name: str
    counted: bool
    rows: tuple[ReportedRow, ...]


class Sensitivity(_Record):
    """How far one agent's figures hold."""

    agent: str
    rows: tuple[SensitivityRow, ...]
    omitted: tuple[Omitted, ...] = ()
    at_k: tuple[AtK, ...] = ()
    tasks: tuple[TaskFigures, ...] = ()
    reported: tuple[ReportedSeed, ...] = ()  # where the figures are those of published reports
    n_resamples: Annotated[int, Field(ge=1)]
    level: Annotated[float, Field(gt=0, lt=1)] = 0.95

    def of_kind(self, kind: Kind) -> tuple[SensitivityRow, ...]:
        """Return the rows of one kind, in their order."""
        return tuple(r for r in self.rows if r.kind == kind)
