"""Whose an attempt is: seeds of one agent are one author's work."""

from __future__ import annotations

from typing import TYPE_CHECKING

from detectors.plagiarism.loose_code import LooseCode
from detectors.text_file import printable_name

if TYPE_CHECKING:
    from collections.abc import Iterable

    from detectors.attempt import Attempt
    from detectors.group import Group


def authors_of(attempts: Iterable[Attempt]) -> dict[str, str]:
    """Name the author of each attempt, by the attempt's id.

    Attempts are one author's when their agents have one id, or one digest: a copy of an agent's
    folder under another name is the same agent. Without a record the run group's folder tells.
    Code that is no attempt is each an author's own.
    """
    name_of: dict[str, str] = {}
    found: dict[str, str] = {}
    for attempt in sorted(attempts, key=lambda a: a.id):
        record = attempt.readable_record
        if isinstance(attempt, LooseCode):
            found[attempt.id] = attempt.id
            continue
        if record is None:
            group = printable_name(attempt.path.parent.name)
            found[attempt.id] = group.rpartition("run-group_")[2]
            continue
        agent = record.agent
        name = name_of.get(agent.digest) or name_of.get(f"id {agent.id}") or agent.id
        name_of.setdefault(agent.digest, name)
        name_of.setdefault(f"id {agent.id}", name)
        found[attempt.id] = name
    return found


def competition_of(attempt: Attempt) -> str:
    """Return the competition from the record, else from the folder's name.

    Of code that is no attempt it is what the call said, or empty.
    """
    if isinstance(attempt, LooseCode):
        return attempt.competition_id
    record = attempt.readable_record
    return record.competition_id if record else attempt.id.rpartition("_")[0]


def could_know(attempt: Attempt, other: Attempt) -> bool:
    """Say whether another attempt had begun before this one ended; unknown times may be any."""
    mine, theirs = attempt.readable_record, other.readable_record
    if mine is None or theirs is None or mine.ended_at is None:
        return True
    return theirs.started_at < mine.ended_at


def by_competition(group: Group) -> dict[str, list[Attempt]]:
    """Put attempts together by competition, both in a stable order."""
    found: dict[str, list[Attempt]] = {}
    for attempt in sorted(group.attempts, key=lambda a: a.id):
        found.setdefault(competition_of(attempt), []).append(attempt)
    return dict(sorted(found.items()))
