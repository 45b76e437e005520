"""Data that no definition describes, as detectors see it: two folders, or two tables."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, ClassVar

from reports.schema import SubjectKind

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Roles:
    """What columns are, as a person says; None where it is to be inferred, empty where none is.

    Parameters
    ----------
    key : tuple of str or None
        Columns that name a row in the submission.
    targets : tuple of str or None
        Columns that are to be predicted.
    entities : tuple of str or None
        Columns that name what a row is about: a patient, a sentence, a place.
    times : tuple of str or None
        Columns that say when something happened; a birth date is none.
    foreign_keys : tuple of str or None
        Columns that name rows of another table.
    media : tuple of str or None
        Columns that name files.
    """

    key: tuple[str, ...] | None = None
    targets: tuple[str, ...] | None = None
    entities: tuple[str, ...] | None = None
    times: tuple[str, ...] | None = None
    foreign_keys: tuple[str, ...] | None = None
    media: tuple[str, ...] | None = None

    @property
    def asked(self) -> dict[str, tuple[str, ...]]:
        """The roles that a person named, by name."""
        return {f.name: v for f in fields(self) if (v := getattr(self, f.name)) is not None}


@dataclass(frozen=True)
class Dataset:
    """Two folders or two tables, and what a person says of their columns.

    Parameters
    ----------
    name : str
        What it is called in a report.
    public, private : Path or None
        Folders: what an agent may see, and what it may not.
    train, test, sample, answers : Path or None
        Tables; where folders are given they are found in them, unless named.
    roles : Roles
        What columns are.
    """

    kind: ClassVar[SubjectKind] = SubjectKind.TASK
    name: str
    public: Path | None = None
    private: Path | None = None
    train: Path | None = None
    test: Path | None = None
    sample: Path | None = None
    answers: Path | None = None
    roles: Roles = field(default_factory=Roles)

    @property
    def id(self) -> str:
        """``data:<name>``, so that data never share the name of an attempt or a task."""
        return f"data:{self.name}"

    @classmethod
    def of_tables(cls, train: Path, test: Path, **roles: tuple[str, ...]) -> Dataset:
        """Return two tables as a subject; roles as `Roles` names them."""
        name = f"{train.name} and {test.name}"
        return cls(name, train=train, test=test, roles=Roles(**roles))

    @classmethod
    def of_folders(
        cls, public: Path, private: Path | None = None, **roles: tuple[str, ...]
    ) -> Dataset:
        """Return a public and a private folder as a subject; roles as `Roles` names them."""
        place = public.resolve()
        name = place.parent.name if place.name == "public" else place.name
        return cls(name, public=public, private=private, roles=Roles(**roles))
