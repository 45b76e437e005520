"""The words of prose and their shingles: what a corpus stores of it, and what is looked up."""

from __future__ import annotations

import re
import unicodedata
from hashlib import blake2b
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from detectors.plagiarism.boilerplate import without_boilerplate
from detectors.plagiarism.fingerprints import run_hashes

if TYPE_CHECKING:
    from numpy.typing import NDArray

PROSE_VERSION = 1  # changes whenever the shingles of a text do: an index holds what they were
RUN_WORDS = 8  # words of a shingle; a power of two
_MAX_REMEMBERED = 32  # characters; longer words hardly ever come back
_MAX_MEMORY = 200_000  # words

_SENTENCE_END = re.compile(r"[.!?]+(?:\s|$)")
_LINE_END = re.compile(r"\r\n?")
_FENCE = re.compile(r"[ \t]*(?:```|~~~)")
_BLOCKS = (("<style", "</style>"), ("<script", "</script>"), ("<!--", "-->"))
_NOT_PROSE = re.compile(
    r"[a-z0-9+/=]{80,}"  # a picture in base64
    r"|(?:https?://|www\.)[^\s)>\]]+"
    r"|</?[a-z!][^<>]{0,2000}>"
    r"|\$\$?[^$\n]{1,300}\$\$?"  # a formula is nobody's
    r"|&\#?\w{1,10};"
)
_WORD = re.compile(  # a sign of Chinese or Japanese, or letters that follow no digit
    r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]"
    r"|(?<!\d)[^\W\d_\u3040-\u30ff\u3400-\u9fff][^\W_]*"
)
_UNSEEN = re.compile(  # accents on their own, and characters without width
    "[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
    "\xad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]"
)
# Letters of other scripts that look like Latin ones; they are folded in words that hold both.
_LOOKALIKES = str.maketrans("аеорсухіјѕԁһкмтвнαοεικνρτυχ", "aeopcyxijsdhkmtbhaoeiknptux")


class Shingles(NamedTuple):
    """Runs of `RUN_WORDS` words.

    Parameters
    ----------
    hashes : ndarray of uint64, shape (n_shingles,)
        All of them, in order; evenly spread, so that a sample may be taken by their low bits.
    positions : ndarray of int32, shape (n_shingles,)
        Which word of the text is the first of each, from 0.
    """

    hashes: NDArray[np.uint64]
    positions: NDArray[np.int32]


def prose_shingles(text: str) -> Shingles:
    r"""Hash every run of eight words of a text.

    Parameters
    ----------
    text : str
        Markdown or plain text. Markup, addresses, formulas, numbers, fenced code, quotations
        (lines that begin with ``>``), descriptions of columns (``name: what it holds``), licences
        and what every notebook says count for nothing.

    Examples
    --------
    >>> one = prose_shingles("We *stack* five models, see https://a.b/c, on the out-of-fold rows.")
    >>> two = prose_shingles("we stack five models see\non the OUT of fold rows")
    >>> len(one.hashes), bool((one.hashes == two.hashes).all())
    (4, True)
    """
    hashes = run_hashes(hashes_of(_WORD.findall("\n".join(plain_lines(text)))), RUN_WORDS)
    return Shingles(hashes, np.arange(len(hashes), dtype=np.int32))


class Sentence(NamedTuple):
    """A sentence, or the part of one that stands on a line, in lower case and without markup."""

    line: int
    text: str  # words with one blank between them
    n_words: int


def sentences_of(text: str) -> list[Sentence]:
    r"""Return the sentences of a text; see `prose_shingles` for what counts for nothing.

    Examples
    --------
    >>> sentences_of("We *stack* models.\n\nThen: 3 folds. Done!")[1]
    Sentence(line=3, text='then folds', n_words=2)
    """
    sentences = []
    for number, line in enumerate(plain_lines(text), start=1):
        for part in _SENTENCE_END.split(line) if line else ():
            found = _WORD.findall(part)
            if found:
                sentences.append(Sentence(number, " ".join(found), len(found)))
    return sentences


def hashes_of(words: list[str]) -> NDArray[np.uint64]:
    """Hash words: equal ones have equal hashes on every machine."""
    return np.fromiter(map(_HASHES.__getitem__, words), np.uint64, len(words))


class _Hashes(dict[str, int]):
    """The hashes of words that were met before."""

    def __missing__(self, word: str) -> int:
        plain = word
        if not word.isascii() and any(c.isascii() for c in word):
            plain = word.translate(_LOOKALIKES)
        digest = blake2b(plain.encode("utf-8", "replace"), digest_size=8).digest()
        value = int.from_bytes(digest, "little")
        if len(word) <= _MAX_REMEMBERED:
            if len(self) >= _MAX_MEMORY:
                self.clear()
            self[word] = value
        return value


_HASHES = _Hashes()


def plain_lines(text: str) -> list[str]:
    """Return the lines of a text in lower case, blanked where they are not prose."""
    folded = _folded(_LINE_END.sub("\n", text))
    for opening, closing in _BLOCKS:
        folded = _without_blocks(folded, opening, closing)
    lines = _without_fences(folded.split("\n"))
    plain = _NOT_PROSE.sub(lambda m: " " + "\n" * m[0].count("\n"), "\n".join(lines))
    return without_boilerplate(plain.split("\n"))


def _folded(text: str) -> str:
    """Write a text in lower case without accents, apostrophes and what is not seen."""
    if not text.isascii():
        parts = _UNSEEN.sub("", unicodedata.normalize("NFKD", text))
        text = unicodedata.normalize("NFC", parts)
    return text.casefold().replace("'", "").replace("\u2019", "")


def _without_blocks(text: str, opening: str, closing: str) -> str:
    """Blank everything between two marks; an opening one without its end is left."""
    kept, at = [], 0
    while (start := text.find(opening, at)) >= 0:
        end = text.find(closing, start)
        if end < 0:
            break
        kept += [text[at:start], " ", "\n" * text.count("\n", start, end)]
        at = end + len(closing)
    return "".join([*kept, text[at:]])


def _without_fences(lines: list[str]) -> list[str]:
    """Blank fenced code; a fence that is never closed is left."""
    marks = [n for n, line in enumerate(lines) if _FENCE.match(line)]
    kept = list(lines)
    for first, last in zip(marks[::2], marks[1::2], strict=False):
        kept[first : last + 1] = [""] * (last + 1 - first)
    return kept
