"""Shards and an older generation become a new one: the same bytes however the work was cut."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from competitions.errors import CorpusError
from competitions.io import sha256_bytes, sha256_file
from detectors.plagiarism.corpus.layout import CHANNELS, GENERATION, SCHEME
from detectors.plagiarism.corpus.pieces import Pieces, write_pieces
from detectors.plagiarism.corpus.postings import DROPPED, Run, write_postings
from detectors.plagiarism.corpus.soundness import BROKEN, INDEXED, REBUILD
from detectors.plagiarism.fingerprints import text_hash

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

_PARTS_AT_ONCE = 64  # merged at a time: each keeps seven files open, and 1,024 may often be
_NEVER = "9999"  # the date of a document that has none: dated ones stand first


@dataclass(frozen=True)
class Made:
    """What a generation holds."""

    digest: str
    competitions: tuple[tuple[str, int], ...]


class _Member(NamedTuple):
    """A document of a part; the order of members is that of the corpus."""

    competition: str
    digest: str
    created: str
    name: str
    part: int
    number: int


def assemble(
    parts: Sequence[Path],
    target: Path,
    base: dict[str, NDArray[np.uint64]],
    keep: Callable[[dict[str, Any]], bool] = lambda _entry: True,
) -> Made:
    """Merge shards and generations into a new generation.

    Parameters
    ----------
    parts : sequence of Path
        Folders of shards and of older generations.
    target : Path
        An empty folder.
    base : dict
        By channel, the sorted hashes of base code.
    keep : callable
        Says of an entry whether its document stays.

    Raises
    ------
    CorpusError
        When an older generation holds what no index does.

    Notes
    -----
    A text that several sources hold for one competition is kept once, under its earliest date.
    """
    try:
        return _assembled(parts, target, base, keep)
    except BROKEN as error:
        if isinstance(error, OSError):  # no space, for example
            raise
        held = ", ".join(str(p) for p in parts if p.name.startswith(GENERATION))
        raise CorpusError(f"{held or target}: the index is broken ({error!r}).", REBUILD) from error


def _assembled(
    parts: Sequence[Path],
    target: Path,
    base: dict[str, NDArray[np.uint64]],
    keep: Callable[[dict[str, Any]], bool],
) -> Made:
    entries = [Pieces(p, "entries") for p in parts]
    members = _members(entries, keep)
    bounds = _bounds([m.competition for m in members])
    numbers = [np.full(len(e), DROPPED, np.uint32) for e in entries]
    for number, member in enumerate(members):
        numbers[member.part][member.number] = number
    texts = [Pieces(p, "texts") for p in parts]
    write_pieces(target, "entries", (entries[m.part][m.number] for m in members))
    write_pieces(target, "texts", (texts[m.part][m.number] for m in members))
    left_out = {c: base.get(c, np.empty(0, np.uint64)) for c in INDEXED}
    for channel, hashes in left_out.items():
        hashes.tofile(target / f"{channel}.base")
    for channel in CHANNELS:
        runs = [_run(p, channel, n) for p, n in zip(parts, numbers, strict=True)]
        write_postings(target, channel, runs, bounds, left_out[channel])
    _write_marks(target, bounds, left_out["marks"])
    names = sorted({m.competition for m in members})
    return Made(
        _digest(target, base),
        tuple((c, int(n)) for c, n in zip(names, np.diff(bounds), strict=True)),
    )


def fewer(parts: list[Path], scratch: Path) -> list[Path]:
    """Merge shards, some at a time, until no more are left than may be open at once.

    Parameters
    ----------
    parts : list of Path
        Folders of shards, which are removed as they are merged.
    scratch : Path
        Where the merged ones come to lie.
    """
    level = 0
    while len(parts) > _PARTS_AT_ONCE:
        level += 1
        merged: list[Path] = []
        for first in range(0, len(parts), _PARTS_AT_ONCE):
            some = parts[first : first + _PARTS_AT_ONCE]
            target = scratch / f"merged-{level}-{first}"
            target.mkdir()
            assemble(some, target, {})
            for part in some:
                shutil.rmtree(part)
            merged.append(target)
        parts = merged
    return parts


def _members(entries: Sequence[Pieces], keep: Callable[[dict[str, Any]], bool]) -> list[_Member]:
    found = []
    for part, lines in enumerate(entries):
        for number, line in enumerate(lines):
            entry = json.loads(line)
            if keep(entry):
                created = entry["provenance"].get("created") or _NEVER
                place = (entry["competition"], entry["digest"], created, entry["name"])
                found.append(_Member(*place, part, number))
    found.sort()
    return [
        m
        for i, m in enumerate(found)
        if not i or (m.competition, m.digest) != (found[i - 1].competition, found[i - 1].digest)
    ]


def _bounds(competitions: Sequence[str]) -> NDArray[np.int64]:
    starts = [i for i, c in enumerate(competitions) if not i or c != competitions[i - 1]]
    return np.array([*starts, len(competitions)], np.int64)


def _run(part: Path, channel: str, numbers: NDArray[np.uint32]) -> Run:
    starts = part / f"{channel}.starts"
    return Run(
        _array(part / f"{channel}.hashes", np.uint64),
        _array(starts, np.uint64) if starts.exists() else None,
        _array(part / f"{channel}.documents", np.uint32),
        numbers,
    )


def _array(path: Path, kind: type) -> NDArray[Any]:
    return np.memmap(path, kind, "r") if path.stat().st_size else np.empty(0, kind)


def _write_marks(target: Path, bounds: NDArray[np.int64], base: NDArray[np.uint64]) -> None:
    """Index the marks of all entries, as a channel of its own."""
    hashes, documents = [], []
    for number, line in enumerate(Pieces(target, "entries")):
        for _, value in json.loads(line)["marks"]:
            hashes.append(text_hash(value))
            documents.append(number)
    order = np.argsort(np.array(hashes, np.uint64), kind="stable")
    same = np.arange(int(bounds[-1]), dtype=np.uint32)
    held = np.array(documents, np.uint32)[order]
    run = Run(np.array(hashes, np.uint64)[order], None, held, same)
    write_postings(target, "marks", [run], bounds, base)


def _digest(target: Path, base: dict[str, NDArray[np.uint64]]) -> str:
    told = [sha256_file(target / "entries"), json.dumps(SCHEME, sort_keys=True)]
    told += [sha256_bytes(base[c].tobytes()) for c in sorted(base)]
    return sha256_bytes("\n".join(told).encode())[:16]
