"""Texts scored by any backend: through the cache, with progress, and again where it broke off."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from competitions.errors import UsageError
from detectors.familiarity.backend import Progress

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from detectors.familiarity.backend import Backend, Plan
    from detectors.familiarity.cache import ScoreCache
    from detectors.familiarity.texts import Text
    from detectors.familiarity.tokens import TokenScores


def score_texts(
    backend: Backend,
    texts: Sequence[Text],
    plan: Plan,
    *,
    cache: ScoreCache | None = None,
    progress: Callable[[Progress], None] | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> list[TokenScores]:
    """Return token scores in the order of `texts`.

    What is in the cache is not computed; what is computed is stored as soon as its text is ready,
    so that a call that was interrupted goes on where it was. Equal texts are scored once.

    Raises
    ------
    UsageError
        When the window is longer than the model's context.
    ScoringError
        When the model gives no usable numbers.
    """
    if backend.context is not None and plan.window > backend.context:
        raise UsageError(
            f"{backend.identity.name}: expected a window of at most {backend.context} tokens (its "
            f"context), found {plan.window}."
        )
    known: dict[str, TokenScores] = {}
    wanted: dict[str, Text] = {}
    for text in texts:
        stored = cache.load(text, backend.identity, plan) if cache else None
        if stored is None:
            wanted[text.sha256] = text
        else:
            known[text.sha256] = stored
    missing = list(wanted.values())
    meter = _Meter(backend, missing, len(known), progress, clock)
    for index, scores in backend.score(missing, plan, meter.tokens) if missing else ():
        if cache:
            cache.store(missing[index], backend.identity, plan, scores)
        known[missing[index].sha256] = scores
        meter.text()
    return [known[text.sha256] for text in texts]


class _Meter:
    """Counts tokens and texts, and tells them with the speed so far."""

    def __init__(
        self,
        backend: Backend,
        texts: Sequence[Text],
        n_known: int,
        progress: Callable[[Progress], None] | None,
        clock: Callable[[], float],
    ) -> None:
        self._tell, self._clock, self._start = progress, clock, clock()
        self._n_texts, self._texts_done = len(texts) + n_known, n_known
        self._n_tokens = sum(map(backend.count, texts)) if progress else 0
        self._tokens_done = 0
        self._report()

    def tokens(self, count: int) -> None:
        self._tokens_done += count
        self._report()

    def text(self) -> None:
        self._texts_done += 1
        self._report()

    def _report(self) -> None:
        if self._tell is None:
            return
        passed = self._clock() - self._start
        speed = self._tokens_done / passed if passed > 0 else 0.0
        left = self._n_tokens - self._tokens_done
        self._tell(
            Progress(
                self._n_texts,
                self._texts_done,
                self._n_tokens,
                self._tokens_done,
                speed,
                left / speed if speed else float("inf" if left else 0),
            )
        )
