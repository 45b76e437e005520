"""What became of attempts, as a table and as a document; and what they would take."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from competitions.disk import size_text

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from audit.runner.forecast import Forecast
    from audit.runner.group import Done, Unit
    from detectors.record import AttemptRecord

HEAD = (
    *("competition", "seed", "exit", "seconds", "peak memory", "submission", "tries", "why"),
    "attempt",
)
_ELSEWHERE = "left to another runner"


def rows(finished: Iterable[Done]) -> list[tuple[str, ...]]:
    """Describe attempts for a reader, by task and seed, whichever ended first."""
    return [_row(done) for done in _sorted(finished)]


def document(group: Path, finished: Iterable[Done]) -> dict[str, object]:
    """Describe attempts for a machine: their whole records."""
    return {
        "run_group": group.name,
        "path": str(group),
        "attempts": [
            d.record.model_dump(mode="json")
            if d.record
            else {
                "attempt_id": d.unit.attempt_id,
                "exit_status": "elsewhere" if d.is_elsewhere else "crashed",
                "fault": _last_line(d.fault) or None,
            }
            for d in _sorted(finished)
        ],
    }


def _sorted(finished: Iterable[Done]) -> list[Done]:
    return sorted(finished, key=lambda d: (d.unit.task.spec.id, d.unit.seed))


def _row(done: Done) -> tuple[str, ...]:
    unit, record = done.unit, done.record
    start = (unit.task.spec.id, str(unit.seed))
    if record is None:
        what = _ELSEWHERE if done.is_elsewhere else "crashed"
        why = "" if done.is_elsewhere else f"a fault of the runner: {_last_line(done.fault)}"
        left = "" if done.is_elsewhere else "none"
        return (*start, what, "", "", left, "", why, unit.attempt_id)
    ended = record.ended_at or record.started_at
    return (
        *start,
        record.exit_status.replace("_", " "),
        f"{(ended - record.started_at).total_seconds():.1f}",
        size_text(record.peak_memory_bytes) if record.peak_memory_bytes else "unknown",
        "yes" if record.submission_sha256 else "none",
        str(1 + len(record.earlier_tries)),
        _why(record),
        record.attempt_id,
    )


def _last_line(text: str) -> str:
    return text.strip().rpartition("\n")[2]


def _why(record: AttemptRecord) -> str:
    """Say which limit or signal ended an attempt, or with what code it crashed."""
    if record.limit_hit:
        return record.limit_hit
    if record.exit_status == "crashed":
        return f"exit code {record.exit_code}: see run.log" if record.exit_code else "see run.log"
    return ""


def forecast_rows(told: Forecast) -> list[tuple[str, str]]:
    """Say for a reader what a group would take at most."""
    disk = "not limited" if told.disk_bytes is None else size_text(told.disk_bytes)
    free = "" if told.free_bytes is None else f"; {size_text(told.free_bytes)} are free"
    memory = "not limited" if told.memory_bytes is None else size_text(told.memory_bytes)
    cost = "not declared" if told.cost_usd is None else f"{told.cost_usd:.2f} USD as declared"
    tokens = "not declared" if told.tokens is None else f"{told.tokens:,} as declared"
    return [
        ("attempts", f"{told.attempts}, {told.jobs} at once"),
        ("hours at most", f"{told.hours:.2f}"),
        ("disk at most", f"{disk}{free}"),
        ("memory at once", memory),
        ("cost", cost),
        ("tokens", tokens),
        *(("warning", words) for words in told.warnings),
    ]


def forecast_document(told: Forecast, units: Iterable[Unit]) -> dict[str, object]:
    """Say the same for a machine, with the attempts that would be made."""
    planned = [
        {"competition_id": u.task.spec.id, "seed": u.seed, "attempt_id": u.attempt_id}
        for u in units
    ]
    return {"dry_run": True, **asdict(told), "warnings": told.warnings, "planned": planned}
