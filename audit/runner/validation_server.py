"""The validation server: says whether a submission's form is right. It knows no label.

One process serves one attempt, outside its sandbox; `audit.runner.validation` starts it. Whoever
calls is hostile. Connections are taken one at a time and for a limited time, files are spooled and
looked at by a child with a memory limit, and nothing a caller sends can stop the server or change
what it says.
"""

from __future__ import annotations

import contextlib
import io
import json
import socket
import time
import traceback
from dataclasses import dataclass
from hashlib import sha256
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from audit.runner.call_log import CallLog
from audit.runner.checking import Checker
from audit.runner.multipart import Span, boundary_of, find_part
from audit.runner.throttle import TokenBucket

if TYPE_CHECKING:
    from collections.abc import Iterator

VALID = "Submission is valid."
INVALID = "Submission invalid! "
THROTTLED = "Not checked: too many calls. Wait as many seconds as Retry-After says."
NO_FORM = "Not checked: expected POST /validate with the file in the multipart field `file`."
TOO_LARGE = "Not checked: the file is too large."
FAILED = "Not checked: the check failed, or needed more memory or time than it may take."
_PATHS = {"/validate": "POST", "/health": "GET"}
_BLOCK = 1 << 18
_MAX_LINE = 65536  # of a request, as http.server has it
_MAX_FAULTS = 5


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
        Where `validation.jsonl` ends; counting goes on.
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


class _Refusal(NamedTuple):
    """What is said instead of looking at a file."""

    status: int
    sentence: str
    result: str = "refused"
    retry_after_s: int = 0


@dataclass
class Service:
    """What all connections share."""

    calls: CallLog
    checker: Checker
    bucket: TokenBucket
    patience: Patience
    folder: Path

    def serve(self, connection: socket.socket) -> None:
        """Answer one connection; whatever it does, the next one is served."""
        with contextlib.suppress(OSError), connection:
            _Handler(connection, ("", 0), self)  # type: ignore[arg-type]
            self._hang_up(connection)

    def _hang_up(self, connection: socket.socket) -> None:
        """Read what still comes, for a little while: else the caller may lose the answer."""
        connection.shutdown(socket.SHUT_WR)
        rest = _Deadlined(connection, self.patience.last_words_s)
        space = bytearray(_BLOCK)
        while rest.readinto(space):
            pass


class _Handler(BaseHTTPRequestHandler):
    """One request."""

    server: Service  # type: ignore[assignment]
    wbufsize = -1  # an answer is sent in one piece
    protocol_version = "HTTP/1.1"  # so that curl's question whether it may go on is answered

    def setup(self) -> None:
        """Read with a deadline instead of line by line without one."""
        super().setup()
        self.source = _Deadlined(self.connection, self.server.patience.header_s)
        self.rfile = io.BufferedReader(self.source, _BLOCK)
        self.requestline = self.command = ""  # of one that cannot be read
        self.received = 0
        self.is_answered = False

    def handle(self) -> None:
        """Answer one request and hang up; what is no request is a refused call."""
        self.close_connection = True
        try:
            self.raw_requestline = self.rfile.readline(_MAX_LINE + 1)
            if not self.raw_requestline:
                return  # nobody asked anything
            if len(self.raw_requestline) > _MAX_LINE:
                self.send_error(414)
            elif self.parse_request():
                self._answer()
        except OSError:  # too slow, or gone
            if not self.is_answered:
                self.server.calls.write("refused", self.received)

    def _answer(self) -> None:
        path = self.path.partition("?")[0]
        if _PATHS.get(path) != self.command:
            self.send_error(405 if path in _PATHS else 404)
        elif path == "/health":
            self._say(200, {"status": "running"})
        else:
            self._validate()

    def _validate(self) -> None:
        wait_s = self.server.bucket.take(time.monotonic())
        length = self._length()
        boundary = boundary_of(self.headers.get("Content-Type", ""))
        most = self.server.patience.body_bytes
        if length is not None and length <= most:
            self.source.until = time.monotonic() + self.server.patience.body_s
        if wait_s:
            self._drain(min(length or 0, most))
            retry = int(wait_s) + 1
            self._refuse(_Refusal(429, THROTTLED, "throttled", retry))
        elif length is None:
            self._refuse(_Refusal(411, NO_FORM))
        elif length > most:
            self._refuse(_Refusal(413, TOO_LARGE))
        elif boundary is None:
            self._drain(length)
            self._refuse(_Refusal(400, NO_FORM))
        else:
            self._check(length, boundary)

    def _length(self) -> int | None:
        """Return the body's length; None where it is not said in one plain number."""
        said = self.headers.get_all("Content-Length", [])
        is_plain = len(said) == 1 and said[0].isascii() and said[0].isdigit() and len(said[0]) < 20  # noqa: PLR2004
        return int(said[0]) if is_plain and "Transfer-Encoding" not in self.headers else None

    def _drain(self, length: int) -> None:
        for _ in self._blocks(length):
            pass

    def _blocks(self, length: int) -> Iterator[bytes]:
        while self.received < length:
            block = self.rfile.read1(min(_BLOCK, length - self.received))
            if not block:
                raise ConnectionResetError
            self.received += len(block)
            yield block

    def _check(self, length: int, boundary: bytes) -> None:
        folder = self.server.folder
        body, file = folder / "body", folder / "submission.csv"
        try:
            if not self._spool(length, body):
                self._refuse(_Refusal(500, FAILED, "failed"))
                return
            part = find_part(body, boundary, "file")
            if part is None:
                self._refuse(_Refusal(400, NO_FORM))
                return
            digest = _cut_out(body, part, file)
            body.unlink()
            self._tell(file, part.end - part.first, digest)
        finally:
            body.unlink(missing_ok=True)
            file.unlink(missing_ok=True)

    def _spool(self, length: int, body: Path) -> bool:
        """Write the body to a file; False where the disk is full."""
        with body.open("wb") as target:
            is_kept = True
            for block in self._blocks(length):
                try:
                    target.write(block if is_kept else b"")
                except OSError:
                    is_kept = False
        return is_kept

    def _tell(self, file: Path, size: int, digest: str) -> None:
        problems = self.server.checker.check(file)
        if problems is None:
            self.server.calls.write("failed", size, digest)
            self._say(500, {"result": FAILED})
            return
        self.server.calls.write("invalid" if problems else "valid", size, digest, len(problems))
        self._say(200, {"result": f"{INVALID}{'; '.join(problems)}." if problems else VALID})

    def _refuse(self, refusal: _Refusal) -> None:
        self.server.calls.write(refusal.result, self.received)
        self._say(refusal.status, {"result": refusal.sentence}, refusal.retry_after_s)

    def send_error(
        self,
        code: int,
        message: str | None = None,  # noqa: ARG002 - as the base has it
        explain: str | None = None,  # noqa: ARG002
    ) -> None:
        """Refuse what is no call as agreed; the sentence is ours whatever was sent."""
        self._refuse(_Refusal(code, NO_FORM))

    def _say(self, status: int, content: dict[str, str], retry_after_s: int = 0) -> None:
        self.is_answered = True
        self.request_version = self.protocol_version  # also where it could not be read
        body = (json.dumps(content) + "\n").encode()
        self.connection.settimeout(self.server.patience.last_words_s)
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Connection", "close")
        if retry_after_s:
            self.send_header("Retry-After", str(retry_after_s))
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()

    def handle_expect_100(self) -> bool:
        """Say at once that the body may come."""
        goes_on = super().handle_expect_100()
        self.wfile.flush()
        return goes_on

    def version_string(self) -> str:
        """Tell nothing of the machine."""
        return "validation"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - as the base has it
        """Print nothing: calls are in the log."""


def _cut_out(body: Path, part: Span, file: Path) -> str:
    """Copy a part of the body to a file; return its sha256."""
    digest = sha256()
    with body.open("rb") as source, file.open("wb") as target:
        source.seek(part.first)
        left = part.end - part.first
        while left and (block := source.read(min(_BLOCK, left))):
            target.write(block)
            digest.update(block)
            left -= len(block)
    return digest.hexdigest()


def serve(settings: dict[str, Any]) -> None:
    """Serve one connection after the other, for ever.

    Parameters
    ----------
    settings : dict
        As `audit.runner.validation` writes them.
    """
    patience = Patience(**settings["patience"])
    service = Service(
        CallLog(settings["log"], settings["count"], settings["started"], patience.log_bytes),
        Checker(Path(settings["prepared"]), settings["schema"], settings["memory_bytes"]),
        TokenBucket(**settings["throttle"]),
        patience,
        Path(settings["folder"]),
    )
    listener = socket.socket(fileno=settings["listener"])
    faults = 0
    while True:
        try:
            service.serve(listener.accept()[0])
        except Exception:  # noqa: BLE001 - no request may be the last one
            faults += 1
            if faults <= _MAX_FAULTS:  # they are told in the attempt's log
                traceback.print_exc()
