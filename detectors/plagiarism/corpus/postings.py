"""Which documents hold which hash: sorted arrays on disk, of which a query reads a little.

A list of documents is kept for each hash. Documents are numbered so that those of one competition
lie side by side: how many of them hold a hash is counted from its list alone.
"""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from detectors.plagiarism.corpus.stored import Stored

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    Hashes = NDArray[np.uint64]
    Numbers = NDArray[np.int64]

DROPPED = np.uint32(0xFFFFFFFF)  # the number of a document that a merge leaves out
BUDGET = 100_000  # postings read for a query, the rarest hashes first
_PER_BUCKET = 7  # log2 of how many hashes a bucket of the directory holds
_PER_PART = 1 << 22  # postings merged at once: about 150 MB
_LONG = 4096  # postings of a list that is searched rather than read


def rarity(n_holding: NDArray[np.int64], n_documents: NDArray[np.int64]) -> NDArray[np.float64]:
    """Weigh hashes by how few of a competition's documents hold them: the cube of the IDF.

    Parameters
    ----------
    n_holding : ndarray of int, shape (n,)
        Documents of the competition that hold each hash, at least 1.
    n_documents : ndarray of int, shape (n,)
        Documents of that competition.

    References
    ----------
    .. [1] K. Spärck Jones, "A statistical interpretation of term specificity", J. Doc. 28, 1972.
    """
    weights: NDArray[np.float64] = np.log((n_documents + 1) / n_holding) ** 3
    return weights


class Hits(NamedTuple):
    """Postings of some looked-up hashes, side by side.

    Parameters
    ----------
    documents : ndarray of int64, shape (n_hits,)
    wanted : ndarray of int64, shape (n_hits,)
        Which of the looked-up hashes each belongs to; ascending, documents ascend within.
    """

    documents: Numbers
    wanted: Numbers


class Lists(NamedTuple):
    """Where the lists of some hashes lie.

    Parameters
    ----------
    wanted : ndarray of int64, shape (n,)
        Which of the looked-up hashes each belongs to.
    begin, end : ndarray of int64, shape (n,)
    """

    wanted: Numbers
    begin: Numbers
    end: Numbers

    def of(self, chosen: NDArray[np.bool_] | Numbers) -> Lists:
        """Return some of them."""
        return Lists(self.wanted[chosen], self.begin[chosen], self.end[chosen])


@dataclass(frozen=True)
class Postings:
    """The index of one channel, opened."""

    hashes: Stored
    starts: Stored
    documents: Stored
    directory: NDArray[np.uint64]
    n_documents: int

    @classmethod
    def open(cls, folder: Path, channel: str) -> Postings:
        """Open the files of a channel; nothing but the directory is read."""
        directory = np.fromfile(folder / f"{channel}.directory", np.uint64)
        return cls(
            Stored(folder / f"{channel}.hashes", np.uint64),
            Stored(folder / f"{channel}.starts", np.uint64),
            Stored(folder / f"{channel}.documents", np.uint32),
            directory,
            (folder / f"{channel}.sizes").stat().st_size // 4,
        )

    def lists(self, wanted: Hashes, first: int, last: int) -> tuple[Lists, Lists]:
        """Find the lists of hashes among the documents ``first <= d < last``.

        Parameters
        ----------
        wanted : ndarray of uint64, shape (n,), sorted

        Returns
        -------
        tuple of Lists
            Those to read, the shortest ones up to `BUDGET` postings, and the longer ones.
        """
        which, places = self._places(wanted)
        begin, end = self.starts.read(places, places + 2).astype(np.int64).reshape(-1, 2).T
        if last - first < self.n_documents:
            begin, end = self._within(begin, end, first, last)
        lists = Lists(which, begin, end).of(end > begin)
        order = np.argsort(lists.end - lists.begin, kind="stable")
        size = np.cumsum((lists.end - lists.begin)[order])
        short = np.zeros(len(order), bool)
        short[order[size <= BUDGET]] = True
        return lists.of(short), lists.of(~short)

    def read(self, lists: Lists, first: int, last: int) -> Hits:
        """Read lists whole, and keep of them the documents ``first <= d < last``."""
        documents = self.documents.read(lists.begin, lists.end).astype(np.int64)
        owners = np.repeat(lists.wanted, lists.end - lists.begin)
        inside = (documents >= first) & (documents < last)
        return Hits(documents[inside], owners[inside])

    def hits(self, wanted: Hashes, first: int, last: int) -> Hits:
        """Return all postings of the wanted hashes, long lists too; see `lists`."""
        short, long = self.lists(wanted, first, last)
        joined = (np.concatenate(pair) for pair in zip(short, long, strict=True))
        lists = Lists(*joined)
        return self.read(lists.of(np.argsort(lists.wanted, kind="stable")), first, last)

    def numbers(self, wanted: Hashes, first: int, last: int) -> Numbers:
        """Count the documents ``first <= d < last`` that hold each of the wanted hashes."""
        short, long = self.lists(wanted, first, last)
        counts = np.bincount(self.read(short, first, last).wanted, minlength=len(wanted))
        edges = np.array([first, last])
        for which, begin, end in zip(*long, strict=True):
            _, before = self.counted(begin, end, edges, edges)
            counts[which] = before[1] - before[0]
        return counts

    def counted(
        self, begin: int, end: int, documents: Numbers, edges: Numbers
    ) -> tuple[NDArray[np.bool_], Numbers]:
        """Ask one long list, which is not kept.

        Parameters
        ----------
        begin, end : int
            Where it lies.
        documents : ndarray of int64, shape (n,)
        edges : ndarray of int64, shape (m,)

        Returns
        -------
        ndarray of bool, shape (n,)
            Whether it holds each document.
        ndarray of int64, shape (m,)
            How many documents below each edge it holds.
        """
        held = self.documents.read(np.array([begin]), np.array([end]))
        wanted = np.concatenate([documents, edges]).astype(held.dtype)  # or `held` is converted
        found = np.searchsorted(held, wanted)
        n = len(documents)
        return held[np.minimum(found[:n], len(held) - 1)] == wanted[:n], found[n:]

    def _places(self, wanted: Hashes) -> tuple[Numbers, Numbers]:
        """Return which of the wanted hashes are here, and where."""
        none = np.empty(0, np.int64)
        if not len(self.hashes) or not len(wanted):
            return none, none
        buckets = np.unique(_buckets(wanted, len(self.directory) - 1))
        low = self.directory[buckets].astype(np.int64)
        counts = self.directory[buckets + 1].astype(np.int64) - low
        held = self.hashes.read(low, low + counts)
        if not len(held):
            return none, none
        found = np.searchsorted(held, wanted)
        which = np.flatnonzero(held[found.clip(max=len(held) - 1)] == wanted)
        offsets = np.repeat(low - np.cumsum(counts) + counts, counts)
        found = found[which]
        return which, found + offsets[found]

    def _within(
        self, begin: Numbers, end: Numbers, first: int, last: int
    ) -> tuple[Numbers, Numbers]:
        """Narrow long lists to the documents of one competition, by search instead of reading."""
        for i in np.flatnonzero(end - begin > _LONG).tolist():
            places = range(begin[i], end[i])
            low = bisect_left(places, first, key=self.documents.at)
            high = bisect_left(places, last, low, key=self.documents.at)
            begin[i], end[i] = places.start + low, places.start + high
        return begin, end


def _buckets(hashes: Hashes, n_buckets: int) -> Numbers:
    shift = 64 - (n_buckets.bit_length() - 1)
    if shift == 64:  # noqa: PLR2004 - one bucket; a shift by the whole width is undefined
        return np.zeros(len(hashes), np.int64)
    return (hashes >> np.uint64(shift)).astype(np.int64)


class Run(NamedTuple):
    """Postings to be merged: sorted by hash, with their documents' new numbers.

    Parameters
    ----------
    hashes : ndarray of uint64, shape (n,), sorted
    starts : ndarray of uint64, shape (n + 1,), or None
        None: one document for each hash.
    documents : ndarray of uint32
    numbers : ndarray of uint32, shape (n_documents,)
        The new number of each document, or `DROPPED`.
    """

    hashes: Hashes
    starts: NDArray[np.uint64] | None
    documents: NDArray[np.uint32]
    numbers: NDArray[np.uint32]

    def between(self, low: int, high: int | None) -> tuple[Hashes, NDArray[np.uint32]]:
        """Return the postings with ``low <= hash < high``, one row each."""
        a = int(np.searchsorted(self.hashes, np.uint64(low)))
        b = len(self.hashes)
        if high is not None:
            b = int(np.searchsorted(self.hashes, np.uint64(high)))
        hashes = np.asarray(self.hashes[a:b])
        if self.starts is None:
            documents = self.documents[a:b]
        else:
            starts = self.starts[a : b + 1].astype(np.int64)
            documents = self.documents[starts[0] : starts[-1]] if b > a else self.documents[:0]
            hashes = np.repeat(hashes, np.diff(starts)) if b > a else hashes
        numbers = self.numbers[documents]
        kept = numbers != DROPPED
        return hashes[kept], numbers[kept]


def write_postings(
    folder: Path, channel: str, runs: Sequence[Run], bounds: Numbers, base: Hashes
) -> None:
    """Merge runs into the index of a channel, a part of the hashes at a time.

    Also writes, for each document, the weight of all its hashes (see `rarity`) and their number.

    The files depend on the documents alone, not on how they were cut into runs.

    Parameters
    ----------
    bounds : ndarray of int64, shape (n_competitions + 1,)
        The first document of each competition, and the number of documents.
    base : ndarray of uint64, sorted
        Hashes of base code, left out.
    """
    n_documents = int(bounds[-1])
    masses = np.zeros(n_documents, np.float64)
    sizes = np.zeros(n_documents, np.int64)
    total = sum(len(r.documents) for r in runs)
    n_parts = 1 << max(0, (total // _PER_PART).bit_length())
    written = 0
    with (
        (folder / f"{channel}.hashes").open("wb") as hashes_file,
        (folder / f"{channel}.starts").open("wb") as starts_file,
        (folder / f"{channel}.documents").open("wb") as documents_file,
    ):
        for part in range(n_parts):
            hashes, documents = _part(runs, part, n_parts)
            kept = ~np.isin(hashes, base) if len(base) else np.ones(len(hashes), bool)
            hashes, documents = hashes[kept], documents[kept]
            masses += _weights(hashes, documents, bounds)
            sizes += np.bincount(documents, minlength=n_documents)
            unique, first = np.unique(hashes, return_index=True)
            unique.tofile(hashes_file)
            (first + written).astype(np.uint64).tofile(starts_file)
            documents.astype(np.uint32).tofile(documents_file)
            written += len(documents)
        np.array([written], np.uint64).tofile(starts_file)
    masses.astype(np.float32).tofile(folder / f"{channel}.masses")
    sizes.astype(np.uint32).tofile(folder / f"{channel}.sizes")
    _write_directory(folder, channel)


def _part(runs: Sequence[Run], part: int, n_parts: int) -> tuple[Hashes, NDArray[np.uint32]]:
    width = (1 << 64) // n_parts
    high = (part + 1) * width if part + 1 < n_parts else None
    pieces = [r.between(part * width, high) for r in runs]
    hashes = np.concatenate([h for h, _ in pieces]) if pieces else np.empty(0, np.uint64)
    documents = np.concatenate([d for _, d in pieces]) if pieces else np.empty(0, np.uint32)
    order = np.lexsort((documents, hashes))
    hashes, documents = hashes[order], documents[order]
    new = np.ones(len(hashes), bool)
    new[1:] = (hashes[1:] != hashes[:-1]) | (documents[1:] != documents[:-1])
    return hashes[new], documents[new]


def _weights(hashes: Hashes, documents: NDArray[np.uint32], bounds: Numbers) -> NDArray[np.float64]:
    """Add up each document's weights of some postings that are sorted by hash and document."""
    if not len(hashes):
        return np.zeros(int(bounds[-1]))
    firsts = np.flatnonzero(np.r_[True, hashes[1:] != hashes[:-1]])
    owners = np.repeat(np.arange(len(firsts)), np.diff(np.r_[firsts, len(hashes)]))
    weights = weights_of(Hits(documents.astype(np.int64), owners), bounds).of_each
    return _added(documents, weights, int(bounds[-1]))


def _added(places: NDArray[Any], values: NDArray[np.float64], n: int) -> NDArray[np.float64]:
    sums: Any = np.bincount(places, values, minlength=n)  # numpy's stubs promise integers here
    return np.asarray(sums, np.float64)


class Weights(NamedTuple):
    """What postings weigh.

    Parameters
    ----------
    of_each : ndarray of float, shape (n_hits,)
        By how many documents of the posting's competition hold the same hash.
    competitions : ndarray of int, shape (n_groups,)
        Each group is one hash within one competition: which competition,
    of_group : ndarray of float, shape (n_groups,)
        and what the hash weighs there.
    """

    of_each: NDArray[np.float64]
    competitions: Numbers
    of_group: NDArray[np.float64]


def weights_of(hits: Hits, bounds: Numbers) -> Weights:
    """Weigh postings; see `rarity`."""
    competitions = np.searchsorted(bounds, hits.documents, side="right") - 1
    if not len(competitions):
        return Weights(np.empty(0), competitions, np.empty(0))
    new = np.ones(len(competitions), bool)
    new[1:] = (hits.wanted[1:] != hits.wanted[:-1]) | (competitions[1:] != competitions[:-1])
    firsts = np.flatnonzero(new)
    counts = np.diff(np.r_[firsts, len(new)])
    of_group = rarity(counts, np.diff(bounds)[competitions[firsts]])
    return Weights(np.repeat(of_group, counts), competitions[firsts], of_group)


def directory_bits(n_hashes: int) -> int:
    """Return how many leading bits of a hash name its bucket in the directory."""
    return max(0, n_hashes.bit_length() - _PER_BUCKET)


def _write_directory(folder: Path, channel: str) -> None:
    path = folder / f"{channel}.hashes"
    hashes = np.memmap(path, np.uint64, "r") if path.stat().st_size else np.empty(0, np.uint64)
    bits = directory_bits(len(hashes))
    firsts = np.arange(1 << bits, dtype=np.uint64) << np.uint64(64 - bits) if bits else [0]
    directory = np.searchsorted(hashes, np.asarray(firsts, np.uint64))
    np.r_[directory, len(hashes)].astype(np.uint64).tofile(folder / f"{channel}.directory")
