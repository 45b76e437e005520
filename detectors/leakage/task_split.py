"""A prepared task as a train and a test part: its definition says what is what."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from competitions.errors import EvidenceUnavailableError
from competitions.io import said_by
from competitions.prepared import load_prepared
from competitions.standard import standard_submissions
from competitions.submission import read_table
from detectors.leakage.split import Split
from detectors.leakage.tables import Table, is_table

if TYPE_CHECKING:
    from collections.abc import Container
    from pathlib import Path

    import pandas as pd

    from competitions.prepared import Prepared
    from competitions.shapes import Entity
    from detectors.task import Task


class TaskSplit(Split):
    """What the definition of a prepared task says of its data.

    Parameters
    ----------
    task : Task
    """

    def __init__(self, task: Task) -> None:
        self._task = task
        self._spec = task.spec
        self.name = task.spec.id

    @cached_property
    def _prepared(self) -> Prepared:
        return load_prepared(self._spec, self._task.prepared.parents[1])

    @cached_property
    def train(self) -> Table | None:
        """See `Split`."""
        return self._public_table(self._spec.file_of("train"))

    @cached_property
    def test(self) -> Table | None:
        """See `Split`. Where the test part is no table: the sample, which lists its rows."""
        found = self._public_table(self._spec.file_of("test"))
        return found or self._public_table(self._spec.keys_in)

    @cached_property
    def sample(self) -> Table | None:
        """See `Split`."""
        return self._public_table(self._spec.sample_submission.path)

    @cached_property
    def answers(self) -> Table | None:
        """See `Split`."""
        path = self._task.prepared / "private" / self._spec.answers
        return _read(path, f"private/{self._spec.answers}") if path.is_file() else None

    @cached_property
    def listed(self) -> Table | None:
        """See `Split`."""
        name = self._spec.keys_in
        return _read(self._task.public(name), f"public/{name}")

    @property
    def listed_in(self) -> str:
        """See `Split`."""
        return f"public/{self._spec.keys_in}"

    @property
    def public_root(self) -> Path:
        """See `Split`."""
        return self._task.prepared / "public"

    @property
    def private_root(self) -> Path:
        """See `Split`."""
        return self._task.prepared / "private"

    @property
    def key(self) -> tuple[str, ...]:
        """See `Split`."""
        return self._spec.submission.key

    @property
    def targets(self) -> tuple[str, ...]:
        """See `Split`."""
        return self._spec.targets

    @property
    def entities(self) -> tuple[Entity, ...]:
        """See `Split`; those that are not to be predicted."""
        return tuple(e for e in self._spec.entities if e.column not in self.targets)

    @property
    def times(self) -> tuple[str, ...]:
        """See `Split`."""
        return (self._spec.split.time,) if self._spec.split.time else ()

    @property
    def foreign_keys(self) -> tuple[str, ...]:
        """See `Split`: the columns by which side tables follow the rows."""
        columns = (f.by for f in self._spec.public if f.by and f.part != "sample")
        return tuple(dict.fromkeys(c for c in columns if c))

    @property
    def media(self) -> tuple[str, ...]:
        """See `Split`: none; where a task's rows have files, `Competition.files` says it."""
        return ()

    @property
    def how(self) -> dict[str, str]:
        """See `Split`."""
        roles = ("key", "targets", "entities", "times", "foreign_keys")
        return {role: "declared" for role in roles if getattr(self, role)}

    def on_record(self, *kinds: str, shown_by: Container[str] | None = None) -> tuple[str, ...]:
        """See `Split`."""
        return self._task.on_record(*kinds, shown_by=shown_by)

    def _public_table(self, name: str | None) -> Table | None:
        """Read a public table; None where the part is kept otherwise.

        Raises
        ------
        EvidenceUnavailableError
            When it is not there or cannot be read.
        """
        if name is None or not (is_table(self.public_root / name) or name.endswith(".7z")):
            return None
        return _read(self._task.public(name), f"public/{name}")

    def _perfect(self) -> pd.DataFrame:
        return standard_submissions(self._prepared)["perfect"]


def _read(path: Path, name: str) -> Table:
    try:
        return Table(name, read_table(path))
    except (ValueError, OSError) as error:
        problem = f"{path.name} cannot be read: {said_by(error)}"
        raise EvidenceUnavailableError("data", problem) from error
