"""The files that tools are asked about: references, honest files, forks and disguised copies."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.quality.plagiarism.code import parses
from tests.quality.plagiarism.disguises import KINDS, disguise, rng_of
from tests.quality.plagiarism.labels import hashed
from tests.quality.plagiarism.sources import file_of, script_of

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path
    from random import Random

    from tests.quality.plagiarism.disguises import Kind
    from tests.quality.plagiarism.labels import Item, Task

HONEST = "honest"
FORK = "fork"


@dataclass(frozen=True)
class File:
    """A text as a file for us and as a script for tools that read no notebooks."""

    name: str
    path: Path
    script: Path


@dataclass(frozen=True)
class Query:
    """A file that is asked about.

    Parameters
    ----------
    kind : str
        ``honest``, ``fork`` or the kind of a disguise.
    against : tuple of str
        References whose scores count: the source of a copy; for an honest file all of its task
        that share no real copy with it.
    alike : frozenset of str
        References that share real copies with the file's source, and may be named in its place.
    """

    file: File
    kind: str
    against: tuple[str, ...]
    held_out: bool = False
    alike: frozenset[str] = frozenset()

    @property
    def is_copy(self) -> bool:
        """Whether it is one, of the one reference it is held against."""
        return self.kind != HONEST


@dataclass(frozen=True)
class Asked:
    """The files of one task."""

    task: str
    references: tuple[File, ...]
    queries: tuple[Query, ...]


def prepare(
    tasks: Sequence[Task], folder: Path, *, seed: int, per_kind: int, skipped: Counter[str]
) -> list[Asked]:
    """Write the files of tasks: `per_kind` copies of each kind, sources chosen by a hash."""
    chosen = _chosen(tasks, per_kind, seed)
    return [_asked(task, folder / task.name, chosen[task.name], seed, skipped) for task in tasks]


def _chosen(
    tasks: Iterable[Task], per_kind: int, seed: int
) -> defaultdict[str, list[tuple[Kind, Item]]]:
    found: defaultdict[str, list[tuple[Kind, Item]]] = defaultdict(list)
    all_sources = [(t.name, item) for t in tasks for item in t.references]
    for kind in KINDS:
        order = sorted(all_sources, key=lambda s: hashed(seed, kind.name, s[1].name))
        for name, item in order[:per_kind]:
            found[name].append((kind, item))
    return found


def _asked(
    task: Task, folder: Path, wanted: Iterable[tuple[Kind, Item]], seed: int, skipped: Counter[str]
) -> Asked:
    references = tuple(_written(folder / "references", i.name, i.text) for i in task.references)
    queries: list[Query] = []
    for item in task.honest:
        against = tuple(r.name for r in task.references if not task.is_near(r.name, item.name))
        queries.append(Query(_written(folder / "honest", item.name, item.text), HONEST, against))
    texts = {item.name: item.text for item in task.copies}
    for source, copy in task.forks:
        file = _written(folder / FORK, copy, texts[copy])
        queries.append(Query(file, FORK, (source,), alike=_alike(task, source)))
    queries += _disguised(task, folder, wanted, seed, skipped)
    return Asked(task.name, references, tuple(queries))


def _disguised(
    task: Task, folder: Path, wanted: Iterable[tuple[Kind, Item]], seed: int, skipped: Counter[str]
) -> Iterator[Query]:
    for kind, item in wanted:
        host = _host(task, item, rng_of(seed, "host", kind.name, item.name))
        if kind.share is not None and host is None:
            skipped[f"{kind.name}: no host"] += 1
            continue
        text = disguise(kind, item.name, item.text, seed=seed, host=host)
        if text is None:
            skipped[f"{kind.name}: nothing to change, or does not parse"] += 1
            continue
        file = _written(folder / kind.name, f"{kind.name}_{item.name}", text)
        yield Query(file, kind.name, (item.name,), kind.held_out, _alike(task, item.name))


def _alike(task: Task, source: str) -> frozenset[str]:
    return frozenset(r.name for r in task.references if task.is_near(r.name, source))


def _host(task: Task, source: Item, rng: Random) -> str | None:
    """Choose an honest file of the same task that shares nothing with the source."""
    honest = (i for i in task.honest if not task.is_near(source.name, i.name))
    free = [i.text for i in honest if parses(i.text)]
    return rng.choice(free) if free else None


def _written(folder: Path, stem: str, text: str) -> File:
    name, content = file_of(stem.replace("/", "_"), text)
    path = folder / "files" / name
    script = folder / "scripts" / f"{path.stem}.py"
    for target, body in ((path, content), (script, script_of(text))):
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(body, encoding="utf-8")
    return File(stem, path, script)
