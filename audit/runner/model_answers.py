"""What requests to a model and its answers say: model, tokens, tools; and a key taken out of them.

OpenAI's two interfaces (chat completions and responses), Anthropic's messages and Gemini's are
read, whole or as a stream of events. What says nothing of these is passed on all the same.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

MAX_READ_BYTES = 8 << 20  # of an answer, or of one event of a stream
MAX_TOKENS = 1 << 53
_MAX_NAME = 200
_IN = ("prompt_tokens", "input_tokens", "promptTokenCount")
_OUT = ("completion_tokens", "output_tokens", "candidatesTokenCount")
# Tools that the provider runs itself and that fetch something from elsewhere; tools of the type
# `function`, and Anthropic's bash and editor, are run by the agent.
_FETCHES = re.compile(r"web|(?<!tool_)search|fetch|brows|mcp|connector|code_interp|code_exec")
_RUN_BY_AGENT = frozenset({"function", "custom", "local_shell", "apply_patch"})
_FETCHING_KEYS = ("web_search_options", "mcp_servers", "plugins", "search_parameters")


def model_named(content: object) -> str | None:
    """Return the model that a request or an answer names."""
    if not isinstance(content, dict):
        return None
    named = content.get("model") or content.get("modelVersion")
    return named[:_MAX_NAME] if isinstance(named, str) else None


def hosted_tool(request: object) -> str | None:
    """Name a tool of the request that the provider would run and that reaches further than a model.

    Such a tool reads the web or runs code where no sandbox of ours is.

    Examples
    --------
    >>> hosted_tool({"tools": [{"type": "function", "name": "search"}]})
    >>> hosted_tool({"tools": [{"type": "web_search_preview"}]})
    'web_search_preview'
    """
    if not isinstance(request, dict):
        return None
    for key in _FETCHING_KEYS:
        if request.get(key):
            return key
    model = request.get("model")
    if isinstance(model, str) and model.endswith((":online", "-search-preview")):
        return model[:_MAX_NAME]
    tools = request.get("tools")
    for tool in tools if isinstance(tools, list) else ():
        if not isinstance(tool, dict):
            continue
        kind = tool.get("type")
        # Gemini's tools have no type: their name is their key.
        names = [kind] if isinstance(kind, str) else [str(k) for k in tool]
        for name in names:
            if name not in _RUN_BY_AGENT and _FETCHES.search(_snake(name)):
                return name[:_MAX_NAME]
    return None


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name).lower()


@dataclass
class Answer:
    """What an answer said of itself so far.

    Parameters
    ----------
    is_stream : bool
        Whether it comes as server-sent events, each with an object of its own.
    """

    is_stream: bool
    model: str | None = None
    tokens_in: int | None = None
    tokens_out: int | None = None
    _held: bytearray = field(default_factory=bytearray)
    _is_skipping: bool = False

    def feed(self, block: bytes) -> None:
        """Take the next piece; what is too large to read is passed over."""
        if not self.is_stream:
            if len(self._held) <= MAX_READ_BYTES:
                self._held += block
            return
        *lines, rest = block.split(b"\n")
        for line in lines:
            self._take(line)
            self._read_event()
        self._take(rest)

    def _take(self, piece: bytes) -> None:
        if self._is_skipping or len(self._held) + len(piece) > MAX_READ_BYTES:
            self._is_skipping = True
            self._held.clear()
        else:
            self._held += piece

    def _read_event(self) -> None:
        line = bytes(self._held)
        self._held.clear()
        self._is_skipping = False
        if line.startswith(b"data:"):
            self._read(line[5:])

    def end(self) -> None:
        """Read what was held until the answer was whole."""
        if self.is_stream:
            self._read_event()
        elif len(self._held) <= MAX_READ_BYTES:
            self._read(bytes(self._held))
        self._held.clear()

    def _read(self, text: bytes) -> None:
        try:
            content = json.loads(text)
        except (ValueError, RecursionError):
            return
        # Gemini streams a list when it is not asked for events.
        for part in content if isinstance(content, list) else (content,):
            self._read_object(part)

    def _read_object(self, content: object) -> None:
        if not isinstance(content, dict):
            return
        for inner in (content, content.get("response"), content.get("message")):
            if isinstance(inner, dict):
                self.model = model_named(inner) or self.model
                usage = inner.get("usage") or inner.get("usageMetadata")
                if isinstance(usage, dict):
                    self.tokens_in = _most(self.tokens_in, usage, _IN)
                    self.tokens_out = _most(self.tokens_out, usage, _OUT)


def _most(before: int | None, usage: dict[str, Any], names: tuple[str, ...]) -> int | None:
    """Return the highest count: events of a stream repeat and raise it."""
    said = [usage[n] for n in names if type(usage.get(n)) is int and 0 <= usage[n] < MAX_TOKENS]
    counts = [*said, *([] if before is None else [before])]
    return max(counts, default=None)


class Masker:
    """Takes a key out of a stream of bytes, also where it is cut in two.

    An endpoint may repeat a request's headers in its answer, and errors often quote a key.
    """

    def __init__(self, key: str | None) -> None:
        self.key = key.encode() if key else b""
        self.held = b""

    def feed(self, block: bytes) -> bytes:
        """Return what can be handed on of all that came so far."""
        if not self.key:
            return block
        whole = (self.held + block).replace(self.key, b"*" * len(self.key))
        n = next(
            n
            for n in range(min(len(self.key) - 1, len(whole)), -1, -1)
            if self.key.startswith(whole[len(whole) - n :])
        )
        self.held = whole[len(whole) - n :]
        return whole[: len(whole) - n]

    def end(self) -> bytes:
        """Return the rest."""
        rest, self.held = self.held, b""
        return rest
