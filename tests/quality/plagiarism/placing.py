"""Which task a public notebook is about, where the collection does not say.

What the file is told by, in this order: the competition its metadata name; words of the task's own
tables (names of columns and files) that stand in the code, as ``tasks.csv`` lists them, at least
twice and three times as often as those of any other task; the one folder below ``../input/`` that
it reads. Otherwise the file is left out.
"""

from __future__ import annotations

import csv
import re
from collections import Counter
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from detectors.plagiarism.documents import Document

TASKS = Path(__file__).parent / "tasks.csv"
_FOLDER = re.compile(r"\.\./input/([a-z0-9]+(?:-[a-z0-9]+)+)/")
_LEAST, _LEAD = 2, 3


@cache
def tasks() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Read the words that tell a task."""
    with TASKS.open(encoding="utf-8", newline="") as stream:
        return tuple((r["task"], re.compile(r["words"])) for r in csv.DictReader(stream))


def task_of(document: Document) -> str | None:
    """Name the task a document is about, or None."""
    named: str | None = document.competition
    if named:
        return named
    counts = Counter({task: len(words.findall(document.code)) for task, words in tasks()})
    (first, most), (_, second) = counts.most_common(2)
    if most >= _LEAST and most >= _LEAD * second:
        return first
    folders = sorted(set(_FOLDER.findall(document.code)))
    return str(folders[0]) if len(folders) == 1 and not second else None
