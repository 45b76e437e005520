"""Many attempts seen together, of one agent or of all, or a published claim about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from reports.schema import SubjectKind

if TYPE_CHECKING:
    from detectors.attempt import Attempt
    from reports.claims import Claim
    from reports.grading import CompetitionReport
    from reports.report_files import ReportFile

# No attempt can be called so, being a folder, and no agent's group: those begin with `group:`.
ALL_ATTEMPTS = "attempts/all"


@dataclass(frozen=True)
class Listed:
    """A run that a list of runs names: an attempt of a plan, a run group of an experiment.

    Parameters
    ----------
    name : str
        The attempt's id, or the run group's name.
    source : str
        The list that names it.
    is_counted : bool
        Whether the published reports hold it.
    rows : tuple of CompetitionReport
        What it scored; empty where nobody knows.
    """

    name: str
    source: str
    is_counted: bool
    rows: tuple[CompetitionReport, ...] = ()


@dataclass(frozen=True)
class Group:
    """What one agent's figures are made of: its attempts, and the reports published about it.

    The attempts may come from several run groups: a mean over three seeds is the same claim
    whether one call made them or three.

    Parameters
    ----------
    name : str
        The agent's id, or what a published row calls itself.
    reports : tuple of ReportFile
        Grading reports published about it.
    claims : tuple of Claim
        Rows published about it.
    listed : tuple of Listed
        Runs that a plan or an experiment list names.
    unread : tuple of str
        Reports that were given and could not be read.
    graded : tuple of CompetitionReport
        Its attempts as they were graded here.
    across_agents : bool
        True for the one group of all attempts of an audit, whoever made them.
    """

    name: str
    attempts: tuple[Attempt, ...] = ()
    reports: tuple[ReportFile, ...] = ()
    claims: tuple[Claim, ...] = ()
    listed: tuple[Listed, ...] = ()
    unread: tuple[str, ...] = ()
    graded: tuple[CompetitionReport, ...] = ()
    across_agents: bool = False
    kind = SubjectKind.GROUP

    @property
    def rows(self) -> tuple[CompetitionReport, ...]:
        """The rows of its reports; where there is none, of its attempts as graded here."""
        return tuple(r for f in self.reports for r in f.report.competition_reports) or self.graded

    @property
    def id(self) -> str:
        """``group:<agent>``; of all attempts, `ALL_ATTEMPTS`."""
        return ALL_ATTEMPTS if self.across_agents else f"group:{self.name}"
