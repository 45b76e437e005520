"""Answers of a model on a server: what it writes to a prompt. Any chat endpoint does.

References
----------
https://platform.openai.com/docs/api-reference/chat (chat completions)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from competitions.errors import ModelServerError
from detectors.familiarity.servers.client import PATIENCE, Refused
from detectors.familiarity.servers.probing import ABSENT, about_of, client_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from competitions.downloads import Patience
    from detectors.familiarity.servers.client import Client

_CHAT, _COMPLETE = "/v1/chat/completions", "/v1/completions"


def asking_server(
    name: str,
    *,
    key: str | None,
    announce: Callable[[str], None],
    patience: Patience = PATIENCE,
    pause: Callable[[float], object] | None = None,
) -> Callable[[int], Callable[[str], str]]:
    """Return what, given the most tokens of an answer, returns a function that answers prompts.

    A prompt is put as a person's turn; a server without a chat endpoint goes on with it as text.
    Answers are the most probable ones where the endpoint takes a temperature of 0.

    Parameters
    ----------
    name : str
        ``http://HOST:PORT``; where it serves several models, with ``#MODEL``.

    Raises
    ------
    UsageError
        When the address is none.
    ModelServerError
        When it cannot be reached or has several models; from the answering function too, when it
        refuses or sends no answer.
    """
    client, wanted = client_of(name, key=key, patience=patience, pause=pause)
    about = about_of(client, wanted)
    announce(f"Asking {client.host} for answers of {about.shown}.")

    def asking(n_tokens: int) -> Callable[[str], str]:
        turn = _Turn(client, about.served, n_tokens)
        return turn.ask

    return asking


class _Turn:
    """Asks, and learns which parameters an endpoint takes."""

    def __init__(self, client: Client, served: str, n_tokens: int) -> None:
        self._client, self._path = client, _CHAT
        self._options: dict[str, Any] = {"max_tokens": n_tokens, "temperature": 0}
        if served:
            self._options["model"] = served

    def ask(self, prompt: str) -> str:
        while True:
            given: dict[str, Any] = {"messages": [{"role": "user", "content": prompt}]}
            if self._path == _COMPLETE:
                given = {"prompt": prompt}
            answer = self._client.post(self._path, {**self._options, **given})
            if not isinstance(answer, Refused):
                return self._text_in(answer)
            if not self._adapt(answer):
                raise ModelServerError(
                    f"{self._client.host}: expected an answer, it refused with {answer.status} "
                    f"({answer.said})."
                )

    def _adapt(self, refused: Refused) -> bool:
        """Change what the refusal is about; False where nothing is left to change."""
        options = self._options
        if refused.status in ABSENT and self._path == _CHAT:
            self._path = _COMPLETE
        elif "max_completion_tokens" in refused.said and "max_tokens" in options:
            options["max_completion_tokens"] = options.pop("max_tokens")
        elif "temperature" in refused.said and "temperature" in options:
            del options["temperature"]
        else:
            return False
        return True

    def _text_in(self, answer: Any) -> str:  # noqa: ANN401 - what a server sends
        try:
            choice = answer["choices"][0]
            text = choice["text"] if self._path == _COMPLETE else choice["message"]["content"]
            is_cut = choice.get("finish_reason") == "length"
        except (KeyError, IndexError, TypeError, AttributeError):
            text, is_cut = None, False
        if not isinstance(text, str) and not is_cut:
            raise ModelServerError(f"{self._client.host}: expected an answer, it sent none.")
        if is_cut and not text:
            raise ModelServerError(
                f"{self._client.host}: its answer was cut before a word of it was written.",
                "It thinks first. Switch that off, or ask a model that answers at once.",
            )
        return str(text)
