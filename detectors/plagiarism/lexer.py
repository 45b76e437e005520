"""Code as a row of token kinds: names, numbers and strings lose their content, the rest stays.

One compiled expression a language does the work. It never fails: code that does not parse, of
another version of its language, or broken off in a string, has tokens all the same, in linear time.
"""

from __future__ import annotations

import keyword
import re
import zlib
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

LEXER_VERSION = 1  # changes whenever the kinds of a text do: an index holds what they were

_MAX_REMEMBERED = 48  # longer tokens are classified anew each time: they hardly ever come back
_MAX_MEMORY = 200_000  # different tokens remembered per language
_NEWLINES = 32  # bits of the kind in a remembered code; above them stands the count of newlines
_KIND_MASK = (1 << _NEWLINES) - 1

# Possessive repetitions (*+, ++) never go back, so that no text is read twice.
_STRING = (
    r'"""(?:[^"\\]|\\[\s\S]|"(?!""))*+(?:"""|\\?\Z)'
    r"|'''(?:[^'\\]|\\[\s\S]|'(?!''))*+(?:'''|\\?\Z)"
    r'|"(?:[^"\\\n]++|\\[\s\S])*+"?'
    r"|'(?:[^'\\\n]++|\\[\s\S])*+'?"
)
_LINE_STRING = r'"(?:[^"\\]++|\\[\s\S])*+"?' + r"|'(?:[^'\\]++|\\[\s\S])*+'?"
_NUMBER = (
    r"(?:0[xXbBoO][0-9a-fA-F_]++|(?:\d[\d_]*+\.?[\d_]*+|\.\d[\d_]*+)(?:[eE][+-]?\d++)?[jJlLuUiI]?)"
)
_OPERATOR = r"(?:\*\*=?|//=?|>>=?|<<=?|->|:=|[-+*/%@&|^=!<>]=|<>|[^\s\w])"

_PATTERNS = {
    "python": rf"\n|\#[^\n]*+|(?:[rRbBuUfFtT]{{1,2}})?(?:{_STRING})|{_NUMBER}|\w++|{_OPERATOR}",
    "r": (
        rf"\n|\#[^\n]*+|{_LINE_STRING}|`[^`\n]*+`?|{_NUMBER}|[\w.]++"
        rf"|<<-|<-|->|\|>|%[^%\n]*+%|{_OPERATOR}"
    ),
    "julia": (
        rf"\n|\#=[\s\S]*?(?:=\#|\Z)|\#[^\n]*+|(?:[A-Za-z]++)?(?:{_STRING})"
        rf"|{_NUMBER}|[\w!]++|\.[-+*/^<>=]=?|{_OPERATOR}"
    ),
    "sql": (
        rf"\n|--[^\n]*+|/\*[\s\S]*?(?:\*/|\Z)|{_LINE_STRING}|`[^`\n]*+`?|{_NUMBER}|\w++|{_OPERATOR}"
    ),
    "text": r"\n|\w++|[^\s\w]",
}
_COMMENTS = {"python": ("#",), "r": ("#",), "julia": ("#",), "sql": ("--", "/*"), "text": ()}


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_KEYWORDS = {
    # `print` was a statement once, and True, False and None are values: they count as names.
    "python": frozenset(keyword.kwlist) - {"True", "False", "None"},
    "r": _words("if else repeat while function for in next break TRUE FALSE NULL NA"),
    "julia": _words(
        "begin while if for try return break continue function macro quote let local global const "
        "do struct module using import export end else elseif catch finally true false in"
    ),
    "sql": _words(
        "select from where group by having order join left right inner outer full on as and or not "
        "in is null case when then else end union all distinct insert into update delete create "
        "table with limit over partition between like exists values set"
    ),
    "text": frozenset(),
}


class Tokens(NamedTuple):
    """The tokens of a text that count.

    Parameters
    ----------
    kinds : ndarray of uint32, shape (n,)
        What each is. Equal on every machine and in every version with the same `LEXER_VERSION`.
    lines : ndarray of int32, shape (n,)
        The line on which each begins, from 1.
    """

    kinds: NDArray[np.uint32]
    lines: NDArray[np.int32]


def tokens(text: str, language: str = "python") -> Tokens:
    """Read the tokens of a text; comments, blanks and line ends are none.

    Parameters
    ----------
    language : str
        One of `documents.Language`; markdown and unknown ones are read word by word.

    Examples
    --------
    >>> one, two = tokens("x = f(1)  # a"), tokens("frame=load(20)")
    >>> bool((one.kinds == two.kinds).all()), len(one.kinds)
    (True, 6)
    """
    language = language if language in _PATTERNS else "text"
    find, code_of = _reader(language)
    found = find(text)
    codes = np.fromiter(map(code_of, found), np.int64, len(found))
    newlines = codes >> _NEWLINES
    lines = np.cumsum(newlines) - newlines + 1
    kinds = (codes & _KIND_MASK).astype(np.uint32)
    kept = kinds != 0
    return Tokens(kinds[kept], lines[kept].astype(np.int32))


class _Codes(dict[str, int]):
    """The code of each token: its kind, 0 for what does not count, and the newlines in it."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._comments = _COMMENTS[language]
        self._keywords = _KEYWORDS[language]
        self._language = language

    def __missing__(self, token: str) -> int:
        code = self._kind(token) | token.count("\n") << _NEWLINES
        if len(token) <= _MAX_REMEMBERED:
            if len(self) >= _MAX_MEMORY:
                self.clear()
            self[token] = code
        return code

    def _kind(self, text: str) -> int:
        if text == "\n" or text.startswith(self._comments or "\n"):
            return 0
        if self._language == "text":
            return _stable(f"word {text.lower()}")
        folded = text.lower() if self._language == "sql" else text
        return _stable(folded if folded in self._keywords else _class_of(text))


def _class_of(text: str) -> str:
    """Return what stands for a token that is no keyword; an operator stands for itself."""
    first = text[0]
    if text[-1] in "\"'" or first in "\"'":
        return "a string"
    second = text[1:2] if first == "." else ""
    if first.isdigit() or second.isdigit():
        return "a number"
    return "a name" if first.isalnum() or first in "_`" or second.isalpha() else text


def _stable(what: str) -> int:
    return zlib.crc32(what.encode("utf-8", "surrogatepass")) or 1


@cache
def _reader(language: str) -> tuple[Callable[[str], list[str]], Callable[[str], int]]:
    return re.compile(_PATTERNS[language]).findall, _Codes(language).__getitem__
