"""Whether the clients of hosted models are pointed to a server of this machine by a setting."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.rules.hosts import Contact, Purpose, addresses, purpose_of
from detectors.rules.llm_clients import HOSTED_MODEL

if TYPE_CHECKING:
    from collections.abc import Iterable

MAX_TEXT = 1 << 20  # characters of one text
_HERE = re.compile(
    r"(?P<before>[^\n]{0,80}?)https?://(?:localhost|127\.\d|0\.0\.0\.0|\[::1\]|"
    r"host\.docker\.internal)[^\s\"'<>]{0,80}"
)
_OF_MODEL = re.compile(r"llm|openai|api_?base|base_?url|chat|model", re.IGNORECASE)
_SPEAKS_SO = re.compile(  # what any server of that form can be asked with
    r"completions\.|responses\.|embeddings\.create|\.create$|[cC]hatOpenAI|OpenAIEmbeddings|litellm\.|"
    r"OpenAI\w*\.(?:invoke|predict|batch|complete|chat)$|dspy\.LM|instructor"
)
_OF_VENDOR = re.compile(
    r"^(?:anthropic|google|vertexai|cohere|mistralai|boto3|groq|together|cerebras|zhipuai|dashscope|"
    r"replicate|voyageai|ai21|fireworks)\."
)


def without_local(found: Iterable[Contact], texts: Iterable[str]) -> frozenset[Contact]:
    """Return the contacts that are none of a hosted model, as the attempt's settings say.

    Where an address of this machine is given to clients and no vendor's is, a client that any
    server can be asked with asks that one, unless the model has a name that only vendors use.

    Parameters
    ----------
    texts : iterable of str
        Code, settings and commands of the attempt.

    Examples
    --------
    >>> asked = Contact(Purpose.LLM, "openai.OpenAI.chat.completions.create", "qwen")
    >>> len(without_local([asked], ["base_url: http://localhost:8000/v1"]))
    1
    """
    asked = [
        c
        for c in found
        if c.purpose is Purpose.LLM
        and "://" not in c.target
        and not HOSTED_MODEL.match(c.target)
        and _SPEAKS_SO.search(c.client)
        and not _OF_VENDOR.match(c.client)
    ]
    if not asked:
        return frozenset()
    whole = "\n".join(text[:MAX_TEXT] for text in texts)
    if any(purpose_of(a) is Purpose.LLM for a in addresses(whole)):
        return frozenset()
    return frozenset(asked) if any(map(_points_here, _HERE.finditer(whole))) else frozenset()


def _points_here(found: re.Match[str]) -> bool:
    address = found.group()[len(found["before"]) :]
    return bool(re.search(r"/v1/?$", address) or _OF_MODEL.search(found["before"]))
