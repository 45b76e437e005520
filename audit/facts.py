"""What an attempt's record says, in words for a report."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from detectors.trajectories.events import recognised
from reports.words import counted

if TYPE_CHECKING:
    from detectors.attempt import Attempt
    from detectors.record import AttemptRecord, ModelUse


_SHOWN = 10


def facts_of(record: AttemptRecord) -> dict[str, str]:
    """Describe an attempt for the document: each fact in a few words."""
    sandbox, budget = record.sandbox, record.budget
    ended = record.ended_at
    duration = f"{(ended - record.started_at).total_seconds():.1f} s" if ended else "not ended"
    facts = {
        "exit status": _exit_status(record),
        "started": record.started_at.isoformat(),
        "duration": duration,
        "earlier tries": ", ".join(record.earlier_tries) or "none",
        "description": record.description,
        "time limit": f"{budget.wall_clock_s:g} s",
        "memory limit": _bytes(budget.memory_bytes),
        "process limit": "none" if budget.processes is None else str(budget.processes),
        "disk limit": _bytes(budget.disk_bytes),
        "output limit": _bytes(budget.output_bytes),
        "processor limit": _count(budget.cpu_count),
        "token limit": _count(budget.tokens),
        "cost limit": "none" if budget.cost_usd is None else f"{budget.cost_usd:g} USD",
        "peak memory": _bytes(record.peak_memory_bytes),
        "sandbox": f"{sandbox.kind}, network {sandbox.network_words}",
        "memory watched by": sandbox.memory_limiter,
        "processes watched by": sandbox.process_limiter,
        "validation calls": str(record.validation_calls),
        "snapshots": str(len(record.snapshots)),
        "agent digest": record.agent.digest,
        "data digest": record.data_digest,
        "data source": record.data_source,
        "submission sha256": record.submission_sha256 or "none",
        "code sha256": record.code_sha256 or "none",
        "scaffold": record.agent.scaffold or "none declared",
        "models": ", ".join(record.agent.models) or "none declared",
        "prior knowledge": record.agent.prior_knowledge or "none declared",
        "machine": f"{record.hardware.cpu_model}, {record.hardware.cpu_count} cores",
        "machine's memory": _bytes(record.hardware.memory_bytes),
        "GPUs": ", ".join(record.hardware.gpus) or "none",
    }
    if record.model_use:
        facts["model calls"] = _model_use(record.model_use)
    if sandbox.image_digest:
        facts["image digest"] = sandbox.image_digest
    if sandbox.missing_protections:
        facts["missing protections"] = "; ".join(sandbox.missing_protections)
    if record.harness_changed:
        facts["harness files changed"] = ", ".join(record.harness_changed[:_SHOWN])
    return facts


def log_facts(attempt: Attempt) -> dict[str, str]:
    """Say as which formats an attempt's logs are read; a log of no known form is plain text."""
    formats = Counter(recognised(log) for log in attempt.logs)
    told = [f"{name} ({counted(n, 'file')})" for name, n in sorted(formats.items())]
    return {"logs read as": ", ".join(told)} if told else {}


def _model_use(use: ModelUse) -> str:
    """Say what was asked of the model."""
    told = [str(use.calls)]
    told += [f"{use.refused} refused"] if use.refused else []
    told += [f"{use.failed} failed"] if use.failed else []
    if use.tokens_in is not None or use.tokens_out is not None:
        told.append(f"tokens {use.tokens_in or 0:,} in and {use.tokens_out or 0:,} out")
    if use.models:
        told.append(f"answered by {', '.join(use.models)}")
    return "; ".join(told)


def _exit_status(record: AttemptRecord) -> str:
    """Say how an attempt ended; one whose runner was killed has no end on record."""
    if record.exit_status == "running":
        return "running: no end was recorded, so what it left may be unfinished"
    return record.exit_status + (f" ({record.limit_hit})" if record.limit_hit else "")


def _count(limit: float | None) -> str:
    return "none" if limit is None else f"{limit:,g}"


def _bytes(count: int | None) -> str:
    return "none" if count is None else f"{count / 2**20:,.0f} MiB"
