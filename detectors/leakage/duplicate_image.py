"""Ask whether test pictures are also train pictures: as they are, flipped, cropped, re-encoded."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from detectors.base import About, register
from detectors.leakage.closest import MOST_RECURRING
from detectors.leakage.image_pairs import compare_pictures
from detectors.leakage.image_pixels import (
    ORIENTATIONS,
    SUFFIXES,
    PictureError,
    decoded,
    thumbnail,
)
from detectors.leakage.media_findings import (
    Shares,
    both_sides,
    not_looked_at,
    on_record,
    why_not,
    within_sides,
)
from reports.schema import Confidence, PicturePair, Severity, SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from detectors.base import Subject
    from detectors.leakage.image_pairs import PictureComparison, PictureMatch
    from detectors.leakage.media_files import MediaFile
    from detectors.leakage.split import Split
    from reports.schema import Finding

MAX_PAIRS = 6  # shown side by side
_WHAT = "pictures"
_SHOWS = {
    "bytes": "The files are equal, byte for byte",
    "pixels": "The pixels are equal, one for one",
    "likeness": "Laid over one another, their edges agree",
}


@register
@dataclass(frozen=True)
class DuplicateImage:
    """Test pictures that are also train pictures, however they were flipped, cropped or encoded.

    Bytes are compared first, then pixels in all eight flips and turns. What is left is described by
    its low frequencies, against crops and small turns of every train picture; the two nearest are
    laid over the test picture by a fitted affine map, and the gradients of both are correlated. How
    alike honest pictures of this set are is measured on the set itself: train pictures are held
    against other train pictures, and a test picture counts from a likeness on that one honest
    picture in about 30,000 has. Blank pictures, and those that stand five times or more in the
    train part, are told as a note; so is everything where most train pictures have an equal.

    Parameters
    ----------
    medium_share : float in [0, 1], default=0.005
        Share of copied test pictures from which the finding is of medium severity.
    high_share : float in [0, 1], default=0.05
        Share from which it is of high severity.
    max_pictures : int >= 8, default=4000
        Pictures whose pixels are compared, a quarter of them of the test part; of more, an even
        sample. Bytes are compared of all.
    """

    about: ClassVar[About] = About(
        id="duplicate-image",
        subject=SubjectKind.TASK,
        asks="Are test pictures also train pictures, flipped, turned, cropped or re-encoded?",
        blind_spots=(
            "Crops to less than three quarters of a side, turns by more than some ten degrees, "
            "collages and other shots of the same thing are not seen. Very small pictures are too "
            "alike for anything but equal pixels. Of DICOM and other medical files only bytes "
            "would tell, and they are not looked at."
        ),
        reference="https://arxiv.org/abs/1902.00423 (Barz and Denzler 2020)",
    )
    medium_share: float = 0.005
    high_share: float = 0.05
    max_pictures: int = 4000

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        return why_not(subject, SUFFIXES, _WHAT)

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            When it cannot be told which pictures are of which part, or too many cannot be read.
        """
        split, sides = both_sides(subject, SUFFIXES, _WHAT)
        found = compare_pictures(sides.train, sides.test, self.max_pictures)
        recurs = found.repeated.get("train", 0.0) > MOST_RECURRING
        matches = _of_all_kinds(found.matches.values())
        copied = [m for m in matches if not (m.is_expected or recurs)]
        expected = [m for m in matches if m.is_expected or recurs]
        if copied:
            yield self._copies(subject, split, copied, found, len(sides.test))
        if expected:
            yield self.about.finding(
                subject,
                f"{len(expected)} of {len(sides.test)} test pictures also stand in the train part; "
                "pictures that simple, or that common there, make that to be expected.",
                *map(_evidence, expected[:MAX_PAIRS]),
                severity=Severity.NOTE,
                confidence=Confidence.LOW,
            )
        yield from within_sides(self.about, subject, found.repeated, _WHAT)
        yield from not_looked_at(self.about, subject, _WHAT, sides, found.looked, found.unreadable)

    def _copies(
        self,
        subject: Subject,
        split: Split,
        copied: list[PictureMatch],
        found: PictureComparison,
        n_test: int,
    ) -> Finding:
        how = Counter(m.how for m in copied)
        likely = how["likeness"]
        sampled = found.looked["test"] / n_test
        share = (how["bytes"] + (how["pixels"] + likely) / max(sampled, 1e-9)) / n_test
        known = split.on_record("leak", "split")
        counts = (
            (how["bytes"], "byte for byte"),
            (how["pixels"], "pixel for pixel"),
            (likely, "after re-encoding, a crop or a small turn"),
        )
        said = ", ".join(f"{n} {words}" for n, words in counts if n)
        return self.about.finding(
            subject,
            f"{len(copied)} of {n_test} test pictures are also in the train part: {said}."
            f"{on_record(known)}",
            *map(_evidence, copied[:MAX_PAIRS]),
            severity=Shares(self.medium_share, self.high_share).severity(share, known),
            confidence=Confidence.MEDIUM if known or likely == len(copied) else Confidence.HIGH,
        )


def _of_all_kinds(matches: Iterable[PictureMatch]) -> list[PictureMatch]:
    """Order matches so that the first ones show every way in which pictures agree."""
    seen: Counter[tuple[str, int]] = Counter()
    ranked: list[tuple[int, PictureMatch]] = []
    for match in matches:
        kind = (match.how, match.turn)
        ranked.append((seen[kind], match))
        seen[kind] += 1
    return [match for _, match in sorted(ranked, key=lambda r: (r[0], r[1].how, r[1].test.name))]


def _evidence(match: PictureMatch) -> PicturePair:
    turned = f", once the right one is {ORIENTATIONS[match.turn]}" if match.turn else ""
    right = _small(match.test)
    return PicturePair(
        left=match.train.name,
        right=match.test.name,
        shows=f"{_SHOWS[match.how]}{turned}.",
        likeness=round(match.likeness, 4),
        bound=round(match.bound, 4) if match.how == "likeness" else None,
        left_png=_small(match.train),
        right_png=None if match.test.is_private else right,
        private_png=right if match.test.is_private else None,
    )


def _small(file: MediaFile) -> str | None:
    try:
        return thumbnail(decoded(file.read())[0])
    except (PictureError, OSError):
        return None
