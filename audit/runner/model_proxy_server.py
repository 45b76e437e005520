"""The proxy to a model's endpoint: the one way out of a sandbox, and a narrow one.

One process serves one attempt, outside its sandbox; `audit.runner.model_proxy` starts it. Whoever
calls is hostile. A request is read whole and written anew: to one host, below one path, with a few
of its headers and with the key, which does not exist inside. Anything else is refused. Each request
is a line of a log that has neither key nor content.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import re
import socket
import threading
import time
import traceback
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, NamedTuple

from audit.runner.bounded_http import BLOCK_BYTES, BoundedRequest, Patience, hang_up
from audit.runner.call_log import LineLog
from audit.runner.model_answers import Answer, Masker, hosted_tool, model_named

AT_ONCE = 32  # connections; the relay inside makes fewer, whoever opens the socket himself may not
MAX_REQUEST_BYTES = 64 << 20
CONNECT_S = 30.0
ANSWER_S = 3600.0  # between two pieces of an answer; models that think say nothing for long
PATIENCE = Patience(body_bytes=MAX_REQUEST_BYTES, last_words_s=30.0)
ONLY_MODEL = (
    "Refused: only the model's endpoint can be reached from here, at $OPENAI_BASE_URL. "
    "This request was written down."
)
NO_FORM = "Refused: expected GET or POST with a plain path and a body whose Content-Length is said."
HOSTED = "Refused: tools that the provider runs itself reach further than the model."
UNREACHABLE = "The model's endpoint could not be reached, or did not answer to its end."
_METHODS = frozenset({"GET", "POST"})
_PATH = re.compile(r"/[A-Za-z0-9/._~:@!$&'()*+,;=-]*")
_MAX_SHOWN = 200
_HANDED_ON = ("Content-Type", "Accept", "User-Agent")
_HANDED_ON_PREFIXES = ("openai-beta", "anthropic-", "x-stainless-")
# What a client of each interface writes its key into; the key goes where the placeholder was.
_KEY_HEADERS = ("x-api-key", "api-key", "x-goog-api-key")
_RETURNED = ("Content-Type", "Retry-After", "Retry-After-Ms", "X-Request-Id", "Request-Id")
_RETURNED_PREFIXES = ("x-ratelimit-", "anthropic-ratelimit-")
_MAX_FAULTS = 5


class _Refusal(NamedTuple):
    """What is said instead of asking the endpoint."""

    status: int
    sentence: str
    because: str


@dataclass
class _Call:
    """A request under way, as its line will say."""

    method: str
    began: float
    line: dict[str, Any] = field(default_factory=dict)


@dataclass
class Service:
    """What all connections share.

    Parameters
    ----------
    host, port, prefix : str, int, str
        Where requests go, and what each path begins with.
    """

    scheme: str
    host: str
    port: int
    prefix: str
    key: str | None
    log: LineLog
    patience: Patience = PATIENCE
    _open: dict[int, _Call] = field(default_factory=dict, init=False)

    def serve(self, connection: socket.socket) -> None:
        """Answer one connection."""
        with contextlib.suppress(OSError), connection:
            _Handler(connection, ("", 0), self)  # type: ignore[arg-type]
            hang_up(connection, self.patience.last_words_s)

    def upstream(self) -> http.client.HTTPConnection:
        """Return a connection to the endpoint; a certificate that is not its own is refused."""
        if self.scheme == "http":
            return http.client.HTTPConnection(self.host, self.port, timeout=CONNECT_S)
        return http.client.HTTPSConnection(self.host, self.port, timeout=CONNECT_S)

    def begin(self, call: _Call) -> None:
        """Remember a request, in case everything ends before it does."""
        self._open[id(call)] = call

    def end(self, call: _Call, **said: object) -> None:
        """Write a request's line."""
        if self._open.pop(id(call), None) is not None:
            seconds = round(time.monotonic() - call.began, 3)
            self.log.append({"method": call.method, "seconds": seconds, **call.line, **said})

    def end_all(self) -> None:
        """Write the lines of requests that are still under way."""
        for call in list(self._open.values()):
            self.end(call, result="failed", because="the attempt ended before the answer did")


class _Handler(BoundedRequest):
    """One request."""

    server: Service  # type: ignore[assignment]
    called = "model"

    @property
    def patience(self) -> Patience:  # type: ignore[override]
        """How long and how much it may take."""
        return self.server.patience

    def given_up(self) -> None:
        """Note a request that never became one."""
        self._open()
        self.server.end(
            self.call, result="refused", because="too slow or gone", sent_bytes=self.received
        )

    def refuse_form(self, status: int) -> None:
        """Say what would be a request as agreed."""
        self._refuse(_Refusal(status, NO_FORM, "no request as agreed"))

    def answer(self) -> None:
        """Hand on what may be handed on."""
        self._open()
        refusal = self._first_refusal()
        length = self.length()
        if refusal is None and length is None and self.command == "POST":
            refusal = _Refusal(411, NO_FORM, "a body without its length")
        if refusal is None and (length or 0) > self.patience.body_bytes:
            refusal = _Refusal(413, NO_FORM, f"a body above {self.patience.body_bytes} bytes")
        if refusal is not None:
            self._refuse(refusal)
            return
        self.await_body()
        body = b"".join(self.blocks(length or 0))
        self.call.line["sent_bytes"] = len(body)
        if refusal := self._look_into(body):
            self._refuse(refusal)
        else:
            self._hand_on(body)

    def _open(self) -> None:
        if not hasattr(self, "call"):
            self.call = _Call(_shown(self.command or "?"), time.monotonic())
            self.server.begin(self.call)

    def _first_refusal(self) -> _Refusal | None:
        """Look at method and target."""
        target, line = self.path, self.call.line
        if self.command == "CONNECT" or not target.startswith("/"):
            line["target"] = _shown(_host_of(target))
            return _Refusal(HTTPStatus.FORBIDDEN, ONLY_MODEL, "another host")
        path = target.partition("?")[0]
        line["path"] = _shown(path)
        if self.command not in _METHODS:
            return _Refusal(405, NO_FORM, "another method")
        prefix = self.server.prefix
        is_plain = _PATH.fullmatch(path) and "//" not in path
        is_below = path == prefix or path.startswith(f"{prefix}/")
        if not is_plain or not is_below or {".", ".."} & set(path.split("/")):
            return _Refusal(HTTPStatus.FORBIDDEN, ONLY_MODEL, "another path")
        return None

    def _look_into(self, body: bytes) -> _Refusal | None:
        """Read what a request asks for; one that is no JSON asks for no tools."""
        try:
            content = json.loads(body) if body else None
        except (ValueError, RecursionError):
            return None
        self.call.line["model"] = model_named(content)
        tool = hosted_tool(content)
        if tool is None:
            return None
        return _Refusal(HTTPStatus.FORBIDDEN, HOSTED, f"the hosted tool {_shown(tool)}")

    def _refuse(self, refusal: _Refusal) -> None:
        self._open()
        self.server.end(
            self.call, result="refused", status=int(refusal.status), because=refusal.because
        )
        self.say(refusal.status, {"error": {"message": refusal.sentence, "type": "refused"}})

    def _hand_on(self, body: bytes) -> None:
        line = self.call.line
        upstream = self.server.upstream()
        try:
            upstream.connect()
            upstream.sock.settimeout(ANSWER_S)
            upstream.request(self.command, self.path, body or None, self._headers())
            answer = upstream.getresponse()
            line["status"] = answer.status
            self._return(answer)
        except (OSError, http.client.HTTPException, ValueError) as error:
            self.server.end(self.call, result="failed", because=type(error).__name__)
            if not self.is_answered:
                message = {"message": UNREACHABLE, "type": "unreachable"}
                self.say(HTTPStatus.BAD_GATEWAY, {"error": message})
        finally:
            upstream.close()

    def _headers(self) -> dict[str, str]:
        """Return the headers for the endpoint: few of the caller's, and the key."""
        given = {name.lower(): value for name, value in self.headers.items()}
        kept = {n: given[n.lower()] for n in _HANDED_ON if n.lower() in given}
        kept |= {n: v for n, v in given.items() if n.startswith(_HANDED_ON_PREFIXES)}
        kept |= {"Accept-Encoding": "identity", "Connection": "close"}
        key = self.server.key
        if key:
            own = next((name for name in _KEY_HEADERS if name in given), None)
            kept |= {own: key} if own else {"Authorization": f"Bearer {key}"}
        return kept

    def _return(self, answer: http.client.HTTPResponse) -> None:
        """Send an answer on, piece by piece as it comes."""
        kind = answer.headers.get_content_type()
        said, masker = Answer(kind == "text/event-stream"), Masker(self.server.key)
        received = 0
        self.connection.settimeout(self.patience.body_s)
        self.begin(answer.status, self._returned(answer, masker))
        try:
            while block := answer.read1(BLOCK_BYTES):
                received += len(block)
                said.feed(block)
                self._chunk(masker.feed(block))
            if answer.length:
                raise http.client.IncompleteRead(b"", answer.length)
            self._chunk(masker.end())
        finally:
            said.end()
            self.call.line |= {
                "received_bytes": received,
                "answered_by": said.model,
                "tokens_in": said.tokens_in,
                "tokens_out": said.tokens_out,
            }
        self.server.end(self.call, result="answered")  # whoever has the answer can see its line
        self.wfile.write(b"0\r\n\r\n")
        self.wfile.flush()

    def _returned(self, answer: http.client.HTTPResponse, masker: Masker) -> dict[str, str]:
        """Return the headers of the answer that are handed on; a redirect is not."""
        kept = {
            name: masker.feed(value.encode("latin-1", "replace")).decode("latin-1")
            + masker.end().decode("latin-1")
            for name, value in answer.headers.items()
            if name.title() in _RETURNED or name.lower().startswith(_RETURNED_PREFIXES)
        }
        return {**kept, "Transfer-Encoding": "chunked"}

    def _chunk(self, block: bytes) -> None:
        if block:
            self.wfile.write(b"%x\r\n%b\r\n" % (len(block), block))
            self.wfile.flush()


def serve(settings: dict[str, Any]) -> None:
    """Serve connections beside one another, until this process is told to end.

    Parameters
    ----------
    settings : dict
        As `audit.runner.model_proxy` writes them.
    """
    names = ("scheme", "host", "port", "prefix", "key")
    log = LineLog(settings["log"], settings["started"], PATIENCE.log_bytes)
    service = Service(**{name: settings[name] for name in names}, log=log)
    listener = socket.socket(fileno=settings["listener"])
    slots = threading.BoundedSemaphore(AT_ONCE)
    faults = 0

    def one(connection: socket.socket) -> None:
        nonlocal faults
        try:
            service.serve(connection)
        except Exception:  # noqa: BLE001 - no request may be the last one
            faults += 1
            if faults <= _MAX_FAULTS:  # they are told in the attempt's log
                traceback.print_exc()
        finally:
            slots.release()

    try:
        while True:
            slots.acquire()
            threading.Thread(target=one, args=(listener.accept()[0],), daemon=True).start()
    finally:
        service.end_all()


def _host_of(target: str) -> str:
    """Return the host of ``host:443`` or ``http://host/path``, without what may be a secret."""
    return re.split(r"[/?#]", target.rpartition("://")[2])[0].rpartition("@")[2]


def _shown(text: str) -> str:
    """Return what a caller wrote so that it can stand in a log."""
    return "".join(c if c.isascii() and c.isprintable() else "?" for c in text[:_MAX_SHOWN])
