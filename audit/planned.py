"""Which attempts of run groups have not ended, and which are planned and not made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audit.collect import MAX_DEPTH, agent_of, competition_of
from audit.runner.ledger import has_ended, is_set_aside
from audit.runner.plan import PLAN_NAME, read_plan
from competitions.errors import UnreadableFileError
from detectors.attempt import is_attempt
from detectors.record import RECORD_NAME
from detectors.text_file import printable_name
from reports.grading import NotGraded

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from audit.runner.plan import Plan
    from detectors.attempt import Attempt

_UNKNOWN = "unknown"


def unfinished(paths: Iterable[Path], attempts: Sequence[Attempt]) -> tuple[NotGraded, ...]:
    """List attempts that have not ended, and those that plans name and nobody has begun.

    Parameters
    ----------
    paths : iterable of Path
        Where plans are looked for: groups, or folders of groups. A path that is one attempt asks
        for that one alone.
    attempts : sequence of Attempt
        Those that were found there.
    """
    plans, broken = _plans_below(paths)
    planned = {a.attempt_id for plan in plans.values() for a in plan.attempts}
    found = {a.id for a in attempts}
    return (
        *(one for a in attempts if (one := _open(a, is_planned=a.id in planned))),
        *(
            NotGraded(
                attempt=a.attempt_id,
                competition_id=a.competition_id,
                why=f"planned and not made; make it with: {_resume(folder)}",
                state="not_made",
                agent=plan.agent_id,
                seed=a.seed,
                group=printable_name(str(folder)),
            )
            for folder, plan in plans.items()
            for a in plan.attempts
            if a.attempt_id not in found
        ),
        *broken,
    )


def _open(attempt: Attempt, *, is_planned: bool) -> NotGraded | None:
    """Describe an attempt that has not ended; None for one that has, or has a broken record."""
    record, group = attempt.readable_record, attempt.path.parent
    can_go_on = (group / PLAN_NAME).is_file()
    command = f": {_resume(group)}" if can_go_on else f", but its group has no {PLAN_NAME}"
    if record is None:
        if not is_planned or (attempt.path / RECORD_NAME).is_file():
            return None
        state, why = "not_made", f"begun, without a record; make it anew{command}"
    elif has_ended(record):
        return None
    elif record.exit_status == "interrupted":
        state, why = "interrupted", f"interrupted; resume it{command}"
    else:
        state = "running"
        why = f"running: no end is on record; where its runner is gone, resume it{command}"
    return NotGraded.model_validate(
        {
            "attempt": attempt.id,
            "competition_id": competition_of(attempt),
            "why": why,
            "state": state,
            "agent": agent_of(attempt),
            "seed": record.seed if record else None,
            "group": printable_name(str(group)) if can_go_on else None,
        }
    )


def _resume(group: Path) -> str:
    return f"mle-audit run --resume {printable_name(str(group))}"


def _plans_below(paths: Iterable[Path]) -> tuple[dict[Path, Plan], list[NotGraded]]:
    """Read the plans of all groups below the paths, each once, and name those that are broken."""
    plans: dict[Path, Plan] = {}
    broken: list[NotGraded] = []
    folders = {f.resolve(): f for p in paths for f in _groups_below(p, MAX_DEPTH - 1)}
    for folder in folders.values():
        try:
            plans[folder] = read_plan(folder)
        except UnreadableFileError as error:
            name = printable_name(f"{folder.name}/{PLAN_NAME}")
            broken.append(
                NotGraded(attempt=name, competition_id=_UNKNOWN, why=str(error), state="unknown")
            )
    return plans, broken


def _groups_below(path: Path, depth: int) -> Iterator[Path]:
    if is_attempt(path):
        return
    if (path / PLAN_NAME).is_file():
        yield path
    elif depth:
        for child in sorted(path.iterdir()):
            if child.is_dir() and not child.is_symlink() and not is_set_aside(child.name):
                yield from _groups_below(child, depth - 1)
