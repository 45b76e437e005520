"""Any model by the name that a user gives it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from competitions.errors import UsageError
from detectors.familiarity.servers.client import MODEL_KEY
from detectors.familiarity.servers.stored import StoredScores
from detectors.json_http import key_in_environment

if TYPE_CHECKING:
    from collections.abc import Callable

    from detectors.familiarity.backend import Backend, Plan

_SERVER = ("http://", "https://")
_STORED, _LLAMA_CPP = "logprobs:", "llama-cpp:"


def open_model(
    name: str,
    *,
    cache: Path,
    announce: Callable[[str], None],
    key_name: str = MODEL_KEY,
) -> Backend:
    """Open a model: what its name says decides how it is asked.

    ==============================  ============================================================
    name                            is
    ==============================  ============================================================
    ``http://HOST:PORT[#MODEL]``    a server; how it is asked is found out
    ``logprobs:FILE.jsonl[#NAME]``  scores computed elsewhere
    ``llama-cpp:FILE.gguf``         a file in llama.cpp, through llama-cpp-python
    anything else                   see `load_model`
    ==============================  ============================================================

    Parameters
    ----------
    cache : Path
        Where converted models and answers to the self-test are kept.
    announce : callable
        Told in a sentence what is loaded or asked, before it is used.
    key_name : str
        Environment variable with the key of a server.

    Raises
    ------
    ModelError
        When it cannot be asked; the classes below it say why.
    UsageError
        When an address or a key is none.
    """
    if is_server(name):
        from detectors.familiarity.servers.probing import open_server

        key = key_in_environment(key_name)
        return open_server(name, key=key, cache=cache, announce=announce)
    if name.startswith(_STORED):
        from detectors.familiarity.servers.stored import read_logprobs

        path, _, chosen = name.removeprefix(_STORED).partition("#")
        return read_logprobs(Path(path), chosen)
    if name.startswith(_LLAMA_CPP):
        from detectors.familiarity.servers.llama_cpp import open_llama_cpp

        return open_llama_cpp(Path(name.removeprefix(_LLAMA_CPP)), announce)
    from detectors.familiarity.local_model import load_model

    return load_model(name, cache=cache, announce=announce)


def answers_of(name: str, announce: Callable[[str], None]) -> Callable[[int], Callable[[str], str]]:
    """Return what, given the most tokens of an answer, returns a function that answers prompts.

    Parameters
    ----------
    name : str
        A server's address, any chat endpoint's, or as `load_model` takes it.

    Raises
    ------
    ModelError
        When it cannot be asked; the classes below it say why.
    UsageError
        When an address or a key is none.
    """
    require_model(name)
    if is_server(name):
        from detectors.familiarity.servers.chat import asking_server

        return asking_server(name, key=key_in_environment(MODEL_KEY), announce=announce)
    from detectors.familiarity.local_model import load_model
    from detectors.familiarity.sampling import asking

    return partial(asking, load_model(name, announce=announce))


def require_model(name: str) -> None:
    """See that a name may be a model's, before anything is done or shown for it.

    Nothing is loaded and nobody is asked: a server, the hub and the weights are tried later.

    Raises
    ------
    UsageError
        When it is an address that is none or has a password in it, a file or folder that is not
        there, or a built-in model that there is not.
    ModelFilesError
        When a file or folder is there and is no model's.
    MissingLibraryError
        When what loads it is not installed.
    """
    if is_server(name):
        from detectors.familiarity.servers.probing import client_of

        client_of(name)
        return
    for begin in (_STORED, _LLAMA_CPP):
        if name.startswith(begin):
            path = name.removeprefix(begin).partition("#")[0]
            if not Path(path).is_file():
                raise UsageError(f"--model {name}: expected a file, found none at {path!r}.")
            return
    from detectors.familiarity.local_model import require_local

    require_local(name)


def require_known(name: str) -> None:
    """Ask the hub whether it knows a model that is to come from there; others are left alone.

    Raises
    ------
    ModelFilesError
        When it does not, or cannot be reached.
    """
    from detectors.familiarity.hub import require_on_hub
    from detectors.familiarity.local_model import is_of_hub

    if not is_server(name) and not name.startswith((_STORED, _LLAMA_CPP)) and is_of_hub(name):
        require_on_hub(name)


def is_server(name: str) -> bool:
    """Say whether a name is a server's address."""
    return name.startswith(_SERVER)


def is_stored(name: str) -> bool:
    """Say whether a name is that of a file of numbers."""
    return name.startswith(_STORED)


def fitted(plan: Plan, backend: Backend) -> Plan:
    """Return the plan that a model can keep: a window within its context, what it can give.

    Scores that were computed elsewhere keep the plan they were made with.
    """
    if isinstance(backend, StoredScores):
        return backend.plan
    if backend.context is not None and plan.window > backend.context:
        plan = replace(plan, window=backend.context, stride=max(1, backend.context * 3 // 4))
    return replace(plan, statistics=plan.statistics and gives_statistics(backend))


def gives_statistics(backend: Any) -> bool:  # noqa: ANN401 - models that are loaded do not say it
    """Say whether a model gives mean, deviation and rank; those that are loaded all do."""
    return bool(getattr(backend, "has_statistics", True))
