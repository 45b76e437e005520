"""Ask whether test pictures are also train pictures: as they are, flipped, cropped, re-encoded."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from detectors.base import About, register
from detectors.leakage.image_evidence import MAX_PAIRS, side_by_side
from detectors.leakage.image_pairs import compare_pictures
from detectors.leakage.image_pixels import ORIENTATIONS, SUFFIXES
from detectors.leakage.media_findings import Copies, Shares, both_sides, why_not
from reports.schema import SubjectKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from detectors.base import Subject
    from detectors.leakage.image_pairs import PictureMatch
    from reports.schema import Finding, PicturePair

_WHAT = "pictures"
_SAYS = {
    "bytes": "byte for byte",
    "pixels": "pixel for pixel",
    "likeness": "after re-encoding, a crop or a small turn",
}
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
        parts = both_sides(subject, SUFFIXES, _WHAT)
        found = compare_pictures(parts[1].train, parts[1].test, self.max_pictures)
        simple = "pictures that simple, or that common there"
        shares = Shares(self.medium_share, self.high_share)
        copies = Copies(self.about, _WHAT, _SAYS, simple, _first, shares)
        yield from copies.findings(subject, parts, found, _of_all_kinds(found.matches.values()))


def _of_all_kinds(matches: Iterable[PictureMatch]) -> list[PictureMatch]:
    """Order matches so that the first ones show every way in which pictures agree."""
    seen: Counter[tuple[str, int]] = Counter()
    ranked: list[tuple[int, PictureMatch]] = []
    for match in matches:
        kind = (match.how, match.turn)
        ranked.append((seen[kind], match))
        seen[kind] += 1
    return [match for _, match in sorted(ranked, key=lambda r: (r[0], r[1].how, r[1].test.name))]


def _first(matches: Sequence[PictureMatch]) -> Iterator[PicturePair]:
    for match in matches[:MAX_PAIRS]:
        turned = f", once the right one is {ORIENTATIONS[match.turn]}" if match.turn else ""
        yield side_by_side(match, f"{_SHOWS[match.how]}{turned}.")
