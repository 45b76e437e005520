"""Who works on which attempt of a group, what is done, and what earlier tries left behind.

Nothing here relies on one runner: several may share a group, on one machine or over a file system
with locks. The kernel drops a dead runner's locks, so nothing has to be cleaned up after one.
"""

from __future__ import annotations

import contextlib
import os
import re
from typing import TYPE_CHECKING, NamedTuple

from competitions.errors import UnreadableFileError
from competitions.io import write_json
from competitions.locks import locked
from detectors.record import RECORD_NAME, read_record

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path

    from audit.runner.plan import Plan
    from detectors.record import AttemptRecord, ExitStatus

METADATA = "metadata.json"
LOCKS = ".locks"
TIMESTAMP = "%Y-%m-%dT%H-%M-%S-GMT"
INTERRUPTED, RETRIED = "interrupted", "retried"
_ASIDE = re.compile(rf"(?:{INTERRUPTED}|{RETRIED})-([1-9][0-9]{{0,8}})")


class EarlierTry(NamedTuple):
    """A try whose remains were set aside."""

    number: int
    folder: Path


@contextlib.contextmanager
def claimed(group: Path, name: str, *, wait: bool = False) -> Iterator[bool]:
    """Hold a name within a group for as long as the block runs.

    Yields
    ------
    bool
        False when another runner holds it, and `wait` is false.
    """
    folder = group / LOCKS
    folder.mkdir(exist_ok=True)
    with locked(folder / name, wait=wait) as is_ours:
        yield is_ours


def record_of(attempt: Path) -> AttemptRecord | None:
    """Return an attempt's record; None when there is none, or half of one."""
    try:
        return read_record(attempt)
    except UnreadableFileError:
        return None


def has_ended(record: AttemptRecord | None) -> bool:
    """Say whether an attempt is done; one that was interrupted is not."""
    return (
        record is not None
        and record.ended_at is not None
        and record.exit_status not in {"running", "interrupted"}
    )


def is_set_aside(name: str) -> bool:
    """Say whether a folder of this name holds what an earlier try left: it is no attempt."""
    return _ASIDE.fullmatch(name) is not None


def earlier_tries(attempt: Path) -> list[EarlierTry]:
    """List what was set aside in an attempt's folder, oldest first."""
    if not attempt.is_dir():
        return []
    folders = [path for path in attempt.iterdir() if path.is_dir() and not path.is_symlink()]
    named = [(_ASIDE.fullmatch(path.name), path) for path in folders]
    return sorted(EarlierTry(int(match[1]), path) for match, path in named if match)


def set_aside(attempt: Path, prefix: str) -> tuple[ExitStatus, ...]:
    """Move all remains of a try into ``<prefix>-N``, so that the attempt can be made anew.

    The record is moved last: where this is cut short, the next call goes on with the same folder.

    Returns
    -------
    tuple of str
        How all earlier tries ended, oldest first.
    """
    if attempt.is_symlink():
        raise NotADirectoryError(f"{attempt}: expected an attempt's folder, found a link")
    tries = earlier_tries(attempt)
    asides = {path.folder for path in tries}
    with contextlib.suppress(FileNotFoundError):
        remains = [path for path in attempt.iterdir() if path not in asides]
        if remains:
            target = _half_moved(tries, remains) or _new_folder(attempt, prefix, tries)
            target.mkdir(exist_ok=True)
            for path in sorted(remains, key=lambda p: p.name == RECORD_NAME):
                path.rename(target / path.name)
    return tuple(_status_of(t.folder) for t in earlier_tries(attempt))


def _half_moved(tries: Sequence[EarlierTry], remains: Sequence[Path]) -> Path | None:
    """Return the folder that a move was cut short into: it has no record, and none of the names."""
    if not tries or (tries[-1].folder / RECORD_NAME).is_file():
        return None
    last = tries[-1].folder
    return None if any(os.path.lexists(last / path.name) for path in remains) else last


def _new_folder(attempt: Path, prefix: str, tries: Sequence[EarlierTry]) -> Path:
    """Name a folder that does not exist; an agent may have left a link or a file of such a name."""
    number = max((t.number for t in tries), default=0) + 1
    while os.path.lexists(attempt / f"{prefix}-{number}"):
        number += 1
    return attempt / f"{prefix}-{number}"


def _status_of(folder: Path) -> ExitStatus:
    record = record_of(folder)
    # A try without an end was that of a runner that died.
    if record is None or record.exit_status == "running":
        return "interrupted"
    return record.exit_status


def write_metadata(group: Path, plan: Plan, failed: Collection[str] = ()) -> None:
    """Write ``metadata.json`` as MLE-bench knows it, from what is on disk.

    Parameters
    ----------
    failed : collection of str
        Attempts of this runner of which not even a record could be written.

    Raises
    ------
    OSError
        When it cannot be written; the former one is then as it was.
    """
    from datetime import UTC

    with claimed(group, METADATA, wait=True):
        runs: dict[str, dict[str, bool]] = {}
        for planned in plan.attempts:
            record = record_of(group / planned.attempt_id)
            if record is not None and record.ended_at is not None:
                runs[planned.attempt_id] = {"success": record.exit_status == "finished"}
            elif planned.attempt_id in failed:
                runs[planned.attempt_id] = {"success": False}
        created = plan.created_at.astimezone(UTC).strftime(TIMESTAMP)
        write_json(group / METADATA, {"run_group": plan.group, "created_at": created, "runs": runs})
