"""Code as a row of token kinds: names, numbers and strings lose their content, the rest stays.

One compiled expression a language does the work. It never fails: code that does not parse, of
another version of its language, or broken off in a string, has tokens all the same, in linear time.
What changes nothing where it stands is left out, see `normal_form`.
"""

from __future__ import annotations

import keyword
import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from detectors.plagiarism.normal_form import NAME, NUMBER, STRING, counted, kind_of, role_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

LEXER_VERSION = 2  # changes whenever the kinds of a text do: an index holds what they were

_MAX_REMEMBERED = 48  # longer tokens are classified anew each time: they hardly ever come back
_MAX_MEMORY = 200_000  # different tokens remembered per language
_ROLE, _NEWLINES = 32, 36  # bits of a remembered code at which the kind ends and the others begin
_KIND_MASK = (1 << _ROLE) - 1

# Possessive repetitions (*+, ++) never go back, so that no text is read twice. What is frequent is
# tried first: names that begin no string, brackets, single signs; blanks are skipped beforehand.
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
    "python": (
        rf"[^\W\d]\w*+(?!['\"])|[(),\[\]{{}}]|=(?!=)|\.(?![\d.])|:(?!=)|\n|\#[^\n]*+"
        rf"|(?:[rRbBuUfFtT]{{1,2}})?(?:{_STRING})|{_NUMBER}|\w++"
        rf"|\.\.\.|\\\n|{_OPERATOR}"
    ),
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
_NOTHING = frozenset({"\n", "\\\n"})  # line ends; Python joins a line that ends in a backslash
_IDLE = {"python": frozenset({"pass", "..."})}  # statements that do nothing
_MARKS = re.compile(r"[^\x00-\x7f\w\s]")  # accents that Python's names may hold


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
    statements : ndarray of int32, shape (n,)
        The number of the statement that each belongs to; ascending, with gaps.
    """

    kinds: NDArray[np.uint32]
    lines: NDArray[np.int32]
    statements: NDArray[np.int32]


def tokens(text: str, language: str = "python") -> Tokens:
    """Read the tokens of a text; comments, blanks, line ends and what changes nothing are none.

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
    if language == "python" and not text.isascii():
        text = _MARKS.sub("_", text)
    found = find(text)
    codes = np.fromiter(map(code_of, found), np.int64, len(found))
    newlines = codes >> _NEWLINES
    lines = newlines.cumsum() - newlines + 1
    real = (codes & _KIND_MASK) != 0
    codes, lines = codes[real], lines[real].astype(np.int32)
    kinds = codes.astype(np.uint32)
    if language == "text":
        return Tokens(kinds, lines, lines)
    roles = (codes >> _ROLE).astype(np.uint8)
    kept, starts = counted(kinds, lines, roles, is_python=language == "python")
    return Tokens(kinds[kept], lines[kept], starts.cumsum(dtype=np.int32)[kept])


class _Codes(dict[str, int]):
    """The code of each token: its kind, 0 for what does not count, its role and newlines."""

    def __init__(self, language: str) -> None:
        super().__init__()
        self._comments = _COMMENTS[language]
        self._keywords = _KEYWORDS[language]
        self._idle = _NOTHING | _IDLE.get(language, frozenset())
        self._language = language

    def __missing__(self, token: str) -> int:
        code = _code_of(self._what(token)) | token.count("\n") << _NEWLINES
        if len(token) <= _MAX_REMEMBERED:
            if len(self) >= _MAX_MEMORY:
                self.clear()
            self[token] = code
        return code

    def _what(self, text: str) -> str:
        """Return what stands for a token; empty for what does not count."""
        if not text or text in self._idle or text.startswith(self._comments):
            return ""
        if self._language == "text":
            return f"word {text.lower()}"
        folded = text.lower() if self._language == "sql" else text
        return folded if folded in self._keywords else _class_of(text)


def _class_of(text: str) -> str:
    """Return what stands for a token that is no keyword; an operator stands for itself."""
    first = text[0]
    if text[-1] in "\"'" or first in "\"'":
        return STRING
    second = text[1:2] if first == "." else ""
    if first.isdigit() or second.isdigit():
        return NUMBER
    return NAME if first.isalnum() or first in "_`" or second.isalpha() else text


@lru_cache(maxsize=4096)
def _code_of(what: str) -> int:
    return kind_of(what) | role_of(what) << _ROLE if what else 0


@cache
def _reader(language: str) -> tuple[Callable[[str], list[str]], Callable[[str], int]]:
    find = re.compile(rf"[^\S\n]*+({_PATTERNS[language]}|\Z)").findall
    return find, _Codes(language).__getitem__
