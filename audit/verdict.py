"""Checks and a policy make verdicts; pure, so that an old document can be judged anew."""

from __future__ import annotations

from collections import Counter, defaultdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, NamedTuple, get_args

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)

from competitions.errors import InvalidDefinitionError, UnknownNameError, UsageError
from competitions.spec import problems_of, read_yaml
from detectors.base import FAMILIES, all_detectors
from reports.schema import Conclusion, Confidence, Outcome, Severity, SubjectKind, Verdict
from reports.sealing import digest_of

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping, Sequence

    from reports.schema import Check, DetectorNote, Finding, Subject

POLICIES = Path(__file__).parent / "policies"
FailOn = Literal["note", "review", "disqualify"]

# What a detector may say was missing, and what an attempt or a group may lack.
EVIDENCE = (
    *("submission", "code", "logs", "readable record", "recorded end", "grading report"),
    *("data", "model", "engine", "corpus", "board", "controls", "report rows", "number of tasks"),
)
_NOBODY = "No detector looked at it."
_NOTHING = "Nothing that was asked has an answer here"
EXIT_CLEAN, EXIT_FINDINGS, EXIT_COULD_NOT = 0, 1, 3


def _listed(value: object) -> object:
    return (value,) if isinstance(value, str) else value


Names = Annotated[tuple[str, ...], BeforeValidator(_listed)]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Rule(_Record):
    """A finding of this kind, at least this grave and this sure, leads to this conclusion.

    Parameters
    ----------
    severity, confidence : str
        At least these; what is left out fits all.
    detector, family : tuple of str
        Only findings of these detectors, or of detectors of these families; in YAML a name or a
        list of names. Empty fits all.
    """

    severity: Severity = Severity.NOTE
    confidence: Confidence = Confidence.LOW
    detector: Names = ()
    family: Names = ()
    conclude: Literal[Conclusion.NOTE, Conclusion.REVIEW, Conclusion.DISQUALIFY]

    @model_validator(mode="after")
    def _says_of_what(self) -> Rule:
        if "severity" not in self.model_fields_set and not (self.detector or self.family):
            raise ValueError("expected a severity, a detector or a family, found none of them")
        return self

    def fits(self, finding: Finding, family: str | None = None) -> bool:
        """Say whether a finding, of a detector of this family, is of this kind and so grave."""
        return (
            finding.severity >= self.severity
            and finding.confidence >= self.confidence
            and (not self.detector or finding.detector in self.detector)
            and (not self.family or family in self.family)
        )


class Told(NamedTuple):
    """A finding and what the policy concludes from it alone."""

    id: str
    conclusion: Conclusion


class Policy(_Record):
    """Rules from the gravest to the mildest, and the evidence without which nothing is cleared."""

    name: str
    why: str
    conclusions: tuple[Rule, ...] = Field(min_length=1)
    decisive: tuple[str, ...] = (
        *("submission", "code", "logs", "readable record", "recorded end"),
        "grading report",
    )

    def conclude(self, finding: Finding, family: str | None = None) -> Conclusion:
        """Return what the first fitting rule says; `note` when none fits.

        Parameters
        ----------
        family : str or None
            That of the finding's detector; None fits no rule that names families.
        """
        fitting = (r.conclude for r in self.conclusions if r.fits(finding, family))
        return next(fitting, Conclusion.NOTE)

    @property
    def sha256(self) -> str:
        """Of its rules in canonical JSON: comments and the order of keys do not matter."""
        return digest_of(self.model_dump(mode="json"))


def policy_names() -> tuple[str, ...]:
    """List the policies that ship, by name."""
    return tuple(sorted(path.stem for path in POLICIES.glob("*.yaml")))


def load_policy(policy: str | Path | None = None) -> Policy:
    """Read a policy: one that ships by its name, or a YAML file; else the default one.

    Parameters
    ----------
    policy : str, Path or None
        A name of `policy_names`, or the path of a file.

    Raises
    ------
    InvalidDefinitionError
        When it breaks the model, or has the name of a policy that ships and other rules.
    UnknownNameError
        When no policy has this name and there is no such file, or it names a detector, a family or
        a piece of evidence that does not exist.
    UsageError
        When the file cannot be read.
    """
    path = _policy_path(str(policy) if policy is not None else "default")
    try:
        found = Policy.model_validate(read_yaml(path))
    except OSError as error:
        raise UsageError(f"{path}: no policy can be read here ({error.strerror}).") from error
    except ValidationError as error:
        raise InvalidDefinitionError(path, problems_of(error, Policy)) from error
    _refuse_unknown(found)
    _refuse_borrowed_name(path, found)
    return found


def _refuse_borrowed_name(path: Path, policy: Policy) -> None:
    """Refuse other rules under the name of a policy that ships: reports are read by that name."""
    name = policy.name.strip().casefold()
    shipped = POLICIES / f"{name}.yaml"
    if name not in policy_names() or path == shipped:
        return
    if policy.sha256 != Policy.model_validate(read_yaml(shipped)).sha256:
        told = f"name: expected one of its own, found {policy.name!r}, which ships with other rules"
        raise InvalidDefinitionError(path, [told])


def _policy_path(named: str) -> Path:
    path = Path(named)
    if named in policy_names():
        return POLICIES / f"{named}.yaml"
    if path.suffix or len(path.parts) > 1 or path.exists():
        return path
    remedy = f"Policies that ship: {', '.join(policy_names())}. Of your own: --policy FILE"
    raise UnknownNameError("policy", named, policy_names(), remedy)


def _refuse_unknown(policy: Policy) -> None:
    """Refuse a rule about a detector or family that does not exist: it would never fit."""
    named = [d for rule in policy.conclusions for d in rule.detector]
    if named:
        detectors = all_detectors()
        for name in named:
            if name not in detectors:
                raise UnknownNameError(
                    "detector", name, detectors, "List: mle-audit list detectors"
                )
    for name in policy.decisive:
        if name not in EVIDENCE:
            remedy = f"Evidence: {', '.join(EVIDENCE)}."
            raise UnknownNameError("evidence", name, EVIDENCE, remedy)
    for name in (f for rule in policy.conclusions for f in rule.family):
        if name not in FAMILIES:
            raise UnknownNameError("family", name, FAMILIES, f"Families: {', '.join(FAMILIES)}.")


def judge(
    subjects: Iterable[Subject],
    checks: Sequence[Check],
    policy: Policy,
    *,
    families: Mapping[str, str] | None = None,
    struck: Container[str] = (),
) -> tuple[Verdict, ...]:
    """Conclude one verdict per subject.

    Parameters
    ----------
    families : mapping of str to str or None
        Each detector's family, for rules that name families; see `families_of`.
    struck : container of str
        Ids of findings that suppressions strike out: they count in no verdict, and each verdict
        that they would have counted in names them.

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
    known = families or {}

    def told(found: Iterable[Finding]) -> list[Told]:
        return [Told(f.id, policy.conclude(f, known.get(f.detector))) for f in found]

    shared: dict[str, list[Told]] = defaultdict(list)
    for finding in (f for c in checks for f in c.findings):
        (one,) = told([finding])
        if one.conclusion >= Conclusion.REVIEW:
            for attempt in finding.attempts:
                shared[attempt].append(one)
    made = []
    for subject in subjects:
        own = [c for c in checks if c.subject == subject.id]
        found = [*told(f for c in own for f in c.findings), *shared[subject.id]]
        made.append(_verdict(subject, own, found, policy, struck))
    return tuple(made)


def families_of(notes: Iterable[DetectorNote]) -> dict[str, str]:
    """Return each detector's family as a document tells it."""
    return {note.id: note.family for note in notes}


def _verdict(
    subject: Subject, checks: list[Check], found: list[Told], policy: Policy, struck: Container[str]
) -> Verdict:
    """Conclude on one subject from what its findings lead to, and from its gaps."""
    findings = [f for f in found if f.id not in struck]
    made = partial(
        Verdict, subject=subject.id, suppressed=tuple(f.id for f in found if f.id in struck)
    )
    gravest = max((f.conclusion for f in findings), default=Conclusion.CLEAN)
    if gravest >= Conclusion.REVIEW:
        because = tuple(f.id for f in findings if f.conclusion >= Conclusion.REVIEW)
        return made(conclusion=gravest, because=because)
    gaps = tuple(_gaps(subject, checks, policy))
    if gaps:
        return made(conclusion=Conclusion.UNDETERMINED, because=gaps)
    return made(conclusion=gravest, because=tuple(f.id for f in findings))


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
    if subject.kind is SubjectKind.TASK and checks and not looked and not blind:
        yield f"{_NOTHING}: {checks[0].detector} says: {checks[0].reason}".splitlines()[0]
    if subject.kind is SubjectKind.MODEL and blind:
        yield f"There is no answer: {blind[0].reason}".splitlines()[0]
    # Of data, an unread table clears nothing, whatever was seen of the files beside it.
    if subject.kind is SubjectKind.TASK and blind and ("data" in subject.missing or not looked):
        reasons = Counter(str(c.reason).splitlines()[0] for c in blind)
        yield f"Its data could not be looked at: {reasons.most_common(1)[0][0]}"


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
    """Return what a call ends with: 1 when a verdict is at or above `fail_on`, else 3 or 0.

    It is 3 when a verdict is undetermined, and when there is none: nothing was judged, and silence
    is never clean.
    """
    found = [v.conclusion for v in verdicts]
    decided = [c for c in found if c is not Conclusion.UNDETERMINED]
    if any(c >= Conclusion(fail_on) for c in decided):
        return EXIT_FINDINGS
    return EXIT_CLEAN if decided and len(decided) == len(found) else EXIT_COULD_NOT
