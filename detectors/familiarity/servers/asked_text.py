"""A text asked of a server window by window, each token scored once.

A server is sent text, not token numbers: not all take those, and few tell how they cut a text.
Windows therefore are found as the answers come: a stretch somewhat too long is asked for, and what
is beyond the window is dropped, which changes nothing before it. Windows begin and end at words,
where tokenizers cut anyway.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from competitions.errors import ScoringError
from detectors.familiarity.servers.alignment import reading_of
from detectors.familiarity.servers.client import Refused
from detectors.familiarity.tokens import TokenScores

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from detectors.familiarity.backend import Plan
    from detectors.familiarity.servers.alignment import Reading
    from detectors.familiarity.servers.pieces import Piece
    from detectors.familiarity.texts import Text

FIRST_GUESS = 4.5  # characters a token, before a text's own figure is known
_SPARE = 1.15  # times as many characters as the window should need
_SHRINK = 0.6
_TRIES = 8
_TOO_LONG = frozenset({400, 413, 422})
_NEAR = 40  # characters within which a word ends, mostly
_UNSURE = 4  # tokens before a cut within a word, which the rest of the word would change
_BACK = 16  # tokens that a window may begin earlier, to begin at a word


class Asking(NamedTuple):
    """How prompts are asked, and what is known of the answers.

    Parameters
    ----------
    ask : callable
        Returns the tokens of a prompt.
    has_bos : bool
        Whether a BOS token stands before each.
    name : str
        Of the model, for messages.
    """

    ask: Callable[[str], list[Piece] | Refused]
    has_bos: bool
    name: str


class _Part(NamedTuple):
    """Tokens of one window with offsets in the whole text."""

    offsets: NDArray[np.int64]
    log_probability: NDArray[np.float64]
    rank: NDArray[np.float64]

    def at(self, wanted: NDArray[np.bool_]) -> _Part:
        return _Part(self.offsets[wanted], self.log_probability[wanted], self.rank[wanted])


def scores_of(text: Text, plan: Plan, asking: Asking) -> TokenScores:
    """Ask about a text.

    Raises
    ------
    ScoringError
        When an answer's tokens are not the prompt's, a number is missing, or a prompt is refused.
    ModelServerError
        When the server cannot be reached any more.
    """
    return _Walk(text, plan, asking).scores()


@dataclass
class _Walk:
    text: Text
    plan: Plan
    asking: Asking
    per_token: float = field(default=FIRST_GUESS, init=False)

    def scores(self) -> TokenScores:
        n_characters = len(self.text.content)
        parts: list[_Part] = []
        begin = scored = 0
        while scored < n_characters:
            window = self._window(begin)
            new = window.offsets[:, 0] >= scored
            if not new.any():
                raise ScoringError(
                    f"{self.text.name}: {self.asking.name} cuts a part of it into tokens that do "
                    f"not go on behind character {scored:,}."
                )
            parts.append(window.at(new))
            scored = int(window.offsets[-1, 1])
            begin = self._next(window)
        offsets = np.concatenate([part.offsets for part in parts])
        numbers = np.concatenate([part.log_probability for part in parts])
        ranks = np.concatenate([part.rank for part in parts])
        if np.isnan(numbers[1:]).any():
            raise ScoringError(f"{self.text.name}: {self.asking.name} left a token without number.")
        return TokenScores.of(self.text, offsets, numbers, rank=ranks)

    def _next(self, window: _Part) -> int:
        """Return the character where the next window begins: `stride` tokens on, at a word."""
        stride = min(self.plan.stride, len(window.offsets) - 1)
        for back in range(min(_BACK, stride // 4) + 1):
            start = int(window.offsets[stride - back, 0])
            if self._is_cut(start):
                return start
        return int(window.offsets[stride, 0])

    def _is_cut(self, place: int) -> bool:
        """Whether a word ends before this character and space begins with it."""
        content = self.text.content
        return place >= len(content) or (
            content[place].isspace() and not content[place - 1].isspace()
        )

    def _window(self, begin: int) -> _Part:
        """Ask from a character on until there are as many tokens as a window has."""
        room = self.plan.window - self.asking.has_bos
        content, may_grow, said = self.text.content, True, "it gives too few tokens"
        size = room * self.per_token * _SPARE
        for number in range(2, _TRIES + 2):
            end = self._end(begin, int(size))
            found = self._read(begin, end)
            if isinstance(found, Refused):
                size, may_grow, said = (end - begin) * _SHRINK, False, found.said
                continue
            n_sure = len(found.offsets)
            if end < len(content) and not self._is_cut(end):
                n_sure = max(1, n_sure - _UNSURE)
            self.per_token = (end - begin) / n_sure
            if n_sure >= room or end == len(content) or not may_grow:
                keep = slice(0, _whole(found.offsets, min(room, n_sure)))
                return _Part(
                    found.offsets[keep] + begin, found.log_probability[keep], found.rank[keep]
                )
            size = room * self.per_token * _SPARE**number
        raise ScoringError(
            f"{self.text.name}: {self.asking.name} takes no stretch of it of {room} tokens "
            f"({said}).",
            "Its context may be shorter than it says.",
        )

    def _end(self, begin: int, size: int) -> int:
        """Return a place for the cut: before space, where there is some near the size."""
        n_characters = len(self.text.content)
        end = min(begin + max(size, 1), n_characters)
        near = range(end, min(end + _NEAR, n_characters) + 1)
        return next((place for place in near if self._is_cut(place)), end)

    def _read(self, begin: int, end: int) -> Reading | Refused:
        prompt = self.text.content[begin:end]
        pieces = self.asking.ask(prompt)
        if isinstance(pieces, Refused):
            if pieces.status in _TOO_LONG and len(prompt) > 1:
                return pieces
            raise ScoringError(
                f"{self.text.name}: {self.asking.name} does not answer: {pieces.said}."
            )
        reading = reading_of(prompt, pieces)
        if isinstance(reading, str):
            raise ScoringError(
                f"{self.text.name}: {self.asking.name} cannot be believed, {reading}.",
                "A prompt that is cut short has no scores: name a server that takes all of it.",
            )
        return reading


def _whole(offsets: NDArray[np.int64], n_tokens: int) -> int:
    """Shorten a window so that no character has pieces on both sides of its end."""
    while 1 < n_tokens < len(offsets) and offsets[n_tokens, 0] < offsets[n_tokens - 1, 1]:
        n_tokens -= 1
    return n_tokens
