"""Say whether the submission and the code are still those that the runner recorded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from competitions.errors import EvidenceUnavailableError
from competitions.io import sha256_file, sha256_tree
from competitions.submission import MAX_SUBMISSION_BYTES
from detectors.attempt import Attempt
from detectors.base import About, register
from detectors.record import RECORD_NAME
from reports.schema import Confidence, FileDigest, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.base import Subject
    from detectors.record import AttemptRecord
    from reports.schema import Finding


@register
@dataclass(frozen=True)
class ChangedAfterAttempt:
    """Files that are not the ones the runner saw at the end of the attempt.

    The record holds the sha256 of the submission and of the code folder. A submission that was
    swapped afterwards has another digest, and its score is not the attempt's.

    Parameters
    ----------
    max_bytes : int >= 1, default=4294967296
        A larger submission is not read, and the check is `not_available`.
    """

    about: ClassVar[About] = About(
        id="changed-after-attempt",
        subject=SubjectKind.ATTEMPT,
        asks="Are submission and code still those that the runner recorded?",
        blind_spots="Whoever changes the record as well is not seen, nor a changed log.",
        reference="https://csrc.nist.gov/pubs/fips/180-4/upd1/final",
    )
    max_bytes: int = MAX_SUBMISSION_BYTES

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        if not isinstance(subject, Attempt):
            return "it looks at attempts only"
        record = subject.readable_record
        if record is None:
            return "the attempt has no record that can be read"
        return None if record.ended_at else "the attempt has no end on record"

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            When the submission is larger than `max_bytes`, or something cannot be read.
        """
        record = subject.readable_record if isinstance(subject, Attempt) else None
        if not isinstance(subject, Attempt) or record is None:
            raise TypeError(subject)
        for name, (recorded, found) in _digests(subject, record, self.max_bytes).items():
            if recorded and recorded != found:
                yield self.about.finding(
                    subject,
                    f"{name} is not what the runner recorded at the end of the attempt.",
                    FileDigest(path=RECORD_NAME, sha256=recorded, shows=f"recorded for {name}"),
                    FileDigest(path=name, sha256=found or "none", shows="found now"),
                    severity=Severity.MEDIUM,
                    confidence=Confidence.HIGH,
                )
            elif found and not recorded and name != "code":
                yield self.about.finding(
                    subject,
                    f"{name} was not there when the attempt ended, or the runner was ended "
                    "before it could name it.",
                    FileDigest(path=name, sha256=found, shows="found now, and none is recorded"),
                    severity=Severity.MEDIUM,
                    confidence=Confidence.MEDIUM,
                )


def _digests(
    subject: Attempt, record: AttemptRecord, max_bytes: int
) -> dict[str, tuple[str | None, str | None]]:
    """Return what was recorded and what is found now, for the submission and for the code."""
    path, code = subject.submission, subject.path / "code"
    if path and path.stat().st_size > max_bytes:
        raise EvidenceUnavailableError("submission", f"{subject.id}: the submission is too large.")
    try:
        submission = sha256_file(path) if path else None
        # Code without a recorded digest was empty, or too large for one.
        tree = sha256_tree(code) if record.code_sha256 else None
    except OSError as error:
        told = f"{subject.id}: not all of it can be read ({error.strerror})."
        raise EvidenceUnavailableError("code", told) from error
    return {
        "submission/submission.csv": (record.submission_sha256, submission),
        "code": (record.code_sha256, tree),
    }
