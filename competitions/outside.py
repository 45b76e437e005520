"""Tasks whose definition lies outside the catalog: found by a path, or by what `prepare` kept.

`prepare` keeps a copy of such a definition, with its board and its metric's file, in ``task/``
beside the prepared data, so that their id alone finds it again, and so that what was graded does
not change when the author works on.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from competitions.data import Layout
from competitions.errors import InvalidDefinitionError, UsageError
from competitions.io import atomic_path, listed
from competitions.spec import catalog_ids, load, load_file
from competitions.submission import read_table

if TYPE_CHECKING:
    from competitions.spec import Competition, Variant

KEPT = "task"  # folder in the prepared folder
BOARD = "board.csv"  # beside the definition
ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9-]*")


def is_definition(text: str) -> bool:
    """Say whether a word of a call is the path of a definition, and no id."""
    return Path(text).suffix.lower() in {".yaml", ".yml"}


def named(text: str, variant: Variant = "v1", data_dir: Path | None = None) -> Competition:
    """Load the task that a user names: by the path of its YAML, or by its id.

    Only for what the user types: a definition may name a Python file that grading runs.

    Raises
    ------
    UsageError
        When there is no such file.
    InvalidDefinitionError
        When the file breaks the model, or has the id of a task of the catalog.
    UnknownNameError
        When no task has this id.
    """
    if not is_definition(text):
        return known(text, variant, data_dir)
    path = Path(text).absolute()
    if not path.is_file():
        raise UsageError(f"Expected a task's definition at {text}, found no file.")
    spec = load_file(path, variant)
    if spec.origin is not None and spec.id in catalog_ids():
        said = f"id: expected a new one, found {spec.id!r}, a task that ships"
        raise InvalidDefinitionError(path, [said])
    return spec


def known(
    competition_id: str, variant: Variant = "v1", data_dir: Path | None = None
) -> Competition:
    """Load a task by its id: of the catalog, else what `prepare` kept in a data directory.

    The id may come from a hostile record: it names no other folder.

    Raises
    ------
    UnknownNameError
        When no task has this id.
    """
    if data_dir is not None and ID.fullmatch(competition_id):
        folder = Layout(data_dir, competition_id, variant).prepared / KEPT
        path = folder / f"{competition_id}.yaml"
        if competition_id not in catalog_ids() and path.is_file():
            return load_file(path, variant)
    return load(competition_id, variant)


def require_columns(
    spec: Competition, public: Path, private: Path, *, answers_as_named: bool
) -> None:
    """See that what was prepared from a definition outside the catalog has the columns it names.

    The tests see to that for the catalog.

    Parameters
    ----------
    answers_as_named : bool
        Whether the answers have a submission's columns; else a hook makes those of them.

    Raises
    ------
    InvalidDefinitionError
        When answers or sample lack a key or a target.
    """
    if spec.origin is None:
        return
    tables = {f"public/{spec.sample_submission.path}": public / spec.sample_submission.path}
    if answers_as_named and "truth" not in spec.metric.arguments:
        tables[f"private/{spec.answers}"] = private / spec.answers
    problems = []
    for name, path in tables.items():
        if path.suffix != ".csv" or not path.is_file():
            continue
        found = list(read_table(path).columns)
        if lacking := [c for c in (*spec.submission.key, *spec.targets) if c not in found]:
            problems.append(
                f"submission: expected the columns {listed(lacking)} in {name}, "
                f"found {listed(found)}"
            )
    if problems:
        raise InvalidDefinitionError(spec.origin, problems)


def keep(spec: Competition, prepared: Path) -> None:
    """Copy a definition from outside the catalog, its board and metric beside the prepared data."""
    target = prepared / KEPT
    if spec.origin is None or spec.origin.parent == target:
        return
    for name in (spec.metric.file, BOARD, spec.origin.name):  # the definition last: it names them
        source = spec.origin.parent / name if name else None
        if name is None or source is None or not source.is_file():
            continue
        content, copy = source.read_bytes(), target / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        if not copy.is_file() or copy.read_bytes() != content:
            with atomic_path(copy) as temporary:
                temporary.write_bytes(content)
