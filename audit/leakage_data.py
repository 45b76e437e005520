"""Data that no definition describes, as a call names them: two folders, or two tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from audit.leakage_refused import (
    NONE,
    ROLE_OPTIONS,
    require_places,
    require_roles,
    require_tables,
)
from competitions.errors import EvidenceUnavailableError, UsageError
from competitions.io import listed
from competitions.submission import read_schema
from detectors.dataset import Dataset, Roles
from detectors.leakage.split import split_of
from detectors.leakage.tables import REPEATED
from reports.schema import Subject, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from detectors.leakage.split import Split
    from detectors.leakage.tables import Table

_ROLES = tuple(ROLE_OPTIONS)


class Places(NamedTuple):
    """Folders and tables as options name them."""

    public: Path | None = None
    private: Path | None = None
    train: Path | None = None
    test: Path | None = None
    sample: Path | None = None
    answers: Path | None = None
    schema: Path | None = None

    @property
    def are_named(self) -> bool:
        """Whether the call names data at all."""
        return any(self)


def dataset_at(places: Places, roles: Roles, name: str | None = None) -> Dataset:
    """Return the data that a call names.

    Parameters
    ----------
    roles : Roles
        What columns are, as the call says; ``("none",)`` for a role that no column has.
    name : str or None
        What a report calls them; by default the folder's or the tables' names.

    Raises
    ------
    UsageError
        When a path is not there, may not be read or is no table, the combination names no data, no
        table has a column that the call names, a column has two roles that exclude each other, or
        answers or a sample are not those of the test table.
    UnreadableFileError
        When a table that the call names cannot be parsed.
    """
    require_places(places)
    if places.schema is not None:
        schema = read_schema(places.schema.parent)
        roles = Roles(
            **({"key": schema.key, "targets": tuple(schema.columns)} | _plain(roles).asked)
        )
    whole = (
        Dataset.of_folders(places.public, places.private)
        if places.public
        else Dataset.of_tables(*_tables(places))
    )
    require_roles(roles)
    data = Dataset(name or whole.name, *places[:-1], roles=_plain(roles))
    require_tables(data)
    return data


def data_named(places: Places, roles: Roles) -> list[Dataset]:
    """Return the data that a call names: one, or none.

    Raises
    ------
    UsageError
        See `dataset_at`; and when columns are named of no data.
    """
    if places.are_named:
        return [dataset_at(places, roles)]
    if roles.asked:
        raise UsageError(
            f"--{ROLE_OPTIONS[next(iter(roles.asked))]} names a column, but of no data.",
            "Name them with --public DIR, or --train FILE and --test FILE; a task says itself what "
            "its columns are.",
        )
    return []


def roles_asked(columns: Sequence[Sequence[str] | None]) -> Roles:
    """Return the roles that options name, in the order of `Roles`; None where one is not used."""
    return Roles(**{r: tuple(c) for r, c in zip(_ROLES, columns, strict=True) if c})


def _plain(roles: Roles) -> Roles:
    return Roles(**{r: () if names == (NONE,) else names for r, names in roles.asked.items()})


def _tables(places: Places) -> tuple[Path, Path]:
    if places.train is None or places.test is None:
        raise UsageError(
            "Expected --public DIR, or --train FILE and --test FILE.",
            "For example: mle-audit leakage --train train.csv --test test.csv",
        )
    return places.train, places.test


def data_subject(data: Dataset) -> Subject:
    """Describe data for the document: what its columns are taken for, and why."""
    place = data.public or data.train
    missing: tuple[str, ...] = ()
    try:
        split = split_of(data)
        facts = _facts(split)
        if split.too_little:
            missing = ("data",)
    except EvidenceUnavailableError as error:
        facts, missing = {"columns": f"not known: {error}"}, ("data",)
    return Subject(
        id=data.id,
        kind=SubjectKind.TASK,
        title=data.name,
        path=str(place) if place else None,
        facts=facts,
        missing=missing,
    )


def _facts(split: Split) -> dict[str, str]:
    tables = {"train": split.train, "test": split.test, "answers": split.answers}
    facts = {
        part: f"{t.name}: {len(t.frame)} rows, {len(t.frame.columns)} columns{_twice(t)}"
        if t
        else "none"
        for part, t in tables.items()
    }
    for role in _ROLES:
        names = _names(split, role)
        how = split.how.get(role)
        facts[role.replace("_", " ")] = f"{listed(names)} ({how})" if names else "none"
    return facts


def _twice(table: Table) -> str:
    """Say which names a table has more than once, and how its columns are told apart."""
    names: tuple[str, ...] = table.frame.attrs.get(REPEATED, ())
    if not names:
        return ""
    return f", several of them called {listed(names)}: further ones are taken as {names[0]}.1, ..."


def _names(split: Split, role: str) -> Sequence[str]:
    found = getattr(split, role)
    return [e.column for e in found] if role == "entities" else found
