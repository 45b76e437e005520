"""A model on loopback: an OpenAI-compatible server that plays a script."""

from __future__ import annotations

import contextlib
import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Play = Callable[[dict[str, Any], int], "Reply"]

MODEL = "scripted-2026-11-01"


@dataclass(frozen=True)
class Reply:
    """What the model says next.

    Parameters
    ----------
    calls : tuple of (str, dict)
        Tools it calls, with their arguments.
    body : bytes or None
        The whole answer, in the place of a message.
    length : int or None
        What the answer says its length is, where that is not the truth.
    """

    text: str = ""
    calls: tuple[tuple[str, dict[str, Any]], ...] = ()
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None
    kind: str = "application/json"
    length: int | None = None


@dataclass(frozen=True)
class Asked:
    """One request as it arrived."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def content(self) -> dict[str, Any]:
        loaded: dict[str, Any] = json.loads(self.body)
        return loaded


@dataclass
class Model:
    """A server that runs, and what it was asked."""

    url: str
    asked: list[Asked] = field(default_factory=list)


def completion(reply: Reply, number: int) -> dict[str, Any]:
    """Write a reply as chat completions have it."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None}
    if reply.calls:
        message["tool_calls"] = [
            {
                "id": f"call_{number}_{i}",
                "type": "function",
                "function": {"name": name, "arguments": json.dumps(arguments)},
            }
            for i, (name, arguments) in enumerate(reply.calls)
        ]
    reason = "tool_calls" if reply.calls else "stop"
    return {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": 1796000000 + number,
        "model": MODEL,
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110},
    }


@contextlib.contextmanager
def playing(play: Play) -> Iterator[Model]:
    """Serve; `play` gets each request's content and its number, from 0."""
    model = Model("")
    turn = threading.Lock()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            with turn:
                number = len(model.asked)
                model.asked.append(Asked(self.command, self.path, dict(self.headers), body))
            reply = play(json.loads(body) if body else {}, number)
            answer = reply.body
            if answer is None:
                answer = json.dumps(completion(reply, number)).encode()
            self.send_response(reply.status)
            self.send_header("Content-Type", reply.kind)
            self.send_header("Content-Length", str(reply.length or len(answer)))
            for name, value in reply.headers:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer)

        do_GET = do_POST  # noqa: N815 - as http.server has it

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    model.url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    try:
        yield model
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
