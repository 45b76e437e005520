"""Where the texts of a task are: columns of both tables that hold passages, and text files."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from competitions.errors import EvidenceUnavailableError
from detectors.leakage.media_files import evenly, sides_of
from detectors.leakage.text_shingles import MAX_LENGTH, normalised

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pandas as pd

    from competitions.shapes import RowFiles
    from detectors.leakage.media_files import MediaFile
    from detectors.leakage.split import Split

SUFFIXES = frozenset({".txt", ".md"})
MIN_LENGTH = 20  # median letters of a column that holds passages
MIN_WORDS = 4  # and median words: no ids, no sequences
MIN_DIFFERENT = 0.2  # share of different ones among them: no names of classes
SAMPLE = 500  # cells that tell what a column holds
MAX_FILES = 20_000


class Texts(NamedTuple):
    """The texts of one column, or of files.

    Parameters
    ----------
    column : str or None
        None for files.
    train, test : list of str
        One per row, or per file.
    places : tuple of (str or list of str)
        For train and test, the table they stand in or the files that they are.
    unread : int
        Files that were left out, or could not be read.
    """

    column: str | None
    train: list[str]
    test: list[str]
    places: tuple[str | list[str], str | list[str]]
    unread: int = 0

    def place(self, side: int, row: int) -> tuple[str, int | None]:
        """Return the file of a text, and its row from 1 where the file is a table."""
        place = self.places[side]
        return (place, row + 1) if isinstance(place, str) else (place[row], None)


def texts_of(split: Split, rules: Sequence[RowFiles]) -> Iterator[Texts]:
    """Yield the columns of both tables that hold passages, then the text files of both parts."""
    for column in text_columns(split):
        train, test = split.both()
        cells = _cells(train.frame[column]), _cells(test.frame[column])
        yield Texts(column, *cells, (train.name, test.name))
    sides = sides_of(split, SUFFIXES, rules)
    if sides.train and sides.test:
        left, right = (evenly(s, MAX_FILES) for s in (sides.train, sides.test))
        texts = [_read(f) for f in left], [_read(f) for f in right]
        left_out = len(sides.train) + len(sides.test) - len(left) - len(right)
        n_bad = sum(t is None for side in texts for t in side)
        names = [f.name for f in left], [f.name for f in right]
        plain = [[t or "" for t in side] for side in texts]
        yield Texts(None, plain[0], plain[1], names, n_bad + left_out)


def text_columns(split: Split) -> tuple[str, ...]:
    """Return the columns of both tables that hold passages and not names, ids or classes."""
    try:
        train = split.both()[0].frame
        other = {*split.media, *split.foreign_keys, *split.times}
    except EvidenceUnavailableError:
        return ()
    return tuple(c for c in split.features if c not in other and _holds_passages(train[c]))


def _holds_passages(cells: pd.Series) -> bool:
    import pandas as pd

    if not (pd.api.types.is_string_dtype(cells) or cells.dtype == object):
        return False
    known = cells.dropna()
    sample = [v for v in evenly(known.tolist(), SAMPLE) if isinstance(v, str)]
    # Addresses and paths are no passages, though signs part them into words.
    seen = [normalised(v) for v in sample if not v.isascii() or " " in v.strip()]
    if len(seen) < len(sample) / 2:
        return False
    if not seen or len(set(seen)) < MIN_DIFFERENT * len(seen):
        return False
    lengths, words = [len(t) for t in seen], [t.count(" ") + 1 for t in seen]
    return bool(np.median(lengths) >= MIN_LENGTH and np.median(words) >= MIN_WORDS)


def _cells(cells: pd.Series) -> list[str]:
    return [v if isinstance(v, str) else "" for v in cells.tolist()]


def _read(file: MediaFile) -> str | None:
    try:
        return file.read()[: 4 * MAX_LENGTH].decode("utf-8", errors="replace")
    except OSError:
        return None
