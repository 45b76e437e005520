"""From plans, records, grades and an audit to the document of a reproduction."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from typing import TYPE_CHECKING, NamedTuple

import audit
from audit.reproduction import words
from audit.reproduction.claims import claim_in
from audit.reproduction.schema import (
    Detected,
    Played,
    Reproduction,
    Run,
    Seen,
    Side,
    TaskResult,
)
from audit.reproduction.uncertainty import difference, mean_of, rate, sign_p
from audit.runner.plan import read_plan
from detectors.attempt import Attempt
from detectors.record import MODEL_LOG, VALIDATION_LOG, AgentIdentity, Budget
from reports.overview import Overview
from reports.page import Page
from reports.words import clip

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from pathlib import Path

    from audit.reproduction.config import Frozen
    from audit.reproduction.schema import Difference, Standing
    from audit.runner.plan import Plan as GroupPlan
    from competitions.spec import Competition
    from detectors.record import AttemptRecord
    from reports.grading import CompetitionReport, GradeDetails
    from reports.schema import AuditReport, Conclusion

PAGE = "report/index.html"
FILES = {
    "the same as a page": "reproduction.html",
    "the same as a summary": "reproduction.md",
    "configuration with all digests": "frozen.yaml",
    "the audit, with the evidence of each finding": PAGE,
    "the audit's document": "audit.json",
    "grades with MLE-bench's keys": "grading_report.json",
    "code, logs and submissions of every run": "runs",
}
OWN_FAULTS = frozenset({"invalid", "missing", "nan", "infinite"})
_PACKAGES = ("numpy", "pandas", "scikit-learn", "scipy", "pydantic")
_MAX_WHY = 240  # characters of why there is no score
_MAX_LOGS = 12  # files of one run that are named
_MAX_FINDINGS = 20  # of one subject; the audit's page has them all


class RanGroup(NamedTuple):
    """A group that was run, and its plan."""

    folder: Path
    plan: GroupPlan


class Evidence:
    """What an audit says, by attempt and subject, and where its page says it."""

    def __init__(self, report: AuditReport) -> None:
        self.report = report
        self._page = Page(Overview(report))
        grading = report.grading
        rows = grading.competition_reports if grading else ()
        self.grades = {r.mle_audit.attempt: r for r in rows if r.mle_audit}
        details = grading.mle_audit if grading else None
        self.not_graded = {n.attempt: n.why for n in (details.not_graded if details else ())}
        self._subjects = {s.id for s in report.subjects}

    def verdict(self, subject: str) -> Conclusion | None:
        """Return the conclusion on a subject; None when it was not judged."""
        verdict = self.report.verdict_of(subject)
        return verdict.conclusion if verdict else None

    def told_at(self, subject: str) -> str | None:
        """Return the place of a subject in the audit's page."""
        return f"{PAGE}#{self._page.anchor(subject)}" if subject in self._subjects else None

    def findings(self, subject: str) -> tuple[Seen, ...]:
        """Return the findings on a subject, the gravest first; a group's own only once."""
        found = [f for f in self.report.findings if f.subject == subject]
        found.sort(key=lambda f: (-f.severity.rank, -f.confidence.rank))
        return tuple(
            Seen(
                id=f.id,
                detector=f.detector,
                severity=f.severity,
                confidence=f.confidence,
                message=f.message,
            )
            for f in found[:_MAX_FINDINGS]
        )


def document_of(
    groups: tuple[Path, Path],
    specs: Sequence[Competition],
    frozen: dict[str, Frozen],
    report: AuditReport,
    now: datetime,
) -> Reproduction:
    """Put a reproduction together.

    Parameters
    ----------
    groups : tuple of Path
        The agent's group and the baseline's, in ``<output>/runs``.
    report : AuditReport
        Of all attempts of both; hidden values are blanked in it.
    """
    agent, baseline = (RanGroup(folder, read_plan(folder)) for folder in groups)
    evidence = Evidence(report)
    sources = {t.competition_id: t.data_source for t in agent.plan.tasks}
    tasks = tuple(
        _task(spec, agent, baseline, frozen[spec.id], sources[spec.id], evidence) for spec in specs
    )
    n_runs = len({a.seed for a in agent.plan.attempts})
    better = [t.difference.over.mean for t in tasks if t.difference]
    draft = Reproduction(
        tool_version=audit.__version__,
        created_at=now,
        question=words.question(agent.plan.agent_id, baseline.plan.agent_id, len(tasks), n_runs),
        answer="",
        cautions=(),
        n_runs=n_runs,
        tasks_p=sign_p(better) if sum(map(bool, better)) > 1 else None,
        agent=_played(agent, evidence),
        baseline=_played(baseline, evidence),
        tasks=tasks,
        detectors=_detected(report),
        not_checked=report.not_checked,
        versions=_versions(),
        files=FILES,
    )
    told = {"answer": words.answer(draft), "cautions": words.cautions(draft)}
    return draft.model_copy(update=told)


def _task(
    spec: Competition,
    agent: RanGroup,
    baseline: RanGroup,
    frozen: Frozen,
    source: str,
    evidence: Evidence,
) -> TaskResult:
    sides = [_side(spec, played, evidence) for played in (agent, baseline)]
    lower = spec.metric.is_lower_better
    compared = difference(sides[0].scores, sides[1].scores, is_lower_better=lower)
    grades = (evidence.grades.get(run.attempt) for side in sides for run in side.runs)
    grade = next((g for g in grades if g), None)
    details = grade.mle_audit if grade else None
    result = TaskResult(
        competition_id=spec.id,
        title=spec.title,
        variant=spec.variant,
        data_source=source,
        metric=spec.metric.name,
        is_lower_better=lower,
        board=words.board(details),
        thresholds=_thresholds(grade),
        comparable_with_board=bool(details and details.comparable_with_board),
        frozen=frozen,
        agent=sides[0],
        baseline=sides[1],
        difference=compared,
        standing=standing(sides[0], sides[1], compared),
        verdict=evidence.verdict(f"task:{spec.id}:{spec.variant}"),
        findings=evidence.findings(f"task:{spec.id}:{spec.variant}"),
        told_at=evidence.told_at(f"task:{spec.id}:{spec.variant}"),
    )
    return result.model_copy(update={"notes": words.notes(result)})


def standing(agent: Side, baseline: Side, compared: Difference | None) -> Standing:
    """Say how an agent stands to the baseline, by the mean over the seeds that both have.

    An agent without any score is worse than a baseline that has one, unless that was no doing of
    the agent's: a run that was not made, a grader that failed. Where the baseline has none, or the
    two share no seed, nothing is known.
    """
    if compared is None:
        is_own_fault = all(run.outcome in OWN_FAULTS for run in agent.runs)
        return "worse" if baseline.score and not agent.score and is_own_fault else "unknown"
    if compared.over.mean == 0:
        return "equal"
    return "better" if compared.over.mean > 0 else "worse"


def _thresholds(grade: CompetitionReport | None) -> dict[str, float]:
    found = {
        m: getattr(grade, f"{m}_threshold", None) for m in ("gold", "silver", "bronze", "median")
    }
    return {name: value for name, value in found.items() if value is not None}


def _side(spec: Competition, played: RanGroup, evidence: Evidence) -> Side:
    planned = [a for a in played.plan.attempts if a.competition_id == spec.id]
    runs = tuple(
        _run(spec, Attempt(played.folder / a.attempt_id), a.seed, evidence)
        for a in sorted(planned, key=lambda a: a.seed)
    )
    return Side(
        agent=played.plan.agent_id,
        runs=runs,
        valid=rate(sum(r.valid for r in runs), len(runs)),
        score=mean_of([r.score for r in runs if r.score is not None]),
        n_files=len({r.submission_sha256 for r in runs if r.submission_sha256}),
    )


def _run(spec: Competition, attempt: Attempt, seed: int, evidence: Evidence) -> Run:
    record, grade = attempt.readable_record, evidence.grades.get(attempt.id)
    details = grade.mle_audit if grade else None
    outcome = details.outcome if details else "not_graded"
    why = _why(evidence.not_graded.get(attempt.id), details)
    score = grade.score if grade and outcome == "graded" else None
    claim = claim_in(
        attempt.logs, spec.metric.name, score, is_lower_better=spec.metric.is_lower_better
    )
    return Run(
        attempt=attempt.id,
        seed=seed,
        exit_status=record.exit_status if record else "not made",
        limit_hit=record.limit_hit if record else None,
        seconds=_seconds(record),
        peak_memory_bytes=record.peak_memory_bytes if record else None,
        earlier_tries=record.earlier_tries if record else (),
        outcome=outcome,
        why=why if score is None else None,
        valid=bool(grade and grade.valid_submission),
        score=score,
        medal=_medal(grade),
        above_median=bool(grade and grade.above_median),
        percentile=details.percentile if details else None,
        submission_sha256=details.submission_sha256 if details else None,
        claim=claim,
        verdict=evidence.verdict(attempt.id),
        findings=evidence.findings(attempt.id),
        logs=_logs(attempt),
        told_at=evidence.told_at(attempt.id),
    )


def _why(not_graded: str | None, details: GradeDetails | None) -> str | None:
    """Say in a line why there is no score, as far as anything says so."""
    if not_graded:
        return clip(not_graded.strip().partition("\n")[0], _MAX_WHY)
    if details and details.problems:
        return clip(details.problems[0], _MAX_WHY)
    if details and details.error:  # the last line of a traceback
        return clip(details.error.strip().rpartition("\n")[2], _MAX_WHY)
    return None


def _seconds(record: AttemptRecord | None) -> float | None:
    if record is None or record.ended_at is None:
        return None
    return round((record.ended_at - record.started_at).total_seconds(), 1)


def _medal(grade: CompetitionReport | None) -> str | None:
    """Name a medal that was won on the board's own terms."""
    if grade is None or not (grade.mle_audit and grade.mle_audit.comparable_with_board):
        return None
    return next((m for m in ("gold", "silver", "bronze") if getattr(grade, f"{m}_medal")), None)


def _logs(attempt: Attempt) -> tuple[str, ...]:
    """Name the logs of a run, relative to the output folder."""
    names = [log.name for log in attempt.logs]
    names += [n for n in (VALIDATION_LOG, MODEL_LOG) if (attempt.path / n).is_file()]
    group = attempt.path.parent
    return tuple(f"{group.parent.name}/{group.name}/{attempt.id}/{n}" for n in names[:_MAX_LOGS])


def _played(played: RanGroup, evidence: Evidence) -> Played:
    """Say what an agent's runs had in common, from their records."""
    plan, folder = played.plan, played.folder
    records = [
        record
        for a in plan.attempts
        if (record := Attempt(folder / a.attempt_id).readable_record) is not None
    ]
    limits, subject = plan.limits, f"group:{plan.agent_id}"
    budget = Budget(
        wall_clock_s=limits.wall_clock_s,
        memory_bytes=limits.memory_bytes,
        processes=limits.processes,
        disk_bytes=limits.disk_bytes,
        output_bytes=limits.output_bytes,
    )
    return Played(
        identity=records[0].agent
        if records
        else AgentIdentity(id=plan.agent_id, digest=plan.agent_digest),
        group=f"{folder.parent.name}/{folder.name}",
        budget=records[0].budget if records else budget,
        sandbox=tuple(dict.fromkeys(r.sandbox for r in records)),
        hardware=tuple(dict.fromkeys(r.hardware for r in records)),
        findings=evidence.findings(subject),
        verdict=evidence.verdict(subject),
        told_at=evidence.told_at(subject),
    )


def _detected(report: AuditReport) -> tuple[Detected, ...]:
    """Tally each detector's answers."""
    answers: dict[str, dict[str, int]] = {d.id: {} for d in report.detectors}
    for check in report.checks:
        tally = answers.setdefault(check.detector, {})
        tally[check.outcome.value] = tally.get(check.outcome.value, 0) + 1
    return tuple(
        Detected(id=d.id, asks=d.asks, blind_spots=d.blind_spots, answers=answers[d.id])
        for d in report.detectors
    )


def _versions() -> dict[str, str]:
    found = {
        "mle-audit": audit.__version__,
        "Python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()}, {platform.machine()}",
    }
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:  # pragma: no cover - each is a dependency
            continue
    return found
