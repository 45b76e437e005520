"""Look at anyone's task: prepared where it lies, else in a scratch folder."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from audit.counterexample import check
from competitions.data import default_data_dir
from competitions.errors import UsageError
from competitions.outside import ID, is_definition, named
from competitions.prepare import load_prepared, prepare
from competitions.trap_task import DATA, task_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from audit.counterexample_separation import Separation


def check_task(
    task: Path,
    data_dir: Path | None = None,
    *,
    seed: int = 0,
    seeds: int = 5,
    tell: Callable[[str], None] | None = None,
) -> Separation:
    """Check a task by its folder, the path of its definition, or its id.

    Parameters
    ----------
    data_dir : Path or None
        Where it is prepared; None takes what lies beside the definition, else prepares the task in
        a scratch folder.

    Raises
    ------
    UsageError
        When there is no task, or none that the two agents can try.
    NotPreparedError
        When it is not prepared in `data_dir`.
    """
    path = task_file(task)
    if path.is_dir() or not is_definition(str(path)):  # an id
        _require_id(task)
        root = data_dir or default_data_dir()
        prepared = load_prepared(named(str(task), data_dir=root), root)
        return check(prepared, seed=seed, seeds=seeds, tell=tell)
    spec = named(str(path))
    root = data_dir or path.parent / DATA
    if data_dir is not None or root.is_dir():
        return check(load_prepared(spec, root), seed=seed, seeds=seeds, tell=tell)
    with tempfile.TemporaryDirectory(prefix="mle-audit-") as name:
        return check(prepare(spec, Path(name)), seed=seed, seeds=seeds, tell=tell)


def _require_id(task: Path) -> None:
    """Raise where a word is a path rather than an id, and no task lies there."""
    if ID.fullmatch(str(task)) and not task.is_file():
        return
    found = "a file of another kind" if task.is_file() else "nothing"
    raise UsageError(
        f"{task}: expected a task's folder, its definition (.yaml) or its id, found {found}.",
        "Build one: mle-audit counterexample build --embedded breast-cancer -o my-task",
    )
