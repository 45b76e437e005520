"""A small language model on loopback, in the shape of each server, right or wrong in one way.

The model copies: a token that stands where it stood before in the prompt, after the same two
tokens, is nearly certain; any other has a number of its own. That is enough to be foretold the
third time, and it is the same on every machine.
"""

from __future__ import annotations

import contextlib
import json
import re
import zlib
from typing import TYPE_CHECKING, Any

from tests.audit.runner.model_server import Reply, playing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.audit.runner.model_server import Model

BROKEN = "\N{REPLACEMENT CHARACTER}"
KINDS = ("vllm", "sglang", "tgi", "openai")
NUMBERS = {  # faults of numbers alone
    "shifted to the left": lambda n: [None, *n[2:], -1.0],
    "shifted to the right": lambda n: [None, -1.0, *n[1:-1]],
    "of the place behind": lambda n: [None, *(-11.0 - place % 7 for place in range(1, len(n)))],
    "null missing": lambda n: [-3.5, *n[1:]],
    "one number less": lambda n: [*n[1:], None],
    "-9999": lambda n: [*n[:20], -9999.0, *n[21:]],
    "nan": lambda n: [*n[:20], float("nan"), *n[21:]],
    "above certainty": lambda n: [*n[:20], 0.5, *n[21:]],
}
FAULTS = (
    *NUMBERS,
    "prompt cut at its beginning",
    "prompt cut at its end",
    "bos twice",
    "nulls from the cache",
    "numbers from the cache",
    "bytes lost",
)
_TOKEN = re.compile(r" ?[A-Za-z]{1,5}| ?[0-9]{1,3}|\s|.", re.DOTALL)
_CUT = 60  # tokens that a server which cuts prompts keeps


def tokens_of(text: str) -> list[str]:
    """Cut into pieces of words; other letters than ASCII are as many tokens as bytes."""
    found: list[str] = []
    for piece in _TOKEN.findall(text):
        found += [piece] if piece.isascii() else [BROKEN] * len(piece.encode())
    return found


def number_of(token: str, before: tuple[str, ...], seen: set[tuple[str, ...]], salt: str) -> float:
    """Return a token's log-probability after the two before it."""
    if (*before, token) in seen:
        return -0.03125
    return -2.0 - zlib.crc32(repr((*before, token, salt)).encode()) % 512 / 128


def numbers_of(tokens: list[str], salt: str = "") -> list[float | None]:
    """Return the numbers of a prompt's tokens: null for the first."""
    seen: set[tuple[str, ...]] = set()
    found: list[float | None] = []
    for place, token in enumerate(tokens):
        before = tuple(tokens[max(0, place - 2) : place])
        found.append(number_of(token, before, seen, salt) if place else None)
        seen.add((*before, token))
    return found


class Loopback:
    """What a server answers.

    Parameters
    ----------
    kind : str
        One of `KINDS`, or ``llama.cpp``, ``ollama``, ``chat``.
    fault : str
        One of `FAULTS`, or none.
    context : int
        Tokens that it takes; longer prompts are refused.
    salt : str
        Another one is another model.
    replies : dict of int to Reply
        What it says to the requests of these numbers instead.
    """

    def __init__(self, kind="vllm", fault="", *, bos=True, context=4096, replies=None, salt=""):
        self.kind, self.fault, self.bos, self.context = kind, fault, bos, context
        self.replies, self.salt = replies or {}, salt
        self.model: Model | None = None
        self.prompts: list[str] = []
        self.first: list[float | None] = []

    @property
    def n_asked(self) -> int:
        return len(self.model.asked) if self.model else 0

    def play(self, content: dict[str, Any], number: int) -> Reply:
        if number in self.replies:
            reply: Reply = self.replies[number]
            return reply
        assert self.model is not None
        path = self.model.asked[number].path
        known: dict[str, Callable[[dict[str, Any]], Any]] = {
            "/v1/models": self._models,
            "/v1/completions": self._completions,
            "/v1/chat/completions": self._chat,
            "/generate": self._generate,
            "/info": self._info,
            "/api/version": lambda _: {"version": "0.9"} if self.kind == "ollama" else None,
        }
        answer = known.get(path, lambda _: None)(content)
        if answer is None:
            return Reply(status=404, body=b'{"error": {"message": "not found"}}')
        if isinstance(answer, Reply):
            return answer
        return Reply(body=json.dumps(answer).encode())

    def _models(self, _):
        if self.kind in {"tgi", "ollama"}:
            return None
        owner = {"llama.cpp": "llamacpp"}.get(self.kind, self.kind)
        limit = {"max_model_len": self.context} if self.kind == "vllm" else {}
        return {"object": "list", "data": [{"id": "copier", "owned_by": owner, **limit}]}

    def _info(self, _):
        if self.kind != "tgi":
            return None
        return {"model_id": "copier", "model_dtype": "float16", "max_total_tokens": self.context}

    def _chat(self, content):
        if not content.get("messages"):
            return Reply(status=400, body=b'{"error": {"message": "messages: required"}}')
        return {"choices": [{"message": {"content": "Yes."}}]}

    def _answered(self, prompt: str) -> list[tuple[str, float | None]] | Reply:
        """Return tokens and numbers, with this server's fault."""
        self.prompts.append(prompt)
        tokens = [*["<s>"] * (self.bos + (self.fault == "bos twice")), *tokens_of(prompt)]
        if len(tokens) >= self.context:
            said = f"This model's maximum context length is {self.context} tokens."
            return Reply(status=400, body=json.dumps({"message": said}).encode())
        if self.fault == "prompt cut at its beginning":
            tokens = [*tokens[: self.bos], *tokens[-_CUT:]]
        if self.fault == "prompt cut at its end":
            tokens = tokens[:_CUT]
        numbers = self._from_cache(numbers_of(tokens, self.salt))
        numbers = NUMBERS.get(self.fault, lambda given: given)(numbers)
        pairs = list(zip(tokens, numbers, strict=True))
        return [p for p in pairs if p[0] != BROKEN] if self.fault == "bytes lost" else pairs

    def _from_cache(self, numbers):
        if self.fault == "numbers from the cache":
            self.first = self.first or numbers
            return [*self.first, *numbers[len(self.first) :]][: len(numbers)]
        if self.fault == "nulls from the cache" and len(self.prompts) > 1:
            return [None] * 32 + numbers[32:]
        return numbers

    def _completions(self, content):
        if self.kind == "chat":
            return None
        if self.kind not in {"vllm", "openai", "llama.cpp", "ollama"}:
            return None
        if "prompt" not in content:
            return Reply(status=400, body=b'{"error": {"message": "prompt: required"}}')
        choice: dict[str, Any] = {"index": 0, "text": " and", "logprobs": None}
        if self.kind == "llama.cpp":
            choice["logprobs"] = {"content": [{"id": 5, "token": " and", "logprob": -1.5}]}
        pairs = self._answered(content["prompt"])
        if isinstance(pairs, Reply):
            return pairs
        if self.kind == "vllm" and content.get("prompt_logprobs") is not None:
            # A server of this kind does not name the token that has no number.
            choice["prompt_logprobs"] = [
                None
                if number is None
                else {str(place): {"logprob": number, "rank": place, "decoded_token": token}}
                for place, (token, number) in enumerate(pairs)
            ]
        if self.kind == "openai" and content.get("echo"):
            tokens = [f"bytes:\\x{ord(t) % 256:02x}" if t == BROKEN else t for t, _ in pairs]
            choice["logprobs"] = {
                "tokens": tokens,
                "token_logprobs": [number for _, number in pairs],
                "text_offset": [0] * len(tokens),
            }
        return {"object": "text_completion", "choices": [choice]}

    def _generate(self, content):
        prompt = content.get({"sglang": "text", "tgi": "inputs"}.get(self.kind, ""))
        if self.kind not in {"sglang", "tgi"}:
            return None
        if prompt is None:
            return Reply(status=422, body=b'{"error": "missing field"}')
        pairs = self._answered(prompt)
        if isinstance(pairs, Reply):
            return pairs
        if self.kind == "sglang":
            entries = [[number, place, token] for place, (token, number) in enumerate(pairs)]
            return {"text": " and", "meta_info": {"input_token_logprobs": entries}}
        # Texts of words lose their space, as a tokenizer's own decoding of one token does it.
        prefill = [
            {"id": i, "text": t[1:] if t[:1] == " " and t != " " else t, "logprob": n}
            for i, (t, n) in enumerate(pairs)
        ]
        return {"generated_text": " and", "details": {"prefill": prefill}}


@contextlib.contextmanager
def serving(kind="vllm", fault="", **more) -> Iterator[tuple[str, Loopback]]:
    """Serve; gives the address and the server, which knows the prompts it was asked."""
    server = Loopback(kind, fault, **more)
    with playing(server.play) as model:
        server.model = model
        yield model.url.removesuffix("/v1"), server
