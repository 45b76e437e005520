"""Whether a server's numbers belong to the tokens that it says: tried before it is believed.

One sentence is sent three times in a row. A model that sees it a third time foretells it; numbers
that are shifted by a token, or are of another prompt, do not show that. What servers get wrong is
in public threads of vLLM, llama-cpp-python and others, about off-by-one echoes, prefix caches, and
special tokens that are added twice.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from detectors.familiarity.servers.client import Refused
from detectors.familiarity.servers.pieces import lay

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from detectors.familiarity.servers.pieces import Piece

SENTENCE = (
    "On Tuesday nine quiet engineers from Zürich carried 4,817 green lanterns up the hill, drank "
    "tea 茶 in the café, and sang 🎉 until the river froze. "
)
_OTHER = (
    "Nobody had told the baker that the museum keeps its oldest map of the northern islands behind "
    "a door of glass, which only the caretaker's sister may open in spring. "
)
_USUAL, _SURPRISE = " lanterns", " umbrellas"
_CHANGED = SENTENCE.replace(_USUAL, _SURPRISE)
KNOWN = -1.0  # nats: mean log-probability that the third repetition must exceed
GAIN = 1.0  # nats: by which it must exceed the first, and what is foretold a surprise
_LOWEST = -1_000.0  # servers write -9999 for minus infinity; no token that was seen has less
_SAME_MOST, _SAME_MEAN = 1.0, 0.1  # nats: between two answers about the same tokens; half types
_ROUNDING = 1e-3


class Reading(NamedTuple):
    """A prompt's tokens with their numbers, BOS left out.

    Parameters
    ----------
    n_before : int
        1 where a BOS token stands before the text.
    offsets : ndarray of int, shape (n, 2)
    log_probability, rank : ndarray of shape (n,)
        NaN for the first token where nothing stands before it.
    bos : int or None
        Number of the BOS token, where the server says it.
    """

    n_before: int
    offsets: NDArray[np.int64]
    log_probability: NDArray[np.float64]
    rank: NDArray[np.float64]
    bos: int | None


class Tested(NamedTuple):
    """What the self-test learned: the reading of the sentence, and the tokens as they are named."""

    reading: Reading
    tokens: tuple[str, ...]


def reading_of(prompt: str, pieces: Sequence[Piece]) -> Reading | str:
    """Check an answer about a prompt and take its numbers, or say what is wrong with it.

    The joined tokens must be the prompt; the first number must be null and all others numbers.
    """
    if wrong := _wrong_number(pieces):
        return wrong
    laid = lay(prompt, pieces)
    if isinstance(laid, str):
        return laid
    rest = pieces[laid.n_before :]
    bos = (-1 if pieces[0].token is None else pieces[0].token) if laid.n_before else None
    return Reading(
        laid.n_before,
        laid.offsets,
        np.array([_or_nan(p.log_probability) for p in rest]),
        np.array([_or_nan(p.rank) for p in rest]),
        bos,
    )


def _or_nan(value: float | None) -> float:
    return math.nan if value is None else value


def _wrong_number(pieces: Sequence[Piece]) -> str:
    if pieces and (first := pieces[0].log_probability) is not None:
        return f"its first token has log-probability {first:.4g}, though nothing stands before it"
    for number, piece in enumerate(pieces[1:], start=1):
        value = piece.log_probability
        if value is None:
            return f"it gives no number for token {number} of {len(pieces)}"
        if not _LOWEST < value <= _ROUNDING:
            return (
                f"it gives {value:.6g} for token {number}, which is no log-probability of a token "
                "that stands there (-9999 is written for minus infinity)"
            )
    return ""


def self_test(ask: Callable[[str], list[Piece] | Refused]) -> Tested | Refused:
    """Ask three prompts and say what is wrong with the answers, or return what they say.

    Parameters
    ----------
    ask : callable
        Returns the tokens of a prompt.
    """
    thrice = SENTENCE * 3
    pieces = ask(thrice)
    if isinstance(pieces, Refused):
        return pieces
    reading = reading_of(thrice, pieces)
    if isinstance(reading, str):
        return Refused(0, reading)
    if pieces[reading.n_before].text == "":
        return Refused(0, "two tokens stand before the text: BOS is added twice")
    wrong = _repetition(reading) or _longer(ask, thrice, reading) or _another(ask, thrice)
    if wrong:
        return Refused(0, wrong)
    return Tested(reading, tuple(f"{p.token} {p.text}" for p in pieces))


def _refusal(found: Refused) -> str:
    return f"it refuses ({found.status}: {found.said})" if found.status else found.said


def _thirds(reading: Reading) -> tuple[float, float, float]:
    """Average the numbers of each third of the characters."""
    size = len(SENTENCE)
    third = np.minimum(reading.offsets[:, 0] // size, 2)
    first, second, last = (
        float(np.nanmean(reading.log_probability[third == number])) for number in range(3)
    )
    return first, second, last


def _repetition(reading: Reading) -> str:
    first, _, last = _thirds(reading)
    if last > KNOWN and last - first >= GAIN:
        return ""
    return (
        "its numbers are not those of its tokens: a sentence that stands there for the third time "
        f"has mean log-probability {last:.2f}, the first time {first:.2f}; expected above "
        f"{KNOWN:g} and {GAIN:g} more than the first time"
    )


def _longer(ask: Callable[[str], list[Piece] | Refused], thrice: str, reading: Reading) -> str:
    """See that a prompt whose beginning is in the server's cache has the same numbers there.

    What is new is the sentence once more with one word changed: the number of that word must be
    low, and not that of its neighbour.
    """
    prompt = thrice + _CHANGED
    pieces = ask(prompt)
    if isinstance(pieces, Refused):
        return _refusal(pieces)
    longer = reading_of(prompt, pieces)
    if isinstance(longer, str):
        return f"asked again with more behind it, {longer}"
    if shifted := _surprise(longer, len(thrice)):
        return shifted
    n = int((longer.offsets[:, 1] < len(thrice)).sum())  # a token may reach into what is new
    gaps = np.abs(longer.log_probability[:n] - reading.log_probability[:n])
    if np.nanmax(gaps) > _SAME_MOST or np.nanmean(gaps) > _SAME_MEAN:
        return (
            "asked again with more behind it, it gives other numbers for the same tokens (by "
            f"{np.nanmax(gaps):.2f} nats)"
        )
    return ""


def _surprise(longer: Reading, start: int) -> str:
    """See that the changed word is the surprise, and not the token before it."""
    place = start + _CHANGED.index(_SURPRISE)
    before = np.flatnonzero(longer.offsets[:, 1] <= place)[-1]
    changed = np.flatnonzero(longer.offsets[:, 1] > place + 1)[0]  # its space may be a token
    usual, found = longer.log_probability[before], longer.log_probability[changed]
    if usual > KNOWN and usual - found >= GAIN:
        return ""
    return (
        "its numbers are shifted along its tokens: in a sentence that stands there for the fourth "
        f"time, a word that was changed has log-probability {found:.2f}, the token before it "
        f"{usual:.2f}"
    )


def _another(ask: Callable[[str], list[Piece] | Refused], thrice: str) -> str:
    """See that numbers are of the prompt that is asked, not of one asked before."""
    prompt = _OTHER[: len(SENTENCE)].ljust(len(SENTENCE)) + thrice[len(SENTENCE) :]
    pieces = ask(prompt)
    if isinstance(pieces, Refused):
        return _refusal(pieces)
    other = reading_of(prompt, pieces)
    if isinstance(other, str):
        return f"asked about another prompt, {other}"
    _, second, last = _thirds(other)
    if last - second < GAIN:
        return (
            "asked about another prompt, it gives numbers of the one before: a sentence has mean "
            f"log-probability {second:.2f} the first time and {last:.2f} the second"
        )
    return ""
