"""Texts as rows of statements: what two texts are aligned by where their tokens differ."""

from __future__ import annotations

import keyword
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from detectors.plagiarism.fingerprints import RUN, Fingerprint, fingerprint, run_hashes
from detectors.plagiarism.prose import RUN_WORDS, hashes_of, sentences_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

MAX_STATEMENT_LINES = 60  # an open bracket makes no statement longer than this
MAX_TOKENS = 8_000_000  # of a text that are compared: 100 bytes of memory each
MAX_STATEMENT = 2_000  # characters that are compared
MIN_STATEMENT = 12  # characters below which statements are alike by chance
MIN_RUN = 20

_BLANKS = re.compile(r"\s+")
_TIGHT = re.compile(r"(?<!\w) | (?!\w)")
_PART = re.compile(
    r"(?P<string>(?:(?<!\w)[rbuf]{1,2})?(?:'[^'\n]*+'?|\"[^\"\n]*+\"?))|(?P<comment>\#.*+)"
    r"|(?P<number>\b\d[\w.]*+)|(?P<name>[^\W\d]\w*+)",
    re.IGNORECASE,
)
# Statements that every notebook has: imports, tables read, written and looked at, frames of plots.
_EVERYDAY = re.compile(
    r"\s*(?:(?:import|from)\s|library\(|(?:\w+ ?= ?)?\w+\.(?:read|write|to)_\w+\(|print ?\("
    r"|\w+(?:\[.{1,40}\])?\.(?:head|tail|info|describe|show|shape|filterwarnings|columns|dtypes)\b"
    r"|(?:\w+(?: ?, ?\w+)* ?= ?)?\w+\.(?:figure|subplots?|title|[xy]label|[xy]ticks|legend|style"
    r"|set|set_\w+|tight_layout|axis)\b)"
)
_HEAD = 200  # characters by which one is known
_EVERYDAY_WEIGHT = 0.2
_KEYWORDS = frozenset(keyword.kwlist) | {"function", "end", "local", "else", "then"}


class Link(NamedTuple):
    """A statement of the left text and its like in the right one.

    Parameters
    ----------
    similarity : float in [0, 1]
    tokens : int
        Tokens of the left statement that agree.
    """

    left: int
    right: int
    similarity: float
    tokens: int


@dataclass(frozen=True)
class Statements:
    """A text as it is compared.

    Parameters
    ----------
    hashes : ndarray of uint64, shape (n_hashes,)
        One for each run of `run` tokens.
    min_run : int
        Tokens that must agree in a row before they count.
    n_tokens : int
    starts : ndarray of int64, shape (n_statements,)
        First token of each statement.
    first_lines, last_lines : ndarray of int64, shape (n_statements,)
        Lines from 1, both ends included.
    source : callable
        Gives the text of a statement.
    is_code : bool
        Whether names are folded where statements are compared; else it is prose.
    """

    hashes: NDArray[np.uint64]
    run: int
    min_run: int
    n_tokens: int
    starts: NDArray[np.int64]
    first_lines: NDArray[np.int64]
    last_lines: NDArray[np.int64]
    source: Callable[[int], str]
    is_code: bool
    _texts: dict[int, str] = field(default_factory=dict, repr=False, compare=False)

    def __len__(self) -> int:
        return len(self.starts)

    def text(self, number: int) -> str:
        """Return a statement as it is compared."""
        if number not in self._texts:
            text = self.source(number)[:MAX_STATEMENT]
            self._texts[number] = folded_names(text) if self.is_code else text
        return self._texts[number]

    def size(self, number: int) -> int:
        """Return how many tokens a statement has."""
        end = self.starts[number + 1] if number + 1 < len(self.starts) else self.n_tokens
        return int(end - self.starts[number])

    def usual(self, number: int) -> float:
        """Return how much a statement counts: less where every notebook has its like."""
        is_everyday = self.is_code and _EVERYDAY.match(self.source(number)[:_HEAD])
        return _EVERYDAY_WEIGHT if is_everyday else 1.0

    def of_token(self, places: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the statements in which tokens stand."""
        found: NDArray[np.int64] = np.searchsorted(self.starts, places, "right") - 1
        return found


def code_statements(
    text: str,
    language: str = "python",
    known: Fingerprint | None = None,
    most: int = MAX_TOKENS,
) -> Statements:
    """Read code as statements: lines, joined while a bracket is open.

    Parameters
    ----------
    known : Fingerprint, optional
        Of this text, where it was made before.
    most : int
        Tokens that are compared; what comes after them is left out.
    """
    made = known or fingerprint(text, language)
    lines = made.tokens.lines[:most].astype(np.int64)
    starts = _statement_starts(lines, made.tokens.statements[:most])
    first = lines[starts]
    last = lines[np.append(starts[1:], len(lines)) - 1] if len(starts) else first
    hashes = made.hashes[: max(0, len(lines) - RUN + 1)]
    rows = text.split("\n")

    def source(number: int) -> str:
        return "\n".join(rows[first[number] - 1 : last[number]])

    return Statements(hashes, RUN, MIN_RUN, len(lines), starts, first, last, source, is_code=True)


def _statement_starts(lines: NDArray[np.int64], statements: NDArray[np.int32]) -> NDArray[np.int64]:
    """Return the tokens that begin a line and a statement."""
    if not len(lines):
        return np.empty(0, np.int64)
    begins = np.append(True, np.diff(lines) > 0)
    free = begins & np.append(True, np.diff(statements) > 0)
    starts = np.flatnonzero(free)
    long = np.diff(np.append(lines[starts], lines[-1] + 1)) > MAX_STATEMENT_LINES
    if long.any():  # a bracket that nothing closes: its lines count one by one
        inside = np.repeat(long, np.diff(np.append(starts, len(lines))))
        starts = np.flatnonzero(free | (begins & inside))
    return starts.astype(np.int64)


def folded_names(statement: str) -> str:
    """Write a statement without blanks and comments, with names, numbers and strings folded.

    What belongs to a library stays: attributes, functions that are called, keywords of calls.

    Examples
    --------
    >>> folded_names("frame = pd.read_csv('a.csv', nrows=5)  # part")
    'V=V.read_csv(S,nrows=N)'
    """
    blank = _BLANKS.sub(" ", _PART.sub(lambda m: "" if m["comment"] else m[0], statement))
    tight = _TIGHT.sub("", blank)

    def fold(found: re.Match[str]) -> str:
        if found["string"]:
            return "S"
        if found["number"]:
            return "N"
        name, end = found["name"] or "", found.end()
        before, after = tight[max(0, found.start() - 1) : found.start()], tight[end : end + 2]
        is_keyword = before in ("(", ",") and after[:1] == "=" and after != "=="
        is_named = before == "." or after[:1] == "(" or is_keyword
        return name if is_named or name in _KEYWORDS else "V"

    return _PART.sub(fold, tight)


def prose_statements(text: str) -> Statements:
    """Read prose as sentences; see `prose.prose_shingles` for what counts."""
    sentences = sentences_of(text)
    words = hashes_of([word for s in sentences for word in s.text.split(" ")])
    starts = np.cumsum([0, *(s.n_words for s in sentences)])[:-1].astype(np.int64)
    lines = np.array([s.line for s in sentences], np.int64)
    hashes = run_hashes(words, RUN_WORDS)

    def source(number: int) -> str:
        return sentences[number].text

    return Statements(
        hashes, RUN_WORDS, RUN_WORDS, len(words), starts, lines, lines, source, is_code=False
    )


def aligned(
    left: Statements,
    right: Statements,
    mine: Sequence[int],
    theirs: Sequence[int],
    cutoff: float,
    least: int = MIN_STATEMENT,
) -> list[Link]:
    """Match statements one to one by their likeness, the most alike first.

    Parameters
    ----------
    mine, theirs : sequence of int
        Numbers of the statements to match; all are compared with all, but those of every notebook.
    cutoff : float in [0, 100]
        Least share of characters in common, as rapidfuzz counts it.
    least : int, default=12
        Characters of the shortest statement that is looked at.

    References
    ----------
    .. [1] https://rapidfuzz.github.io/RapidFuzz/Usage/fuzz.html#ratio
    """
    from rapidfuzz import fuzz, process

    mine = [i for i in mine if len(left.text(i)) >= least and left.usual(i) == 1]
    theirs = [j for j in theirs if len(right.text(j)) >= least and right.usual(j) == 1]
    if not mine or not theirs:
        return []
    scores = process.cdist(
        [left.text(i) for i in mine],
        [right.text(j) for j in theirs],
        scorer=fuzz.ratio,
        score_cutoff=cutoff,
        dtype=np.float32,
    )
    rows, columns = np.nonzero(scores)
    found = scores[rows, columns]
    best = np.lexsort((np.abs(rows - columns), -found))
    used_left: set[int] = set()
    used_right: set[int] = set()
    links = []
    for k in best.tolist():
        i, j = int(rows[k]), int(columns[k])
        if i not in used_left and j not in used_right:
            used_left.add(i)
            used_right.add(j)
            likeness = float(found[k]) / 100
            links.append(Link(mine[i], theirs[j], likeness, round(left.size(mine[i]) * likeness)))
    return links
