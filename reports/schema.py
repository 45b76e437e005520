"""The contract of an audit: subjects, checks, findings with their evidence, verdicts. One file.

A report is rendered from this document alone. `SCHEMA_VERSION` changes when an old reader would
misunderstand a new document; `docs/audit.schema.json` is generated from here.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import (
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
)

from competitions.errors import DocumentError
from competitions.io import sha256_bytes, write_text
from competitions.spec import problems_of
from reports.grading import GradingReport, Headline
from reports.provenance import Mark as Mark  # noqa: PLC0414 - a word of this document, too
from reports.provenance import Provenance as Provenance  # noqa: PLC0414
from reports.remarks import Appeal, Rejudged, Suppression
from reports.scaling import Scaling
from reports.sealing import Seal, read_once
from reports.secrets import mask_record
from reports.sensitivity.models import Sensitivity

SCHEMA_VERSION = 1
HIDDEN = "[hidden: shown only with --reveal-private]"


class _Ordered(StrEnum):
    """A scale: members compare by the order in which they are written."""

    @property
    def rank(self) -> int:
        """Position on the scale, 0 for the mildest."""
        return list(type(self)).index(self)

    def __lt__(self, other: str) -> bool:
        return self.rank < type(self)(other).rank

    def __le__(self, other: str) -> bool:
        return self.rank <= type(self)(other).rank

    def __gt__(self, other: str) -> bool:
        return self.rank > type(self)(other).rank

    def __ge__(self, other: str) -> bool:
        return self.rank >= type(self)(other).rank


class Severity(_Ordered):
    """How much it matters if it is so. `note` is no accusation."""

    NOTE = "note"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Confidence(_Ordered):
    """How sure the detector is that it is so."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Outcome(StrEnum):
    """What became of one detector on one subject. Silence is never `clean`."""

    CLEAN = "clean"
    FLAGGED = "flagged"
    NOT_APPLICABLE = "not_applicable"
    NOT_AVAILABLE = "not_available"
    FAILED = "failed"


class Conclusion(_Ordered):
    """What the policy says of one subject. `undetermined` stands apart from the scale."""

    CLEAN = "clean"
    NOTE = "note"
    REVIEW = "review"
    DISQUALIFY = "disqualify"
    UNDETERMINED = "undetermined"


class SubjectKind(StrEnum):
    """What a detector looks at."""

    ATTEMPT = "attempt"
    TASK = "task"
    MODEL = "model"
    GROUP = "group"


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class _Evidence(_Record):
    """Something that a stranger can look up. `hidden` fields are blanked unless asked for."""

    hidden: ClassVar[frozenset[str]] = frozenset()


class LogLines(_Evidence):
    """Lines of a log, as they stand there.

    What a command printed stands apart: it may be the hidden answers themselves.
    """

    hidden: ClassVar[frozenset[str]] = frozenset({"output"})
    kind: Literal["log_lines"] = "log_lines"
    path: str
    first_line: Annotated[int, Field(ge=1)]
    last_line: Annotated[int, Field(ge=1)]
    excerpt: str
    shows: str  # what these lines show, in one sentence
    output: str | None = None  # the lines after the excerpt, where something came back


class CodeLines(_Evidence):
    """Lines of an agent's code."""

    kind: Literal["code_lines"] = "code_lines"
    path: str
    first_line: Annotated[int, Field(ge=1)]
    last_line: Annotated[int, Field(ge=1)]
    excerpt: str
    shows: str


class RowPair(_Record):
    """A row of one table and its like in another; rows count from 1 after the header."""

    left_row: Annotated[int, Field(ge=1)]
    right_row: Annotated[int, Field(ge=1)]
    left_key: str | None = None  # how the tables name the rows
    right_key: str | None = None
    differs_in: tuple[str, ...] = ()  # compared columns whose values are not the same
    score: float | None = None  # what the rule held against its threshold


class RowOverlap(_Evidence):
    """Rows that two tables share, or that are alike by a rule."""

    hidden: ClassVar[frozenset[str]] = frozenset({"answers_agree"})
    kind: Literal["row_overlap"] = "row_overlap"
    left_table: str
    right_table: str
    n_left: Annotated[int, Field(ge=0)]  # rows of the left table
    n_right: Annotated[int, Field(ge=0)]
    n_shared: Annotated[int, Field(ge=1)]  # rows of the right table that the left one holds
    likeness: Literal["equal", "nearly equal", "about the same thing"] = "equal"
    rule: str | None = None  # what makes two rows alike, where it is not that they are equal
    compared_columns: tuple[str, ...]
    ignored_columns: tuple[str, ...] = ()
    pairs: tuple[RowPair, ...]  # the first ones, as examples
    answers_agree: int | str | None = None  # of n_shared, how many have the left row's answer


class Quantity(_Evidence):
    """A number with what it was held against."""

    kind: Literal["quantity"] = "quantity"
    name: str
    value: float
    unit: str | None = None
    compared_with: str | None = None
    reference: float | None = None


class FileDigest(_Evidence):
    """A file and its sha256."""

    kind: Literal["file_digest"] = "file_digest"
    path: str
    sha256: str
    shows: str


class Passage(_Record):
    """A stretch of one text and its match in another; lines count from 1, both ends included."""

    left_first: Annotated[int, Field(ge=1)]
    left_last: Annotated[int, Field(ge=1)]
    right_first: Annotated[int, Field(ge=1)]
    right_last: Annotated[int, Field(ge=1)]
    similarity: Annotated[float, Field(ge=0, le=1)]  # of the statements, where they are aligned


class CopiedPassages(_Evidence):
    """Passages that two documents share: left is the one under audit, right its likely source.

    The score, the passages and the significance are three things. `share_of_source` is weighted by
    how rare each shared piece is among the solutions of the same competition.
    """

    kind: Literal["copied_passages"] = "copied_passages"
    channel: Literal["code", "prose"] = "code"
    path: str  # the file under audit, within its attempt
    source: str  # the document it is held against: its name in the corpus, or another attempt's
    provenance: Provenance = Provenance()
    share_of_source: Annotated[float, Field(ge=0, le=1)]
    share_of_file: Annotated[float, Field(ge=0, le=1)]
    longest_run: Annotated[int, Field(ge=0)]  # tokens in a row that agree
    p: Annotated[float | None, Field(ge=0, le=1)] = None  # None: too little to compare with
    q: Annotated[float | None, Field(ge=0, le=1)] = None  # p, after all checks of this audit
    n_null: Annotated[int, Field(ge=0)] = 0  # honest comparisons that p was found with
    only_in_trajectory: bool = False  # not in what was handed in
    passages: tuple[Passage, ...]
    left_text: str = ""  # both texts whole, or the lines around the passages where they are long
    right_text: str = ""
    left_start: Annotated[int, Field(ge=1)] = 1  # the line number of the first line of each text
    right_start: Annotated[int, Field(ge=1)] = 1


class Ingredient(_Record):
    """A file that a submission was mixed from."""

    source: str
    provenance: Provenance = Provenance()
    weight: float
    exact_share: Annotated[float, Field(ge=0, le=1)]  # rows with the same value to 6 decimals


class SubmissionMix(_Evidence):
    """A submission that other files reproduce."""

    kind: Literal["submission_mix"] = "submission_mix"
    path: str
    method: Literal["equal", "affine", "monotone", "blend", "overridden rows"]
    r2: Annotated[float | None, Field(le=1)] = None  # of the reproduction, over the rows compared
    n_rows: Annotated[int, Field(ge=1)]
    columns: tuple[str, ...]
    ingredients: Annotated[tuple[Ingredient, ...], Field(min_length=1)]
    p: Annotated[float | None, Field(ge=0, le=1)] = None
    q: Annotated[float | None, Field(ge=0, le=1)] = None
    n_null: Annotated[int, Field(ge=0)] = 0


class SharedMarks(_Evidence):
    """Marks of origin that a file shares with a public document."""

    kind: Literal["shared_marks"] = "shared_marks"
    path: str
    source: str
    provenance: Provenance = Provenance()
    n_shared: Annotated[int, Field(ge=1)]
    n_in_file: Annotated[int, Field(ge=1)]
    marks: Annotated[tuple[Mark, ...], Field(min_length=1)]  # the first ones, as examples


class PicturePair(_Evidence):
    """Two pictures that agree, made small; the right one may be of the hidden part."""

    hidden: ClassVar[frozenset[str]] = frozenset({"private_png"})
    kind: Literal["picture_pair"] = "picture_pair"
    left: str  # where the left one lies
    right: str
    shows: str  # in what they agree
    likeness: Annotated[float, Field(le=1)]
    bound: float | None = None  # the likeness from which they are not honest neighbours
    left_png: str | None = None  # small PNG, in base64
    right_png: str | None = None
    private_png: str | None = None  # stands for `right_png` where that one is hidden


class TextPair(_Evidence):
    """Two texts that agree; the right one may be of the hidden part."""

    hidden: ClassVar[frozenset[str]] = frozenset({"private_text"})
    kind: Literal["text_pair"] = "text_pair"
    left: str  # the file it stands in
    right: str
    left_row: Annotated[int | None, Field(ge=1)] = None  # from 1 after the header, in a table
    right_row: Annotated[int | None, Field(ge=1)] = None
    column: str | None = None
    shows: str
    likeness: Annotated[float, Field(le=1)]
    bound: float | None = None
    left_text: str
    right_text: str | None = None
    private_text: str | None = None  # stands for `right_text` where that one is hidden


Evidence = Annotated[
    LogLines
    | CodeLines
    | RowOverlap
    | Quantity
    | FileDigest
    | CopiedPassages
    | SubmissionMix
    | SharedMarks
    | PicturePair
    | TextPair,
    Field(discriminator="kind"),
]


class Finding(_Record):
    """One thing a detector saw, with what it saw. No evidence, no finding.

    Keys and tokens in it are masked when it is made or read, so that no rendering shows one.
    """

    id: str
    detector: str
    subject: str
    severity: Severity
    confidence: Confidence
    message: str
    evidence: Annotated[tuple[Evidence, ...], Field(min_length=1)]
    attempts: tuple[str, ...] = ()  # whom it concerns, where the subject is no attempt

    @field_validator("message", "evidence")
    @classmethod
    def _mask(cls, value: str | tuple[Evidence, ...]) -> str | tuple[Evidence, ...]:
        return mask_record(value)

    @classmethod
    def seen(
        cls,
        detector: str,
        subject: str,
        message: str,
        *evidence: Evidence,
        severity: Severity,
        confidence: Confidence,
        attempts: tuple[str, ...] = (),
    ) -> Finding:
        """Build a finding; its id is stable over re-runs: detector, subject and evidence.

        What evidence knows from hidden data does not enter the id, which would give it away; nor
        do secrets.
        """
        evidence = mask_record(evidence)
        shown = [e.model_dump(mode="json", exclude=set(e.hidden)) for e in evidence]
        body = json.dumps([subject, *shown], sort_keys=True)
        digest = sha256_bytes(body.encode())[:12]
        return cls(
            id=f"{detector}-{digest}",
            detector=detector,
            subject=subject,
            severity=severity,
            confidence=confidence,
            message=message,
            evidence=evidence,
            attempts=attempts,
        )


class Check(_Record):
    """The answer of one detector for one subject; there always is one."""

    detector: str
    subject: str
    outcome: Outcome
    findings: tuple[Finding, ...] = ()
    reason: str | None = None  # why it is not_applicable, not_available or failed
    missing: str | None = None  # not_available only: code, logs, submission, data, model, engine
    concerns: tuple[str, ...] = ()  # attempts whose part was missing, of a group; empty: all
    parameters: dict[str, bool | int | float | str] = {}
    duration_s: Annotated[float, Field(ge=0)] = 0.0

    @field_validator("reason")
    @classmethod
    def _mask(cls, reason: str | None) -> str | None:  # it may quote what was read
        return mask_record(reason)


class Subject(_Record):
    """What was audited: an attempt, a task, a model or a group."""

    id: str
    kind: SubjectKind
    title: str
    competition: str | None = None
    variant: str | None = None
    agent: str | None = None
    seed: int | None = None
    path: str | None = None
    missing: tuple[str, ...] = ()  # evidence it should have and has not
    facts: dict[str, str] = {}  # what a reader wants to know of it: sandbox, budget, digests


class Verdict(_Record):
    """What the policy concludes for one subject, and because of which findings or gaps."""

    subject: str
    conclusion: Conclusion
    because: tuple[str, ...] = ()  # ids of findings, or sentences for what was missing
    suppressed: tuple[str, ...] = ()  # ids of findings that a suppression struck out of it


class DetectorNote(_Record):
    """What a detector asks and cannot see, carried along so that a report explains itself."""

    id: str
    family: str
    subject: SubjectKind
    asks: str
    blind_spots: str
    reference: str


class NotChecked(_Record):
    """Something that this audit did not look at."""

    what: str
    why: str


class AuditReport(_Record):
    """A whole audit."""

    schema_version: int = SCHEMA_VERSION
    tool_version: str
    created_at: AwareDatetime
    policy: str
    subjects: tuple[Subject, ...]
    detectors: tuple[DetectorNote, ...]
    checks: tuple[Check, ...]
    verdicts: tuple[Verdict, ...]
    not_checked: tuple[NotChecked, ...] = ()
    grading: GradingReport | None = None
    headlines: tuple[Headline, ...] = ()
    sensitivity: tuple[Sensitivity, ...] = ()  # how far the figures of each agent hold
    scaling: tuple[Scaling, ...] = ()  # how they grow with time
    private_revealed: bool = False
    policy_sha256: str | None = None  # of the policy's rules in canonical JSON
    suppressions: tuple[Suppression, ...] = ()
    appeals: tuple[Appeal, ...] = ()
    rejudged: Rejudged | None = None  # None: the verdicts are those of the audit itself
    anonymised: bool = False
    seal: Seal | None = None

    @field_validator("created_at")
    @classmethod
    def _in_utc(cls, value: datetime) -> datetime:
        """Refuse a time that UTC has no year for."""
        try:
            value.astimezone(UTC)
        except OverflowError as error:
            raise ValueError("expected a time within the years 1 to 9999 in UTC") from error
        return value

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, in the order of the checks."""
        return tuple(f for c in self.checks for f in c.findings)

    def verdict_of(self, subject: str) -> Verdict | None:
        """Return the verdict on one subject, or None when it was not judged."""
        return next((v for v in self.verdicts if v.subject == subject), None)

    def suppression_of(self, finding: str) -> Suppression | None:
        """Return the suppression that strikes a finding out of the verdicts, or None."""
        acting = (s for s in self.suppressions if s.state == "acts")
        return next((s for s in acting if finding in s.findings), None)

    def appeals_of(self, finding: str) -> tuple[Appeal, ...]:
        """Return what was said to a finding, in the order of the document."""
        return tuple(a for a in self.appeals if a.finding == finding)


def redact(finding: Finding) -> Finding:
    """Blank what the evidence knows from hidden data; the finding keeps its id."""
    blanked = tuple(
        e.model_copy(update={name: HIDDEN for name in e.hidden if getattr(e, name) is not None})
        for e in finding.evidence
    )
    return finding.model_copy(update={"evidence": blanked})


def write_audit(report: AuditReport, path: Path) -> None:
    """Write the document atomically, as indented JSON without NaN."""
    write_text(path, report.model_dump_json(indent=2) + "\n")


def read_audit(path: Path) -> AuditReport:
    """Read a document back.

    Raises
    ------
    DocumentError
        When the file is missing, not JSON, no audit document, of another schema version, or
        breaks the model.
    """
    try:
        content: Any = read_once(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise DocumentError(
            f"{path}: no audit document can be read here ({error.strerror}).",
            "Make one with: mle-audit vet RUNS -o audit.json",
        ) from error
    except ValueError as error:  # not UTF-8, or not JSON that all read alike
        raise DocumentError(f"{path}: expected a JSON document, found: {error}.") from error
    if not isinstance(content, dict) or "schema_version" not in content:
        raise DocumentError(
            f"{path}: expected an audit document, found JSON without a schema_version.",
            "Make one with: mle-audit vet RUNS -o audit.json",
        )
    found = content["schema_version"]
    if found != SCHEMA_VERSION:
        raise DocumentError(
            f"{path}: expected schema_version {SCHEMA_VERSION}, found {found!r}.",
            "Read it with the version of mle-audit named in its tool_version.",
        )
    try:
        return AuditReport.model_validate(content)
    except ValidationError as error:
        raise DocumentError(f"{path}: " + "; ".join(problems_of(error)[:10])) from error
