"""The submission of an attempt, read as text: its keys, its values, how much they vary."""

from __future__ import annotations

import csv
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from competitions.errors import EvidenceUnavailableError, MleAuditError
from competitions.outside import known
from detectors.text_file import MAX_TEXT_BYTES
from detectors.training.typed import normal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from competitions.spec import Competition
    from detectors.attempt import Attempt
    from detectors.training.typed import Typed

MAX_ROWS = 500_000
_MAX_HEADER = 1 << 16  # characters of a file of which the header alone is read
_KEYS = frozenset({"id", "Id", "ID"})  # where the task is not known
_JITTER = 1e-5  # of a value, below which others count as the same


class Usual(NamedTuple):
    """The commonest value of a column and the share of rows that have it."""

    value: str
    share: float


@dataclass(frozen=True)
class HandedIn:
    """A submission.

    Parameters
    ----------
    keys : tuple of str
        The first key of each row.
    columns : dict of str to tuple of str
        Predicted values by column, as they stand there.
    """

    keys: tuple[str, ...]
    columns: dict[str, tuple[str, ...]]

    @cached_property
    def usual(self) -> dict[str, Usual]:
        """The commonest value of each predicted column."""
        found = {}
        for name, values in self.columns.items():
            value, n = Counter(map(normal, values)).most_common(1)[0] if values else ("", 0)
            n = len(values) if _are_nearly_one(values) else n
            found[name] = Usual(value, n / max(1, len(values)))
        return found

    @property
    def is_constant(self) -> bool:
        """Whether every predicted column has one value for all rows."""
        return bool(self.columns) and all(u.share == 1 for u in self.usual.values())

    @property
    def spread(self) -> float:
        """How far its numbers lie apart, as a share of their mean; infinite for other values."""
        found = 0.0
        for values in self.columns.values():
            try:
                numbers = [float(value) for value in values]
            except ValueError:
                return float("inf")
            middle = abs(sum(numbers)) / max(1, len(numbers))
            far = max(numbers, default=0.0) - min(numbers, default=0.0)
            found = max(found, far / middle if middle else float("inf"))
        return found

    def n_typed(self, typed: Typed) -> int:
        """Count the rows whose predicted values a typed table has, by key or in order."""
        columns = [tuple(map(normal, c)) for c in self.columns.values()]
        if not columns:
            return 0
        if typed.pairs:
            rows = zip(map(normal, self.keys), *columns, strict=True)
            asked = ((typed.pairs.get(key), row) for key, *row in rows)
            by_key = sum(
                given is not None and given[: len(row)] == tuple(row)[: len(given)]
                for given, row in asked
            )
            if by_key:
                return by_key
        return max(
            (sum(a == b for a, b in zip(c, typed.values, strict=False)) for c in columns), default=0
        )

    def known_keys(self, typed: Typed) -> int:
        """Count the rows whose key a typed table has."""
        return sum(normal(key) in typed.pairs for key in self.keys)


def _are_nearly_one(values: Sequence[str]) -> bool:
    """Say whether values are numbers that differ by no more than a jitter nobody sees."""
    try:
        numbers = [float(value) for value in values]
    except ValueError:
        return False
    low, high = min(numbers, default=0.0), max(numbers, default=0.0)
    return high - low <= _JITTER * max(abs(low), abs(high))


def task_of(attempt: Attempt, data_dir: str = "") -> Competition | None:
    """Return the definition of an attempt's task, None where it is not known here.

    Parameters
    ----------
    data_dir : str
        Directory of prepared data, where `prepare` kept definitions from outside the catalog;
        empty knows the catalog alone.
    """
    try:
        return task_called(attempt.competition_id, data_dir)
    except MleAuditError:  # no readable record
        return None


def task_called(competition_id: str, data_dir: str = "") -> Competition | None:
    """Return the definition of a task, None where it is not known here; see `task_of`."""
    try:
        return known(competition_id, data_dir=Path(data_dir) if data_dir else None)
    except MleAuditError:
        return None


class Form(NamedTuple):
    """Names of a submission's columns: those that name the rows, and those that are predicted."""

    keys: frozenset[str]
    columns: frozenset[str]


def form_of(attempt: Attempt, data_dir: str = "") -> Form:
    """Return the names that the task's definition and the submission's own header have."""
    rules = task_of(attempt, data_dir)
    keys = frozenset(rules.submission.key) if rules else _KEYS
    columns = frozenset(rules.submission.columns) if rules else frozenset[str]()
    head: list[str] = []
    if attempt.submission is not None:
        with suppress(OSError, csv.Error):
            head = _rows(attempt.submission, 0)[0]
    if head and not keys & set(head):
        keys |= {head[0]}
    return Form(keys, columns | (frozenset(head) - keys))


def handed_in(attempt: Attempt, data_dir: str = "") -> HandedIn | None:
    """Read an attempt's submission; None where there is none. For `data_dir` see `task_of`.

    Raises
    ------
    EvidenceUnavailableError
        When it cannot be read as a table.
    """
    path = attempt.submission
    if path is None:
        return None
    try:
        return read_columns(path, task_of(attempt, data_dir))
    except (OSError, csv.Error) as error:
        told = f"{attempt.id}: the submission cannot be read ({type(error).__name__})."
        raise EvidenceUnavailableError("submission", told) from error


def read_columns(path: Path, rules: Competition | None) -> HandedIn | None:
    """Read keys and predicted columns of a CSV file; None where it has no header.

    Parameters
    ----------
    rules : Competition or None
        None takes the first column for the key and the others for predictions.

    Raises
    ------
    OSError, csv.Error
        When it cannot be read.
    """
    keys = rules.submission.key if rules else ()
    targets = tuple(rules.submission.columns) if rules else ()
    head, rows = _rows(path)
    if not head:
        return None
    key = next((head.index(k) for k in keys if k in head), 0)
    kept = [i for i, name in enumerate(head) if name in targets]
    kept = kept or [i for i, name in enumerate(head) if i != key and name not in keys]
    return HandedIn(
        tuple(row[key] if key < len(row) else "" for row in rows),
        {head[i]: tuple(row[i] if i < len(row) else "" for row in rows) for i in kept},
    )


def _rows(path: Path, most: int = MAX_ROWS) -> tuple[list[str], list[list[str]]]:
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as stream:
        size = MAX_TEXT_BYTES if most else _MAX_HEADER
        lines = (line.replace("\0", "") for line in stream.readlines(size))
        rows = csv.reader(lines)
        head = [name.strip() for name in next(rows, [])]
        return head, [row for row in islice(rows, most) if row]
