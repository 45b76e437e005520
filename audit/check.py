"""One detector on one subject: always one check, whatever happens."""

from __future__ import annotations

import time
import traceback
from typing import TYPE_CHECKING

from competitions.errors import EvidenceUnavailableError, NotApplicableError
from detectors.attempt import Attempt
from detectors.base import parameters_of
from reports.schema import Check, Outcome, Severity

if TYPE_CHECKING:
    from detectors.base import Detector, Subject
    from reports.schema import Finding


def check(detector: Detector, subject: Subject) -> Check:
    """Ask one detector about one subject.

    Returns
    -------
    Check
        ``flagged`` when a finding is above `note`; ``not_available`` when something was missing and
        nothing was found; ``not_applicable`` when the question makes no sense of the subject;
        ``failed`` when the detector crashed, with the place and the error; a crash after findings
        keeps them and is still ``failed``.
    """
    started = time.perf_counter()
    findings: list[Finding] = []
    outcome, reason, missing = Outcome.CLEAN, None, None
    concerns: tuple[str, ...] = ()
    try:
        reason = detector.applies(subject)
        if reason is not None:
            outcome = Outcome.NOT_APPLICABLE
        else:
            for finding in detector.detect(subject):
                findings.append(finding)  # noqa: PERF402 - what was found before a crash stands
            gap = subject.gap(detector.about.needs) if isinstance(subject, Attempt) else None
            if gap is not None:
                raise gap
    except NotApplicableError as error:
        outcome = Outcome.CLEAN if findings else Outcome.NOT_APPLICABLE
        reason = None if findings else str(error)
    except EvidenceUnavailableError as error:
        outcome, reason, missing = Outcome.NOT_AVAILABLE, str(error), error.missing
        concerns = error.attempts
    except Exception as error:  # noqa: BLE001 - a crash of one unit is recorded, the rest goes on
        outcome, reason = Outcome.FAILED, _last_line(error)
    if outcome is not Outcome.FAILED and any(f.severity > Severity.NOTE for f in findings):
        outcome = Outcome.FLAGGED
    return Check(
        detector=detector.about.id,
        subject=subject.id,
        outcome=outcome,
        findings=tuple(findings),
        reason=reason,
        missing=missing,
        concerns=concerns,
        parameters=parameters_of(detector),
        duration_s=round(time.perf_counter() - started, 3),
    )


def _last_line(error: Exception) -> str:
    """Say where a detector crashed and with what, in one line."""
    frames = traceback.extract_tb(error.__traceback__)
    where = f"{frames[-1].name}, line {frames[-1].lineno}" if frames else "unknown place"
    return f"{type(error).__name__}: {error} (in {where})"
