"""Two groups written by hand, an agent's and a baseline's, and the document made of them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from audit.reproduction.compare import document_of
from audit.reproduction.freeze import digests_of
from audit.runner.limits import Limits
from audit.runner.plan import Plan, PlannedAttempt, PlannedTask, write_plan
from audit.verdict import load_policy
from audit.vet import vet
from competitions.prepared import load_prepared
from competitions.spec import load
from tests.conftest import write_attempt

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from audit.reproduction.schema import Reproduction
    from reports.schema import AuditReport

NOW = datetime(2026, 1, 1, tzinfo=UTC)
TASK = "breast-cancer"
DIGEST = "0" * 64


class Made(NamedTuple):
    """A run that is to lie there."""

    submission: str | None
    logs: str = "fitted\n"
    code: str = "print('fit')\n"
    exit_status: str = "finished"
    earlier: tuple[str, ...] = ()


def write_group(runs: Path, agent: str, made: Sequence[Made | None]) -> Path:
    """Write a group with its plan; None is a run of the plan that nobody has made."""
    group = runs / f"2026-01-01T00-00-00-GMT_run-group_{agent}"
    names = [f"{TASK}_{agent}{seed}" for seed in range(len(made))]
    for seed, (name, one) in enumerate(zip(names, made, strict=True)):
        if one is None:
            continue
        write_attempt(
            group / name,
            code=one.code,
            logs=one.logs,
            submission=one.submission,
            record={
                "agent": {"id": agent, "digest": DIGEST, "prior_knowledge": "none"},
                "seed": seed,
                "group": group.name,
                "exit_status": one.exit_status,
                "earlier_tries": one.earlier,
            },
        )
    group.mkdir(parents=True, exist_ok=True)
    plan = Plan(
        group=group.name,
        created_at=NOW,
        tool_version="0",
        agent_id=agent,
        agent_digest=DIGEST,
        agent_folder=str(runs),
        data_dir=str(runs),
        limits=Limits(60.0, 1 << 30),
        sandbox="bubblewrap",
        tasks=(
            PlannedTask(
                competition_id=TASK, variant="v1", data_digest=DIGEST, data_source="embedded"
            ),
        ),
        attempts=tuple(
            PlannedAttempt(attempt_id=name, competition_id=TASK, seed=seed)
            for seed, name in enumerate(names)
        ),
    )
    write_plan(plan, group)
    return group


def audited(runs: Path, data_dir: Path) -> AuditReport:
    """Vet both groups with the two detectors that need little time."""
    chosen = ("answers-read", "same-submission-many-seeds")
    return vet([runs], data_dir, load_policy(), NOW, select=chosen)


def reproduction(
    groups: tuple[Path, Path], data_dir: Path, report: AuditReport | None = None
) -> Reproduction:
    """Make the document of two groups."""
    spec = load(TASK)
    prepared = load_prepared(spec, data_dir)
    frozen = {TASK: digests_of(prepared, prepared.public_sha256)}
    told = report or audited(groups[0].parent, data_dir)
    return document_of(groups, [spec], frozen, told, NOW)
