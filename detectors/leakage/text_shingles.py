"""Find texts that share rare stretches of characters, in time linear in the texts.

Every text is stripped to its letters and digits; of its stretches of `SHINGLE` characters those
are kept whose hash is the least among `WINDOW` neighbours (winnowing: Schleimer, Wilkerson and
Aiken 2003). Two texts that share any stretch of ``SHINGLE + WINDOW − 1`` characters share a print.
"""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    Hashes = NDArray[np.uint64]

SHINGLE = 10
WINDOW = 5
MAX_LENGTH = 4000  # characters of a text that are looked at
MAX_COMMON = 16  # train texts that hold a print, from which it is common
CHUNK = 4_000_000  # characters that are hashed at once
BLOCK = 4_000_000  # pairs that are held at once
_NONE = np.uint64(2**64 - 1)
_BASE = np.uint64(0x9E3779B97F4A7C15)
_BETWEEN = re.compile(r"[\W_]+")


def normalised(text: str) -> str:
    r"""Return a text's letters and digits in lower case, words apart by one blank.

    Examples
    --------
    >>> normalised("  Ｈello,\n WORLD! don't")
    'hello world don t'
    """
    head = text[:MAX_LENGTH]
    if not head.isascii():
        head = unicodedata.normalize("NFKC", head)
    return _BETWEEN.sub(" ", head.casefold()).strip()


class Prints(NamedTuple):
    """Hashes of stretches of texts, with the position of their text; sorted by text."""

    hashes: Hashes
    texts: NDArray[np.int32]


def prints_of(texts: Sequence[str]) -> Prints:
    """Return the prints of normalised texts."""
    hashes: list[Hashes] = []
    owners: list[NDArray[np.int32]] = []
    start = 0
    while start < len(texts):
        end, size = start, 0
        while end < len(texts) and (size < CHUNK or end == start):
            size += len(texts[end])
            end += 1
        found, owner = _prints(texts[start:end])
        hashes.append(found)
        owners.append(owner + np.int32(start))
        start = end
    if not hashes:
        return Prints(np.empty(0, np.uint64), np.empty(0, np.int32))
    return Prints(np.concatenate(hashes), np.concatenate(owners))


def _prints(texts: Sequence[str]) -> tuple[Hashes, NDArray[np.int32]]:
    lengths = np.array([len(t) for t in texts])
    codes = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    if len(codes) < SHINGLE:
        return np.empty(0, np.uint64), np.empty(0, np.int32)
    owner = np.repeat(np.arange(len(texts), dtype=np.int32), lengths)
    hashes = _hashed(codes)
    n = len(hashes)
    hashes[owner[:n] != owner[SHINGLE - 1 :]] = _NONE  # begins in one text and ends in another
    least = hashes.copy()
    for shift in range(1, WINDOW):
        np.minimum(least[:-shift], hashes[shift:], out=least[:-shift])
    own = owner[:n]
    is_new = np.ones(n, dtype=bool)
    is_new[1:] = (least[1:] != least[:-1]) | (own[1:] != own[:-1])
    kept = is_new & (hashes != _NONE)
    return least[kept], own[kept]


def _hashed(codes: NDArray[np.uint32]) -> Hashes:
    n = len(codes) - SHINGLE + 1
    total = np.zeros(n, dtype=np.uint64)
    with np.errstate(over="ignore"):
        for i in range(SHINGLE):
            total *= _BASE
            total += codes[i : i + n].astype(np.uint64) + np.uint64(1)
        total ^= total >> np.uint64(31)
        total *= np.uint64(0xBF58476D1CE4E5B9)
        total ^= total >> np.uint64(29)
    return total


class Pairs(NamedTuple):
    """Pairs of texts that share prints.

    Parameters
    ----------
    left, right : ndarray of int64
        Positions in the two lists; by right one, most shared first.
    shared : ndarray of float64
        Share of the right text's prints that the left one has, each weighed by its rareness.
    """

    left: NDArray[np.int64]
    right: NDArray[np.int64]
    shared: NDArray[np.float64]


class Index:
    """Prints of the train texts, for looking up.

    Parameters
    ----------
    prints : Prints
    """

    def __init__(self, prints: Prints) -> None:
        n_bits = max(1, int(prints.texts.max(initial=0)).bit_length())
        self._low = np.uint64((1 << n_bits) - 1)
        # a print's upper bits and its text in one number, so that one sort brings equals together
        self._sorted = np.sort((prints.hashes & ~self._low) | prints.texts.astype(np.uint64))

    def nearest(self, prints: Prints, most: int, itself: NDArray[np.int64] | None = None) -> Pairs:
        """Return up to `most` train texts for each text, those that share most rare prints first.

        Parameters
        ----------
        itself : ndarray of int64, optional
            For texts that are in the index: where. A text is not paired with itself.

        Notes
        -----
        Prints of more than `MAX_COMMON` train texts are passed over, so that the number of pairs
        grows with the number of texts.
        """
        at, first, counts = self._rare(prints.hashes, MAX_COMMON + (itself is not None))
        texts = prints.texts[at]
        sizes = np.bincount(prints.texts)
        found = []
        for block in _blocks(texts, counts):
            n_each = counts[block]
            begin = first[block] - np.concatenate([[0], np.cumsum(n_each)[:-1]])
            place = np.repeat(begin, n_each) + np.arange(int(n_each.sum()))
            left = (self._sorted[place] & self._low).astype(np.int64)
            right = np.repeat(texts[block].astype(np.int64), n_each)
            weight = np.repeat(1.0 / n_each, n_each)
            if itself is not None:
                other = left != itself[right]
                left, right, weight = left[other], right[other], weight[other]
            found.append(_strongest(left, right, weight, sizes, most))
        empty = Pairs(np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0))
        return Pairs(*(np.concatenate(parts) for parts in zip(empty, *found, strict=True)))

    def _rare(
        self, hashes: Hashes, most_common: int
    ) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
        """Return which prints some train texts hold, but not many; where they begin; how many.

        Looked up in their order: what is read lies side by side, however long the index is.
        """
        order = np.argsort(hashes)
        asked = hashes[order] & ~self._low
        first = np.searchsorted(self._sorted, asked, "left")
        counts = np.searchsorted(self._sorted, asked | self._low, "right") - first
        rare = np.flatnonzero((counts > 0) & (counts <= most_common))
        rare = rare[np.argsort(order[rare])]
        return order[rare], first[rare], counts[rare]


def _blocks(texts: NDArray[np.int32], counts: NDArray[np.intp]) -> Iterator[slice]:
    """Yield stretches of whole texts whose counts add up to about `BLOCK`."""
    total = np.cumsum(counts)
    start = 0
    while start < len(texts):
        passed = total[start - 1] if start else 0
        end = int(np.searchsorted(total, passed + BLOCK, "right"))
        end = int(np.searchsorted(texts, texts[min(max(end, start), len(texts) - 1)], "left"))
        if end <= start:  # one text alone fills the block, or it is the last one
            end = int(np.searchsorted(texts, texts[start], "right"))
        if total[-1] - passed <= BLOCK:
            end = len(texts)
        yield slice(start, end)
        start = end


def _strongest(
    left: NDArray[np.int64],
    right: NDArray[np.int64],
    weight: NDArray[np.float64],
    sizes: NDArray[np.intp],
    most: int,
) -> Pairs:
    if not len(left):
        return Pairs(left, right, weight)
    pair = (right << np.int64(32)) | left
    keys, place = np.unique(pair, return_inverse=True)
    shared = np.bincount(place, weights=weight)
    right, left = keys >> np.int64(32), keys & np.int64(2**32 - 1)
    order = np.lexsort((left, -shared, right))
    left, right, shared = left[order], right[order], shared[order]
    starts = np.flatnonzero(np.r_[True, right[1:] != right[:-1]])
    rank = np.arange(len(right)) - np.repeat(starts, np.diff(np.r_[starts, len(right)]))
    kept = rank < most
    left, right, shared = left[kept], right[kept], shared[kept]
    return Pairs(left, right, shared / np.maximum(sizes[right], 1))
