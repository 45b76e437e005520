"""The register of readers: every module of this package that holds a `READER`."""

from __future__ import annotations

import importlib
import pkgutil
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from detectors import trajectories
from detectors.kept import Kept
from detectors.trajectories.heads import Head, head_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from detectors.text_file import TextFile
    from detectors.trajectories.events import Event

FALLBACK = "plain-text"
MAX_CHOSEN = 10_000  # logs whose reader is remembered


@dataclass(frozen=True)
class Reader:
    """One format of log.

    Parameters
    ----------
    format : str
        Kebab-case name, equal to the module's with dashes.
    title : str
        Which tool writes it, and into which files.
    fit : callable of Head to int
        How many marks of the format the log's beginning has, 0 when it is not this format; the
        reader with most reads it. Names of files are no marks: anybody can choose them.
    read : callable of TextFile to iterator of Event
        It never fails, reads in time proportional to the log, and loses no command or code that
        the readers of plain text and of unknown JSON would find.
    """

    format: str
    title: str
    fit: Callable[[Head], int]
    read: Callable[[TextFile], Iterator[Event]]


@cache
def readers() -> dict[str, Reader]:
    """Import every module of this package once and return the readers by format, sorted."""
    found: dict[str, Reader] = {}
    for module in pkgutil.iter_modules(trajectories.__path__, f"{trajectories.__name__}."):
        reader = getattr(importlib.import_module(module.name), "READER", None)
        if isinstance(reader, Reader):
            found[reader.format] = reader
    return dict(sorted(found.items()))


_CHOSEN: Kept[Reader] = Kept(MAX_CHOSEN)


def reader_of(log: TextFile) -> Reader:
    """Choose the reader whose marks the log's beginning has most of; plain text when none."""
    chosen = _CHOSEN.get(log)
    if chosen is None:
        chosen = _chosen(log)
        _CHOSEN.put(log, chosen, size=1)
    return chosen


def _chosen(log: TextFile) -> Reader:
    head = head_of(log)
    known = readers()
    best = max(known.values(), key=lambda reader: reader.fit(head))
    return best if best.fit(head) > 0 else known[FALLBACK]
