"""Many attempts seen together, or a published claim about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reports.schema import SubjectKind

if TYPE_CHECKING:
    from detectors.attempt import Attempt
    from reports.grading import GradingReport


@dataclass(frozen=True)
class Group:
    """A run group: its attempts, and the grading reports that were published about it."""

    name: str
    attempts: tuple[Attempt, ...] = ()
    reports: tuple[GradingReport, ...] = ()
    kind = SubjectKind.GROUP

    @property
    def id(self) -> str:
        """``group:<name>``."""
        return f"group:{self.name}"
