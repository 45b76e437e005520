"""The document of an audit of one part: rules alone, leakage alone, what one model knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import audit
from audit.checks import note_of
from competitions.errors import UnknownNameError
from detectors.base import FAMILIES, detector
from reports.schema import AuditReport, NotChecked

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence
    from datetime import datetime

    from audit.verdict import Policy
    from detectors.base import Detector
    from reports.schema import Check, DetectorNote, Subject, Verdict


def document(  # noqa: PLR0913 - each is a field of the document
    policy: Policy,
    now: datetime,
    chosen: Iterable[Detector],
    subjects: Iterable[Subject],
    checks: Iterable[Check],
    verdicts: Iterable[Verdict],
    *,
    about: str,
    families: Container[str],
    opinions: Iterable[DetectorNote] = (),
    not_checked: Iterable[NotChecked] = (),
    private_revealed: bool = False,
) -> AuditReport:
    """Put together what a part of an audit found, and name what it did not look at.

    Parameters
    ----------
    policy : Policy
        What the verdicts were drawn by.
    now : datetime
        When it was made.
    chosen : iterable of Detector
        What was asked, in the order of the checks.
    subjects, checks, verdicts : iterable
        What was looked at, what was seen and what follows from it.
    about : str
        What the audit was about, as ``rules alone``.
    families : container of str
        Families that were asked; every other one stands among what was not checked.
    opinions : iterable of DetectorNote
        Notes of what is no detector and was asked as well.
    not_checked : iterable of NotChecked
        What else was not looked at.
    private_revealed : bool
        Whether the evidence holds what is known from hidden data.
    """
    unasked = (
        NotChecked(what=f"{family}: {what}", why=f"this was about {about}")
        for family, what in FAMILIES.items()
        if family not in families
    )
    return AuditReport(
        tool_version=audit.__version__,
        created_at=now,
        policy=policy.name,
        policy_sha256=policy.sha256,
        subjects=tuple(subjects),
        detectors=(*map(note_of, chosen), *opinions),
        checks=tuple(checks),
        verdicts=tuple(verdicts),
        not_checked=(*unasked, *not_checked),
        private_revealed=private_revealed,
    )


def selected(
    known: Iterable[Detector], select: Sequence[str], *, kind: str, subject: str
) -> tuple[Detector, ...]:
    """Keep the detectors that were selected; all where none was.

    Parameters
    ----------
    known : iterable of Detector
        Those that can be asked here.
    select : sequence of str
        Ids.
    kind, subject : str
        How these are called and what they look at, for the message: ``detector about tasks``,
        ``tasks``.

    Raises
    ------
    UnknownNameError
        When a selected detector does not exist, or is none of these.
    """
    by_name = {one.about.id: one for one in known}
    for name in select:
        if name not in by_name:
            detector(name)  # says so when there is none at all
            remedy = f"See which look at {subject}: mle-audit list detectors"
            raise UnknownNameError(kind, name, list(by_name), remedy)
    return tuple(one for name, one in by_name.items() if not select or name in select)
