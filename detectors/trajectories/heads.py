"""What a log's beginning tells of its format."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from detectors.trajectories.json_stream import BrokenJsonError, Tokens
from detectors.trajectories.source import pieces

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from detectors.text_file import TextFile

MAX_HEAD = 1 << 16  # characters that are looked at as text
MAX_JSON = 1 << 24  # characters of a log whose keys are read
MAX_TOKENS = 3_000
MAX_DEPTH = 6
MAX_PATH = 200  # characters
MAGIC = 8  # bytes


@dataclass(frozen=True)
class Head:
    """The beginning of a log.

    Parameters
    ----------
    text : str
        Its first characters.
    keys : frozenset of str
        Where it begins as JSON, the keys of its first values as paths: ``nodes[].code``.
    is_lines : bool
        It begins as JSON that ends within its first line.
    magic : bytes
        Its first bytes, where it is a file.
    """

    text: str
    keys: frozenset[str] = frozenset()
    is_lines: bool = False
    magic: bytes = b""

    def marks(self, needed: Iterable[str], also: Iterable[str] = ()) -> int:
        """Count the keys it has; 0 when one that is needed is missing."""
        wanted = frozenset(needed)
        return len(wanted) + len(self.keys & frozenset(also)) if wanted <= self.keys else 0


def head_of(log: TextFile) -> Head:
    """Look at a log's beginning."""
    text = "".join(up_to(pieces(log), MAX_HEAD))[:MAX_HEAD]
    start = text.lstrip()[:1]
    if start not in {"{", "["} or not start:
        return Head(text, magic=_magic(log))
    tokens = Tokens(up_to(pieces(log), MAX_JSON))
    keys = frozenset(_paths(tokens))
    is_lines = tokens.line == 1 or _first_root_ends(text)
    return Head(text, keys, is_lines)


def up_to(parts: Iterable[str], most: int) -> Iterator[str]:
    """Yield pieces until there are enough characters."""
    for part in parts:
        yield part
        most -= len(part)
        if most <= 0:
            return


def _magic(log: TextFile) -> bytes:
    if log.source is None:
        return b""
    try:
        with log.source.open("rb") as stream:
            return stream.read(MAGIC)
    except OSError:
        return b""


def _first_root_ends(text: str) -> bool:
    """Say whether the JSON of the first line is whole."""
    depth = 0
    try:
        for mark, _value in islice(Tokens([text.lstrip().partition("\n")[0]]), MAX_TOKENS):
            depth += (mark in "{[") - (mark in "}]")
    except BrokenJsonError:
        return True
    return depth <= 0


class _Open:
    """A list or an object that is open, and the path of the value in it that comes next."""

    def __init__(self, path: str, *, is_list: bool) -> None:
        self.path, self.is_list = path, is_list
        self.child = path if is_list else ""


def _paths(tokens: Tokens) -> Iterator[str]:
    """Yield the paths of keys, until the beginning is no JSON any more."""
    opened: list[_Open] = []
    try:
        for mark, value in islice(tokens, MAX_TOKENS):
            inner = opened[-1] if opened else None
            if mark in "{[":
                path = inner.child if inner else ""
                is_list = mark == "["
                opened.append(_Open(f"{path}[]" if is_list else path, is_list=is_list))
            elif mark in "}]":
                if inner:
                    opened.pop()
                inner = opened[-1] if opened else None
                if inner and not inner.is_list:
                    inner.child = ""
            elif mark in ",:" or inner is None or inner.is_list:
                continue
            elif inner.child:
                inner.child = ""
            else:
                inner.child = f"{inner.path}.{value}"[-MAX_PATH:].lstrip(".") or "."
                if len(opened) <= MAX_DEPTH:
                    yield inner.child
    except BrokenJsonError:
        return
