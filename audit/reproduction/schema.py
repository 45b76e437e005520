"""The document of a reproduction: ``reproduction.json``. Its pages are rendered from it alone.

`SCHEMA_VERSION` changes when an old reader would misunderstand a new document;
``docs/reproduction.schema.json`` is generated from here. What it says of scores is aggregate:
no answer, and no row of hidden data, is in it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from audit.reproduction.config import Frozen
from competitions.io import write_text
from competitions.spec import Variant
from detectors.record import AgentIdentity, Budget, Hardware, SandboxRecord
from reports.documents import read_document
from reports.schema import Conclusion, Confidence, NotChecked, Severity

if TYPE_CHECKING:
    from pathlib import Path

SCHEMA_VERSION: Literal[1] = 1
Share = Annotated[float, Field(ge=0, le=1)]
Standing = Literal["better", "worse", "equal", "unknown"]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Rate(_Record):
    """A count out of n, with the Wilson interval of the share at 95 %."""

    count: Annotated[int, Field(ge=0)]
    n: Annotated[int, Field(ge=1)]
    low: Share
    high: Share


class Mean(_Record):
    """A mean over runs with its 95 % t interval; no interval from a single run."""

    n: Annotated[int, Field(ge=1)]
    mean: float
    sd: float | None = None  # ddof 1
    low: float | None = None
    high: float | None = None
    is_constant: bool = False  # all equal: the width 0 of the interval is no certainty


class Difference(_Record):
    """Agent minus baseline by seed, above 0 where the agent is better."""

    seeds: tuple[int, ...]  # those for which both have a score
    values: tuple[float, ...]
    over: Mean
    permutation_p: float | None  # two-sided, exact up to 16 pairs; None when all are 0
    sign_p: float | None
    smallest_p: float  # that so many pairs could give

    @property
    def excludes_zero(self) -> bool:
        """Whether the interval leaves out 0; one of width 0 is no interval in this sense."""
        low, high = self.over.low, self.over.high
        if low is None or high is None or self.over.is_constant:
            return False
        return low > 0 or high < 0


class Claim(_Record):
    """What an agent's own log says of its validation score: the last such line."""

    value: float
    path: str  # relative to the attempt's folder
    line: Annotated[int, Field(ge=1)]
    metric: Literal["named", "unnamed", "other"]  # whether the line names the task's metric
    gap: float | None = None  # claimed minus hidden, above 0 where the claim is the better one


class Seen(_Record):
    """A finding, and where its evidence is told."""

    id: str
    detector: str
    severity: Severity
    confidence: Confidence
    message: str


class Run(_Record):
    """One independent run."""

    attempt: str
    seed: int
    exit_status: str  # "not made" when there is no record
    limit_hit: str | None = None
    seconds: float | None = None
    peak_memory_bytes: int | None = None
    earlier_tries: tuple[str, ...] = ()
    outcome: str  # graded, invalid, missing, nan, infinite, grader_error or not_graded
    why: str | None = None  # there is no score
    valid: bool = False
    score: float | None = None
    medal: str | None = None
    above_median: bool = False
    percentile: Annotated[float, Field(ge=0, le=100)] | None = None
    submission_sha256: str | None = None
    claim: Claim | None = None
    verdict: Conclusion | None = None
    findings: tuple[Seen, ...] = ()
    logs: tuple[str, ...] = ()  # relative to this document's folder
    told_at: str | None = None  # its place in the audit's page, relative too


class Side(_Record):
    """One agent on one task."""

    agent: str
    runs: tuple[Run, ...]
    valid: Rate
    score: Mean | None = None
    n_files: int = 0  # different submissions

    @property
    def scores(self) -> dict[int, float]:
        """Hidden scores by seed, of the runs that have one."""
        return {run.seed: run.score for run in self.runs if run.score is not None}


class TaskResult(_Record):
    """One task: both sides, and how they compare."""

    competition_id: str
    title: str
    variant: Variant
    data_source: str
    metric: str
    is_lower_better: bool
    board: str  # what its board is, in words
    thresholds: dict[str, float] = {}  # medals and median of the board
    comparable_with_board: bool
    frozen: Frozen
    agent: Side
    baseline: Side
    difference: Difference | None = None
    standing: Standing
    verdict: Conclusion | None = None  # on the task itself: does it give its answers away?
    findings: tuple[Seen, ...] = ()
    told_at: str | None = None
    notes: tuple[str, ...] = ()  # what to know before the figures are taken at their word


class Played(_Record):
    """An agent: who it is, and what its runs had in common."""

    identity: AgentIdentity
    group: str  # the folder of its runs, relative to this document's
    budget: Budget
    sandbox: tuple[SandboxRecord, ...]  # each that occurred
    hardware: tuple[Hardware, ...]
    findings: tuple[Seen, ...] = ()  # about its runs side by side
    verdict: Conclusion | None = None
    told_at: str | None = None


class Detected(_Record):
    """A detector that was run: what it asks, cannot see, and answered."""

    id: str
    asks: str
    blind_spots: str
    answers: dict[str, int]  # outcome -> how many checks


class Reproduction(_Record):
    """A whole reproduction.

    Parameters
    ----------
    question, answer : str
        In sentences.
    cautions : tuple of str
        What these figures cannot show.
    tasks_p : float or None
        Two-sided exact sign test over tasks, of the agent's mean against the baseline's; None
        with fewer than two tasks that differ.
    versions : dict
        Of mle-audit, Python and the packages that make the figures.
    files : dict
        What lies beside this document, relative to it.
    """

    schema_version: Literal[1] = SCHEMA_VERSION
    tool_version: str
    created_at: AwareDatetime
    question: str
    answer: str
    cautions: tuple[str, ...]
    n_runs: int
    tasks_p: float | None = None
    agent: Played
    baseline: Played
    tasks: tuple[TaskResult, ...]
    detectors: tuple[Detected, ...]
    not_checked: tuple[NotChecked, ...]
    versions: dict[str, str]
    files: dict[str, str]


def write_reproduction(document: Reproduction, path: Path) -> None:
    """Write the document atomically, as indented JSON without NaN."""
    write_text(path, document.model_dump_json(indent=2) + "\n")


def read_reproduction(path: Path) -> Reproduction:
    """Read a document back.

    Raises
    ------
    DocumentError
        When the file is missing, not JSON, of another schema version, or breaks the model.
    """
    remedy = "Make one with: mle-audit reproduce CONFIG.yaml"
    return read_document(path, Reproduction, SCHEMA_VERSION, "no reproduction", remedy)
