"""The tasks a group runs on, found by name in a data directory."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from audit.runner.attempt import TaskData
from competitions.errors import UsageError
from competitions.prepared import load_prepared
from competitions.spec import Variant, load

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
    """
    known: tuple[Variant, ...] = get_args(Variant)
    chosen = next((v for v in known if v == variant), None)
    if chosen is None:
        raise UsageError(f"Expected a variant of {', '.join(known)}; found {variant!r}.")
    specs = [load(name, chosen) for name in dict.fromkeys(names)]
    return [TaskData.of(load_prepared(spec, data_dir), (data_dir,)) for spec in specs]
