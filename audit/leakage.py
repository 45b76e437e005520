"""What a task gives away before anyone runs it: its data and its grader."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audit.checks import checks_of, chosen_detectors
from audit.collect import task_subject
from audit.document import document, selected
from audit.leakage_data import data_subject
from audit.told import proof_of
from audit.verdict import judge
from competitions.errors import MleAuditError, UsageError
from competitions.prepared import load_prepared
from detectors.base import family_of, parameters_of
from detectors.task import Task
from detectors.text_file import printable_name
from reports.schema import Check, Conclusion, Outcome, Subject, SubjectKind, redact

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from datetime import datetime
    from pathlib import Path

    from audit.verdict import Policy
    from competitions.spec import Competition
    from detectors.base import Detector
    from detectors.dataset import Dataset
    from reports.schema import AuditReport

ASKED = ("leakage", "grading")


def leakage(  # noqa: PLR0913 - each is an option of the verb of the same name
    specs: Iterable[Competition],
    data_dir: Path,
    policy: Policy,
    now: datetime,
    *,
    data: Sequence[Dataset] = (),
    select: Sequence[str] = (),
    twin: Path | None = None,
    reveal_private: bool = False,
    progress: Callable[[int, int, str], None] | None = None,
) -> AuditReport:
    """Ask what tasks give away: rows on both sides of the split, graders that can be gamed.

    Parameters
    ----------
    specs : iterable of Competition
        Tasks, each of the variant that is meant. One that is not prepared here is told as such,
        and the others are looked at.
    data : sequence of Dataset
        Data that no definition describes, looked at beside the tasks.
    select : sequence of str
        Ids of detectors of the families `leakage` and `grading`; empty runs all about tasks.
    twin : Path or None
        Folder of a public data set in which `public-twin` looks for the test part's pictures.
    reveal_private : bool
        Leave in the evidence what is known from hidden data.
    progress : callable or None
        Told how many checks are done, how many there are, and which was the last.

    Raises
    ------
    UnknownNameError
        When a selected detector does not exist, or looks at something else.
    UsageError
        When there is no such folder.
    """
    if twin is not None and not twin.is_dir():
        raise UsageError(f"--twin: expected a folder, found none at {twin}.")
    shown = {"twin": printable_name(twin.name)} if twin else {}
    known = filter(_is_asked, chosen_detectors(usual={"twin": str(twin)} if twin else {}))
    chosen = selected(known, select, kind="detector about tasks", subject="tasks")
    tasks, absent = _gather(specs, data_dir)
    looked_at: list[Task | Dataset] = [*tasks, *data]
    total, done = len(chosen) * len(looked_at), 0

    def tell(words: str) -> None:
        nonlocal done
        done += 1
        if progress is not None:
            progress(done, total, words)

    checks = [
        c for one in looked_at for c in checks_of(chosen, {SubjectKind.TASK: (one,)}, tell, shown)
    ]
    checks += [_not_here(one, subject, why) for subject, why in absent for one in chosen]
    if not reveal_private:
        checks = [c.model_copy(update={"findings": tuple(map(redact, c.findings))}) for c in checks]
    subjects = (
        *(task_subject(t, load_prepared(t.spec, data_dir).source) for t in tasks),
        *(subject for subject, _why in absent),
        *map(data_subject, data),
    )
    families = {one.about.id: family_of(one) for one in chosen}
    return document(
        policy,
        now,
        chosen,
        subjects,
        checks,
        judge(subjects, checks, policy, families=families),
        about="tasks alone",
        families=ASKED,
        private_revealed=reveal_private,
    )


def _is_asked(one: Detector) -> bool:
    return one.about.subject is SubjectKind.TASK and family_of(one) in ASKED


def _gather(
    specs: Iterable[Competition], data_dir: Path
) -> tuple[list[Task], list[tuple[Subject, str]]]:
    """Return the tasks that are prepared here, and those that are not with the reason."""
    tasks: list[Task] = []
    absent: list[tuple[Subject, str]] = []
    for spec in specs:
        try:
            tasks.append(Task(spec, load_prepared(spec, data_dir).folder))
        except MleAuditError as error:
            subject = Subject(
                id=f"task:{spec.id}:{spec.variant}",
                kind=SubjectKind.TASK,
                title=spec.title,
                competition=spec.id,
                variant=spec.variant,
                missing=("data",),
            )
            absent.append((subject, f"{error} {error.remedy or ''}".strip()))
    return tasks, absent


def _not_here(one: Detector, subject: Subject, why: str) -> Check:
    return Check(
        detector=one.about.id,
        subject=subject.id,
        outcome=Outcome.NOT_AVAILABLE,
        reason=why,
        missing="data",
        parameters=parameters_of(one),
    )


HEAD = ("task", "detector", "severity", "seen", "finding")
LEAD = HEAD[:3]  # what stands in the first line of an entry


def finding_rows(report: AuditReport) -> list[tuple[str, ...]]:
    """Return a row per finding, as `HEAD` names its cells; gravest first."""
    titles = {s.id: _called(s) for s in report.subjects}
    findings = sorted(report.findings, key=lambda f: (-f.severity.rank, f.subject, f.detector))
    return [(titles[f.subject], f.detector, f.severity.value, f.message, f.id) for f in findings]


def _called(subject: Subject) -> str:
    is_task = subject.competition is not None
    return f"{subject.competition} {subject.variant}" if is_task else subject.title


def _taken_for(subject: Subject) -> Iterator[str]:
    """Say what the columns of data are taken for, where no definition says it."""
    if subject.competition is None and subject.facts:
        yield f"{subject.title}, taken to be:"
        yield from (f"  {what}: {found}" for what, found in subject.facts.items())


def conclusions(report: AuditReport, document: Path) -> Iterator[str]:
    """Yield what stands below the table: verdicts, what was not seen, the proof."""
    for verdict in report.verdicts:
        subject = next(s for s in report.subjects if s.id == verdict.subject)
        made = [c for c in report.checks if c.subject == verdict.subject]
        looked = [c for c in made if c.outcome is not Outcome.NOT_APPLICABLE]
        blind = [c for c in looked if c.outcome in {Outcome.NOT_AVAILABLE, Outcome.FAILED}]
        gap = f"; {len(blind)} of {len(looked)} questions without an answer" if blind else ""
        yield from _taken_for(subject)
        yield f"{_called(subject)}: {verdict.conclusion}{gap}"
        reasons = [str(c.reason) for c in blind]
        if verdict.conclusion is Conclusion.UNDETERMINED and not blind:
            reasons += verdict.because
        for reason in dict.fromkeys(reasons):
            yield f"  {reason.splitlines()[0][:200]}"
        if subject.competition is None:  # of a task its definition says what is what
            yield from _not_asked(made)
    if report.findings:
        yield proof_of(finding_rows(report)[0][-1], document)


def _not_asked(made: Iterable[Check]) -> Iterator[str]:
    """Say what was not asked of such data and could be, and by what option of the call."""
    by_reason: dict[tuple[str, str], list[str]] = {}
    for one in made:
        why, _, remedy = str(one.reason).partition("\n")
        if one.outcome is Outcome.NOT_APPLICABLE and "--" in remedy:
            by_reason.setdefault((why, remedy.strip()), []).append(one.detector)
    for (why, remedy), names in by_reason.items():
        yield f"  not asked: {', '.join(names)}, as {why}. {remedy}"
