"""A few hundred documents read, hashed and laid down beside one another: the unit of building."""

from __future__ import annotations

import json
import zlib
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from competitions.io import sha256_bytes
from detectors.plagiarism.fingerprints import fingerprint, kept
from detectors.plagiarism.prose import prose_shingles

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from numpy.typing import NDArray

    from detectors.plagiarism.documents import Document

_LEVEL = 6  # of compression: texts are read rarely


class Place(NamedTuple):
    """Where a document stands in the order of a corpus; equal text of a competition has one."""

    competition: str
    digest: str


def write_shard(folder: Path, documents: Iterable[tuple[str, Document]]) -> None:
    """Write the documents of a shard, each with the id of its competition.

    Parameters
    ----------
    folder : Path
        A new folder.
    """
    folder.mkdir(parents=True)
    entries, texts = [], []
    found: dict[str, list[NDArray[np.uint64]]] = {"code": [], "prose": []}
    for competition, document in documents:
        print_ = fingerprint(document.code, document.language)
        found["code"].append(print_.kept)
        found["prose"].append(kept(prose_shingles(document.prose).hashes))
        entries.append(_entry(competition, document, len(print_.tokens.kinds)))
        texts.append(packed(document))
    for channel, hashes in found.items():
        _write_run(folder, channel, hashes)
    write_entries(folder, entries, texts)


def _entry(competition: str, document: Document, n_tokens: int) -> dict[str, Any]:
    content = f"{document.language}\0{document.code}\0{document.prose}"
    return {
        "competition": competition,
        "digest": sha256_bytes(content.encode("utf-8", "surrogatepass"))[:32],
        "name": document.name,
        "language": document.language,
        "n_tokens": n_tokens,
        "marks": [[m.what, m.value] for m in document.marks],
        "provenance": document.provenance.model_dump(mode="json", exclude_none=True),
    }


def packed(document: Document) -> bytes:
    """Compress what a document says, see `unpacked`."""
    content = [document.code, document.prose, list(document.cell_starts), list(document.notes)]
    return zlib.compress(json.dumps(content).encode(), _LEVEL)


def unpacked(content: bytes) -> tuple[str, str, tuple[int, ...], tuple[str, ...]]:
    """Return code, prose, starts of cells and notes of a document."""
    code, prose, cells, notes = json.loads(zlib.decompress(content))
    return code, prose, tuple(cells), tuple(notes)


def write_entries(folder: Path, entries: Iterable[dict[str, Any]], texts: Iterable[bytes]) -> None:
    """Write entries as JSON lines and texts one after the other, each with its offsets."""
    lines = (json.dumps(e, sort_keys=True).encode() + b"\n" for e in entries)
    write_pieces(folder, "entries", lines)
    write_pieces(folder, "texts", texts)


def write_pieces(folder: Path, name: str, pieces: Iterable[bytes]) -> None:
    """Write pieces one after the other, and where each begins."""
    offsets = [0]
    with (folder / name).open("wb") as stream:
        for piece in pieces:
            stream.write(piece)
            offsets.append(offsets[-1] + len(piece))
    np.array(offsets, np.uint64).tofile(folder / f"{name}.offsets")


def _write_run(folder: Path, channel: str, of_each: list[NDArray[np.uint64]]) -> None:
    counts = [len(h) for h in of_each]
    hashes = np.concatenate(of_each) if of_each else np.empty(0, np.uint64)
    documents = np.repeat(np.arange(len(counts), dtype=np.uint32), counts)
    order = np.argsort(hashes, kind="stable")
    hashes[order].tofile(folder / f"{channel}.hashes")
    documents[order].tofile(folder / f"{channel}.documents")


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
