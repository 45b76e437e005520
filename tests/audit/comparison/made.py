"""Rows, reports, audits and run groups written by hand, to be compared."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from audit.comparison.compare import Options, compare
from audit.comparison.sides import Row, Side
from reports.grading import CompetitionReport, GradeDetails, grading_report
from reports.schema import AuditReport, Conclusion, Subject, SubjectKind, Verdict, write_audit
from tests.conftest import write_attempt

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from reports.comparison.schema import Comparison, Paired

NOW = datetime(2026, 1, 1, tzinfo=UTC)
FACTS = {
    "started": "2026-01-01T00:00:00+00:00",
    "agent digest": "a" * 64,
    "scaffold": "loop 1",
    "models": "m-1",
    "prior knowledge": "none",
    "time limit": "60 s",
    "memory limit": "1,024 MiB",
    "processor limit": "none",
    "process limit": "none",
    "disk limit": "none",
    "token limit": "none",
    "cost limit": "none",
    "description": "prepared",
    "data source": "kaggle",
    "data digest": "d" * 64,
    "sandbox": "bubblewrap, network off",
    "machine": "a, 2 cores",
    "machine's memory": "1,024 MiB",
    "GPUs": "none",
}


def row(
    task: str,
    score: float | None = 0.5,
    *,
    medal: bool = False,
    seed: int | None = None,
    agent: str | None = None,
    **fields: Any,
) -> CompetitionReport:
    """Make one row; with a seed or an agent as we write it, else as MLE-bench does."""
    details = None
    if seed is not None or agent is not None:
        told = {k: fields.pop(k) for k in list(fields) if k in GradeDetails.model_fields}
        details = GradeDetails.model_validate(
            {
                "outcome": "graded" if score is not None else "invalid",
                "board_kind": "kaggle",
                "board_sha256": "b" * 64,
                "board_n_teams": 100,
                "agent": agent,
                "seed": seed,
                "attempt": f"{task}_{agent}-{seed}",
                **told,
            }
        )
    return CompetitionReport.model_validate(
        {
            "competition_id": task,
            "score": score,
            "gold_threshold": 0.9,
            "silver_threshold": 0.8,
            "bronze_threshold": 0.7,
            "median_threshold": 0.5,
            "any_medal": medal,
            "gold_medal": medal,
            "silver_medal": False,
            "bronze_medal": False,
            "above_median": medal,
            "submission_exists": True,
            "valid_submission": score is not None,
            "is_lower_better": False,
            "created_at": "2026-01-01T00:00:00",
            "submission_path": "",
            "mle_audit": details,
            **fields,
        }
    )


def side(rows: Iterable[CompetitionReport], facts: Mapping[str, str | None] | None = None) -> Side:
    """Make a side as if it had been read; `facts` replace those of a whole record, None: no record."""  # noqa: E501
    told = {k: v for k, v in ({**FACTS, **facts} if facts is not None else {}).items() if v}
    made = tuple(Row(r, told, r.mle_audit.agent if r.mle_audit else None) for r in rows)
    return Side("somewhere", (), made)


def write_report(path: Path, rows: Sequence[CompetitionReport]) -> str:
    """Write a grading report as ours or, of rows without details, as MLE-bench's."""
    report = grading_report(rows, tool_version="0", now=NOW).model_dump(mode="json")
    if all(r.mle_audit is None for r in rows):
        report.pop("mle_audit")
        for one in report["competition_reports"]:
            one.pop("mle_audit")
    path.write_text(json.dumps(report), encoding="utf-8")
    return str(path)


def write_document(
    path: Path,
    rows: Sequence[CompetitionReport],
    facts: Mapping[str, str | None] | None = None,
    questioned: Sequence[str | None] = (),
) -> str:
    """Write the document of an audit of these attempts, some of them in question."""
    told = {k: v for k, v in {**FACTS, **(facts or {})}.items() if v is not None}
    names = [r.mle_audit.attempt for r in rows if r.mle_audit and r.mle_audit.attempt]
    report = AuditReport(
        tool_version="0",
        created_at=NOW,
        policy="default",
        subjects=tuple(Subject(id=n, kind=SubjectKind.ATTEMPT, title=n, facts=told) for n in names),
        detectors=(),
        checks=(),
        verdicts=tuple(
            Verdict(
                subject=n, conclusion=Conclusion.REVIEW if n in questioned else Conclusion.CLEAN
            )
            for n in names
        ),
        grading=grading_report(rows, tool_version="0", now=NOW),
    )
    write_audit(report, path)
    return str(path)


def write_group(
    folder: Path, agent: str, submissions: Sequence[str | None], **record: object
) -> str:
    """Write a run group at the embedded task, a seed for each submission."""
    for seed, submission in enumerate(submissions):
        told = {"agent": {"id": agent, "digest": agent[0] * 64}, "seed": seed, **record}
        path = folder / f"breast-cancer_{folder.name}{seed}"
        write_attempt(path, submission=submission, record=told)
    return str(folder)


def rows_of(agent: str, wins: Mapping[str, Sequence[bool]]) -> list[CompetitionReport]:
    """Make rows of an agent: per task, whether each seed won a medal."""
    return [
        row(task, 0.95 if won else 0.1, medal=won, seed=seed, agent=agent)
        for task, seeds in wins.items()
        for seed, won in enumerate(seeds)
    ]


def result(document: Comparison, step: int = 0) -> Paired:
    """Return what a step found; it has to have found something."""
    found = document.steps[step].result
    assert found is not None
    return found


def compared(before: str, after: str, **options: Any) -> Comparison:
    """Compare two sides with no data at hand."""
    return compare(before, after, Options(Path("nowhere"), **options), NOW)
