"""The tasks a group runs on, found by name in a data directory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audit.runner.attempt import TaskData
from competitions.prepared import load_prepared, verify
from competitions.spec import load, variant_named

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def load_tasks(names: Sequence[str], variant: str, data_dir: Path) -> list[TaskData]:
    """Find each task's prepared data; a name that is given twice counts once.

    Returns
    -------
    list of TaskData
        The whole data directory is hidden from their agents: it holds other tasks' answers.

    Raises
    ------
    UsageError
        When there is no such variant.
    UnknownNameError, NotPreparedError
        When a task does not exist, or is not prepared here.
    DigestMismatchError
        When a prepared file has changed since.
    """
    chosen = variant_named(variant)
    specs = [load(name, chosen) for name in dict.fromkeys(names)]
    tasks = []
    for spec in specs:
        prepared = load_prepared(spec, data_dir)
        verify(prepared)
        tasks.append(TaskData.of(prepared, (data_dir,)))
    return tasks
