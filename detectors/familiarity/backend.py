"""What every way to ask a model for token scores has in common: folder, GGUF file or server."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from competitions.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from detectors.familiarity.texts import Text
    from detectors.familiarity.tokens import TokenScores

DEFAULT_WINDOW = 1024  # tokens with BOS
DEFAULT_OVERLAP = 256  # tokens of context that are not scored again


@dataclass(frozen=True)
class Plan:
    """How texts are cut and scored: one plan for all texts that are compared.

    The window changes a score as much as the task does (one description: mean probability .407
    whole, .381 in windows of 512, .360 of 128), so that it is fixed and part of the cache key.

    Parameters
    ----------
    window : int >= 2
        Tokens seen at once, the BOS token included.
    stride : int in [1, window - 1]
        Tokens scored per further window; each token is scored once, with at least
        ``window - 1 - stride`` tokens of the text before it (fewer only at its beginning).
    statistics : bool
        Whether mean, deviation and rank are computed too; Min-K++ needs them.
    batch_tokens : int
        Tokens per forward pass, padding included. Changes speed and memory, not the scores
        (beyond 1e-5).
    """

    window: int = DEFAULT_WINDOW
    stride: int = DEFAULT_WINDOW - DEFAULT_OVERLAP
    statistics: bool = True
    batch_tokens: int = 2048

    def __post_init__(self) -> None:
        if not 1 <= self.stride < self.window:
            raise UsageError(
                f"Expected a window of at least 2 tokens and a stride from 1 to window - 1, found "
                f"window {self.window} and stride {self.stride}."
            )


@dataclass(frozen=True)
class Identity:
    """Which model gives the scores; equal identities give equal scores.

    Parameters
    ----------
    name : str
        As the user called it; not part of the cache key.
    model, tokenizer : str
        Fingerprints: digests of weights and tokenizer files, or what a server says of itself.
    dtype : str
        Of the weights: ``float32``, ``bfloat16`` ...; ``unknown`` for a server that does not say.
    bos : int or None
        Token put before each window; None where there is none.
    """

    name: str
    model: str
    tokenizer: str
    dtype: str
    bos: int | None


class Progress(NamedTuple):
    """How far the scoring is."""

    n_texts: int
    texts_done: int
    n_tokens: int  # to be computed in this call; cached ones are not counted
    tokens_done: int
    tokens_per_s: float
    seconds_left: float


class Backend(Protocol):
    """Anything that scores texts; `scoring.score_texts` adds the cache and progress."""

    @property
    def identity(self) -> Identity:
        """Return which model it is."""

    @property
    def context(self) -> int | None:
        """Return the longest window it can take, BOS included; None when it has no limit."""

    def count(self, text: Text) -> int:
        """Return the number of tokens of a text, BOS not counted, without running the model."""

    def score(
        self, texts: Sequence[Text], plan: Plan, done: Callable[[int], None]
    ) -> Iterator[tuple[int, TokenScores]]:
        """Yield ``(index, scores)`` as texts get ready, in any order.

        `done` is told the tokens of the texts that were computed since the last call.

        Raises
        ------
        ScoringError
            When the model gives no usable numbers.
        """


def key_of(text: Text, identity: Identity, plan: Plan) -> dict[str, Any]:
    """Return what token scores depend on: text, model, tokenizer, dtype, BOS, window, stride."""
    model = {k: v for k, v in asdict(identity).items() if k != "name"}
    return {"text": text.sha256, **model, "window": plan.window, "stride": plan.stride}
