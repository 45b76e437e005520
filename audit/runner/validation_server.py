"""The validation server: says whether a submission's form is right. It knows no label.

One process serves one attempt, outside its sandbox; `audit.runner.validation` starts it. Whoever
calls is hostile. Connections are taken one at a time and for a limited time, files are spooled and
looked at by a child with a memory limit, and nothing a caller sends can stop the server or change
what it says.
"""

from __future__ import annotations

import contextlib
import socket
import time
import traceback
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from audit.runner.bounded_http import BLOCK_BYTES, BoundedRequest, Patience, hang_up
from audit.runner.call_log import CallLog
from audit.runner.checking import Checker
from audit.runner.multipart import Span, boundary_of, find_part
from audit.runner.throttle import TokenBucket

VALID = "Submission is valid."
INVALID = "Submission invalid! "
THROTTLED = "Not checked: too many calls. Wait as many seconds as Retry-After says."
NO_FORM = "Not checked: expected POST /validate with the file in the multipart field `file`."
TOO_LARGE = "Not checked: the file is too large."
FAILED = "Not checked: the check failed, or needed more memory or time than it may take."
_PATHS = {"/validate": "POST", "/health": "GET"}
_MAX_FAULTS = 5


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
            hang_up(connection, self.patience.last_words_s)


class _Handler(BoundedRequest):
    """One request."""

    server: Service  # type: ignore[assignment]
    called = "validation"

    @property
    def patience(self) -> Patience:  # type: ignore[override]
        """How long and how much it may take."""
        return self.server.patience

    def given_up(self) -> None:
        """Note a refused call."""
        self.server.calls.write("refused", self.received)

    def answer(self) -> None:
        """Answer by path and method."""
        path = self.path.partition("?")[0]
        if _PATHS.get(path) != self.command:
            self.send_error(405 if path in _PATHS else 404)
        elif path == "/health":
            self.say(200, {"status": "running"})
        else:
            self._validate()

    def _validate(self) -> None:
        wait_s = self.server.bucket.take(time.monotonic())
        length = self.length()
        boundary = boundary_of(self.headers.get("Content-Type", ""))
        most = self.server.patience.body_bytes
        if length is not None and length <= most:
            self.await_body()
        if wait_s:
            self.drain(min(length or 0, most))
            retry = int(wait_s) + 1
            self._refuse(_Refusal(429, THROTTLED, "throttled", retry))
        elif length is None:
            self._refuse(_Refusal(411, NO_FORM))
        elif length > most:
            self._refuse(_Refusal(413, TOO_LARGE))
        elif boundary is None:
            self.drain(length)
            self._refuse(_Refusal(400, NO_FORM))
        else:
            self._check(length, boundary)

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
            for block in self.blocks(length):
                try:
                    target.write(block if is_kept else b"")
                except OSError:
                    is_kept = False
        return is_kept

    def _tell(self, file: Path, size: int, digest: str) -> None:
        problems = self.server.checker.check(file)
        if problems is None:
            self.server.calls.write("failed", size, digest)
            self.say(500, {"result": FAILED})
            return
        self.server.calls.write("invalid" if problems else "valid", size, digest, len(problems))
        self.say(200, {"result": f"{INVALID}{'; '.join(problems)}." if problems else VALID})

    def _refuse(self, refusal: _Refusal) -> None:
        self.server.calls.write(refusal.result, self.received)
        self.say(refusal.status, {"result": refusal.sentence}, refusal.retry_after_s)

    def refuse_form(self, status: int) -> None:
        """Say what would be a call as agreed."""
        self._refuse(_Refusal(status, NO_FORM))


def _cut_out(body: Path, part: Span, file: Path) -> str:
    """Copy a part of the body to a file; return its sha256."""
    digest = sha256()
    with body.open("rb") as source, file.open("wb") as target:
        source.seek(part.first)
        left = part.end - part.first
        while left and (block := source.read(min(BLOCK_BYTES, left))):
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
