"""Fetch one large file over HTTP so that an interruption, even by kill -9, costs 64 KiB at most.

The part lies beside the target as ``<name>.part``, with ``<name>.json`` that says which remote
object it belongs to (entity tag or date, and size). A later call continues it with a range request
when the object is still the same, and starts anew otherwise.

References
----------
RFC 9110, sections 10.2.3 (Retry-After), 13.1.5 (If-Range) and 14 (Range).
https://www.rfc-editor.org/rfc/rfc9110
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from dataclasses import asdict, dataclass
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING

from competitions.disk import require_room, telling_when_full
from competitions.io import write_json

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import requests

    from competitions.archive import Show

_BLOCK = 1 << 16  # of one that is not whole when a connection breaks nothing is kept
_MIB = 1 << 20
_PARTIAL, _RANGE_REFUSED, _TOO_MANY = 206, 416, 429
_SERVER_FAULT = 500


@dataclass(frozen=True)
class Patience:
    """How long a download waits for a server, and with which clock.

    Parameters
    ----------
    tries : int
        Failures in a row before it gives up.
    enough : int
        Bytes that a try must have brought for the count to begin anew.
    first_wait_s, longest_wait_s : float
        Seconds before the second try, doubled at each further one up to the longest.
    longest_asked_s : float
        Waits that the server asks for (Retry-After) are honoured up to here.
    timeout_s : float
        Seconds without a byte, or without an answer to a connection.
    sleep, clock : callable
        Stand-ins for tests; `clock` returns seconds since 1970.
    """

    tries: int = 5
    enough: int = _MIB
    first_wait_s: float = 1.0
    longest_wait_s: float = 60.0
    longest_asked_s: float = 600.0
    timeout_s: float = 60.0
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.time


@dataclass(frozen=True)
class _Remote:
    """Which remote object; `validator` is a strong entity tag, a date, or None."""

    validator: str | None
    size: int | None

    @classmethod
    def of(cls, response: requests.Response) -> _Remote:
        head = response.headers
        if head.get("Content-Encoding", "identity") != "identity":
            return cls(None, None)  # its size and ranges are those of the packed bytes
        tag = head.get("ETag", "")
        validator = head.get("Last-Modified") if tag.startswith("W/") or not tag else tag
        size = head.get("Content-Length", "")
        return cls(validator, int(size) if size.isdigit() else None)


class InterruptedTransferError(OSError):
    """The body of an answer ended or stalled before its end."""


def download(
    start: Callable[[], requests.Response],
    target: Path,
    patience: Patience,
    show: Show | None = None,
) -> None:
    """Fetch a file, continuing what an earlier call left.

    Parameters
    ----------
    start : callable
        Asks for the whole file and returns the answer with its body unread; called at each try, so
        that signed addresses are fresh.
    target : Path
        Where the file lies when it is whole; it is not fetched again while it is the remote one.
    show : callable or None
        Told how many MiB are there, how many there are in all, and the file's name.

    Raises
    ------
    requests.RequestException
        The last failure, when trying again did not help or cannot help.
    InterruptedTransferError
        When the body broke off, and trying again did not help; the part is kept.
    DiskFullError
        When there is no room for it; the part is kept.
    """
    import requests

    target.parent.mkdir(parents=True, exist_ok=True)
    transfer = _Transfer(target, patience, show)
    failures = 0
    while True:
        had = transfer.held
        try:
            transfer.go(start)
        except (requests.RequestException, InterruptedTransferError) as error:
            gained = transfer.held - had >= patience.enough
            failures = 1 if gained else failures + 1
            wait = wait_before_retry(error, failures, patience)
            if wait is None or failures >= patience.tries:
                raise
            patience.sleep(wait)
        else:
            return


def wait_before_retry(error: Exception, failures: int, patience: Patience) -> float | None:
    """Say how many seconds to wait before another try, or None when another try cannot help."""
    import requests

    response = getattr(error, "response", None)
    backoff = min(patience.first_wait_s * 2.0 ** (failures - 1), patience.longest_wait_s)
    if response is not None:
        asked = asked_wait_s(response, patience.clock())
        if response.status_code == _TOO_MANY or response.status_code >= _SERVER_FAULT:
            if asked is None:
                return backoff
            return asked if asked <= patience.longest_asked_s else None
        return backoff if response.history else None  # a signed address that has expired
    again = (requests.ConnectionError, requests.Timeout, InterruptedTransferError)
    return backoff if isinstance(error, again) else None


def asked_wait_s(response: requests.Response, now: float) -> float | None:
    """Read Retry-After, seconds or a date, as seconds from `now`; None where it says nothing."""
    text = response.headers.get("Retry-After", "").strip()
    if text.isdigit():
        return float(text)
    with contextlib.suppress(ValueError):
        return max(0.0, parsedate_to_datetime(text).timestamp() - now)
    return None


@dataclass(frozen=True)
class _Transfer:
    """One file on its way to `target`."""

    target: Path
    patience: Patience
    show: Show | None

    @property
    def part(self) -> Path:
        return self.target.with_name(f"{self.target.name}.part")

    @property
    def marker(self) -> Path:
        return self.target.with_name(f"{self.target.name}.json")

    @property
    def held(self) -> int:
        return self.part.stat().st_size if self.part.is_file() else 0

    def go(self, start: Callable[[], requests.Response]) -> None:
        """Try once."""
        with start() as response:
            remote = _Remote.of(response)
            known = remote.validator is not None and self._noted() == remote
            if known and self.target.is_file() and self.target.stat().st_size == remote.size:
                return
            held = self.held if known and remote.size is not None else 0
            if not known or (remote.size is not None and held > remote.size):
                held = self._begin(remote)
            require_room(self.target.parent, (remote.size or 0) - held)
            if held and held == remote.size:  # killed before the last step
                self._finish(remote)
                return
            if not held:
                self._write(response, remote, "wb")
                return
        with self._rest(response, remote, held) as rest:
            if rest.status_code == _PARTIAL:
                self._write(rest, remote, "ab")
            else:  # the object changed between the two answers
                self._begin(_Remote.of(rest))
                self._write(rest, _Remote.of(rest), "wb")

    def _begin(self, remote: _Remote) -> int:
        """Drop what is there, and note what comes."""
        self.part.unlink(missing_ok=True)
        write_json(self.marker, asdict(remote))
        return 0

    def _noted(self) -> _Remote | None:
        """Return which object the part belongs to."""
        try:
            return _Remote(**json.loads(self.marker.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError, RecursionError):
            return None

    def _rest(self, response: requests.Response, remote: _Remote, held: int) -> requests.Response:
        """Ask for the bytes from `held` on; the whole comes when the object changed meanwhile."""
        import requests

        asked = response.request.copy()
        asked.headers["Range"] = f"bytes={held}-"
        asked.headers["If-Range"] = remote.validator or ""
        asked.headers["Accept-Encoding"] = "identity"
        with requests.Session() as session:
            url = asked.url or ""
            settings = session.merge_environment_settings(
                url, proxies={}, stream=True, verify=None, cert=None
            )
            rest = session.send(asked, timeout=self.patience.timeout_s, **settings)
        rest.history = response.history
        expected = f"bytes {held}-{(remote.size or 0) - 1}/{remote.size}"
        found = " ".join(rest.headers.get("Content-Range", "").split())
        wrong_part = rest.status_code == _PARTIAL and found != expected
        if rest.status_code == _RANGE_REFUSED or wrong_part:
            rest.close()
            self.part.unlink()
            raise InterruptedTransferError(f"expected {expected}, found {found or 'no range'}")
        rest.raise_for_status()
        return rest

    def _write(self, response: requests.Response, remote: _Remote, mode: str) -> None:
        """Write the body behind what is there (``ab``) or anew (``wb``), and finish."""
        import requests

        with (
            telling_when_full(self.target.parent, remote.size),
            self.part.open(mode) as stream,
        ):
            try:
                for block in response.iter_content(_BLOCK):
                    stream.write(block)
                    self._tell(stream.tell(), remote)
            except requests.RequestException as error:
                raise InterruptedTransferError(type(error).__name__) from error
            stream.flush()
            os.fsync(stream.fileno())
        if remote.size is not None and self.held != remote.size:
            raise InterruptedTransferError(f"expected {remote.size} bytes, found {self.held}")
        self._finish(remote)

    def _finish(self, remote: _Remote) -> None:
        self._tell(self.held, remote)
        self.part.replace(self.target)

    def _tell(self, held: int, remote: _Remote) -> None:
        if self.show is not None:
            said = f"{self.target.name}: MiB downloaded"
            self.show(held // _MIB, (remote.size or 0) // _MIB, said)
