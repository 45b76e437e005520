"""A prepared task as detectors see it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from competitions.errors import EvidenceUnavailableError
from reports.schema import SubjectKind

if TYPE_CHECKING:
    from collections.abc import Container
    from pathlib import Path

    from competitions.spec import Competition


@dataclass(frozen=True)
class Task:
    """A task's definition and its prepared folders, both of one variant."""

    spec: Competition
    prepared: Path  # holds public/ and private/
    kind = SubjectKind.TASK

    @property
    def id(self) -> str:
        """``task:<competition>:<variant>``, so that a task never shares an attempt's name."""
        return f"task:{self.spec.id}:{self.spec.variant}"

    def on_record(self, *kinds: str, shown_by: Container[str] | None = None) -> tuple[str, ...]:
        """Return the ids of faults of these kinds that its definition names and has not mended.

        Parameters
        ----------
        shown_by : container of str or None
            Ids of detectors: faults that the definition says another one shows are not among them.
        """
        is_fixed = self.spec.variant == "fixed"
        issues = (i for i in self.spec.known_issues if i.kind in kinds)
        return tuple(
            i.id
            for i in issues
            if not (is_fixed and i.fixed_by)
            and (shown_by is None or i.probe is None or i.probe in shown_by)
        )

    def public(self, name: str) -> Path:
        """Return a public file's path.

        Raises
        ------
        EvidenceUnavailableError
            When it is not there.
        """
        return self._file("public", name)

    def private(self, name: str) -> Path:
        """Return a private file's path.

        Raises
        ------
        EvidenceUnavailableError
            When it is not there.
        """
        return self._file("private", name)

    def _file(self, half: str, name: str) -> Path:
        path = self.prepared / half / name
        if not path.is_file():
            raise EvidenceUnavailableError(
                "data",
                f"{half}/{name} of {self.spec.id} is not there.",
                f"Prepare it with: mle-audit prepare -c {self.spec.id}",
            )
        return path
