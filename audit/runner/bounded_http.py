"""One HTTP request of a hostile caller: bounded in time and size, answered once, hung up on.

What the servers beside an attempt have in common. Nothing a caller sends is trusted: a header has a
deadline, a body has a length that was said in one plain number, and an answer's sentences are ours.
"""

from __future__ import annotations

import io
import json
import socket
import time
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

BLOCK_BYTES = 1 << 18
_MAX_LINE = 65536  # of a request, as http.server has it
_MAX_DIGITS = 19


@dataclass(frozen=True)
class Patience:
    """How long and how much one connection may take.

    Parameters
    ----------
    header_s : float
        For the whole header: one that is sent at all is sent at once.
    body_s : float
        For the whole upload; the largest takes a second over a socket.
    last_words_s : float
        For the caller to read the answer.
    body_bytes : int
        The largest known submission of a task has about 0.6 GiB.
    log_bytes : int
        Where a server's log ends; counting goes on.
    """

    header_s: float = 5.0
    body_s: float = 60.0
    last_words_s: float = 2.0
    body_bytes: int = 1 << 30
    log_bytes: int = 64 << 20


class _Deadlined(io.RawIOBase):
    """A connection to read from until a moment, however little comes at a time."""

    def __init__(self, connection: socket.socket, seconds: float) -> None:
        self.connection = connection
        self.until = time.monotonic() + seconds

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:  # noqa: ANN401 - as io has it
        left = self.until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        self.connection.settimeout(left)
        return self.connection.recv_into(buffer)


def hang_up(connection: socket.socket, seconds: float) -> None:
    """Read what still comes, for a little while: else the caller may lose the answer."""
    connection.shutdown(socket.SHUT_WR)
    rest = _Deadlined(connection, seconds)
    space = bytearray(BLOCK_BYTES)
    while rest.readinto(space):
        pass


class BoundedRequest(BaseHTTPRequestHandler):
    """One request and its answer."""

    wbufsize = -1  # an answer is sent in one piece
    protocol_version = "HTTP/1.1"  # so that curl's question whether it may go on is answered
    patience: Patience
    called = "server"  # in the header of an answer

    def setup(self) -> None:
        """Read with a deadline instead of line by line without one."""
        super().setup()
        self.source = _Deadlined(self.connection, self.patience.header_s)
        self.rfile = io.BufferedReader(self.source, BLOCK_BYTES)
        self.requestline = self.command = ""  # of one that cannot be read
        self.received = 0
        self.is_answered = False

    def handle(self) -> None:
        """Answer one request and hang up; what is no request is refused."""
        self.close_connection = True
        try:
            self.raw_requestline = self.rfile.readline(_MAX_LINE + 1)
            if not self.raw_requestline:
                return  # nobody asked anything
            if len(self.raw_requestline) > _MAX_LINE:
                self.send_error(414)
            elif self.parse_request():
                self.answer()
        except OSError:  # too slow, or gone
            if not self.is_answered:
                self.given_up()

    def answer(self) -> None:
        """Answer a request whose header could be read."""
        raise NotImplementedError

    def given_up(self) -> None:
        """Note that the caller was too slow, or is gone."""
        raise NotImplementedError

    def refuse_form(self, status: int) -> None:
        """Refuse what is no request as agreed."""
        raise NotImplementedError

    def send_error(
        self,
        code: int,
        message: str | None = None,  # noqa: ARG002 - as the base has it
        explain: str | None = None,  # noqa: ARG002
    ) -> None:
        """Refuse what is no call as agreed; the sentence is ours whatever was sent."""
        self.refuse_form(code)

    def length(self) -> int | None:
        """Return the body's length; None where it is not said in one plain number."""
        said = self.headers.get_all("Content-Length", [])
        is_plain = (
            len(said) == 1
            and said[0].isascii()
            and said[0].isdigit()
            and len(said[0]) <= _MAX_DIGITS
        )
        return int(said[0]) if is_plain and "Transfer-Encoding" not in self.headers else None

    def await_body(self) -> None:
        """Give the caller the time that an upload may take."""
        self.source.until = time.monotonic() + self.patience.body_s

    def blocks(self, length: int) -> Iterator[bytes]:
        """Yield the body.

        Raises
        ------
        OSError
            When it does not come, or not in time.
        """
        while self.received < length:
            block = self.rfile.read1(min(BLOCK_BYTES, length - self.received))
            if not block:
                raise ConnectionResetError
            self.received += len(block)
            yield block

    def drain(self, length: int) -> None:
        """Read the body and forget it."""
        for _ in self.blocks(length):
            pass

    def say(self, status: int, content: Mapping[str, object], retry_after_s: int = 0) -> None:
        """Answer with a JSON object."""
        body = (json.dumps(content) + "\n").encode()
        headers = {"Content-Type": "application/json", "Content-Length": str(len(body))}
        if retry_after_s:
            headers["Retry-After"] = str(retry_after_s)
        self.connection.settimeout(self.patience.last_words_s)
        self.begin(status, headers)
        self.wfile.write(body)
        self.wfile.flush()

    def begin(self, status: int, headers: Mapping[str, str]) -> None:
        """Send the status and the headers of an answer after which the connection is closed."""
        self.is_answered = True
        self.request_version = self.protocol_version  # also where it could not be read
        self.send_response(status)
        for name, value in {**headers, "Connection": "close"}.items():
            self.send_header(name, value)
        self.end_headers()

    def handle_expect_100(self) -> bool:
        """Say at once that the body may come."""
        goes_on = super().handle_expect_100()
        self.wfile.flush()
        return goes_on

    def version_string(self) -> str:
        """Tell nothing of the machine."""
        return self.called

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as the base has it
        """Print nothing: calls are in the log."""
