"""Whether the files of a corpus fit one another, told before anything is read from them."""

from __future__ import annotations

import os
import zlib
from functools import wraps
from typing import TYPE_CHECKING, Concatenate, ParamSpec, Protocol, TypeVar

import numpy as np

from competitions.errors import CorpusError
from detectors.plagiarism.corpus.postings import directory_bits

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

REBUILD = "Build it anew with: mle-audit corpus build SOURCES --competition ID -o CORPUS"
INDEXED = ("code", "prose", "marks")  # each with a list of base hashes that count for nothing
_PIECES = ("entries", "texts")
# What comes of bytes that are no index: numbers out of range, no JSON, no compressed text.
BROKEN = (LookupError, ValueError, TypeError, OSError, OverflowError, zlib.error)


class HasFolder(Protocol):
    """An opened corpus."""

    @property
    def folder(self) -> Path:
        """Its folder."""


C = TypeVar("C", bound=HasFolder)
P = ParamSpec("P")
T = TypeVar("T")


def see_fit(generation: Path, n_documents: int) -> None:
    """See that all files of a generation are there and as long as they must be.

    It takes as long for a million documents as for one: only sizes and last entries are read.

    Raises
    ------
    CorpusError
        When one is missing, cut off, or of another corpus.
    """
    try:
        for channel in INDEXED:
            _see_channel(generation, channel, n_documents)
            _count(generation / f"{channel}.base", 8)
        for name in _PIECES:
            path = generation / name
            _expect(generation / f"{name}.offsets", 8, n_documents + 1)
            _expect(path, 1, _last(generation / f"{name}.offsets"))
        _expect(generation / "null.scores", 4, n_documents)
    except OSError as error:
        name = os.path.basename(error.filename or "")  # noqa: PTH119 - of a str or bytes
        raise CorpusError(
            f"{generation}: its file {name} cannot be read ({error.strerror}).", REBUILD
        ) from error


def _see_channel(generation: Path, channel: str, n_documents: int) -> None:
    n_hashes = _count(generation / f"{channel}.hashes", 8)
    _expect(generation / f"{channel}.starts", 8, n_hashes + 1)
    _expect(generation / f"{channel}.documents", 4, _last(generation / f"{channel}.starts"))
    directory = generation / f"{channel}.directory"
    _expect(directory, 8, (1 << directory_bits(n_hashes)) + 1)
    if _last(directory) != n_hashes:
        raise CorpusError(f"{directory}: expected a directory of {n_hashes} hashes.", REBUILD)
    for name in ("masses", "sizes"):
        _expect(generation / f"{channel}.{name}", 4, n_documents)


def _count(path: Path, width: int) -> int:
    n, rest = divmod(path.stat().st_size, width)
    if rest:
        raise CorpusError(
            f"{path}: expected entries of {width} bytes, found a part of one.", REBUILD
        )
    return n


def _expect(path: Path, width: int, n: int) -> None:
    found = path.stat().st_size
    if found != width * n:
        raise CorpusError(f"{path}: expected {width * n} bytes, found {found}.", REBUILD)


def _last(path: Path) -> int:
    """Return the last of a file's 64-bit numbers."""
    with path.open("rb") as stream:
        stream.seek(max(0, path.stat().st_size - 8))
        return int(np.frombuffer(stream.read(8).ljust(8, b"\0"), np.uint64)[0])


def broken(folder: Path, error: Exception) -> CorpusError:
    """Return the error for an index that holds what no index does."""
    return CorpusError(f"{folder}: its index is broken ({error!r}).", REBUILD)


def sound(
    method: Callable[Concatenate[C, P], T],
) -> Callable[Concatenate[C, P], T]:
    """Tell an index with impossible numbers, or texts that are none, as a broken corpus.

    Raises
    ------
    CorpusError
        Instead of what would come of it where it is read.
    """

    @wraps(method)
    def read(corpus: C, /, *args: P.args, **kwargs: P.kwargs) -> T:
        try:
            return method(corpus, *args, **kwargs)
        except BROKEN as error:
            raise CorpusError(
                f"{corpus.folder}: its index is broken ({error!r}).", REBUILD
            ) from error

    return read
