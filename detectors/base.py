"""What a detector is, and the register of all of them.

A detector is one file ``detectors/<family>/<snake_id>.py`` holding one frozen dataclass whose
fields are its parameters. It looks at one subject and yields findings, best evidence first; it
writes nothing, decides nothing, and raises `EvidenceUnavailableError` when it could not look.
"""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass, fields
from functools import cache
from typing import TYPE_CHECKING, ClassVar, Protocol, TypeVar

from competitions.errors import UnknownNameError
from detectors.attempt import Attempt
from detectors.dataset import Dataset
from detectors.group import Group
from detectors.model import Model
from detectors.task import Task
from reports.schema import Confidence, Evidence, Finding, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator

Subject = Attempt | Task | Dataset | Model | Group
Scalar = bool | int | float | str
FAMILIES = {
    "plagiarism": "copied public solutions in code, notebooks and submissions",
    "familiarity": "how well the model already knows the task",
    "leakage": "answers the task gives away, splits that do not isolate",
    "rules": "what code and logs say the attempt did",
    "grading": "graders that can be gamed",
    "claims": "published figures that do not follow from their rows",
}


@dataclass(frozen=True)
class About:
    """The card of a detector.

    Parameters
    ----------
    id : str
        Kebab-case, names the offence.
    subject : SubjectKind
        What it looks at.
    asks : str
        The question it answers, ending in a question mark.
    blind_spots : str
        What it cannot see; printed beside every clean answer.
    reference : str
        Source of the method: DOI, arXiv, or a public page.
    needs : frozenset of {"code", "logs", "submission"}
        What of an attempt it must have seen whole. Where one is missing or could not be read, the
        check is `not_available` and never clean; the detector need not look after that itself.
    across_agents : bool
        Where the subject is a group: it is given one group of all attempts of an audit, whoever
        made them, and not a group per agent.
    """

    id: str
    subject: SubjectKind
    asks: str
    blind_spots: str
    reference: str
    needs: frozenset[str] = frozenset()
    across_agents: bool = False

    def finding(
        self,
        subject: Subject,
        message: str,
        *evidence: Evidence,
        severity: Severity,
        confidence: Confidence,
        attempts: tuple[str, ...] = (),
    ) -> Finding:
        """Build a finding of this detector about `subject`.

        Parameters
        ----------
        attempts : tuple of str
            Where the subject is a group, the ids of its attempts that the finding concerns: what
            the policy concludes from it holds for each of them too.
        """
        return Finding.seen(
            self.id,
            subject.id,
            message,
            *evidence,
            severity=severity,
            confidence=confidence,
            attempts=attempts,
        )


class Detector(Protocol):
    """One question asked of one subject.

    Construction does nothing and needs no arguments. `detect` is deterministic for a subject and
    its parameters. Findings may be followed by `EvidenceUnavailableError`: what was found stands,
    and without findings the check is `not_available`, never clean.
    """

    about: ClassVar[About]

    def applies(self, subject: Subject) -> str | None:
        """Return None when the question makes sense here, else why it does not."""

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """Yield what was seen.

        Raises
        ------
        EvidenceUnavailableError
            When something it needs is not there.
        NotApplicableError
            When only looking shows that the question makes no sense here, as of data of that kind.
        """


_D = TypeVar("_D", bound=type)
_REGISTER: dict[str, type] = {}


def register(detector: _D) -> _D:
    """Add a detector class to the register; its family is the package it lies in.

    Raises
    ------
    ValueError
        When another class has the same id; both modules are named.
    """
    about: About = detector.about  # type: ignore[attr-defined]
    earlier = _REGISTER.get(about.id)
    if earlier is not None and earlier.__module__ != detector.__module__:
        raise ValueError(
            f"{about.id!r} is claimed by {earlier.__module__} and {detector.__module__}"
        )
    _REGISTER[about.id] = detector
    return detector


def family_of(detector: type | Detector) -> str:
    """Return the family a detector belongs to, from the package it lies in."""
    cls = detector if isinstance(detector, type) else type(detector)
    return cls.__module__.split(".")[1]


@cache
def all_detectors() -> dict[str, type[Detector]]:
    """Import every module of every family once and return the detectors by id, sorted."""
    for family in FAMILIES:
        package = importlib.import_module(f"detectors.{family}")
        for module in pkgutil.iter_modules(package.__path__, f"detectors.{family}."):
            importlib.import_module(module.name)
    return {name: _REGISTER[name] for name in sorted(_REGISTER)}


def detector(detector_id: str) -> type[Detector]:
    """Return the detector class with this id.

    Raises
    ------
    UnknownNameError
        When there is none.
    """
    known = all_detectors()
    if detector_id not in known:
        raise UnknownNameError(
            "detector", detector_id, known, "List them with: mle-audit list detectors"
        )
    return known[detector_id]


def parameters_of(instance: Detector) -> dict[str, Scalar]:
    """Return a detector's parameters and their values; all are scalars."""
    return {f.name: getattr(instance, f.name) for f in fields(instance)}  # type: ignore[arg-type]
