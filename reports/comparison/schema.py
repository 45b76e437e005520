"""The document of a comparison: two systems, or one that changes over its versions.

A pair is a history of two. Every view is rendered from this document alone. `SCHEMA_VERSION`
changes when an old reader would misunderstand a new document; ``docs/comparison.schema.json`` is
generated from here. It holds scores and what records say; no answer and no row of hidden data.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from competitions.io import write_text
from reports.documents import read_document

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA_VERSION: Literal[1] = 1
Metric = Literal["medal", "above-median", "percentile", "score"]
Unit = Literal["share", "percentile", "score", "median-to-gold"]
Count = Annotated[int, Field(ge=0)]
P = Annotated[float, Field(ge=0, le=1)]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Input(_Record):
    """A folder or file that a version was read from."""

    name: str
    kind: Literal["run group", "grading report", "audit document"]
    sha256: str | None = None  # of a file


class Version(_Record):
    """One side of a comparison, or one version of a history."""

    label: str  # A and B, or 1, 2, 3 …
    name: str
    agents: tuple[str, ...]
    digests: tuple[str, ...] = ()  # of the system, as its records name it
    inputs: tuple[Input, ...]
    started_at: AwareDatetime | None = None  # the first of its attempts
    n_attempts: Count
    n_tasks: Count
    n_seeds: Count  # attempts at the task that has most
    n_in_question: Count = 0  # that an audit put in question and that are left out
    n_kept_in_question: Count = 0  # the same, kept because the caller asked for it
    n_not_graded: Count = 0
    is_vetted: bool = False  # whether an audit says which attempts are in question


class LeftOut(_Record):
    """Something that enters no figure, and why."""

    what: str
    why: str


class Pair(_Record):
    """An attempt of each side at one task. Values are those of the metric, not yet turned."""

    seed: int | None = None  # None where they are paired in the order they stand there
    before: float
    after: float


class TaskDifference(_Record):
    """One common task: its pairs, and their mean difference, above 0 where `after` is better."""

    competition_id: str
    variant: str
    is_lower_better: bool = False  # of the values; all metrics but `score` are better when higher
    scale: float = 1.0  # what a difference of scores is divided by
    paired_by: Literal["seed", "order"]
    pairs: Annotated[tuple[Pair, ...], Field(min_length=1)]
    differences: tuple[float, ...]
    mean: float


class Tested(_Record):
    """Two exact tests of no difference, over tasks or over pairs."""

    over: Literal["tasks", "pairs"]
    n: Annotated[int, Field(ge=1)]
    better: Count
    worse: Count
    ties: Count
    sign_p: P | None  # two-sided; None when all are ties
    permutation_p: P | None
    draws: int | None = None  # of the permutation test; None: every way to sign them was counted
    smallest_p: P  # that so many could give


class Paired(_Record):
    """What a comparison over tasks and seeds found.

    Parameters
    ----------
    mean, low, high : float
        The mean of the tasks' mean differences with its bootstrap interval at 95 %.
    is_constant : bool
        All differences are equal, which says nothing about how sure their mean is.
    tests : tuple of Tested
        The one that decides is the first: over tasks where there are several, else over pairs.
    cohens_d : float or None
        Mean over standard deviation of the differences that the first test takes.
    rank_biserial : float or None
        In [-1, 1], of the same: rank sum of those above 0 minus that of those below, over all.
    smallest_seen : float or None
        The mean difference that a paired t test at 0.05 would see four times in five.
    """

    tasks: Annotated[tuple[TaskDifference, ...], Field(min_length=1)]
    n_pairs: Annotated[int, Field(ge=1)]
    mean: float
    low: float | None = None
    high: float | None = None
    is_constant: bool = False
    tests: Annotated[tuple[Tested, ...], Field(min_length=1)]
    cohens_d: float | None = None
    rank_biserial: Annotated[float, Field(ge=-1, le=1)] | None = None
    smallest_seen: float | None = None

    @property
    def main(self) -> Tested:
        """The test that decides."""
        return self.tests[0]


class FieldDifference(_Record):
    """One thing that the records of both sides say or do not say."""

    name: str
    belongs_to: str  # what it is a part of: the system, its budget, its hardware …
    before: str | None  # None: not recorded
    after: str | None
    standing: Literal["same", "different", "unknown"]


class Attribution(_Record):
    """What a difference may be put down to.

    Parameters
    ----------
    conclusion : str
        ``system``: nothing but the system changed. ``one``: one thing changed, and it is not the
        system. ``several``: two or more changed at once. ``nothing``: no recorded thing changed.
        ``open``: at most one changed, and of others nobody knows.
    """

    conclusion: Literal["system", "one", "several", "nothing", "open"]
    changed: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    within_system: tuple[str, ...] = ()  # parts of the system that are known to have changed
    because: str


class Step(_Record):
    """One version against another."""

    before: str  # label
    after: str
    against: Literal["the one before", "the first"] = "the one before"
    result: Paired | None = None
    why_none: str | None = None
    fields: tuple[FieldDifference, ...] = ()
    attribution: Attribution
    counts: bool  # in a history: the record of the update exists and nothing else changed
    why_not: str | None = None
    holm_p: P | None = None  # after Holm's correction over the steps that count
    left_out: tuple[LeftOut, ...] = ()


class Comparison(_Record):
    """A whole comparison."""

    schema_version: Literal[1] = SCHEMA_VERSION
    tool_version: str
    created_at: AwareDatetime
    mode: Literal["pair", "history"]
    metric: Metric
    unit: Unit
    ordered_by: Literal["recorded start", "as given"] = "as given"
    versions: Annotated[tuple[Version, ...], Field(min_length=2)]
    steps: Annotated[tuple[Step, ...], Field(min_length=1)]
    left_out: tuple[LeftOut, ...] = ()
    answer: str
    cautions: tuple[str, ...] = ()
    bootstrap_draws: int
    seed: int  # of the bootstrap and of permutation tests that draw

    @property
    def consecutive(self) -> tuple[Step, ...]:
        """Each version against the one before."""
        return tuple(s for s in self.steps if s.against == "the one before")

    @property
    def to_first(self) -> tuple[Step, ...]:
        """Each version against the first, the second one included."""
        first = self.versions[0].label
        return tuple(s for s in self.steps if s.before == first)

    def version(self, label: str) -> Version:
        """Return the version of a label."""
        return next(v for v in self.versions if v.label == label)


def write_comparison(document: Comparison, path: Path) -> None:
    """Write the document atomically, as indented JSON without NaN."""
    write_text(path, document.model_dump_json(indent=2) + "\n")


def read_comparison(path: Path) -> Comparison:
    """Read a document back.

    Raises
    ------
    DocumentError
        When the file is missing, not JSON, of another schema version, or breaks the model.
    """
    remedy = "Make one with: mle-audit compare A B --json comparison.json"
    return read_document(path, Comparison, SCHEMA_VERSION, "no comparison", remedy)
