"""The four ways in which servers return log-probabilities of a prompt.

References
----------
vLLM, OpenAI-compatible server: https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html
SGLang, native API: https://docs.sglang.ai/basic_usage/native_api.html
Text Generation Inference: https://huggingface.co/docs/text-generation-inference
OpenAI, completions (legacy): https://platform.openai.com/docs/api-reference/completions
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from detectors.familiarity.servers.client import Refused
from detectors.familiarity.servers.pieces import BROKEN, Piece

if TYPE_CHECKING:
    from collections.abc import Callable

    from detectors.familiarity.servers.client import Client

_BYTES = re.compile(r"bytes:(?:\\x[0-9a-f]{2})+")  # OpenAI's name of a token that is no whole text
_UNREADABLE = (KeyError, IndexError, TypeError, AttributeError, ValueError, OverflowError)


class Interface(Protocol):
    """A way to ask for a prompt's tokens."""

    @property
    def name(self) -> str:
        """Return what it is called, for messages."""

    def ask(self, client: Client, model: str, prompt: str) -> list[Piece] | Refused:
        """Return the tokens of a prompt with their log-probabilities.

        `Refused` with status 0 where the server answers, but not with those.
        """


def _asked(
    client: Client, path: str, body: dict[str, Any], read: Callable[[Any], list[Piece]], what: str
) -> list[Piece] | Refused:
    """Ask, and read the answer, whose form is the server's word and no more."""
    answer = client.post(path, body)
    if isinstance(answer, Refused):
        return answer
    try:
        return read(answer)
    except _UNREADABLE:
        return Refused(0, f"its answer has no {what}")


def _number(value: object) -> float | None:
    if value is None or (isinstance(value, int | float) and not isinstance(value, bool)):
        return None if value is None else float(value)
    raise TypeError(f"{type(value).__name__} in the place of a log-probability")


def _word(value: object) -> str | None:
    if value is None or isinstance(value, str):
        return value
    raise TypeError(f"{type(value).__name__} in the place of a token")


@dataclass(frozen=True)
class PromptLogprobs:
    """vLLM: ``prompt_logprobs`` of completions, with ranks."""

    name: str = "prompt_logprobs (vLLM)"

    def ask(self, client: Client, model: str, prompt: str) -> list[Piece] | Refused:
        """Ask for no alternatives beside the tokens of the prompt: each entry has one."""
        body = {
            "model": model,
            "prompt": prompt,
            "max_tokens": 1,
            "temperature": 1.0,
            "prompt_logprobs": 0,
        }
        return _asked(client, "/v1/completions", body, self._read, "prompt_logprobs")

    @staticmethod
    def _read(answer: Any) -> list[Piece]:  # noqa: ANN401 - what a server sends
        pieces = []
        for entry in answer["choices"][0]["prompt_logprobs"]:
            if entry is None:
                pieces.append(Piece(None, None))
                continue
            # Where a server sends alternatives all the same, the prompt's token is the first.
            token, said = next(iter(entry.items()))
            pieces.append(
                Piece(
                    _word(said.get("decoded_token")),
                    _number(said["logprob"]),
                    _number(said.get("rank")),
                    int(token),
                )
            )
        return pieces


@dataclass(frozen=True)
class InputTokenLogprobs:
    """SGLang: ``input_token_logprobs`` of its own ``/generate``."""

    name: str = "input_token_logprobs (SGLang)"

    def ask(self, client: Client, model: str, prompt: str) -> list[Piece] | Refused:  # noqa: ARG002
        """Ask for the whole prompt's, with texts of tokens."""
        body = {
            "text": prompt,
            "return_logprob": True,
            "logprob_start_len": 0,
            "return_text_in_logprobs": True,
            "sampling_params": {"max_new_tokens": 1, "temperature": 1.0},
        }
        return _asked(client, "/generate", body, self._read, "input_token_logprobs")

    @staticmethod
    def _read(answer: Any) -> list[Piece]:  # noqa: ANN401
        entries = answer["meta_info"]["input_token_logprobs"]
        return [Piece(_word(e[2]), _number(e[0]), None, int(e[1])) for e in entries]


@dataclass(frozen=True)
class Prefill:
    """Text Generation Inference: ``details.prefill`` of ``/generate``."""

    name: str = "prefill (TGI)"

    def ask(self, client: Client, model: str, prompt: str) -> list[Piece] | Refused:  # noqa: ARG002
        """Ask for details of the prompt; empty since 3.0 unless the server was started for them."""
        body = {
            "inputs": prompt,
            "parameters": {"max_new_tokens": 1, "details": True, "decoder_input_details": True},
        }
        found = _asked(client, "/generate", body, self._read, "prefill")
        if found == []:
            return Refused(0, "its prefill is empty: start it with --enable-prefill-logprobs")
        return found

    @staticmethod
    def _read(answer: Any) -> list[Piece]:  # noqa: ANN401
        (answer,) = answer if isinstance(answer, list) else (answer,)
        entries = answer["details"]["prefill"]
        return [Piece(_word(e["text"]), _number(e["logprob"]), None, int(e["id"])) for e in entries]


@dataclass(frozen=True)
class Echo:
    """OpenAI's legacy completions: the prompt echoed with log-probabilities.

    Parameters
    ----------
    n_new : {0, 1}
        Tokens to generate; some servers refuse to make none. They are dropped.
    """

    n_new: int = 0

    @property
    def name(self) -> str:
        """Return what it is called, for messages."""
        return "echo (OpenAI completions)" + (", one token generated" if self.n_new else "")

    def ask(self, client: Client, model: str, prompt: str) -> list[Piece] | Refused:
        """Ask for the echo; offsets in the answer are not looked at: some servers' are wrong."""
        body = {
            "model": model,
            "prompt": prompt,
            "max_tokens": self.n_new,
            "echo": True,
            "logprobs": 1,
            "temperature": 1.0,
        }
        return _asked(client, "/v1/completions", body, self._read, "echo with log-probabilities")

    def _read(self, answer: Any) -> list[Piece]:  # noqa: ANN401
        said = answer["choices"][0]["logprobs"]
        tokens, numbers = said["tokens"], said["token_logprobs"]
        if len(tokens) != len(numbers):
            raise ValueError(f"{len(tokens)} tokens and {len(numbers)} numbers")
        pieces = [
            Piece(BROKEN if _BYTES.fullmatch(t) else _word(t), _number(n))
            for t, n in zip(tokens, numbers, strict=True)
        ]
        return pieces[: len(pieces) - self.n_new]


INTERFACES: tuple[Interface, ...] = (
    PromptLogprobs(),
    InputTokenLogprobs(),
    Prefill(),
    Echo(0),
    Echo(1),
)
