"""Two pictures side by side, as evidence that one is the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

from detectors.leakage.image_pixels import PictureError, decoded, thumbnail
from reports.schema import PicturePair

if TYPE_CHECKING:
    from detectors.leakage.image_pairs import PictureMatch
    from detectors.leakage.media_files import MediaFile

MAX_PAIRS = 6  # shown of a finding


def side_by_side(match: PictureMatch, shows: str) -> PicturePair:
    """Return both pictures of a match, small; of a private one the picture is kept apart.

    Parameters
    ----------
    match : PictureMatch
        The test picture, and the one that it is.
    shows : str
        What they show, as a sentence.
    """
    right = _small(match.test)
    return PicturePair(
        left=match.train.name,
        right=match.test.name,
        shows=shows,
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
