"""Ask whether test pictures lie in a public data set, where their answers may lie beside them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, ClassVar

from competitions.errors import EvidenceUnavailableError
from competitions.io import walk_files
from detectors.base import About, register
from detectors.leakage.image_evidence import MAX_PAIRS, side_by_side
from detectors.leakage.image_pairs import compare_pictures
from detectors.leakage.image_pixels import SUFFIXES
from detectors.leakage.media_files import MediaFile, sides_of
from detectors.leakage.media_findings import not_looked_at, rules_of, why_not
from detectors.leakage.split import split_of
from reports.schema import Confidence, Severity, SubjectKind
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.base import Subject
    from detectors.leakage.image_pairs import PictureComparison, PictureMatch
    from reports.schema import Finding

_WHAT = "pictures"
_SHOWS = {
    "bytes": "The files are equal, byte for byte.",
    "pixels": "The pixels are equal, one for one, in this or another turn.",
    "likeness": "Laid over one another, their edges agree.",
}


@register
@dataclass(frozen=True)
class PublicTwin:
    """Test pictures that also lie in a folder of public data, by its twin that nobody handed out.

    A benchmark whose pictures come from a published set has its answers published as well: where
    the set is sorted into folders by what it shows, the path of a twin names the class. Pictures
    are compared as `duplicate-image` compares those of the train part with those of the test part,
    flips, crops and re-encoding included.

    Parameters
    ----------
    twin : str, default=
        Folder of the public data; empty: nothing is asked.
    medium_share : float in [0, 1], default=0.005
        Share of test pictures with a twin from which the finding is of medium severity.
    max_pictures : int >= 8, default=4000
        Pictures whose pixels are compared, a quarter of them of the test part; of more, an even
        sample. Bytes are compared of all.
    """

    about: ClassVar[About] = About(
        id="public-twin",
        subject=SubjectKind.TASK,
        asks="Do test pictures lie in a public data set that was named?",
        blind_spots=(
            "Only the folder that the call names is looked at, and no archives in it; other "
            "sources of the same pictures are not known. Whether the answers lie beside them is "
            "for a person to see."
        ),
        reference="https://arxiv.org/abs/1902.00423 (Barz and Denzler 2020)",
    )
    twin: str = ""
    medium_share: float = 0.005
    max_pictures: int = 4000

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        why = why_not(subject, SUFFIXES, _WHAT)
        if why is None and not self.twin:
            return "no public data set was named to look in\nName its folder with: --twin"
        return why

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`.

        Raises
        ------
        EvidenceUnavailableError
            When there is no such folder, it holds no pictures, it cannot be told which pictures are
            of the test part, or too many cannot be read.
        """
        root, split = Path(self.twin), split_of(subject)
        sides = sides_of(split, SUFFIXES, rules_of(subject))
        public = _pictures(root)
        if not public or not sides.test:
            where = f"the folder {root.name}" if not public else "the test part"
            raise EvidenceUnavailableError("data", f"{where} holds no pictures that can be told")
        found = compare_pictures(public, sides.test, self.max_pictures)
        copied = [m for m in found.matches.values() if not m.is_expected]
        if copied:
            yield self._finding(subject, root.name, copied, found, len(sides.test))
        looked = {"train": 0, "test": found.looked.get("test", 0)}
        unread = {
            n: why for n, why in found.unreadable.items() if n in {f.name for f in sides.test}
        }
        only_test = sides.__class__((), sides.test, 0, sides.unopened, sides.n_links)
        yield from not_looked_at(self.about, subject, _WHAT, only_test, looked, unread)

    def _finding(
        self,
        subject: Subject,
        place: str,
        copied: list[PictureMatch],
        found: PictureComparison,
        n_test: int,
    ) -> Finding:
        folders = {PurePosixPath(m.train.name).parent.name for m in copied}
        exact = sum(m.how != "likeness" for m in copied)
        share = exact / n_test + (len(copied) - exact) / max(1, found.looked["test"])
        in_folders = f"{counted(len(folders), 'folder')}, such as {min(folders)}"
        return self.about.finding(
            subject,
            f"{len(copied)} of {n_test} test pictures also lie in {place}, {exact} of them byte "
            f"for byte or pixel for pixel, in {in_folders}: what is known of them there is known "
            "here.",
            *(side_by_side(match, _SHOWS[match.how]) for match in copied[:MAX_PAIRS]),
            severity=Severity.MEDIUM if share >= self.medium_share else Severity.LOW,
            confidence=Confidence.HIGH if exact else Confidence.MEDIUM,
        )


def _pictures(root: Path) -> list[MediaFile]:
    if not root.is_dir():
        return []
    return [
        MediaFile(f"{root.name}/{p.relative_to(root).as_posix()}", p, None, p.stat().st_size)
        for p in sorted(walk_files(root))
        if p.suffix.lower() in SUFFIXES
    ]
