"""Which way a server returns log-probabilities of a prompt; found by trying each."""

from __future__ import annotations

from functools import partial
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urldefrag

from competitions.errors import MissingLibraryError, ModelServerError
from competitions.io import listed, printable, sha256_bytes
from detectors.familiarity.backend import Identity
from detectors.familiarity.servers.alignment import self_test
from detectors.familiarity.servers.client import PATIENCE, Client, Refused
from detectors.familiarity.servers.fingerprints import weights_of
from detectors.familiarity.servers.interfaces import INTERFACES, Echo
from detectors.familiarity.servers.server_model import N_PARALLEL, ServerModel

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from competitions.downloads import Patience
    from detectors.familiarity.servers.alignment import Tested
    from detectors.familiarity.servers.interfaces import Interface

ABSENT = frozenset({404, 405, 501})
_MAX_SHOWN = 100  # characters of a name
_REFUSED_PARAMETER = frozenset({400, 422})
_SPARE_CONTEXT = 0.85  # of a context that windows may fill: stretches are asked somewhat longer
_LIMITS = ("max_model_len", "context_length", "max_total_tokens", "max_input_tokens")
_ABOUT = ("/info", "/get_server_info")  # TGI's, SGLang's
_KNOWN_WITHOUT = {
    "llama.cpp": "its server ignores echo and returns numbers of generated tokens only: load the "
    "GGUF file itself, as --model FILE.gguf or llama-cpp:FILE.gguf",
    "Ollama": "it returns numbers of generated tokens only: name the model's GGUF file instead",
}


class About(NamedTuple):
    """What a server says of itself.

    Parameters
    ----------
    served : str
        Name of the model; empty where it does not say.
    context : int or None
        Most tokens of a prompt.
    dtype : str
        Of the weights.
    owner : str
        Of the model, which names the software of some servers.
    """

    served: str
    context: int | None
    dtype: str
    owner: str

    @property
    def shown(self) -> str:
        """Return the model's name for a message; a server may say anything."""
        return printable(self.served)[:_MAX_SHOWN] or "its model"


def open_server(
    name: str,
    *,
    key: str | None,
    cache: Path,
    announce: Callable[[str], None],
    patience: Patience = PATIENCE,
    pause: Callable[[float], object] | None = None,
) -> ServerModel:
    """Find out how a server is asked, after it has passed the self-test.

    Parameters
    ----------
    name : str
        ``http://HOST:PORT``; where it serves several models, with ``#MODEL``.
    key : str or None
        Sent as a bearer token.
    cache : Path
        Where answers to the self-test are kept.
    patience, pause
        As of `Client`.

    Raises
    ------
    MissingLibraryError
        When ``requests`` is not installed.
    UsageError
        When the address is none.
    ModelServerError
        When it cannot be reached, has several models, or gives no numbers that can be believed;
        with the reason of each way that was tried.
    """
    client, wanted = client_of(name, key=key, patience=patience, pause=pause)
    about = about_of(client, wanted)
    interface, tested = _first_that_works(client, about)
    tokenizer = sha256_bytes("\n".join(tested.tokens).encode("utf-8", "surrogatepass"))
    numbers = tested.reading.log_probability.tolist()
    weights = weights_of(cache / "servers", (about.served, tokenizer, about.dtype), numbers)
    limit = f"context of {about.context:,} tokens" if about.context else "unknown context"
    announce(
        f"Asking {client.host} about {about.shown} by {interface.name}, {limit}, "
        f"{N_PARALLEL} texts at a time; the self-test passed."
    )
    return ServerModel(
        client,
        interface,
        about.served,
        Identity(name, weights, tokenizer, about.dtype, tested.reading.bos),
        int(about.context * _SPARE_CONTEXT) if about.context else None,
    )


def client_of(
    name: str,
    *,
    key: str | None = None,
    patience: Patience = PATIENCE,
    pause: Callable[[float], object] | None = None,
) -> tuple[Client, str]:
    """Return who asks the server of this name, and the model that the name means.

    Raises
    ------
    MissingLibraryError
        When ``requests`` is not installed.
    UsageError
        When the address is none.
    """
    if find_spec("requests") is None:
        raise MissingLibraryError("requests", "Asking a model's server", "familiarity")
    url, wanted = urldefrag(name)
    return Client(url, key, patience, pause=pause), wanted


def about_of(client: Client, wanted: str) -> About:
    """Ask a server which models it has, and what it says of the one that is meant.

    Raises
    ------
    ModelServerError
        When it cannot be reached, has several models, or not the one that is wanted.
    """
    content = client.get("/v1/models")
    entries = content.get("data") if isinstance(content, dict) else None
    models = [e for e in entries if isinstance(e, dict)] if isinstance(entries, list) else []
    names = [e["id"] for e in models if isinstance(e.get("id"), str)]
    if wanted and names and wanted not in names:
        raise ModelServerError(
            f"{client.host}: expected a model {printable(wanted)}, found {listed(names)}."
        )
    if not wanted and len(names) > 1:
        raise ModelServerError(
            f"{client.host}: expected one model, found {listed(names)}.",
            "Name one: --model http://HOST:PORT#MODEL",
        )
    served = wanted or (names[0] if names else "")
    mine = next((e for e in models if e.get("id") == served), {})
    said = [mine, *(_object(client.get(path)) for path in _ABOUT)]
    limits = [_limit(one, key) for one in said for key in _LIMITS]
    dtype = next((d for d in (_dtype(one) for one in said) if d), "unknown")
    return About(
        served or next((str(one["model_id"]) for one in said if "model_id" in one), ""),
        min((limit for limit in limits if limit), default=None),
        dtype,
        str(mine.get("owned_by", "")),
    )


def _object(content: Any) -> dict[str, Any]:  # noqa: ANN401 - what a server sends
    return content if isinstance(content, dict) else {}


def _limit(said: dict[str, Any], key: str) -> int | None:
    value = said.get(key)
    return value if isinstance(value, int) and value > 1 else None


def _dtype(said: dict[str, Any]) -> str:
    value = said.get("model_dtype") or said.get("dtype")
    return printable(value.removeprefix("torch."))[:20] if isinstance(value, str) else ""


def _maker(client: Client, about: About) -> str:
    """Say which known server it is, where that explains what it cannot do."""
    if about.owner == "llamacpp" or "default_generation_settings" in _object(client.get("/props")):
        return "llama.cpp"
    return "Ollama" if "version" in _object(client.get("/api/version")) else ""


def _first_that_works(client: Client, about: About) -> tuple[Interface, Tested]:
    tried: dict[str, Refused] = {}
    last = Refused(0, "")
    for interface in INTERFACES:
        if interface == Echo(1) and last.status not in _REFUSED_PARAMETER:
            continue  # it generates a token where none was refused
        try:
            found = self_test(partial(interface.ask, client, about.served))
        except ModelServerError as error:
            found = Refused(0, error.problem)
        if not isinstance(found, Refused):
            return interface, found
        tried[interface.name] = last = found
    raise ModelServerError(
        f"{client.host}: expected log-probabilities of the prompt that pass the self-test, found "
        f"none. {_why(client, about, tried)}{_told(tried)}",
        "Servers that can: vLLM, SGLang, TGI (--enable-prefill-logprobs), OpenAI's legacy "
        "completions with echo. Or score elsewhere: --model logprobs:FILE.jsonl",
    )


def _told(tried: dict[str, Refused]) -> str:
    """Tell what came of each way; those that a server does not have in one line."""
    absent = [name for name, found in tried.items() if found.status in ABSENT]
    said = [
        f"{name}: " + (f"refused with {f.status} ({f.said})" if f.status else f.said)
        for name, f in tried.items()
        if name not in absent
    ]
    if absent:
        said.append(f"not there: {', '.join(absent)}")
    return f"Tried were {'; '.join(said)}."


def _why(client: Client, about: About, tried: dict[str, Refused]) -> str:
    if maker := _maker(client, about):
        return f"This is {maker}: {_KNOWN_WITHOUT[maker]}. "
    if all(found.status for found in tried.values()) and _is_chat_only(client):
        return (
            "It has a chat endpoint only, which returns numbers of the answer's tokens, never of "
            "the prompt's. "
        )
    return ""


def _is_chat_only(client: Client) -> bool:
    """Tell a chat endpoint by its refusal of an empty request, which costs nothing."""

    def exists(path: str) -> bool:
        try:
            found = client.post(path, {})
        except ModelServerError:
            return True
        return not (isinstance(found, Refused) and found.status in ABSENT)

    return exists("/v1/chat/completions") and not exists("/v1/completions")
