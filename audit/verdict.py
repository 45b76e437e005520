"""Checks and a policy make verdicts; pure, so that an old document can be judged anew."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from competitions.errors import InvalidDefinitionError, UsageError
from competitions.spec import problems_of, read_yaml
from reports.schema import Conclusion, Confidence, Outcome, Severity, SubjectKind, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from reports.schema import Check, Finding, Subject

POLICIES = Path(__file__).parent / "policies"
FailOn = Literal["note", "review", "disqualify"]

_NOBODY = "No detector looked at it."
EXIT_CLEAN, EXIT_FINDINGS, EXIT_COULD_NOT = 0, 1, 3


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Rule(_Record):
    """A finding of at least this severity and confidence leads to this conclusion."""

    severity: Severity
    confidence: Confidence = Confidence.LOW
    conclude: Literal[Conclusion.NOTE, Conclusion.REVIEW, Conclusion.DISQUALIFY]

    def fits(self, finding: Finding) -> bool:
        """Say whether a finding is at least this grave and this sure."""
        return finding.severity >= self.severity and finding.confidence >= self.confidence


class Policy(_Record):
    """Rules from the gravest to the mildest, and the evidence without which nothing is cleared."""

    name: str
    why: str
    conclusions: tuple[Rule, ...] = Field(min_length=1)
    decisive: tuple[str, ...] = (
        *("submission", "code", "logs", "readable record", "recorded end"),
        "grading report",
    )

    def conclude(self, finding: Finding) -> Conclusion:
        """Return what the first fitting rule says; `note` when none fits."""
        return next((r.conclude for r in self.conclusions if r.fits(finding)), Conclusion.NOTE)


def load_policy(path: Path | None = None) -> Policy:
    """Read a policy's YAML; the default one when no path is given.

    Raises
    ------
    InvalidDefinitionError
        When it breaks the model.
    UsageError
        When there is no such file.
    """
    path = path or POLICIES / "default.yaml"
    try:
        return Policy.model_validate(read_yaml(path))
    except OSError as error:
        raise UsageError(f"{path}: no policy can be read here ({error.strerror}).") from error
    except ValidationError as error:
        raise InvalidDefinitionError(path, problems_of(error, Policy)) from error


def judge(
    subjects: Iterable[Subject], checks: Sequence[Check], policy: Policy
) -> tuple[Verdict, ...]:
    """Conclude one verdict per subject.

    Returns
    -------
    tuple of Verdict
        In the order of the subjects. The gravest finding decides. Where nothing reaches `review`,
        a crashed check or missing decisive evidence makes the verdict `undetermined`; so does a
        task whose data no detector could look at; a subject
        that no detector looked at is `undetermined` too: silence is never clean. A finding about a
        group that reaches `review` decides for the attempts it names as well; a milder one stays
        with the group.
    """
    shared: dict[str, list[Finding]] = {}
    for finding in (f for c in checks for f in c.findings):
        if policy.conclude(finding) >= Conclusion.REVIEW:
            for attempt in finding.attempts:
                shared.setdefault(attempt, []).append(finding)
    return tuple(
        _verdict(s, [c for c in checks if c.subject == s.id], shared.get(s.id, []), policy)
        for s in subjects
    )


def _verdict(
    subject: Subject, checks: list[Check], shared: list[Finding], policy: Policy
) -> Verdict:
    findings = [*(f for c in checks for f in c.findings), *shared]
    gravest = max((policy.conclude(f) for f in findings), default=Conclusion.CLEAN)
    if gravest >= Conclusion.REVIEW:
        because = tuple(f.id for f in findings if policy.conclude(f) >= Conclusion.REVIEW)
        return Verdict(subject=subject.id, conclusion=gravest, because=because)
    gaps = tuple(_gaps(subject, checks, policy))
    if gaps:
        return Verdict(subject=subject.id, conclusion=Conclusion.UNDETERMINED, because=gaps)
    return Verdict(subject=subject.id, conclusion=gravest, because=tuple(f.id for f in findings))


def _gaps(subject: Subject, checks: list[Check], policy: Policy) -> Iterable[str]:
    for name in subject.missing:
        if name in policy.decisive:
            a_group = subject.kind is SubjectKind.GROUP
            yield f"A {name} could not be read." if a_group else f"The attempt has no {name}."
    for check in checks:
        if check.outcome is Outcome.FAILED:
            yield f"{check.detector} crashed: {check.reason}"
        elif check.missing in policy.decisive:  # also beside findings: they may be the mild ones
            yield f"{check.detector} could not look: {check.reason}"
    blind = [c for c in checks if c.outcome is Outcome.NOT_AVAILABLE]
    blank = {Outcome.NOT_APPLICABLE, Outcome.NOT_AVAILABLE}
    looked = any(c.findings or c.outcome not in blank for c in checks)
    if subject.kind is SubjectKind.ATTEMPT and not looked:
        yield f"No detector could look at it: {blind[0].reason}" if blind else _NOBODY
    if subject.kind is SubjectKind.TASK and blind and len(blind) == len(checks):
        yield f"Its data could not be looked at: {blind[0].reason}"


def fail_on_named(name: str) -> FailOn:
    """Return the conclusion from which a call ends with 1.

    Raises
    ------
    UsageError
        When there is no such conclusion.
    """
    known: tuple[FailOn, ...] = get_args(FailOn)
    for conclusion in known:
        if conclusion == name:
            return conclusion
    raise UsageError(f"Expected --fail-on {', '.join(known)}; found {name!r}.")


def exit_code(verdicts: Iterable[Verdict], fail_on: FailOn = "review") -> int:
    """Return 1 when a verdict is at or above `fail_on`, else 3 when one is undetermined, else 0."""
    found = [v.conclusion for v in verdicts]
    decided = [c for c in found if c is not Conclusion.UNDETERMINED]
    if any(c >= Conclusion(fail_on) for c in decided):
        return EXIT_FINDINGS
    return EXIT_COULD_NOT if len(decided) < len(found) else EXIT_CLEAN
