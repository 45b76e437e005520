"""The proxy to a model's endpoint, as the runner sees it: started, reached, ended."""

from __future__ import annotations

import contextlib
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from audit.runner import model_proxy_server, relay
from audit.runner.places import MODEL_PORT, MODEL_SOCKET, ModelAccess
from audit.runner.scratch import scratch_folder
from audit.runner.servers import Shared, listening, open_log, serving_beside
from detectors.record import MODEL_LOG

if TYPE_CHECKING:
    from collections.abc import Iterator

    from audit.runner.model_endpoint import ModelEndpoint
    from audit.runner.sandbox import Sandbox

_LAST_WORDS_S = 2.0  # to write down the requests that are under way
_TRUST = ("SSL_CERT_FILE", "SSL_CERT_DIR")  # where a machine's own authorities are


@contextlib.contextmanager
def proxying(
    kind: Sandbox, endpoint: ModelEndpoint | None, attempt: Path
) -> Iterator[ModelAccess | None]:
    """Let one attempt reach its model's endpoint, and nothing else, during the block.

    Its requests are written to ``model-calls.jsonl`` in the attempt's folder, which does not exist
    inside the sandbox. The key goes to the proxy's process alone.

    Parameters
    ----------
    kind : {"bubblewrap", "none"}
        A sandbox is reached through a socket file, an unprotected agent through a port.
    endpoint : ModelEndpoint or None
        None starts nothing.
    attempt : Path
        The attempt's folder.

    Yields
    ------
    ModelAccess or None
        How the agent reaches it.

    Raises
    ------
    UsageError
        When the key is not where it was said to be.
    OSError
        When no process, file or socket can be made.
    """
    if endpoint is None:
        yield None
        return
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(scratch_folder("model"))
        shutil.copyfile(relay.__file__, folder / Path(relay.__file__).name)
        listener, root = listening(kind, folder, MODEL_SOCKET)
        stack.enter_context(listener)
        shared: Shared = {"listener": listener, "log": open_log(attempt / MODEL_LOG)}
        settings = {
            "server": model_proxy_server.__name__,
            "folder": str(folder),
            "scheme": endpoint.scheme,
            "host": endpoint.host,
            "port": endpoint.port,
            "prefix": endpoint.prefix,
            "key": endpoint.key(),
        }
        trust = {name: os.environ[name] for name in _TRUST if name in os.environ}
        stack.enter_context(
            serving_beside(attempt, "model's proxy", settings, shared, trust, _LAST_WORDS_S)
        )
        root = root or f"http://127.0.0.1:{MODEL_PORT}"
        yield ModelAccess(folder, root + endpoint.prefix)
