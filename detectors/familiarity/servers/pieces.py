"""Tokens as servers return them, laid on the characters of the prompt they are of.

A server decodes each token alone: pieces of one character become U+FFFD or nothing, spaces before
a word may get lost, and the offsets that some send are wrong where a character has several
bytes. Here the pieces themselves are laid on the prompt; what does not fit is said.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

BROKEN = "\N{REPLACEMENT CHARACTER}"
_ONE_WORD = re.compile(r"\s*\S{0,64}\s*")  # what a first token without a name may stand for
_MAX_BYTES_PER_CHARACTER = 4
_FEW = 8  # characters that broken pieces may share
_SHOWN = 12  # characters


class Piece(NamedTuple):
    """One token of a prompt.

    Parameters
    ----------
    text : str or None
        As the server decodes it; None where it does not say (the first token of some).
    log_probability : float or None
        Given the tokens before it; None for the first, which has none before.
    rank : float or None
        1 for the most probable.
    token : int or None
        Its number in the vocabulary.
    """

    text: str | None
    log_probability: float | None
    rank: float | None = None
    token: int | None = None


class Laid(NamedTuple):
    """Where the pieces of a prompt stand.

    Parameters
    ----------
    n_before : int
        Pieces before the text: 1 where there is a BOS token.
    offsets : ndarray of int, shape (n_pieces - n_before, 2)
        Characters of each further piece, half-open; pieces of one character share it.
    """

    n_before: int
    offsets: NDArray[np.int64]


def lay(prompt: str, pieces: Sequence[Piece]) -> Laid | str:
    """Lay pieces on the prompt from its first character to its last; or say where they part.

    One piece before the text (BOS) is allowed, no more.

    Examples
    --------
    >>> laid = lay("a bé", [Piece("<s>", None), *(Piece(t, -1.0) for t in ("a", " b", "é"))])
    >>> laid.n_before, laid.offsets.tolist()
    (1, [[0, 1], [1, 3], [3, 4]])
    >>> lay("abc", [Piece("a", None), Piece("c", -1.0)])
    "its token 1 is 'c' where the prompt goes on with 'bc'"
    """
    if not pieces:
        return "it names no token of the prompt"
    texts = [BROKEN if p.text is None else p.text for p in pieces]
    if pieces[0].text is None:
        return _behind_a_nameless_first(prompt, texts)
    found = _laid_from(prompt, texts, 0)
    if not isinstance(found, str):
        n_before = int(not texts[0])  # a BOS token that is decoded to nothing
        return Laid(n_before, _shared(found[n_before:]))
    behind = _laid_from(prompt, texts, 1)
    if not isinstance(behind, str):
        return Laid(1, _shared(behind))
    return _twice(prompt, texts) or (found if _fits(prompt, 0, texts[0]) is not None else behind)


def _behind_a_nameless_first(prompt: str, texts: Sequence[str]) -> Laid | str:
    """Find how much of the prompt is before the second piece: nothing (BOS), or one word of it."""
    found = _laid_from(prompt, texts, 1)
    if not isinstance(found, str):
        return Laid(1, _shared(found))
    word = _ONE_WORD.match(prompt)
    for end in range(1, (word.end() if word else 0) + 1):
        rest = _laid_from(prompt, texts, 1, end)
        if not isinstance(rest, str):
            return Laid(0, _shared([(0, end), *rest]))
    return _twice(prompt, texts) or found


def _twice(prompt: str, texts: Sequence[str]) -> str:
    """Say that there are two pieces before the text, where that is all that is wrong."""
    if len(texts) > 2 and not isinstance(_laid_from(prompt, texts, 2), str):  # noqa: PLR2004
        return (
            "two tokens stand before the text: BOS is added twice, by the server and by the "
            "tokenizer"
        )
    return ""


def _fits(prompt: str, place: int, text: str) -> int | None:
    """Return where the piece begins: here, or behind spaces that its decoding lost."""
    while not prompt.startswith(text, place):
        if not prompt.startswith(" ", place):
            return None
        place += 1
    return place


def _laid_from(
    prompt: str, texts: Sequence[str], first: int, place: int = 0
) -> list[tuple[int, int]] | str:
    """Lay pieces from number `first` on the prompt from character `place`."""
    found: list[tuple[int, int]] = []
    number = first
    while number < len(texts):
        if BROKEN in texts[number] and not prompt.startswith(texts[number], place):
            stop = next((i for i in range(number, len(texts)) if BROKEN not in texts[i]), None)
            end = _end_of_run(prompt, texts, (number, stop), place)
            if end is None:
                return f"its token {number} is part of a character that the prompt does not have"
            found += _within(prompt[place:end], place, texts[number:stop])
            number, place = (len(texts) if stop is None else stop), end
            continue
        start = _fits(prompt, place, texts[number])
        if start is None:
            there = prompt[place : place + _SHOWN]
            return (
                f"its token {number} is {texts[number][:_SHOWN]!r} where the prompt goes on with "
                f"{there!r}"
                if there
                else f"its token {number} stands behind the end of the prompt"
            )
        # A lost space belongs to the word behind it, as tokenizers have it.
        found.append((place, start + len(texts[number])))
        number, place = number + 1, start + len(texts[number])
    if found and not prompt[place:].strip(" "):
        found[-1] = (found[-1][0], len(prompt))
    elif place < len(prompt):
        return f"its tokens end after {place:,} of {len(prompt):,} characters of the prompt"
    return found


def _end_of_run(
    prompt: str, texts: Sequence[str], run: tuple[int, int | None], place: int
) -> int | None:
    """Find where broken pieces end: before what the pieces behind them spell."""
    number, stop = run
    broken = texts[number:stop]
    behind = len(texts) if stop is None else _next_broken(texts, stop)
    least, most = len(broken), sum(map(len, broken)) * _MAX_BYTES_PER_CHARACTER
    spelt = sum(map(_n_letters, broken))
    n_bytes = n_letters = 0
    for end in range(place + 1, len(prompt) + 1):
        n_bytes += _n_bytes(prompt[end - 1].strip(" "))  # those that decoding lost do not count
        n_letters += _n_letters(prompt[end - 1])
        if n_bytes > most or n_letters > spelt:
            return None
        if n_bytes < least or n_letters < spelt or (stop is None and end < len(prompt)):
            continue
        if stop is None or _loosely(prompt, texts[stop:behind], end):
            return end
    return None


def _n_bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _n_letters(text: str) -> int:
    """Count characters of one byte but spaces: no token has a part of one."""
    return sum(c.isascii() and c != " " for c in text)


def _within(covered: str, place: int, broken: Sequence[str]) -> list[tuple[int, int]]:
    """Give broken pieces the characters they are of, where a byte each tells it.

    Pieces of a few characters share all of these; of many, each gets its share by bytes, which may
    be wrong by a character.
    """
    n_pieces, n_bytes = len(broken), _n_bytes(covered)
    if n_pieces != n_bytes and len(covered) <= _FEW:
        return [(place, place + len(covered))] * n_pieces
    of_byte = [number for number, c in enumerate(covered) for _ in range(_n_bytes(c))]
    starts = [of_byte[number * n_bytes // n_pieces] for number in range(n_pieces)]
    following = [*starts[1:], len(covered)]
    return [
        (place + start, place + max(start + 1, end))
        for start, end in zip(starts, following, strict=True)
    ]


def _next_broken(texts: Sequence[str], start: int) -> int:
    return next((i for i in range(start, len(texts)) if BROKEN in texts[i]), len(texts))


def _loosely(prompt: str, texts: Sequence[str], place: int) -> bool:
    """See whether pieces follow, each perhaps behind a space that its decoding lost."""
    for text in texts:
        start = _fits(prompt, place, text)
        if start is None:
            return False
        place = start + len(text)
    return True


def _shared(found: list[tuple[int, int]]) -> NDArray[np.int64]:
    """Give pieces that spell nothing the characters of the next that spells something."""
    offsets = np.array(found, dtype=np.int64).reshape(-1, 2)
    for number in range(len(offsets) - 2, -1, -1):
        if offsets[number, 0] == offsets[number, 1]:
            offsets[number] = offsets[number + 1]
    return offsets
