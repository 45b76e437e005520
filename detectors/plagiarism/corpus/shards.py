"""A few hundred documents read, hashed and laid down beside one another: the unit of building."""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from competitions.io import sha256_bytes
from detectors.plagiarism.comments import document_shingles
from detectors.plagiarism.corpus.pieces import packed, write_pieces
from detectors.plagiarism.fingerprints import fingerprint, kept

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from numpy.typing import NDArray

    from detectors.plagiarism.documents import Document


class Place(NamedTuple):
    """Where a document stands in the order of a corpus; equal text of a competition has one."""

    competition: str
    digest: str


def write_shard(folder: Path, documents: Iterable[tuple[str, Document]]) -> int:
    """Write the documents of a shard, each with the id of its competition.

    Parameters
    ----------
    folder : Path
        A new folder; it is not made when there are no documents.
    documents : iterable of (str, Document)
        Read one after the other; of those that were read, hashes and packed texts are held.

    Returns
    -------
    int
        How many there were.
    """
    entries, texts = [], []
    found: dict[str, list[NDArray[np.uint64]]] = {"code": [], "prose": []}
    for competition, document in documents:
        print_ = fingerprint(document.code, document.language)
        found["code"].append(print_.kept)
        found["prose"].append(kept(document_shingles(document)))
        entries.append(_entry(competition, document, len(print_.tokens.kinds)))
        texts.append(packed(document))
    if entries:
        folder.mkdir(parents=True)
        for channel, hashes in found.items():
            write_run(folder, channel, hashes)
        write_entries(folder, entries, texts)
    return len(entries)


def _entry(competition: str, document: Document, n_tokens: int) -> dict[str, Any]:
    content = f"{document.language}\0{document.code}\0{document.prose}"
    return {
        "competition": competition,
        "digest": sha256_bytes(content.encode("utf-8", "surrogatepass"))[:32],
        "name": document.name,
        "language": document.language,
        "n_tokens": n_tokens,
        "marks": [[m.what, m.value] for m in document.marks],
        "provenance": {
            name: value.isoformat() if isinstance(value, date) else value
            for name, value in document.provenance.known.items()
        },
    }


def write_entries(folder: Path, entries: Iterable[dict[str, Any]], texts: Iterable[bytes]) -> None:
    """Write entries as JSON lines and texts one after the other, each with its offsets."""
    lines = (json.dumps(e, sort_keys=True).encode() + b"\n" for e in entries)
    write_pieces(folder, "entries", lines)
    write_pieces(folder, "texts", texts)


def write_run(folder: Path, channel: str, of_each: list[NDArray[np.uint64]]) -> None:
    """Write the kept hashes of documents, sorted, and which document each belongs to."""
    counts = [len(h) for h in of_each]
    hashes = np.concatenate(of_each) if of_each else np.empty(0, np.uint64)
    documents = np.repeat(np.arange(len(counts), dtype=np.uint32), counts)
    order = np.argsort(hashes, kind="stable")
    hashes[order].tofile(folder / f"{channel}.hashes")
    documents[order].tofile(folder / f"{channel}.documents")
