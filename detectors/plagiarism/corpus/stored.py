"""Numbers in a file, of which the parts that are asked for are read and hardly any are held.

A map of the file would be simpler, but for each page that is looked at the kernel maps many around
it, and a process would hold hundreds of MB of what it never asked for.
"""

from __future__ import annotations

import mmap
import os
import resource
import weakref
from itertools import repeat
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    Places = NDArray[np.int64]

_PAGE = mmap.PAGESIZE
_SMALL = 64 * _PAGE  # bytes of a file that is read faster than it is asked for
_FEW, _TRIED = 2, 8


class Stored:
    """An array in a file, opened.

    Parameters
    ----------
    path : Path
    kind : type
        What the file holds, numbers one after the other.
    """

    def __init__(self, path: Path, kind: type) -> None:
        self._kind = np.dtype(kind)
        self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        weakref.finalize(self, os.close, self._file)
        self._bytes = os.fstat(self._file).st_size

    def __len__(self) -> int:
        """Return how many numbers it holds."""
        return self._bytes // self._kind.itemsize

    def read(self, begin: Places, end: Places) -> NDArray[Any]:
        """Return the numbers of several ranges, one after the other.

        Raises
        ------
        IndexError
            When it does not hold them all.
        """
        if ((begin < 0) | (end < begin) | (end > len(self))).any():
            raise IndexError(f"a place beyond {len(self)}")
        self.ask_for(begin, end)
        width = self._kind.itemsize
        lengths, places = ((end - begin) * width).tolist(), (begin * width).tolist()
        parts = b"".join(map(os.pread, repeat(self._file), lengths, places))
        found = np.frombuffer(parts, self._kind)
        if len(found) != (end - begin).sum():
            raise IndexError("the file was cut off")
        return found

    def at(self, place: int) -> int:
        """Return one number."""
        content = os.pread(self._file, self._kind.itemsize, place * self._kind.itemsize)
        return int(np.frombuffer(content, self._kind)[0])

    def ask_for(self, begin: Places, end: Places) -> None:
        """Let the kernel fetch all ranges at once instead of waiting for each in turn.

        Asking costs more than reading what is in memory, so a few are tried first: where none of
        them came from the disk, nothing is asked for.
        """
        if self._bytes < _SMALL or len(begin) < _FEW or not self._is_cold(begin):
            return
        width = self._kind.itemsize
        first = begin * width // _PAGE
        last = np.maximum(first, (end * width - 1) // _PAGE)
        pages = np.unique(np.stack([first, last], 1), axis=0)
        for page, until in pages.tolist():
            length = (until - page + 1) * _PAGE
            os.posix_fadvise(self._file, page * _PAGE, length, os.POSIX_FADV_WILLNEED)

    def _is_cold(self, begin: Places) -> bool:
        before = resource.getrusage(resource.RUSAGE_SELF).ru_inblock
        for place in begin[:: max(1, len(begin) // _TRIED)].tolist():
            os.pread(self._file, 1, place * self._kind.itemsize)
        return resource.getrusage(resource.RUSAGE_SELF).ru_inblock > before
