"""Put verdicts on what was seen; and put others on a document, without looking again."""

from __future__ import annotations

from datetime import UTC
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import ValidationError

import audit
from audit.seal import sealed
from audit.sensitivity import sensitivities
from audit.suppressions import again, appealed, struck_out, suppressed
from audit.verdict import families_of, judge
from competitions.errors import DocumentError, RefusedError, UsageError
from competitions.io import sha256_file
from competitions.spec import problems_of
from reports.grading import headlines
from reports.remarks import Rejudged
from reports.schema import Conclusion, read_audit
from reports.sealing import document_digest, read_once

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence
    from datetime import datetime

    from audit.suppressions import Said, Struck
    from audit.verdict import Policy
    from detectors.group import Group
    from reports.grading import Headline
    from reports.schema import AuditReport
    from reports.sensitivity.models import Sensitivity

IN_QUESTION = frozenset({Conclusion.REVIEW, Conclusion.DISQUALIFY})
UNJUDGED = "without attempts in question"


def judged(
    report: AuditReport,
    policy: Policy,
    now: datetime,
    suppressions: Iterable[Struck] = (),
    groups: Iterable[Group] | None = None,
) -> AuditReport:
    """Put a policy's verdicts on what a document says was seen, and the figures that follow.

    Nothing is read but the document; the same document, policy and day give the same verdicts.

    Parameters
    ----------
    suppressions : iterable of Struck
        Records of a file; each is put on the document's findings as of today.
    groups : iterable of Group or None
        The attempts and reports of each agent, where they are at hand: figures of agents without
        graded attempts come from them. None keeps the document's, which no verdict changes.
    """
    today = now.astimezone(UTC).date()
    marks = suppressed(suppressions, report.findings, report.subjects, today)
    verdicts = judge(
        report.subjects,
        report.checks,
        policy,
        families=families_of(report.detectors),
        struck=struck_out(marks),
    )
    questioned = {v.subject for v in verdicts if v.conclusion in IN_QUESTION}
    return report.model_copy(
        update={
            "policy": policy.name,
            "policy_sha256": policy.sha256,
            "verdicts": verdicts,
            "headlines": _headlines(report, questioned),
            "sensitivity": _sensitivity(report, questioned, groups),
            "suppressions": marks,
        }
    )


def _headlines(report: AuditReport, questioned: Collection[str]) -> tuple[Headline, ...]:
    """Aggregate all attempts, and again without those in question; what was published stays."""
    if report.grading is None:
        return report.headlines
    rows = report.grading.competition_reports
    kept = [r for r in rows if not (r.mle_audit and r.mle_audit.attempt in questioned)]
    everything = headlines(rows)
    graded = {line.agent for line in everything}
    published = (line for line in report.headlines if line.agent not in graded)
    return (*everything, *headlines(kept, UNJUDGED), *published)


def _sensitivity(
    report: AuditReport, questioned: Collection[str], groups: Iterable[Group] | None
) -> tuple[Sensitivity, ...]:
    """Say anew how far the figures hold of each agent whose attempts were graded."""
    rows = report.grading.competition_reports if report.grading else ()
    if groups is not None:
        return sensitivities(rows, groups, questioned)
    if not report.sensitivity:  # the document is older than these figures
        return ()
    anew = {s.agent: s for s in sensitivities(rows, (), questioned)}
    return tuple(anew.get(s.agent, s) for s in report.sensitivity)


def rejudge(
    document: Path,
    policy: Policy,
    now: datetime,
    *,
    suppressions: Sequence[Struck] | None = None,
    appeals: Sequence[Said] | None = None,
) -> AuditReport:
    """Judge a document anew by another policy; no detector runs and no attempt is read.

    Parameters
    ----------
    document : Path
        An audit document; its digest is recorded in the new one.
    suppressions, appeals : sequence or None
        What stands in place of the document's own; None keeps those, as of today.

    Returns
    -------
    AuditReport
        With the seal of the same inputs, where the document had one.

    Raises
    ------
    DocumentError
        When it cannot be read, or was changed after it was sealed.
    """
    report = read_audit(document)
    _refuse_changed(document, report)
    records = _again(document, report) if suppressions is None else suppressions
    made = judged(report, policy, now, records)
    said = report.appeals if appeals is None else appealed(appeals, report.findings)
    how = Rejudged(
        at=now,
        tool_version=audit.__version__,
        from_policy=report.policy,
        from_sha256=sha256_file(document),
    )
    made = made.model_copy(update={"appeals": said, "rejudged": how})
    return sealed(made, report.seal.inputs) if report.seal else made


def _again(document: Path, report: AuditReport) -> tuple[Struck, ...]:
    """Take a document's own suppressions, as strictly as those of a file."""
    try:
        return again(report.suppressions)
    except ValidationError as error:
        raise DocumentError(
            f"{document}: a suppression in it is none: {'; '.join(problems_of(error)[:3])}.",
            f"Name those that shall act: mle-audit vet --from {document} --suppressions FILE",
        ) from error


def _refuse_changed(document: Path, report: AuditReport) -> None:
    """Refuse to put a new seal on what is not as it was sealed."""
    if report.seal is None:
        return
    if document_digest(read_once(document.read_text(encoding="utf-8"))) != report.seal.document:
        raise DocumentError(
            f"{document}: it was changed after it was sealed, so it is not judged anew.",
            f"See what changed: mle-audit verify {document}",
        )


def saved_as(output: Path | None, source: Path | None, looking: Sequence[str]) -> Path:
    """Return where a call writes its document: beside the one that it judges anew, never over it.

    Parameters
    ----------
    looking : sequence of str
        Options and arguments of the call that say what to look at.

    Raises
    ------
    UsageError
        When a document is to be judged anew, and something to be looked at; or a folder stands
        where the document is to be written.
    RefusedError
        When the document would be overwritten.
    """
    if output is not None and output.is_dir():
        raise UsageError(
            f"{output}: expected a file to write the document to, found a folder.",
            f"Name one in it: mle-audit vet RUNS -o {output / 'audit.json'}",
        )
    if source is None:
        return output or Path("audit.json")
    if looking:
        raise UsageError(
            f"Expected --from alone, which looks at nothing; found {', '.join(looking)} beside it.",
            f"Look anew: mle-audit vet RUNS. Or judge anew: mle-audit vet --from {source}",
        )
    target = output or Path("rejudged.json")
    if target.resolve() == source.resolve():
        raise RefusedError(
            f"{target}: it would be overwritten by its own verdicts made anew.",
            f"Name another: mle-audit vet --from {source} -o judged-anew.json",
        )
    return target
