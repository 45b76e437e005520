"""What a model says of every token of one text: stored once, read by every metric."""

from __future__ import annotations

import json
import zipfile
import zlib
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

from competitions.errors import UnreadableFileError
from competitions.io import atomic_path

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from detectors.familiarity.texts import Text

_FORMAT = 1
_A = TypeVar("_A", bound=np.generic)
_ARRAYS = ("log_probability", "mean", "deviation", "rank", "start", "end")


def _frozen(array: NDArray[_A]) -> NDArray[_A]:
    copy = np.array(array)
    copy.flags.writeable = False
    return copy


@dataclass(frozen=True, eq=False)
class TokenScores:
    """Scores of one text's tokens by one model, in the order of the text.

    What a backend cannot give is NaN (-1 for offsets): the mean and deviation of a server that
    returns log-probabilities only, the first token of a model that begins without a BOS token.

    Parameters
    ----------
    text_sha256 : str
        Of the whole text as UTF-8.
    n_characters, n_bytes, zlib_bytes : int
        Length of the text, of its UTF-8, and of that compressed by zlib at its default level.
    log_probability : ndarray of shape (n_tokens,)
        Natural logarithm of the probability of the token that stands there, given those before.
    mean, deviation : ndarray of shape (n_tokens,)
        Expectation and standard deviation of the log-probability when the token is drawn from the
        model's own distribution at that place; nats.
    rank : ndarray of shape (n_tokens,)
        1 for the most probable token; ties take the better rank.
    start, end : ndarray of int, shape (n_tokens,)
        Characters of the text that the token covers, half-open. Tokens that are pieces of one
        character share it.
    """

    text_sha256: str
    n_characters: int
    n_bytes: int
    zlib_bytes: int
    log_probability: NDArray[np.float64]
    mean: NDArray[np.float64]
    deviation: NDArray[np.float64]
    rank: NDArray[np.float64]
    start: NDArray[np.int64]
    end: NDArray[np.int64]

    @classmethod
    def of(
        cls,
        text: Text,
        offsets: NDArray[np.integer],
        log_probability: NDArray[np.floating],
        *,
        mean: NDArray[np.floating] | None = None,
        deviation: NDArray[np.floating] | None = None,
        rank: NDArray[np.floating] | None = None,
    ) -> TokenScores:
        """Build the record of a text; arrays that are None become NaN.

        Parameters
        ----------
        offsets : ndarray of shape (n_tokens, 2)
            Where each token's characters start and end; -1 where nobody knows.

        Raises
        ------
        ValueError
            When the arrays are of different lengths.
        """
        content = text.content.encode("utf-8", "surrogatepass")
        n_tokens = len(log_probability)
        shapes = {np.shape(a) for a in (log_probability, mean, deviation, rank) if a is not None}
        if shapes != {(n_tokens,)} or np.shape(offsets) != (n_tokens, 2):
            raise ValueError(f"arrays of shapes {shapes} and offsets of {np.shape(offsets)}")

        def column(array: NDArray[np.floating] | None) -> NDArray[np.float64]:
            return _frozen(np.full(n_tokens, np.nan) if array is None else array.astype(np.float64))

        return cls(
            text_sha256=text.sha256,
            n_characters=len(text.content),
            n_bytes=len(content),
            zlib_bytes=len(zlib.compress(content)),
            log_probability=column(log_probability),
            mean=column(mean),
            deviation=column(deviation),
            rank=column(rank),
            start=_frozen(offsets[:, 0].astype(np.int64)),
            end=_frozen(offsets[:, 1].astype(np.int64)),
        )

    @property
    def n_tokens(self) -> int:
        """Tokens of the text, those without a score too."""
        return len(self.log_probability)

    @property
    def has_offsets(self) -> bool:
        """Whether it is known which characters every token covers."""
        return bool((self.start >= 0).all() and (self.end >= 0).all())

    @property
    def has_statistics(self) -> bool:
        """Whether mean, deviation and rank are there for every token with a log-probability."""
        scored = ~np.isnan(self.log_probability)
        columns = (self.mean, self.deviation, self.rank)
        return not any(bool(np.isnan(c[scored]).any()) for c in columns)


def save_scores(path: Path, scores: TokenScores, key: dict[str, Any]) -> None:
    """Write scores and the key they belong to as one ``.npz``, whole or not at all."""
    facts = {f.name: getattr(scores, f.name) for f in fields(scores) if f.name not in _ARRAYS}
    head = json.dumps({"format": _FORMAT, "key": key, "facts": facts}, sort_keys=True)
    arrays = {name: getattr(scores, name) for name in _ARRAYS}
    with atomic_path(path) as temporary, temporary.open("wb") as stream:
        np.savez_compressed(stream, head=np.array(head), **arrays)


def load_scores(path: Path) -> tuple[TokenScores, dict[str, Any]]:
    """Read what `save_scores` wrote.

    Raises
    ------
    UnreadableFileError
        When it is no such file, or of another format. Nothing in it is ever executed.
    """
    try:
        with path.open("rb") as stream, np.load(stream, allow_pickle=False) as stored:
            head = json.loads(str(stored["head"]))
            if head["format"] != _FORMAT:
                raise ValueError(f"format {head['format']}")
            arrays: dict[str, Any] = {name: _frozen(stored[name]) for name in _ARRAYS}
        scores = TokenScores(**head["facts"], **arrays)
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        problem = f"{path}: expected token scores of format {_FORMAT}, found another file."
        raise UnreadableFileError(problem, "Delete it; the text is then scored anew.") from error
    return scores, head["key"]
