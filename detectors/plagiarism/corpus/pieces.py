"""Texts one after the other in a file, and where each begins."""

from __future__ import annotations

import json
import zlib
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from detectors.plagiarism.documents import Document

_LEVEL = 1  # of compression: level 6 takes twice as long for 6 % less


def packed(document: Document) -> bytes:
    """Compress what a document says, see `unpacked`."""
    content = [document.code, document.prose, list(document.cell_starts), list(document.notes)]
    return zlib.compress(json.dumps(content).encode(), _LEVEL)


def unpacked(content: bytes) -> tuple[str, str, tuple[int, ...], tuple[str, ...]]:
    """Return code, prose, starts of cells and notes of a document."""
    code, prose, cells, notes = json.loads(zlib.decompress(content))
    return code, prose, tuple(cells), tuple(notes)


def write_pieces(folder: Path, name: str, pieces: Iterable[bytes]) -> None:
    """Write pieces one after the other, and where each begins."""
    offsets = [0]
    with (folder / name).open("wb") as stream:
        for piece in pieces:
            stream.write(piece)
            offsets.append(offsets[-1] + len(piece))
    np.array(offsets, np.uint64).tofile(folder / f"{name}.offsets")


class Pieces:
    """What `write_pieces` wrote, mapped; each is read when it is asked for."""

    def __init__(self, folder: Path, name: str) -> None:
        self._offsets = np.memmap(folder / f"{name}.offsets", np.uint64, "r")
        path = folder / name
        self._bytes = np.memmap(path, np.uint8, "r") if path.stat().st_size else b""

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._offsets) - 1

    def __getitem__(self, number: int) -> bytes:
        """Read one."""
        return bytes(self._bytes[int(self._offsets[number]) : int(self._offsets[number + 1])])

    def __iter__(self) -> Iterator[bytes]:
        """Read one after the other."""
        return (self[i] for i in range(len(self)))
