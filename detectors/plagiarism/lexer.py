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
_NUMBER = r"(?:0[xXbBoO][0-9a-fA-F_]++|(?:\d[\d_]*+\.?[\d_]*+|\.\d[\d_]*+)(?:[eE][+-]?\d++)?[jJlLuUiI]?)"
_OPERATOR = r"(?:\*\*=?|//=?|>>=?|<<=?|->|:=|[-+*/%@&|^=!<>]=|<>|[^\s\w])"

_PATTERNS = {
    "python": rf"\n|\#[^\n]*+|(?:[rRbBuUfFtT]{{1,2}})?(?:{_STRING})|{_NUMBER}|\w++|{_OPERATOR}",
    "r": rf"\n|\#[^\n]*+|{_LINE_STRING}|`[^`\n]*+`?|{_NUMBER}|[\w.]++|<<-|<-|->|\|>|%[^%\n]*+%|{_OPERATOR}",
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
_PY_KEYWORDS = frozenset(keyword.kwlist) | {"print", "exec"}
_KEYWORDS = {
    # `print` was a statement once; as a name it would differ between the two Pythons less than
    # its parentheses do, so both count as names.
    "python": _PY_KEYWORDS - {"print", "exec", "True", "False", "None"},
    "r": frozenset("if else repeat while function for in next break TRUE FALSE NULL NA".split()),
    "julia": frozenset(
        "begin while if for try return break continue function macro quote let local global const "
        "do struct module using import export end else elseif catch finally true false in".split()
    ),
    "sql": frozenset(
        "select from where group by having order join left right inner outer full on as and or not "
        "in is null case when then else end union all distinct insert into update delete create "
        "table with limit over partition between like exists values set".split()
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

    kinds: np.ndarray
    lines: np.ndarray


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

    def _kind(self, token: str) -> int:
        if token == "\n" or token.startswith(self._comments or "\n"):
            return 0
        if self._language == "text":
            return _stable(f"word {token.lower()}")
        folded = token.lower() if self._language == "sql" else token
        if folded in self._keywords:
            return _stable(folded)
        first = token[0]
        if token[-1] in "\"'" or first in "\"'":
            return _stable("a string")
        if first.isdigit() or (first == "." and token[1:2].isdigit()):
            return _stable("a number")
        if first.isalnum() or first in "_`" or (first == "." and len(token) > 1 and token[1:2].isalpha()):
            return _stable("a name")
        return _stable(token)


def _stable(what: str) -> int:
    return zlib.crc32(what.encode("utf-8", "surrogatepass")) or 1


@cache
def _reader(language: str) -> tuple[Callable[[str], list[str]], Callable[[str], int]]:
    return re.compile(_PATTERNS[language]).findall, _Codes(language).__getitem__
