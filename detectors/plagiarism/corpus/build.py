"""Build, add to, remove from, merge and describe a corpus.

Each writes a whole new generation beside the old one and then names it in the card: a process that
is killed in between leaves the corpus as it was.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from competitions.errors import CorpusError, RefusedError, UsageError
from competitions.io import sha256_file, walk_files, write_json
from detectors.plagiarism.comments import document_shingles
from detectors.plagiarism.corpus.changing import changing, made_beside
from detectors.plagiarism.corpus.generation import assemble, fewer
from detectors.plagiarism.corpus.index import Corpus
from detectors.plagiarism.corpus.layout import (
    CARD,
    CHANNELS,
    GENERATION,
    SUBMISSIONS,
    Card,
    read_card,
)
from detectors.plagiarism.corpus.null import write_null
from detectors.plagiarism.corpus.pieces import Pieces
from detectors.plagiarism.corpus.shards import write_shard
from detectors.plagiarism.corpus.soundness import INDEXED, broken
from detectors.plagiarism.fingerprints import fingerprint, kept, text_hash, union

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from detectors.plagiarism.documents import Document

    Run = Callable[[Callable[["Unit"], "Read"], Sequence["Unit"]], Iterable["Read"]]

_ENOUGH = 8  # characters of a digest that name a document
_FILES_AT_ONCE = 256  # read by one worker at a time


class Unit(NamedTuple):
    """Some files of one source: what a worker reads at once."""

    source: Path
    files: tuple[Path, ...]
    competition: str
    number: int


class Read(NamedTuple):
    """What came of a unit."""

    number: int
    n_documents: int
    unread: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Stats:
    """What a corpus holds; `unread` is what could not be read when it was last changed."""

    folder: Path
    digest: str
    n_documents: int
    competitions: dict[str, int]
    languages: dict[str, int]
    n_submissions: int
    n_marks: int
    n_base_hashes: int
    bytes: int
    unread: tuple[tuple[str, str], ...] = ()


def build(
    sources: Iterable[Path],
    folder: Path,
    *,
    competition: str = "",
    base: Iterable[Path] = (),
    submissions: Iterable[Path] = (),
    run: Run = map,
) -> Stats:
    """Build a corpus from folders, archives and files of public solutions.

    Parameters
    ----------
    folder : Path
        A new folder.
    competition : str
        Id that documents get which do not tell theirs.
    base : iterable of Path
        Starter kits, templates, the task's own files: what they hold counts for nothing.
    submissions : iterable of Path
        Public submission files (CSV) of this competition.
    run : callable
        Applies a function to units of work, in any order: ``map``, or `audit.engine.completed`.

    Raises
    ------
    RefusedError
        When the folder is there already.
    UsageError
        When a source does not exist or nothing in the sources can be read as a solution.
    """
    if folder.exists():
        raise RefusedError(
            f"{folder}: expected a new folder, and it is there already.",
            f"Add to it with: mle-audit corpus add {folder} SOURCES",
        )
    with made_beside(folder) as built:
        hashes = base_hashes(base)
        card = Card("", ())
        _change(built, card, sources, competition, hashes, submissions, run)
    return stats(folder)


def add(
    folder: Path,
    sources: Iterable[Path],
    *,
    competition: str = "",
    base: Iterable[Path] = (),
    submissions: Iterable[Path] = (),
    run: Run = map,
) -> Stats:
    """Add documents, base code or submissions to a corpus; see `build`.

    What it holds already is neither read nor hashed again.
    """
    with changing(folder) as card:
        before = _held_base(folder, card)
        more = base_hashes(base)
        hashes = {c: np.union1d(before[c], more[c]) for c in INDEXED}
        _change(folder, card, sources, competition, hashes, submissions, run)
    return stats(folder)


def remove(folder: Path, names: Iterable[str]) -> Stats:
    """Remove documents or submissions, by their name or the beginning of their digest.

    Raises
    ------
    UsageError
        When nothing is called so.
    """
    wanted = tuple(dict.fromkeys(names))
    with changing(folder) as card:
        found: set[str] = set()

        def stays(name: str, digest: str) -> bool:
            hit = {w for w in wanted if w == name or (len(w) >= _ENOUGH and digest.startswith(w))}
            found.update(hit)
            return not hit

        kept_files = tuple(s for s in card.submissions if stays(s["name"], s["sha256"]))
        entries = _entries(folder, card)
        gone = {e["digest"] for e in entries if not stays(e["name"], e["digest"])}
        missing = [w for w in wanted if w not in found]
        if missing:
            raise UsageError(
                f"{folder} holds no document or submission called {', '.join(missing)}.",
                f"What it holds is told by: mle-audit corpus stats {folder} --documents",
            )
        left = replace(card, submissions=kept_files)
        base = _held_base(folder, card)
        _publish(folder, left, [folder / card.generation], base, lambda e: e["digest"] not in gone)
    return stats(folder)


def merge(folders: Sequence[Path], target: Path) -> Stats:
    """Make one corpus of several.

    Raises
    ------
    RefusedError
        When the target is there already.
    CorpusError
        When one of them is none.
    """
    if target.exists():
        raise RefusedError(f"{target}: expected a new folder, and it is there already.")
    cards = [read_card(f) for f in folders]
    with made_beside(target) as built:
        (built / SUBMISSIONS).mkdir()
        held = [_held_base(f, c) for f, c in zip(folders, cards, strict=True)]
        base = {c: union([h[c] for h in held]) for c in INDEXED}
        files: dict[tuple[str, str], dict[str, Any]] = {}
        for folder, card in zip(folders, cards, strict=True):
            for told in card.submissions:
                files.setdefault((told["competition"], told["sha256"]), told)
                _copy_submission(folder, told, built)
        card = Card(
            "",
            (),
            submissions=tuple(files[k] for k in sorted(files)),
            unread=tuple(u for c in cards for u in c.unread),
        )
        parts = [f / c.generation for f, c in zip(folders, cards, strict=True)]
        _publish(built, card, parts, base)
    return stats(target)


def stats(folder: Path) -> Stats:
    """Describe a corpus."""
    corpus = Corpus.open(folder)
    languages: dict[str, int] = {}
    n_marks = 0
    for entry in _entries(folder, corpus.card):
        languages[entry["language"]] = languages.get(entry["language"], 0) + 1
        n_marks += len(entry["marks"])
    return Stats(
        folder=folder,
        digest=corpus.digest,
        n_documents=corpus.n_documents,
        competitions=dict(corpus.card.competitions),
        languages=dict(sorted(languages.items())),
        n_submissions=len(corpus.card.submissions),
        n_marks=n_marks,
        n_base_hashes=sum(len(_held_base(folder, corpus.card)[c]) for c in CHANNELS),
        bytes=sum(p.stat().st_size for p in walk_files(folder)),
        unread=corpus.card.unread,
    )


def _entries(folder: Path, card: Card) -> Iterator[dict[str, Any]]:
    """Yield what is known of each document."""
    for line in Pieces(folder / card.generation, "entries"):
        try:
            entry = json.loads(line)
            yield {name: entry[name] for name in ("digest", "name", "language", "marks")}
        except (ValueError, LookupError, TypeError) as error:
            raise broken(folder, error) from error


def _copy_submission(folder: Path, told: dict[str, Any], target: Path) -> None:
    name = f"{told['sha256']}.csv"
    try:
        shutil.copyfile(folder / SUBMISSIONS / name, target / SUBMISSIONS / name)
    except FileNotFoundError as error:
        raise CorpusError(
            f"{folder}: its submission file {told['name']} ({name}) is not there.",
            f"Take it out with: mle-audit corpus remove {folder} {told['sha256'][:12]}",
        ) from error


def _change(  # noqa: PLR0913, PLR0917 - one change is made of these
    folder: Path,
    card: Card,
    sources: Iterable[Path],
    competition: str,
    base: dict[str, NDArray[np.uint64]],
    submissions: Iterable[Path],
    run: Run,
) -> None:
    card = _with_submissions(folder, card, submissions, competition)
    parts = [folder / card.generation] if card.generation else []
    with tempfile.TemporaryDirectory(prefix=".new-", dir=folder) as scratch:
        units = list(_units(sources, competition))
        read = sorted(run(partial(_read, Path(scratch)), units))
        shards = [Path(scratch, str(r.number)) for r in read if r.n_documents]
        parts += fewer(shards, Path(scratch))
        unread = tuple(u for r in read for u in r.unread)
        if not parts and not card.submissions:
            told = "; ".join(f"{name} ({why})" for name, why in unread[:5]) or "no files"
            raise UsageError(f"No solution could be read in the sources: {told}.")
        _publish(folder, replace(card, unread=unread), parts, base)


def _units(sources: Iterable[Path], competition: str) -> Iterator[Unit]:
    """Cut sources into pieces of work; which are cut where does not change the corpus."""
    number = 0
    for source in sources:
        if not source.exists():
            raise UsageError(f"{source}: expected a file or folder of solutions, found none.")
        files = list(walk_files(source)) if source.is_dir() else [source]
        for first in range(0, len(files), _FILES_AT_ONCE):
            yield Unit(source, tuple(files[first : first + _FILES_AT_ONCE]), competition, number)
            number += 1


def _read(scratch: Path, unit: Unit) -> Read:
    """Read and hash one unit; what cannot be read is told."""
    from detectors.plagiarism.documents import Unread, read_documents

    unread: list[tuple[str, str]] = []

    def documents() -> Iterator[tuple[str, Document]]:
        for found in read_documents(unit.source, only=unit.files):
            if isinstance(found, Unread):
                unread.append((found.name, found.why))
            elif found.code.strip() or found.prose.strip():
                yield found.competition or unit.competition, found

    n_documents = write_shard(scratch / str(unit.number), documents())
    return Read(unit.number, n_documents, tuple(unread))


def _publish(
    folder: Path,
    card: Card,
    parts: Sequence[Path],
    base: dict[str, NDArray[np.uint64]],
    keep: Callable[[dict[str, Any]], bool] = lambda _entry: True,
) -> None:
    """Write a generation and name it in the card; then the older one goes."""
    fresh = Path(tempfile.mkdtemp(prefix=".new-", dir=folder))
    try:
        fresh.chmod(0o755)
        made = assemble(parts, fresh, base, keep)
        new = replace(card, generation=fresh.name, competitions=made.competitions)
        write_null(fresh, Corpus(folder, new))
        name = f"{GENERATION}{made.digest}"
        if name != card.generation:
            fresh.rename(folder / name)
        new = replace(new, generation=name)
        write_json(folder / CARD, asdict(new))
        if card.generation and card.generation != name:
            shutil.rmtree(folder / card.generation, ignore_errors=True)
    finally:
        shutil.rmtree(fresh, ignore_errors=True)


def base_hashes(base: Iterable[Path]) -> dict[str, NDArray[np.uint64]]:
    """Hash base code by channel, sorted; its prose and its marks count for nothing either.

    Raises
    ------
    UsageError
        When something does not exist or holds nothing that can be read.
    """
    from detectors.plagiarism.documents import Unread, read_documents

    code: list[NDArray[np.uint64]] = []
    prose: list[NDArray[np.uint64]] = []
    marks: list[np.uint64] = []
    for source in base:
        if not source.exists():
            raise UsageError(f"{source}: expected base code, found nothing there.")
        n_before, why = len(code), ""
        for found in read_documents(source):
            if isinstance(found, Unread):
                why = why or f": {found.name} ({found.why})"
            else:
                code.append(fingerprint(found.code, found.language).kept)
                prose.append(kept(document_shingles(found)))
                marks += [text_hash(m.value) for m in found.marks]
        if len(code) == n_before:  # whoever used it would be accused of what it holds
            raise UsageError(f"{source}: expected base code, found none that can be read{why}.")
    own = np.unique(np.array(marks, np.uint64))
    return {"code": union(code), "prose": union(prose), "marks": own}


def _held_base(folder: Path, card: Card) -> dict[str, NDArray[np.uint64]]:
    place = folder / card.generation
    return {c: np.fromfile(place / f"{c}.base", np.uint64) for c in INDEXED}


def _with_submissions(
    folder: Path, card: Card, submissions: Iterable[Path], competition: str
) -> Card:
    """Copy public submission files into the corpus; a folder stands for the CSVs below it."""
    held = {(s["competition"], s["sha256"]): s for s in card.submissions}
    (folder / SUBMISSIONS).mkdir(exist_ok=True)
    for given in submissions:
        if not given.exists():
            raise UsageError(f"{given}: expected a submission file, found none.")
        if not (given.is_dir() or given.is_file()):
            raise UsageError(f"{given}: expected a submission file, found a device or a pipe.")
        found = [p for p in walk_files(given) if p.suffix == ".csv"] if given.is_dir() else [given]
        for path in found:
            digest = sha256_file(path)
            target = folder / SUBMISSIONS / f"{digest}.csv"
            if not target.exists():
                part = target.with_suffix(".part")
                shutil.copyfile(path, part)
                part.rename(target)  # a copy that was broken off must not pass for the file
            name = path.relative_to(given).as_posix() if given.is_dir() else path.name
            told = {"competition": competition, "name": name, "sha256": digest}
            held.setdefault((competition, digest), told)
    return replace(card, submissions=tuple(held[k] for k in sorted(held)))
