"""One request to somebody's server: bounded in size and time, and silent about the key."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from competitions.downloads import InterruptedTransferError
from competitions.errors import UsageError
from competitions.io import printable
from reports.secrets import masked

if TYPE_CHECKING:
    from collections.abc import Callable
    from urllib.parse import SplitResult

    import requests

MAX_SAID = 200  # characters of what a server says
_BLOCK = 1 << 14


class Reply(NamedTuple):
    """What came back: the status, the body as text, and the response for its headers."""

    status: int
    text: str
    response: requests.Response


@dataclass(frozen=True)
class JsonHttp:
    """How a server is asked.

    Parameters
    ----------
    key : str or None
        Sent as a bearer token to the host that is asked alone, and shown nowhere.
    timeout_s : float or tuple of two floats
        Seconds until a connection stands, and between two pieces of the answer.
    deadline_s : float
        Seconds for a whole answer; one that drips in is given up.
    max_bytes : int
        The longest answer that is read.
    clock : callable
        Tells the seconds.
    """

    key: str | None = field(repr=False)
    timeout_s: float | tuple[float, float]
    deadline_s: float
    max_bytes: int
    clock: Callable[[], float]

    def send(self, method: str, url: str, body: dict[str, Any] | None) -> Reply:
        """Send one request and read its answer, whatever the status.

        Raises
        ------
        requests.RequestException
            When nobody can be reached or answers in time.
        InterruptedTransferError
            When the answer broke off, was too long or took too long.
        """
        import requests

        with (
            requests.Session() as session,
            session.request(
                method,
                url,
                json=body,
                auth=self._authorise,  # without one a password of ~/.netrc would be sent
                timeout=self.timeout_s,
                allow_redirects=False,  # whoever it leads to was not named
                stream=True,
            ) as response,
        ):
            return Reply(response.status_code, self._read(response), response)

    def error(self, reply: Reply) -> requests.HTTPError:
        """Return what a reply stands for that is tried again or given up, with its words."""
        import requests

        return requests.HTTPError(self.said(reply.text), response=reply.response)

    def said(self, text: str) -> str:
        """Return what a server said, short, printable, without any key."""
        try:
            content = json.loads(text)
            said = content.get("error") or content.get("message") or content.get("detail")
            said = said.get("message") if isinstance(said, dict) else said
        except (ValueError, AttributeError, RecursionError):
            said = None
        words = " ".join(str(said or text or "no reason given").split())
        if self.key:
            words = words.replace(self.key, "[key]")
        return printable(masked(words))[:MAX_SAID]

    def _authorise(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        if self.key:
            request.headers["Authorization"] = f"Bearer {self.key}"
        return request

    def _read(self, response: requests.Response) -> str:
        import requests

        until = self.clock() + self.deadline_s
        held = bytearray()
        try:
            for block in response.iter_content(_BLOCK):
                held += block
                if len(held) > self.max_bytes:
                    raise InterruptedTransferError(f"more than {self.max_bytes >> 20} MiB came")
                if self.clock() > until:
                    raise InterruptedTransferError(f"it took longer than {self.deadline_s:.0f} s")
        except requests.RequestException as error:
            raise InterruptedTransferError("it broke off") from error
        return held.decode("utf-8", "replace")


def address(url: str, named: str, example: str, key_name: str) -> SplitResult:
    """Return the parts of a server's address.

    Parameters
    ----------
    url : str
        As the user gave it.
    named, example : str
        What it is called in a message, and one that is right.
    key_name : str
        The environment variable that holds the key.

    Raises
    ------
    UsageError
        When it is none of http or https, or has a password, a query or a fragment in it.
    """
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        parts, host = urlsplit(""), None
    if parts.scheme not in {"http", "https"} or not host or parts.query or parts.fragment:
        raise UsageError(f"Expected {named} like {example}, found {masked(url)!r}.")
    if parts.username is not None:
        raise UsageError(
            f"Expected {named} without a name or password in it.",
            f"Give the key in the environment: export {key_name}=…",
        )
    return parts


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
