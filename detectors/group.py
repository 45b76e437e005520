"""Many attempts seen together, of one agent or of all, or a published claim about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reports.schema import SubjectKind

if TYPE_CHECKING:
    from detectors.attempt import Attempt
    from reports.grading import GradingReport

# No attempt can be called so, being a folder, and no agent's group: those begin with `group:`.
ALL_ATTEMPTS = "attempts/all"


@dataclass(frozen=True)
class Group:
    """What one agent's figures are made of: its attempts, and the reports published about it.

    The attempts may come from several run groups: a mean over three seeds is the same claim
    whether one call made them or three.

    Parameters
    ----------
    name : str
        The agent's id.
    across_agents : bool
        True for the one group of all attempts of an audit, whoever made them.
    """

    name: str
    attempts: tuple[Attempt, ...] = ()
    reports: tuple[GradingReport, ...] = ()
    across_agents: bool = False
    kind = SubjectKind.GROUP

    @property
    def id(self) -> str:
        """``group:<agent>``; of all attempts, `ALL_ATTEMPTS`."""
        return ALL_ATTEMPTS if self.across_agents else f"group:{self.name}"
