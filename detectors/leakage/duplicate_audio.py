"""Ask whether test sounds are also train sounds: as they are, louder, cut or re-encoded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from competitions.io import sha256_bytes
from detectors.base import About, register
from detectors.leakage.audio_pairs import compare_sounds
from detectors.leakage.audio_samples import SUFFIXES
from detectors.leakage.media_findings import Copies, Shares, both_sides, why_not
from reports.schema import FileDigest, Quantity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from detectors.base import Subject
    from detectors.leakage.audio_pairs import SoundMatch
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
        parts = both_sides(subject, SUFFIXES, _WHAT)
        found = compare_sounds(parts[1].train, parts[1].test, self.max_sounds)
        matches = sorted(found.matches.values(), key=lambda m: (m.how, m.test.name))
        simple = "silence, or sounds that common there"
        shares = Shares(self.medium_share, self.high_share)
        copies = Copies(self.about, _WHAT, _SHOWS, simple, _evidence, shares)
        yield from copies.findings(subject, parts, found, matches)


def _evidence(matches: Sequence[SoundMatch]) -> Iterator[Evidence]:
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
