"""JSON of any size and state, part by part: each text knows its line.

Own code, because the parsers there are give no positions, refuse a document as a whole for one
broken byte, and lose the text that a killed run was about to write.
"""

from __future__ import annotations

import re
from json.decoder import scanstring  # type: ignore[attr-defined]  # C, and untyped
from typing import TYPE_CHECKING, Any, NamedTuple

from detectors.trajectories.source import MAX_HELD

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

MAX_VALUES = 100_000  # values of one part that are held together
MAX_DEPTH = 100  # of one part; what lies deeper is a part of its own
MAX_OPEN = 10_000  # lists and objects; what is nested more deeply is no JSON
MAX_DIGITS = 300  # a longer number is left as text

_NEXT = re.compile(
    r'[ \t\r\n\f\v]*+(?:"(?P<text>[^"\\\n]*+(?:\\.[^"\\\n]*+)*+)"|(?P<mark>[{}\[\],:"])|'
    r'(?P<word>[^\s{}\[\],:"]++))?'
)
_BODY = re.compile(r'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|-?Infinity|NaN")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)", re.DOTALL)
_PLAIN = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f"}
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None}


class Text(str):
    """A text of a JSON document.

    Parameters
    ----------
    line : int
        Line of the file at which it begins.
    """

    __slots__ = ("line",)
    line: int

    def __new__(cls, value: str, line: int) -> Text:
        """Make a text that stands at a line."""
        text = super().__new__(cls, value)
        text.line = line
        return text


class Part(NamedTuple):
    """A stretch of a document.

    Parameters
    ----------
    key : str
        Key of the document under which it stands; empty for elements of a list, and for a whole.
    value : Any
        JSON value; its texts are `Text`.
    is_element : bool
        One element of the list under `key`.
    """

    key: str
    value: Any
    is_element: bool = False


class BrokenJsonError(ValueError):
    """The document is no JSON from a line on.

    Parameters
    ----------
    line : int
        The line.
    """

    def __init__(self, line: int) -> None:
        super().__init__(f"no JSON in line {line}")
        self.line = line


class Tokens:
    """The tokens of a text that comes in pieces; a text that the end cuts is given as it is.

    A token is its mark and its value: ``"`` with a text, ``0`` with another value.
    """

    def __init__(self, pieces: Iterable[str]) -> None:
        self.pieces = iter(pieces)
        self.buffer = ""
        self.at = 0
        self.line = 1

    def _more(self) -> bool:
        for piece in self.pieces:
            if piece:
                self.buffer = self.buffer[self.at :] + piece
                self.at = 0
                return True
        return False

    def __iter__(self) -> Iterator[tuple[str, Any]]:
        match = _NEXT.match
        while True:
            found = match(self.buffer, self.at)
            if found is None:  # it never is: a token may be empty
                return
            group, end = found.lastgroup, found.end()
            if group is None or group == "word":
                is_cut = end == len(self.buffer)
                if is_cut and end - self.at < MAX_HELD and self._more():
                    continue
                self._count(found.start(group) if group else end)
                self.at = end
                if group is None:
                    return
                yield "0", None if is_cut else self._value(found["word"])
                continue
            start = found.start(group)
            if start - self.at > 1 or self.buffer[self.at] == "\n":
                self._count(start)
            self.at = end
            if group == "text":
                yield '"', Text(_unescaped(found["text"]), self.line)
            elif found["mark"] == '"':
                line = self.line
                yield '"', Text(_unescaped(self._body()), line)
            else:
                yield found["mark"], None

    def _count(self, start: int) -> None:
        """Count the lines that end between two tokens."""
        self.line += self.buffer.count("\n", self.at, start)

    def _value(self, word: str) -> Any:  # noqa: ANN401
        if word in _WORDS:
            return _WORDS[word]
        if not _NUMBER.fullmatch(word):
            raise BrokenJsonError(self.line)
        if len(word) > MAX_DIGITS:
            return Text(word, self.line)
        return int(word) if word.lstrip("-").isdigit() else float(word)

    def _body(self) -> str:
        """Read a text up to its closing quote; what is too long to hold is left out.

        A line that ends within it is none of JSON: something else was written after a half text.
        """
        kept, size = list[str](), 0
        while True:
            found = _BODY.match(self.buffer, self.at)
            end = found.end() if found else self.at
            piece = self.buffer[self.at : end]
            if "\n" in piece:
                raise BrokenJsonError(self.line)
            if size < MAX_HELD:
                kept.append(piece)
            size += len(piece)
            self.at = end
            if self.buffer[end : end + 1] == '"':
                self.at += 1
                break
            if not self._more():
                self.at = len(self.buffer)  # half an escape is no text
                break
        return "".join(kept)


def _unescaped(body: str) -> str:
    if "\\" not in body:
        return body
    try:
        return str(scanstring(f'{body}"', 0, False)[0])  # noqa: FBT003 - its only signature
    except ValueError:  # an escape that JSON does not have, or half of one
        return _ESCAPE.sub(_character, body)


def _character(found: re.Match[str]) -> str:
    code = found[1]
    return chr(int(code[1:], 16)) if len(code) > 1 else _PLAIN.get(code, code)


class _Open:
    """A list or an object that is not closed yet; without a value its children are parts."""

    __slots__ = ("depth", "is_list", "key", "value")

    def __init__(self, *, is_list: bool, holds: bool, depth: int) -> None:
        self.is_list = is_list
        self.value: Any = ([] if is_list else {}) if holds else None
        self.key: str | None = None
        self.depth = depth  # within its part, from 1; 0 without a value

    def put(self, value: Any) -> None:  # noqa: ANN401
        """Add a value where it comes."""
        if self.is_list:
            self.value.append(value)
        else:
            self.value[self.key or ""] = value


class _Builder:
    """Puts tokens together to parts."""

    def __init__(self, split: Collection[str], *, apart: bool) -> None:
        self.split: frozenset[str | None] = frozenset(split)
        self.apart = apart or bool(split)
        self.open: list[_Open] = []
        self.size = self.values = 0

    def start(self, *, is_list: bool) -> None:
        """Open a list or an object; one that lies too deep becomes a part of its own."""
        inner = self.open[-1] if self.open else None
        if inner is None:
            holds = not (is_list or self.apart)
        else:
            is_beneath = len(self.open) == 1 and inner.value is None and not inner.is_list
            holds = not (is_beneath and is_list and inner.key in self.split)
        depth = (inner.depth if inner else 0) % MAX_DEPTH + 1 if holds else 0
        self.open.append(_Open(is_list=is_list, holds=holds, depth=depth))

    def end(self) -> list[Part]:
        """Close the innermost."""
        closed = self.open.pop()
        inner = self.open[-1] if self.open else None
        if closed.depth == 1 and inner is not None and inner.value is not None:
            inner.key = None
            return [Part("", closed.value)]
        if closed.value is not None:
            return self.add(closed.value)
        if inner is not None:
            inner.key = None
        return []

    def add(self, value: Any) -> list[Part]:  # noqa: ANN401
        """Add a finished value where it belongs; gives parts when one is finished or too large."""
        inner = self.open[-1] if self.open else None
        if inner is None or inner.value is None:
            part = self._part(value)
            self.size = self.values = 0
            if inner is not None:
                inner.key = None
            return [part]
        inner.put(value)
        inner.key = None
        self.values += 1
        if isinstance(value, str):
            self.size += len(value)
        return self.flush() if self.size > MAX_HELD or self.values > MAX_VALUES else []

    def _part(self, value: Any) -> Part:  # noqa: ANN401
        """Make a part of a value that no value holds: at most two are open around it."""
        outer = self.open[0] if self.open and self.open[0].value is None else None
        key = outer.key if outer is not None and outer.key is not None else ""
        is_element = any(o.is_list and o.value is None for o in self.open[:2])
        return Part(key, value, is_element=is_element)

    def flush(self) -> list[Part]:
        """Give what was read of the part that is open, and go on with the rest as one more."""
        holding = [o for o in self.open if o.value is not None]
        found: list[Part] = []
        for inner, outer in zip(holding[:0:-1], holding[-2::-1], strict=True):
            if inner.depth > 1:
                outer.put(inner.value)
            else:
                found.append(Part("", inner.value))
        if holding:
            found.append(self._part(holding[0].value))
        for one in holding:
            one.value = [] if one.is_list else {}
        self.size = self.values = 0
        return found


def parts(
    pieces: Iterable[str], split: Collection[str] = (), *, apart: bool = False
) -> Iterator[Part]:
    """Read JSON documents that follow one another, part by part.

    A list gives its elements; an object is one part, or with `apart` one for each key, and one for
    each element of the lists under the keys `split`. A part that is too large to hold comes as
    several, of which each has the keys that lead to it; what is nested too deeply comes without
    them. What the end of the file cuts is closed where it was cut.

    Raises
    ------
    BrokenJsonError
        After all parts before it, where there is no JSON any more; it names the line from which on
        there is no whole part.
    """
    builder = _Builder(split, apart=apart)
    tokens = Tokens(pieces)
    done = 0  # line at which the last whole part ends
    broken: BrokenJsonError | None = None
    try:
        for mark, value in tokens:
            if mark not in ",:":
                found = _took(builder, mark, value, tokens.line)
                done = tokens.line if found else done
                yield from found
    except BrokenJsonError as error:
        broken = BrokenJsonError(max(1, min(error.line, done + 1)))
    yield from builder.flush()
    if broken is not None:
        raise broken


def _took(builder: _Builder, mark: str, value: Any, line: int) -> Collection[Part]:  # noqa: ANN401
    """Hand one token to the builder."""
    inner = builder.open[-1] if builder.open else None
    if mark in "{[" and len(builder.open) < MAX_OPEN:
        builder.start(is_list=mark == "[")
    elif inner is None or mark in "{[" or (mark in "}]" and inner.is_list != (mark == "]")):
        raise BrokenJsonError(line)
    elif mark in "}]":
        return builder.end()
    elif inner.is_list or inner.key is not None:
        return builder.add(value)
    elif mark == '"':
        inner.key = value
    else:
        raise BrokenJsonError(line)
    return ()
