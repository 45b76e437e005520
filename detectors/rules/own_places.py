"""Folders that an attempt makes itself and may call as a public data set is called."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from detectors.rules.hosts import names
from detectors.trajectories.events import EventKind, events

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from detectors.attempt import Attempt

_SCRATCH = ("/tmp/", "/var/tmp/")  # noqa: S108  # read of, never written to
_MAKES = re.compile(
    r"(?:\bmkdir\b|\bmakedirs\b|\bmkdtemp\b|\bdir\.create\b|--(?:out|dest|save|target)[\w-]*|"
    r"\.to_[a-z]+\(|\bsave\w*\(|\bdump\(|\bwrite[\w.]*\(|\btee\b|>)[^\n;|&)]{0,200}|"
    r"[^\n;|&(]{0,200}\)\.mkdir\("
)
_PATH = re.compile(r"[\w.~-]*/[\w./-]+")
_FILLERS = names("and vs the of train dataset data")


class OwnPlaces(NamedTuple):
    """What of the places in an attempt only the attempt itself can have filled.

    Parameters
    ----------
    task : frozenset of str
        Words of the task's id, without the s of a plural.
    made : tuple of str
        Paths that code or commands make or write.
    """

    task: frozenset[str]
    made: tuple[str, ...]

    def holds(self, path: str, marks: Iterable[str], is_named: Callable[[str], bool]) -> bool:
        """Say whether a path is the attempt's own, though it is named as a data set is.

        It has that name where the attempt makes it, or from the task itself.

        Parameters
        ----------
        marks : iterable of str
            Words of the data set that the path has.
        is_named : callable
            Says of a text whether it names the data set.
        """
        is_made = any(
            path.startswith(_named_part(one, is_named)) for one in self.made if is_named(one)
        )
        is_scratch = path.startswith(_SCRATCH)
        if is_scratch and is_made:
            return True
        of_task = all(_stems(mark.split()) <= self.task | _FILLERS for mark in marks)
        return of_task and (is_scratch or is_made)


def own_places(attempt: Attempt, task: str) -> OwnPlaces:
    """Return what an attempt makes itself."""
    made = {
        p for text in _texts(attempt) for m in _MAKES.finditer(text) for p in _PATH.findall(m[0])
    }
    return OwnPlaces(_stems(re.findall(r"[a-z0-9]+", task.lower())), tuple(sorted(made)))


def _texts(attempt: Attempt) -> Iterator[str]:
    yield from (file.text for file in attempt.code)
    for event in events(attempt.logs):
        if event.kind in {EventKind.COMMAND, EventKind.CODE, EventKind.WRITE}:
            yield event.text


def _named_part(path: str, is_named: Callable[[str], bool]) -> str:
    """Return a path down to the folder that has the name."""
    parts = path.split("/")
    ends = (n for n in range(1, len(parts)) if is_named("/".join(parts[:n])))
    return "/".join(parts[: next(ends, len(parts))])


def _stems(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word.removesuffix("s") for word in words)
