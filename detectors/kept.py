"""What was worked out about a file or an attempt, kept for as long as that lives.

Every detector asks the same of the same log: its reader, its events. The first one's answer serves
the others, up to a bound on memory for all that is kept in this process.
"""

from __future__ import annotations

import weakref
from typing import Generic, TypeVar

_T = TypeVar("_T")


class Kept(Generic[_T]):
    """Values by the object that they were worked out of, let go with it.

    An object is known by its identity: two logs of one content may have different files behind
    them. When `most` is reached nothing more is taken in until objects are let go; who came first
    stays, because detectors go over the files of an attempt in turn, again and again.

    Parameters
    ----------
    most : int
        Bytes, or whatever `put` counts in, of all values together.

    Examples
    --------
    >>> class Log: ...
    >>> log, lengths = Log(), Kept(10)
    >>> lengths.put(log, 3, size=8), lengths.put(Log(), 4, size=8)
    (True, False)
    >>> lengths.get(log), lengths.left
    (3, 2)
    >>> del log
    >>> lengths.left
    10
    """

    def __init__(self, most: int) -> None:
        self.left = most
        self._values: dict[int, _T] = {}

    def get(self, owner: object) -> _T | None:
        """Return what is kept of an object, None where nothing is."""
        return self._values.get(id(owner))

    def put(self, owner: object, value: _T, size: int) -> bool:
        """Keep a value of an object until the object is let go; say whether there was room."""
        if size > self.left or id(owner) in self._values:
            return False
        self._values[id(owner)] = value
        self.left -= size
        weakref.finalize(owner, self._let_go, id(owner), size).atexit = False
        return True

    def _let_go(self, key: int, size: int) -> None:
        del self._values[key]
        self.left += size
