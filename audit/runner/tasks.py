"""The tasks a group runs on, found by name in a data directory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from audit.runner.attempt import TaskData
from competitions.errors import NotPreparedError
from competitions.outside import named
from competitions.prepared import load_prepared, not_prepared_remedy, prepare_command, verify
from competitions.spec import variant_named

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from competitions.prepared import Prepared
    from competitions.spec import Competition


def load_tasks(names: Sequence[str], variant: str, data_dir: Path) -> list[TaskData]:
    """Find each task's prepared data; a name that is given twice counts once.

    Returns
    -------
    list of TaskData
        The whole data directory is hidden from their agents: it holds other tasks' answers. So are
        the definition and the raw files of a task from outside the catalog.

    Raises
    ------
    UsageError
        When there is no such variant.
    UnknownNameError, NotPreparedError
        When a task does not exist, or some are not prepared here: all of them are named.
    DigestMismatchError
        When a prepared file has changed since.
    """
    chosen = variant_named(variant)
    specs = [named(name, chosen, data_dir) for name in dict.fromkeys(names)]
    tasks = []
    for prepared in _all_prepared(specs, data_dir):
        verify(prepared)
        spec = prepared.spec
        own = () if spec.origin is None else (spec.origin.parent, spec.raw_folder)
        hidden = (data_dir, *(folder for folder in own if folder is not None and folder.is_dir()))
        tasks.append(TaskData.of(prepared, hidden))
    return tasks


def _all_prepared(specs: Sequence[Competition], data_dir: Path) -> list[Prepared]:
    """Find the data of all tasks; where several lack them, name all and one command for them."""
    found: list[Prepared] = []
    missing: list[NotPreparedError] = []
    absent: list[Competition] = []
    for spec in specs:
        try:
            found.append(load_prepared(spec, data_dir))
        except NotPreparedError as error:
            missing.append(error)
            absent.append(spec)
    if len(missing) == 1:
        raise missing[0]
    if missing:
        further = [word for spec in absent[1:] for word in ("-c", spec.id)]
        command = prepare_command(absent[0], *further, "--data-dir", str(data_dir))
        raise NotPreparedError(
            f"{len(absent)} tasks ({absent[0].variant}) are not prepared in {data_dir}: "
            f"{', '.join(spec.id for spec in absent)}.",
            not_prepared_remedy(f"Prepare them with: {command}"),
        )
    return found
