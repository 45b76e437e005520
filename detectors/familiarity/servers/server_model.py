"""A model behind an HTTP server, asked for the log-probabilities of texts."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from typing import TYPE_CHECKING

from detectors.familiarity.servers.asked_text import FIRST_GUESS, Asking, scores_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from detectors.familiarity.backend import Identity, Plan
    from detectors.familiarity.servers.client import Client, Refused
    from detectors.familiarity.servers.interfaces import Interface
    from detectors.familiarity.servers.pieces import Piece
    from detectors.familiarity.texts import Text
    from detectors.familiarity.tokens import TokenScores

N_PARALLEL = 4  # texts asked about at a time


@dataclass(frozen=True)
class ServerModel:
    """A server that has passed the self-test; a `Backend`.

    Parameters
    ----------
    client : Client
    interface : Interface
        The way in which it returns numbers.
    served : str
        The model's name as the server has it.
    identity : Identity
    context : int or None
        Longest window, with room for stretches that turn out longer.
    n_parallel : int
        Texts asked about at a time.
    """

    client: Client
    interface: Interface
    served: str
    identity: Identity
    context: int | None
    n_parallel: int = N_PARALLEL
    has_statistics: bool = False

    def count(self, text: Text) -> int:
        """Estimate the number of tokens of a text; a server is not asked twice for it."""
        return max(1, round(len(text.content) / FIRST_GUESS))

    def ask(self, prompt: str) -> list[Piece] | Refused:
        """Return the tokens of a prompt."""
        return self.interface.ask(self.client, self.served, prompt)

    def score(
        self, texts: Sequence[Text], plan: Plan, done: Callable[[int], None]
    ) -> Iterator[tuple[int, TokenScores]]:
        """Yield ``(index, scores)`` as answers come, some texts at a time.

        Raises
        ------
        ScoringError
            When an answer cannot be used; texts that were ready before have been yielded.
        ModelServerError
            When the server cannot be asked any more.
        """
        asking = Asking(self.ask, self.identity.bos is not None, self.identity.name)
        pool = ThreadPoolExecutor(self.n_parallel)
        self.client.stopped = threading.Event()
        waiting = {
            pool.submit(scores_of, text, plan, asking): index for index, text in enumerate(texts)
        }
        try:
            for future in as_completed(waiting):
                scores = future.result()
                done(self.count(texts[waiting[future]]))
                yield waiting[future], scores
        finally:
            if not all(future.done() for future in waiting):
                self.client.stopped.set()  # those on their way give up at their next question
            pool.shutdown(wait=False, cancel_futures=True)
