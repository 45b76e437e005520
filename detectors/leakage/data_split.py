"""Two folders or two tables as a train and a test part: what nobody declared is inferred."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from competitions.errors import EvidenceUnavailableError, NotApplicableError
from competitions.shapes import Entity
from detectors.leakage.hidden_answers import pair_answers
from detectors.leakage.split import Split
from detectors.leakage.tables import Table, is_table, read_any

if TYPE_CHECKING:
    from collections.abc import Container, Sequence
    from pathlib import Path

    import pandas as pd

    from detectors.dataset import Dataset
    from detectors.leakage.hidden_answers import Answers

_ROW = "row of the test table"
# Names of files by the part that they hold; the first that fits counts.
_NAMED = {
    "train": ("train", "training", "trainset", "traindata", "labels", "trainlabels"),
    "test": ("test", "testing", "testset", "testdata", "eval", "validation", "valid"),
    "sample": ("samplesubmission", "samplesub", "sampleanswers", "submissionformat", "submission"),
    "answers": ("answers", "answer", "solution", "solutions", "testlabels", "labels", "test"),
}


class DataSplit(Split):
    """What two folders or two tables show of themselves, and what a person says of them.

    Parameters
    ----------
    data : Dataset
    """

    def __init__(self, data: Dataset) -> None:
        self._data = data
        self.name = data.name

    @property
    def public_root(self) -> Path | None:
        """See `Split`."""
        return self._data.public

    @property
    def private_root(self) -> Path | None:
        """See `Split`."""
        return self._data.private

    @cached_property
    def train(self) -> Table | None:
        """See `Split`."""
        return self._table("train", self._data.train)

    @cached_property
    def test(self) -> Table | None:
        """See `Split`."""
        return self._table("test", self._data.test) or self.sample

    @cached_property
    def sample(self) -> Table | None:
        """See `Split`."""
        return self._table("sample", self._data.sample)

    @cached_property
    def answers(self) -> Table | None:
        """See `Split`. Without a private folder: the test table, where that has the targets."""
        if (given := self._data.answers) is not None:
            return Table(self._called(given), read_any(given))
        if (root := self._data.private) is not None:
            found = _named(self.private, root, "answers") or _only(self.private)
            if found is not None:
                return Table(f"private/{found.relative_to(root)}", read_any(found))
        has_targets = self.test and self.targets and set(self.targets) <= set(self.test.frame)
        return self.test if has_targets else None

    @property
    def listed(self) -> Table | None:
        """See `Split`."""
        return self.test

    @property
    def key(self) -> tuple[str, ...]:
        """See `Split`."""
        return self._role("key")

    @property
    def targets(self) -> tuple[str, ...]:
        """See `Split`."""
        return self._role("targets")

    @cached_property
    def entities(self) -> tuple[Entity, ...]:
        """See `Split`."""
        return tuple(Entity(name=c, column=c) for c in self._role("entities"))

    @property
    def times(self) -> tuple[str, ...]:
        """See `Split`."""
        return self._role("times")

    @property
    def foreign_keys(self) -> tuple[str, ...]:
        """See `Split`."""
        return self._role("foreign_keys")

    @property
    def media(self) -> tuple[str, ...]:
        """See `Split`."""
        return self._role("media")

    @property
    def how(self) -> dict[str, str]:
        """See `Split`."""
        asked = dict.fromkeys(self._data.roles.asked, "asked")
        inferred = {r: f"inferred: {why}" for r, (found, why) in self._inferred.items() if found}
        return inferred | asked

    def on_record(
        self,
        *kinds: str,  # noqa: ARG002
        shown_by: Container[str] | None = None,  # noqa: ARG002
    ) -> tuple[str, ...]:
        """See `Split`: nothing is on record."""
        return ()

    def _paired(self) -> Answers:
        """Pair by place where the test rows have their answers and no key."""
        if self.key or self.test is None or self.answers is not self.test:
            return super()._paired()
        numbered = self.test.frame.reset_index(names=_ROW)
        return pair_answers(numbered, numbered, (_ROW,), self.targets)

    def _perfect(self) -> pd.DataFrame:
        if self.answers is None:
            if self._data.private is None:
                raise NotApplicableError(
                    "no hidden answers were named", "Name them with --answers or --private"
                )
            raise EvidenceUnavailableError("data", f"{self.name} has no hidden answers here")
        wanted = [*self.key, *self.targets]
        if absent := [c for c in wanted if c not in self.answers.frame.columns]:
            problem = f"{self.answers.name} has no column {', '.join(absent)}"
            raise EvidenceUnavailableError("data", problem)
        return self.answers.frame[wanted]

    def _table(self, part: str, given: Path | None) -> Table | None:
        if given is not None:
            return Table(self._called(given), read_any(given))
        if self._data.public is None:
            return None
        found = _named(self.public, self._data.public, part)
        if found is None:
            return None
        return Table(f"public/{found.relative_to(self._data.public)}", read_any(found))

    def _called(self, given: Path) -> str:
        """Return a table's name, with its folder's where another one that is given is named so."""
        data = self._data
        others = (data.train, data.test, data.sample, data.answers)
        is_alone = sum(one is not None and one.name == given.name for one in others) == 1
        return given.name if is_alone else f"{given.absolute().parent.name}/{given.name}"

    def _role(self, role: str) -> tuple[str, ...]:
        asked = self._data.roles.asked
        return asked[role] if role in asked else self._inferred[role][0]

    @cached_property
    def _inferred(self) -> dict[str, tuple[tuple[str, ...], str]]:
        """What columns seem to be, by role, each with the reason."""
        from detectors.leakage.inference import inferred_roles

        train, test, sample = (t.frame if t else None for t in (self.train, self.test, self.sample))
        return inferred_roles(train, test, sample, self._data.roles.asked)


def _named(files: Sequence[Path], root: Path, part: str) -> Path | None:
    """Return the table whose name says that it holds a part; the one nearest the root."""
    tables = sorted((f for f in files if is_table(f)), key=lambda f: len(f.relative_to(root).parts))
    for wanted in _NAMED[part]:
        for path in tables:
            if _plain(path) == wanted:
                return path
    return None


def _only(files: Sequence[Path]) -> Path | None:
    tables = [f for f in files if is_table(f)]
    return tables[0] if len(tables) == 1 else None


def _plain(path: Path) -> str:
    """Return a file's name without suffixes and signs: ``Sample_Submission.csv.zip``."""
    return "".join(c for c in path.name.split(".")[0].lower() if c.isalnum())
