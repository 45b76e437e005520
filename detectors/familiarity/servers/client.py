"""Questions to a model's server in JSON: patient, bounded, and silent about keys.

References
----------
RFC 9110, section 10.2.3 (Retry-After). https://www.rfc-editor.org/rfc/rfc9110
"""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from competitions.downloads import InterruptedTransferError, Patience, wait_before_retry
from competitions.errors import ModelServerError
from detectors.json_http import JsonHttp, address

if TYPE_CHECKING:
    from collections.abc import Callable

MODEL_KEY, REFERENCE_KEY = "MLE_AUDIT_MODEL_KEY", "MLE_AUDIT_REFERENCE_KEY"
PATIENCE = Patience(tries=6, longest_wait_s=30.0, longest_asked_s=300.0, timeout_s=300.0)
_DEADLINE_S = 900.0  # of one answer; one that drips in is given up
_CONNECT_S = 15.0
_MAX_BYTES = 64 << 20
_TRIES_OF_NOBODY = 2  # of an address where nobody has answered yet
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
        address(self.url, "a server's address", "http://127.0.0.1:8000", MODEL_KEY)
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

    @property
    def _http(self) -> JsonHttp:
        wait, clock = self.patience.timeout_s, self.patience.clock
        return JsonHttp(self.key, (min(_CONNECT_S, wait), wait), _DEADLINE_S, _MAX_BYTES, clock)

    def _once(self, method: str, path: str, body: dict[str, Any] | None) -> Any:  # noqa: ANN401
        reply = self._http.send(method, self.url + path, body)
        self._was_there, status = True, reply.status
        if status in {_UNAUTHORIZED, _FORBIDDEN, _TOO_MANY} or (
            status >= _FAULT and status != _NOT_IMPLEMENTED
        ):
            raise self._http.error(reply)
        if status != _OK:
            return Refused(status, self._http.said(reply.text))
        try:
            return json.loads(reply.text)
        except (ValueError, RecursionError):
            return Refused(0, "it sent no JSON")

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
