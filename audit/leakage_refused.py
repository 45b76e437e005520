"""Calls of `leakage` about folders and tables that cannot be meant, refused before the work."""

from __future__ import annotations

import os
from itertools import combinations
from typing import TYPE_CHECKING, Final

from competitions.errors import EvidenceUnavailableError, UnreadableFileError, UsageError
from competitions.io import listed
from competitions.submission import SCHEMA_NAME, key_index
from detectors.leakage.split import split_of
from detectors.leakage.tables import is_table

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from audit.leakage_data import Places
    from detectors.dataset import Dataset, Roles
    from detectors.leakage.split import Split
    from detectors.leakage.tables import Table

NONE: Final = "none"  # said of a role: no column has it, do not infer one
ROLE_OPTIONS: Final = {
    "key": "key",
    "targets": "target",
    "entities": "entity",
    "times": "time",
    "foreign_keys": "join",
    "media": "media",
}
_FOLDERS: Final = ("public", "private")
_TABLES: Final = ("train", "test", "sample", "answers")
_LIE_IN_PUBLIC: Final = ("train", "test", "sample")
_MAY_BE_ONE: Final = {"test", "answers"}  # a test table may hold its answers


def require_places(places: Places) -> None:
    """See that each path is there and what it should be, and that they fit together.

    Raises
    ------
    UsageError
        When one is missing, may not be read, is of another kind, or contradicts another.
    """
    if places.private is not None and places.public is None:
        raise UsageError("--private names hidden data, but there is no --public DIR beside it.")
    named = {o: p for o, p in places._asdict().items() if p is not None}
    for option, path in named.items():
        _require_place("submission-schema" if option == "schema" else option, path, option)
    if places.public is not None and places.private is not None:
        _require_apart(places.public, places.private)
    _require_different({o: p for o, p in named.items() if o in _TABLES})
    for option in _LIE_IN_PUBLIC:
        inside = named.get(option)
        if places.public is not None and inside is not None:
            _require_inside(option, inside, places.public)
    if places.schema is not None and places.schema.name != SCHEMA_NAME:
        raise UsageError(
            f"--submission-schema: expected a file {SCHEMA_NAME}, found {places.schema.name}."
        )


def _require_place(called: str, path: Path, option: str) -> None:
    is_folder = option in _FOLDERS
    if not (path.is_dir() if is_folder else path.is_file()):
        what = "a folder" if is_folder else "a file"
        raise UsageError(f"--{called}: expected {what}, found none at {path}.")
    if not os.access(path, os.R_OK | os.X_OK if is_folder else os.R_OK):
        raise UsageError(f"--{called}: {path} may not be read.")
    if option in _TABLES and not is_table(path):
        raise UsageError(
            f"--{called}: expected a table (.csv .tsv .json .jsonl .parquet .feather, "
            f"also in .gz or .zip), found {path.name}."
        )


def _require_apart(public: Path, private: Path) -> None:
    seen, hidden = public.resolve(), private.resolve()
    if seen == hidden or seen in hidden.parents or hidden in seen.parents:
        how = "the same folder" if seen == hidden else "folders of which one lies in the other"
        raise UsageError(
            f"--public {public} and --private {private}: expected two folders, found {how}.",
            "Hidden files that lie in the public folder are public: move them out of it first.",
        )


def _require_different(tables: dict[str, Path]) -> None:
    for one, other in combinations(tables, 2):
        if {one, other} != _MAY_BE_ONE and tables[one].samefile(tables[other]):
            hint = "; give the rows held out" if other == "test" else ""
            raise UsageError(f"--{one} and --{other} name the same file{hint}.")


def _require_inside(option: str, path: Path, public: Path) -> None:
    if public.resolve() not in path.resolve().parents:
        raise UsageError(
            f"--{option} {path}: expected a table in --public {public}, found one elsewhere.",
            "Beside --public DIR it says which of that folder's tables is meant; two tables alone "
            "need no --public.",
        )


def require_roles(roles: Roles) -> None:
    """See that no column has two roles that exclude each other.

    Raises
    ------
    UsageError
        When a target is something else as well, or `none` stands beside columns.
    """
    for role, names in roles.asked.items():
        if NONE in names and set(names) != {NONE}:
            others = listed(n for n in names if n != NONE)
            raise UsageError(
                f"--{ROLE_OPTIONS[role]} none says that there is no such column; found {others} "
                "beside it."
            )
        both = [n for n in names if role != "targets" and n in (roles.targets or ()) and n != NONE]
        if both:
            raise UsageError(
                f"--target {both[0]} is to be predicted; found it as --{ROLE_OPTIONS[role]} as "
                "well, which agents are told."
            )


def require_tables(data: Dataset) -> None:
    """See that the tables that a call names can be read and belong together.

    What a folder holds and cannot be read is no error of the call: it is told later.

    Raises
    ------
    UnreadableFileError
        When a table that the call names cannot be parsed.
    UsageError
        When no table has a column that the call names, or answers or a sample are of other rows
        than the test table's.
    """
    split = split_of(data)
    for option in _TABLES:
        if getattr(data, option) is not None:
            try:
                getattr(split, option)
            except EvidenceUnavailableError as error:
                problem = f"--{option} {getattr(data, option)}: {error.problem}."
                raise UnreadableFileError(problem, error.remedy) from error
    try:
        tables = [t for t in (split.train, split.test, split.sample, split.answers) if t]
        _require_columns(data, tables)
        if data.answers is not None and split.answers:
            _require_answers(split, split.answers, data.answers)
        if data.sample is not None and split.sample:
            _require_sample(split, split.sample, data.sample)
    except EvidenceUnavailableError:
        return


def _require_columns(data: Dataset, tables: list[Table]) -> None:
    known = list(dict.fromkeys(str(c) for t in tables for c in t.frame.columns))
    for role, names in data.roles.asked.items():
        if tables and (absent := [n for n in names if n not in known]):
            raise UsageError(
                f"--{ROLE_OPTIONS[role]} {absent[0]}: no table has such a column.",
                f"Columns: {listed(known)}.",
            )


def _require_answers(split: Split, answers: Table, path: Path) -> None:
    """Raise where a table is not that of the test rows' answers."""
    columns = set(answers.frame.columns)
    sample = set(split.sample.frame.columns) if split.sample else None
    has_targets = columns & set(split.targets) or (sample is not None and sample <= columns)
    absent = [] if has_targets else [*split.targets]  # a sample may have a column for each class
    absent += [k for k in split.key if k not in columns]
    if absent:
        raise UsageError(
            f"--answers {path}: expected the columns {listed((*split.key, *split.targets))}, found "
            f"{listed(answers.frame.columns)}.",
            "Name the table that holds the test rows' ids with what is to be predicted.",
        )
    _require_common(split, answers, f"--answers {path}")


def _require_sample(split: Split, sample: Table, path: Path) -> None:
    """Raise where a table is not a submission about the test rows."""
    test = split.test
    if test is None or test is sample:
        return
    if not [k for k in sample.frame.columns if k in test.frame.columns]:
        raise UsageError(
            f"--sample {path}: expected a column that names rows of {test.name}, found "
            f"{listed(sample.frame.columns)}."
        )
    _require_common(split, sample, f"--sample {path}")


def _require_common(split: Split, table: Table, called: str) -> None:
    """Raise where no row of a table is named as a test row is."""
    test, key = split.test, split.key
    if test is None or not key or not len(test.frame):
        return
    if not (set(key) <= set(test.frame.columns) and set(key) <= set(table.frame.columns)):
        return
    if not key_index(test.frame, key).isin(key_index(table.frame, key)).any():
        raise UsageError(
            f"{called}: expected rows of {test.name}, found none of its {listed(key)}: "
            f"{_some(test, key)} there, {_some(table, key)} here."
        )


def _some(table: Table, key: tuple[str, ...]) -> str:
    rows: Iterator[object] = iter(table.frame[list(key)].head(3).astype(str).agg(" ".join, axis=1))
    return listed(rows) or "no rows"
