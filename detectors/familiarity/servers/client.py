"""Questions to a model's server in JSON: patient, bounded, and silent about keys.

References
----------
RFC 9110, section 10.2.3 (Retry-After). https://www.rfc-editor.org/rfc/rfc9110
"""

from __future__ import annotations

import json
import os
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from competitions.downloads import InterruptedTransferError, Patience, wait_before_retry
from competitions.errors import ModelServerError, UsageError
from competitions.io import printable
from reports.secrets import masked

if TYPE_CHECKING:
    from collections.abc import Callable

    import requests

MODEL_KEY, REFERENCE_KEY = "MLE_AUDIT_MODEL_KEY", "MLE_AUDIT_REFERENCE_KEY"
PATIENCE = Patience(tries=6, longest_wait_s=30.0, longest_asked_s=300.0, timeout_s=300.0)
_DEADLINE_S = 900.0  # of one answer; one that drips in is given up
_CONNECT_S = 15.0
_MAX_BYTES = 64 << 20
_MAX_SAID = 200
_TRIES_OF_NOBODY = 2  # of an address where nobody has answered yet
_BLOCK = 1 << 16
_OK, _UNAUTHORIZED, _FORBIDDEN, _TOO_MANY = 200, 401, 403, 429
_FAULT, _NOT_IMPLEMENTED = 500, 501


class Refused(NamedTuple):
    """What a server says to a request that it does not take: its status, 0 where it sent no JSON.

    It is told to the user, so that it is short, prints and holds no key.
    """

    status: int
    said: str


@dataclass
class Client:
    """One server, asked by any number of threads.

    Parameters
    ----------
    url : str
        Up to the version: ``http://127.0.0.1:8000``; ``/v1`` at its end is dropped.
    key : str or None
        Sent as a bearer token to this host alone, and shown nowhere.
    patience : Patience
        Tries, longest waits and the clock.
    stopped : Event
        Set where nobody waits for answers any more: what is on its way gives up.
    pause : callable or None
        Stand-in for waiting, in tests.

    Raises
    ------
    UsageError
        When the address is none of http or https, or has a password or a query in it.
    """

    url: str
    key: str | None = field(default=None, repr=False)
    patience: Patience = PATIENCE
    stopped: threading.Event = field(default_factory=threading.Event, repr=False)
    pause: Callable[[float], object] | None = field(default=None, repr=False)
    _was_there: bool = field(default=False, init=False, repr=False)

    def __post_init__(self) -> None:
        try:
            parts = urlsplit(self.url)
            host, _ = parts.hostname, parts.port
        except ValueError:
            parts, host = urlsplit(""), None
        if parts.scheme not in {"http", "https"} or not host or parts.query:
            raise UsageError(
                f"Expected a server like http://127.0.0.1:8000, found {masked(self.url)!r}."
            )
        if parts.username is not None:
            raise UsageError(
                "Expected a server's address without a name or password in it.",
                f"Give the key in the environment: export {MODEL_KEY}=…",
            )
        self.url = self.url.rstrip("/").removesuffix("/v1")

    @property
    def host(self) -> str:
        """Who is asked, without path."""
        return urlsplit(self.url).netloc

    def get(self, path: str) -> Any:  # noqa: ANN401 - any JSON value, or Refused
        """Return the JSON value that stands there, or `Refused`.

        Raises
        ------
        ModelServerError
            When it cannot be reached, wants another key, or fails again and again.
        """
        return self._tried("GET", path, None)

    def post(self, path: str, body: dict[str, Any]) -> Any:  # noqa: ANN401
        """Return the JSON value that answers a request, or `Refused`.

        Raises
        ------
        ModelServerError
            When it cannot be reached, wants another key, or fails again and again.
        """
        return self._tried("POST", path, body)

    def _tried(self, method: str, path: str, body: dict[str, Any] | None) -> Any:  # noqa: ANN401
        import requests

        failures = 0
        while True:
            if self.stopped.is_set():
                raise ModelServerError(f"{self.host}: the call was broken off.")
            try:
                return self._once(method, path, body)
            except (requests.RequestException, InterruptedTransferError) as error:
                failures += 1
                wait = wait_before_retry(error, failures, self.patience)
                tries = self.patience.tries
                if not self._was_there and isinstance(error, requests.ConnectionError):
                    tries = _TRIES_OF_NOBODY
                if wait is None or failures >= tries:
                    raise self._given_up(error) from None
                (self.pause or self.stopped.wait)(wait)

    def _once(self, method: str, path: str, body: dict[str, Any] | None) -> Any:  # noqa: ANN401
        import requests

        with (
            requests.Session() as session,
            session.request(
                method,
                self.url + path,
                json=body,
                auth=self._authorise,  # without one a password of ~/.netrc would be sent
                timeout=(min(_CONNECT_S, self.patience.timeout_s), self.patience.timeout_s),
                allow_redirects=False,  # whoever it leads to was not named
                stream=True,
            ) as response,
        ):
            self._was_there = True
            text, status = self._read(response), response.status_code
            if status in {_UNAUTHORIZED, _FORBIDDEN, _TOO_MANY} or (
                status >= _FAULT and status != _NOT_IMPLEMENTED
            ):
                raise requests.HTTPError(self._shown(text), response=response)
        if status != _OK:
            return Refused(status, self._shown(text))
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return Refused(0, "it sent no JSON")

    def _authorise(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        if self.key:
            request.headers["Authorization"] = f"Bearer {self.key}"
        return request

    def _read(self, response: requests.Response) -> str:
        """Read a body; what is too large or too slow counts as broken off."""
        import requests

        until = self.patience.clock() + _DEADLINE_S
        held = bytearray()
        try:
            for block in response.iter_content(_BLOCK):
                held += block
                if len(held) > _MAX_BYTES:
                    raise InterruptedTransferError(f"more than {_MAX_BYTES >> 20} MiB came")
                if self.patience.clock() > until:
                    raise InterruptedTransferError(f"it took longer than {_DEADLINE_S:.0f} s")
        except requests.RequestException as error:
            raise InterruptedTransferError("it broke off") from error
        return held.decode("utf-8", "replace")

    def _shown(self, text: str) -> str:
        """Return what a server said, short, without any key."""
        try:
            content = json.loads(text)
            said = content.get("error") or content.get("message") or content.get("detail")
            said = said.get("message") if isinstance(said, dict) else said
        except (ValueError, AttributeError, RecursionError):
            said = None
        words = " ".join(str(said or text or "no reason given").split())
        if self.key:
            words = words.replace(self.key, "[key]")
        return printable(masked(words))[:_MAX_SAID]

    def _given_up(self, error: Exception) -> ModelServerError:
        import requests

        response = getattr(error, "response", None)
        if response is not None:
            status = response.status_code
            remedy = "What was scored is kept: the same call goes on from there later."
            if status in {_UNAUTHORIZED, _FORBIDDEN}:
                remedy = (
                    f"Give its key in the environment: export {MODEL_KEY}=… (of the reference: "
                    f"{REFERENCE_KEY})"
                )
            return ModelServerError(f"{self.host}: it answered with {status} ({error}).", remedy)
        if isinstance(error, InterruptedTransferError):
            return ModelServerError(f"{self.host}: its answer was not whole: {error}.")
        if isinstance(error, requests.Timeout):
            return ModelServerError(
                f"{self.host}: no answer in time.",
                "What was scored is kept: the same call goes on from there later.",
            )
        return ModelServerError(
            f"{self.host}: expected a model's server there, found none that answers.",
            "Start it, and name its address as --model http://HOST:PORT",
        )


def key_in_environment(name: str) -> str | None:
    """Return the key in a variable; another's would be sent to whom it is not for.

    Raises
    ------
    UsageError
        When it cannot be sent in a header.
    """
    key = os.environ.get(name, "").strip()
    if not (key.isascii() and key.isprintable()):
        raise UsageError(f"Expected {name} to be a key in one line of ASCII characters.")
    return key or None
