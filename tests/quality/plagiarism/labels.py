"""Labelled pairs from a folder of public notebooks that carries no labels.

Nothing here asks a detector. The rules:

- A kernel that is there as script and as notebook counts once, as the notebook; of texts that are
  equal but for comments and white space the first by name stays; short ones are left out.
- Tasks are told by `placing`; those of fewer than `MIN_FILES` files are left out.
- A *fork* is a pair of files of which cells carry the same ids (those of templates apart).
- Two files are *near* when they share cell ids, `NEAR_RUN` characters of code in a row (four or
  five lines to the letter, which two authors hardly ever write), or `NEAR_SHARE` of the different
  lines of the shorter one; comments, imports, lines that read the task's files and white space do
  not count. A near pair that is no fork is neither positive nor negative: it is left out.
- A seeded hash parts the files of each task into references and honest ones. Of files that are
  forks of each other the first by that hash is a reference; the others are copies, never honest.
- A seeded hash of its name puts each task into the open or the sealed half, so that no file of a
  sealed task is seen while a detector is tuned.
"""

from __future__ import annotations

import hashlib
import re
import zlib
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from detectors.plagiarism.documents import Document, read_documents
from tests.quality.plagiarism.code import n_lines
from tests.quality.plagiarism.placing import task_of
from tests.quality.plagiarism.sources import text_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

MIN_LINES = 20
MIN_FILES = 4
NEAR_RUN = 160
NEAR_SHARE = 0.3
REFERENCE_SHARE = 0.58
_COMMENT = re.compile(r"\s*#.*$")
_COMMON = re.compile(r"(?:from\s+\S+\s+import|import)\b|.*(?:\bread_\w+\(|input/)")


@dataclass(frozen=True)
class Item:
    """One file: its name without suffix, its task, its text with marks, the ids of its cells."""

    name: str
    task: str
    text: str
    ids: frozenset[str]
    author: str | None = None


@dataclass(frozen=True)
class Task:
    """The files of one task, and which pairs of them are what.

    Parameters
    ----------
    forks : tuple of (reference, copy)
        Names of files that share cell ids.
    near : frozenset of frozenset of str
        Pairs that are no honest pairs.
    """

    name: str
    references: tuple[Item, ...]
    honest: tuple[Item, ...]
    copies: tuple[Item, ...]
    forks: tuple[tuple[str, str], ...]
    near: frozenset[frozenset[str]]

    def is_near(self, one: str, other: str) -> bool:
        """Tell whether two files share real copies."""
        return frozenset((one, other)) in self.near


def hashed(seed: int, *parts: str) -> float:
    """Map words to a number in [0, 1) that depends on nothing else."""
    digest = hashlib.sha256("\0".join((str(seed), *parts)).encode()).digest()
    return int.from_bytes(digest[:8], "big") / 2**64


def read_items(folder: Path, account: Counter[str]) -> list[Item]:
    """Read the Python files of a folder whose task can be told, each kernel once."""
    documents: dict[str, Document] = {}
    for found in read_documents(folder):
        if not isinstance(found, Document) or found.language != "python":
            account["unread, or of another language"] += 1
            continue
        stem = found.name.rsplit(".", 1)[0]
        if stem in documents:
            account["script and notebook of one kernel"] += 1
        if stem not in documents or found.name.endswith(".ipynb"):
            documents[stem] = found
    seen: set[str] = set()
    items = []
    for stem, document in sorted(documents.items()):
        item = _item(stem, document, seen, account)
        if item is not None:
            items.append(item)
    return items


def _item(stem: str, document: Document, seen: set[str], account: Counter[str]) -> Item | None:
    text = text_of(document)
    lines = code_lines(text)
    key = hashlib.sha256("\n".join(lines).encode()).hexdigest()
    if key in seen:
        account["the same text again"] += 1
        return None
    seen.add(key)
    if n_lines(text) < MIN_LINES:
        account["short"] += 1
        return None
    task = task_of(document)
    if task is None:
        account["task unknown"] += 1
        return None
    account["placed"] += 1
    ids = frozenset(m.value for m in document.marks if m.what == "cell guid")
    return Item(stem, task, text, ids, document.provenance.author)


def code_lines(text: str) -> list[str]:
    """Return the lines that are somebody's own: no comments, imports, reading of inputs, spaces."""
    lines = (_COMMENT.sub("", line).strip() for line in text.splitlines())
    packed = ("".join(line.split()) for line in lines if not _COMMON.match(line))
    return [line for line in packed if len(line) > 2]


class _Seen(NamedTuple):
    """What two files are held to be near by."""

    lines: frozenset[str]
    runs: NDArray[np.uint32]


def _seen(item: Item) -> _Seen:
    lines = code_lines(item.text)
    text = memoryview("".join(lines).encode())
    starts = range(max(0, len(text) - NEAR_RUN + 1))
    runs = {zlib.crc32(text[n : n + NEAR_RUN]) for n in starts}
    return _Seen(frozenset(lines), np.array(sorted(runs), np.uint32))


def _are_near(one: Item, other: Item, seen: Mapping[str, _Seen]) -> bool:
    """Tell whether two files share what nobody writes twice; see the module's rules."""
    if one.ids & other.ids:
        return True
    a, b = seen[one.name], seen[other.name]
    shorter = min(len(a.lines), len(b.lines))
    if shorter and len(a.lines & b.lines) >= NEAR_SHARE * shorter:
        return True
    return bool(len(np.intersect1d(a.runs, b.runs, assume_unique=True)))


def near_pairs(items: Sequence[Item]) -> frozenset[frozenset[str]]:
    """Return the pairs of names of files that are near."""
    seen = {i.name: _seen(i) for i in items}
    return frozenset(
        frozenset((a.name, b.name)) for a, b in combinations(items, 2) if _are_near(a, b, seen)
    )


def labelled(folder: Path, *, seed: int, account: Counter[str] | None = None) -> list[Task]:
    """Build the tasks of a folder of notebooks, sorted by name."""
    account = Counter() if account is None else account
    by_task = defaultdict(list)
    for item in read_items(folder, account):
        by_task[item.task].append(item)
    found = []
    for name, items in sorted(by_task.items()):
        if len(items) < MIN_FILES:
            account["task of too few files"] += len(items)
            continue
        found.append(_task(name, items, seed))
    return found


def _task(name: str, items: list[Item], seed: int) -> Task:
    near = near_pairs(items)
    order = sorted(items, key=lambda i: hashed(seed, "reference", i.name))
    first = [o for n, o in enumerate(order) if any(_forked(o, i) for i in order[n + 1 :])]
    copies = [o for n, o in enumerate(order) if any(_forked(o, i) for i in order[:n])]
    origins = [o for o in first if o not in copies]
    others = [o for o in order if o not in copies and o not in origins]
    n_references = max(2, round(REFERENCE_SHARE * len(items)) - len(origins))
    references = (*origins, *others[:n_references])
    forks = tuple((r.name, c.name) for c in copies for r in references if _forked(r, c))
    honest = tuple(others[n_references:])
    return Task(name, references, honest, tuple(copies), forks, near)


def _forked(one: Item, other: Item) -> bool:
    return bool(one.ids & other.ids) and not _same_author(one, other)


def _same_author(one: Item, other: Item) -> bool:
    return one.author is not None and one.author == other.author


def half(tasks: Iterable[Task], *, sealed: bool, seed: int) -> list[Task]:
    """Return the open or the sealed half of tasks; where a task goes depends on its name alone."""
    return [t for t in tasks if (hashed(seed, "sealed", t.name) < 0.5) is sealed]
