"""Grading reports for tests: MLE-bench's keys, scores of a real agent on 75 tasks and three seeds.

The scores are those of three public grading reports; thresholds are the pinned boards'.
"""

from __future__ import annotations

import csv
import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from detectors.claims.board_mismatch import pinned_limits
from detectors.claims.report_rows import flags_of
from reports.grading import CompetitionReport
from reports.report_files import counts, read_report_file

if TYPE_CHECKING:
    from reports.report_files import ReportFile

SCORES = Path(__file__).with_name("three_seeds.csv")
Row = dict[str, Any]


def row(task: str, cell: str | float, **changes: Any) -> Row:
    """Return a row as MLE-bench writes it: a score, ``missing`` or ``invalid``."""
    limits = pinned_limits(task)
    assert limits is not None
    score = None if cell in {"missing", "invalid"} else float(cell)
    return {
        "competition_id": task,
        "score": score,
        "gold_threshold": limits.gold,
        "silver_threshold": limits.silver,
        "bronze_threshold": limits.bronze,
        "median_threshold": limits.median,
        **flags_of(score, limits),
        "submission_exists": cell != "missing",
        "valid_submission": score is not None,
        "is_lower_better": limits.is_lower_better,
        "created_at": "2025-10-02T00:42:36.373212",
        "submission_path": f"runs/agent/{task}/submission/submission.csv",
    } | changes


@cache
def _table() -> tuple[dict[str, str], ...]:
    with SCORES.open(encoding="utf-8", newline="") as stream:
        return tuple(csv.DictReader(stream))


def seed(number: int, **changes: Any) -> list[Row]:
    """Return the 75 rows of one of the three seeds, 1 to 3."""
    return [row(r["competition_id"], r[f"seed_{number}"], **changes) for r in _table()]


def report(rows: list[Row], **totals: int) -> dict[str, Any]:
    """Return a whole report; totals are those of the rows where none are given."""
    read = [CompetitionReport.model_validate(r) for r in rows]
    return {**counts(read), **totals, "competition_reports": rows}


def written(folder: Path, name: str, content: dict[str, Any] | str) -> Path:
    """Write a report, or the text that stands in its place."""
    path = folder / name
    text = content if isinstance(content, str) else json.dumps(content)
    path.write_text(text, encoding="utf-8")
    return path


def file_of(folder: Path, name: str, rows: list[Row], **totals: int) -> ReportFile:
    """Write and read a report."""
    return read_report_file(written(folder, name, report(rows, **totals)))
