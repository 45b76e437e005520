"""Ask whether test sounds are also train sounds: as they are, louder, cut or re-encoded."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from competitions.io import sha256_bytes
from detectors.base import About, register
from detectors.leakage.audio_pairs import compare_sounds
from detectors.leakage.audio_samples import SUFFIXES
from detectors.leakage.closest import MOST_RECURRING
from detectors.leakage.media_findings import (
    Shares,
    both_sides,
    not_looked_at,
    on_record,
    why_not,
    within_sides,
)
from reports.schema import Confidence, FileDigest, Quantity, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.base import Subject
    from detectors.leakage.audio_pairs import SoundMatch
    from detectors.leakage.media_files import Sides
    from detectors.leakage.split import Split
    from reports.schema import Evidence, Finding

MAX_PAIRS = 5
_WHAT = "sounds"
_SHOWS = {
    "bytes": "equal byte for byte",
    "samples": "equal sample for sample",
    "likeness": "the same wave, at another loudness, shifted or re-encoded",
}


@register
@dataclass(frozen=True)
class DuplicateAudio:
    """Test sounds that are also train sounds, whether louder, cut, shifted or re-encoded.

    Bytes are compared first, of files of any kind; then the samples of WAV files; then 32-bit
    prints of their spectra, which say where energy rises, whatever the loudness. Sounds that share
    rare prints are correlated at every shift. From which correlation on two are copies is measured
    on train sounds against other train sounds. Silence, and what stands five times or more in the
    train part, is told as a note; so is everything where most train sounds have an equal.

    Parameters
    ----------
    medium_share : float in [0, 1], default=0.005
        Share of copied test sounds from which the finding is of medium severity.
    high_share : float in [0, 1], default=0.05
        Share from which it is of high severity.
    max_sounds : int >= 8, default=3000
        Sounds that are decoded, a quarter of them of the test part; of more, an even sample. Bytes
        are compared of all.
    """

    about: ClassVar[About] = About(
        id="duplicate-audio",
        subject=SubjectKind.TASK,
        asks="Are test sounds also train sounds, louder, cut, shifted or re-encoded?",
        blind_spots=(
            "Only WAV files are decoded: of others, equal bytes alone are seen. Changes of pitch "
            "or speed, sounds of less than a third of a second, and what comes after the first 15 "
            "seconds are not compared. Pure tones of one pitch are taken for one another."
        ),
        reference="https://ismir2002.ismir.net/proceedings/02-FP04-2.pdf (Haitsma and Kalker 2002)",
    )
    medium_share: float = 0.005
    high_share: float = 0.05
    max_sounds: int = 3000

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        return why_not(subject, SUFFIXES, _WHAT)

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            When it cannot be told which sounds are of which part, or too many cannot be read.
        """
        split, sides = both_sides(subject, SUFFIXES, _WHAT)
        found = compare_sounds(sides.train, sides.test, self.max_sounds)
        recurs = found.repeated.get("train", 0.0) > MOST_RECURRING
        matches = sorted(found.matches.values(), key=lambda m: (m.how, m.test.name))
        copied = [m for m in matches if not (m.is_expected or recurs)]
        expected = [m for m in matches if m.is_expected or recurs]
        if copied:
            yield self._copies(subject, split, copied, found.looked["test"], sides)
        if expected:
            yield self.about.finding(
                subject,
                f"{len(expected)} of {len(sides.test)} test sounds also stand in the train part; "
                "silence, or sounds that common there, make that to be expected.",
                *_evidence(expected),
                severity=Severity.NOTE,
                confidence=Confidence.LOW,
            )
        yield from within_sides(self.about, subject, found.repeated, _WHAT)
        yield from not_looked_at(self.about, subject, _WHAT, sides, found.looked, found.unreadable)

    def _copies(
        self,
        subject: Subject,
        split: Split,
        copied: list[SoundMatch],
        n_looked: int,
        sides: Sides,
    ) -> Finding:
        how = Counter(m.how for m in copied)
        n_test = len(sides.test)
        share = how["bytes"] / n_test + (len(copied) - how["bytes"]) / max(n_looked, 1)
        known = split.on_record("leak", "split")
        said = ", ".join(f"{n} {_SHOWS[k]}" for k, n in sorted(how.items()))
        is_sure = how["likeness"] < len(copied) and not known
        return self.about.finding(
            subject,
            f"{len(copied)} of {n_test} test sounds are also in the train part: {said}."
            f"{on_record(known)}",
            *_evidence(copied),
            severity=Shares(self.medium_share, self.high_share).severity(share, known),
            confidence=Confidence.HIGH if is_sure else Confidence.MEDIUM,
        )


def _evidence(matches: list[SoundMatch]) -> Iterator[Evidence]:
    """Yield both files of the first pairs, and what their likeness was held against."""
    shown = [m for k in _SHOWS for m in [m for m in matches if m.how == k][:MAX_PAIRS]]
    for match in shown[:MAX_PAIRS]:
        for file, other in ((match.test, match.train), (match.train, match.test)):
            yield FileDigest(
                path=file.name,
                sha256=sha256_bytes(file.read()),
                shows=f"{_SHOWS[match.how][0].upper()}{_SHOWS[match.how][1:]}: {other.name}.",
            )
        if match.how == "likeness":
            yield Quantity(
                name=f"correlation of {match.test.name} and {match.train.name}",
                value=round(match.likeness, 4),
                compared_with="the greatest that honest sounds of this set have",
                reference=round(match.bound, 4),
            )
