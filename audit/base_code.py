"""Code that attempts may share without having copied: of shipped agents, and of a common scaffold.

An agent is often begun as a copy of one that ships. Agents of several people may be built on one
scaffold; where both name it, what lies in their folders is that scaffold's as far as anybody can
tell. A folder alone proves nothing of the kind: whoever took another's agent has its files, too.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from audit.runner.agent import AGENTS, agent_ids, load_agent
from audit.runner.plan import PLAN_NAME, read_plan
from competitions.errors import UnreadableFileError, UsageError
from competitions.io import sha256_tree
from detectors.plagiarism.corpus.build import base_hashes

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from detectors.attempt import Attempt

_SEVERAL = 2  # agents that name one scaffold


def base_code(attempts: Iterable[Attempt], more: Sequence[Path] = ()) -> str:
    """Return where code lies that counts for nothing between attempts.

    Parameters
    ----------
    attempts : iterable of Attempt
        Where two agents name one scaffold, the folders that they were run from are base code, as
        far as they are here and hold what was run.
    more : sequence of Path
        Starter kits and templates that the caller names.

    Returns
    -------
    str
        Paths, one a line: a detector's parameter ``base``.
    """
    return "\n".join(map(str, (AGENTS, *more, *_scaffolds(attempts))))


def _scaffolds(attempts: Iterable[Attempt]) -> list[Path]:
    """Return the folders of agents that name a scaffold which another agent names, too."""
    found: dict[str, dict[str, set[Path]]] = {}
    ids: dict[str, set[str]] = {}
    for attempt in attempts:
        record = attempt.readable_record
        if record is None or not record.agent.scaffold:
            continue
        name = " ".join(record.agent.scaffold.casefold().split())
        ids.setdefault(name, set()).add(record.agent.id)
        places = found.setdefault(name, {}).setdefault(record.agent.digest, set())
        places.add(attempt.path.parent)
    told = [
        (groups, digest)
        for name, of_digest in found.items()
        if min(len(ids[name]), len(of_digest)) >= _SEVERAL and name not in _shipped_scaffolds()
        for digest, groups in of_digest.items()
    ]
    folders = (_folder(group, digest) for groups, digest in told for group in sorted(groups))
    return sorted({folder for folder in folders if folder is not None})


def _shipped_scaffolds() -> frozenset[str]:
    """Return what shipped agents name: whoever begins with one of them keeps the words."""
    shipped = (load_agent(name).identity.scaffold or "" for name in agent_ids())
    return frozenset(" ".join(name.casefold().split()) for name in shipped)


def _folder(group: Path, digest: str) -> Path | None:
    """Return the folder that a group was run from, if it is here, unchanged, and holds code."""
    if not (group / PLAN_NAME).is_file():
        return None
    try:
        folder = Path(read_plan(group).agent_folder)
        if not folder.is_dir() or sha256_tree(folder) != digest:
            return None
        base_hashes([folder])
    except (UnreadableFileError, UsageError, OSError):
        return None
    return folder
