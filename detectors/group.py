"""Many attempts of one agent seen together, or a published claim about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reports.schema import SubjectKind

if TYPE_CHECKING:
    from detectors.attempt import Attempt
    from reports.grading import GradingReport


@dataclass(frozen=True)
class Group:
    """What one agent's figures are made of: its attempts, and the reports published about it.

    The attempts may come from several run groups: a mean over three seeds is the same claim
    whether one call made them or three.

    Parameters
    ----------
    name : str
        The agent's id.
    """

    name: str
    attempts: tuple[Attempt, ...] = ()
    reports: tuple[GradingReport, ...] = ()
    kind = SubjectKind.GROUP

    @property
    def id(self) -> str:
        """``group:<agent>``."""
        return f"group:{self.name}"
