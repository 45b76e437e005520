"""The output folder of a reproduction: whose it is, and where it was left."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

from pydantic import ValidationError

from audit.reproduction.config import ReproductionConfig, freeze_config
from audit.runner.plan import PLAN_NAME, read_plan
from competitions.errors import InvalidDefinitionError, RefusedError, UnreadableFileError
from competitions.io import sha256_bytes, write_json
from competitions.spec import problems_of, read_yaml

if TYPE_CHECKING:
    from pathlib import Path

    from audit.reproduction.config import Plan
    from audit.reproduction.freeze import FrozenTasks

MARK = "reproduce.json"
FROZEN = "frozen.yaml"
RUNS = "runs"
_REMEDY = "Name another folder with -o."


def open_folder(output: Path, plan: Plan) -> None:
    """Take an empty folder, or the one that the same configuration was begun in.

    Raises
    ------
    RefusedError
        When it holds files that no reproduction made, or one of another configuration.
    UnreadableFileError
        When its mark cannot be read.
    """
    if output.exists() and not output.is_dir():
        raise RefusedError(f"{output}: expected a folder, found a file.", _REMEDY)
    mark = {"made_by": "reproduce", "config": config_sha256(plan.config)}
    if (output / MARK).is_file():
        if (found := _read_mark(output / MARK)) != mark["config"]:
            raise RefusedError(
                f"{output}: expected a reproduction of the configuration "
                f"{mark['config'][:12]}, found one of {str(found)[:12]}.",
                f"Restore the configuration that it was begun with. {_REMEDY}",
            )
        return
    # A mark that was cut short by a kill is no file of somebody's.
    if output.is_dir() and any(not p.name.startswith(f".{MARK}.") for p in output.iterdir()):
        raise RefusedError(f"{output} holds files that no reproduction made.", _REMEDY)
    output.mkdir(parents=True, exist_ok=True)
    write_json(output / MARK, mark)


def config_sha256(config: ReproductionConfig) -> str:
    """Name a configuration by what shapes its results; how many run at once does not."""
    content = config.model_dump(mode="json", exclude={"jobs"})
    return sha256_bytes(json.dumps(content, sort_keys=True).encode())


def _read_mark(path: Path) -> object:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        return content["config"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise UnreadableFileError(
            f"{path}: expected the mark of a reproduction: {error!r}.", _REMEDY
        ) from error


def frozen_before(output: Path, plan: Plan) -> Plan:
    """Return the plan with the digests that were found when the folder was begun, if it was.

    What a task's data were then, they must be still: half of the runs may be on them.
    """
    path = output / FROZEN
    if not path.is_file():
        return plan
    try:
        before = ReproductionConfig.model_validate(read_yaml(path))
    except ValidationError as error:
        raise InvalidDefinitionError(path, problems_of(error, ReproductionConfig)) from error
    digests = {n: getattr(before, n) for n in ("freeze", "agent_sha256", "baseline_sha256")}
    return replace(plan, config=plan.config.model_copy(update=digests))


def keep_frozen(output: Path, plan: Plan, found: FrozenTasks) -> None:
    """Write ``frozen.yaml`` once; a folder that was begun keeps the one it has."""
    if not (output / FROZEN).is_file():
        freeze_config(plan, found.digests, found.sources, output / FROZEN)


def group_of(output: Path, agent_id: str) -> Path | None:
    """Find an agent's group; what a kill left of one that was never planned is removed."""
    runs = output / RUNS
    for folder in sorted(runs.iterdir()) if runs.is_dir() else ():
        if not folder.is_dir() or folder.is_symlink() or folder.name.startswith("."):
            continue
        if not (folder / PLAN_NAME).is_file():  # the plan is written before any attempt is made
            shutil.rmtree(folder)
        elif read_plan(folder).agent_id == agent_id:
            return folder
    return None
