"""A Docker Engine on a Unix socket: its interface, with bubblewrap in the place of containers."""

from __future__ import annotations

import contextlib
import json
import os
import re
import signal
import socketserver
import struct
import subprocess
import tempfile
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

IMAGE = "example.org/agent:1"
DIGEST = "sha256:" + "ab" * 32


@dataclass
class Container:
    name: str
    asked: dict[str, Any]
    output: IO[bytes] = field(default_factory=tempfile.TemporaryFile)
    process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Run it for real, with what is bound and nothing else in /home and /run."""
        command = ["bwrap", "--ro-bind", "/", "/", "--proc", "/proc", "--dev", "/dev"]
        command += ["--tmpfs", "/home", "--tmpfs", "/run", "--tmpfs", "/tmp"]  # noqa: S108 - inside
        command += ["--unshare-all"]  # its parent is a thread, with which it would die
        for bind in self.asked["HostConfig"]["Binds"]:
            source, target, mode = bind.rsplit(":", 2)
            command += ["--bind" if mode == "rw" else "--ro-bind", source, target]
        command += ["--chdir", self.asked["WorkingDir"], *self.asked["Entrypoint"]]
        command += self.asked["Cmd"] or []
        environment = dict(pair.split("=", 1) for pair in self.asked["Env"])
        self.process = subprocess.Popen(
            command,
            env={"PATH": os.environ["PATH"], **environment},
            stdout=self.output,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )

    def end(self) -> None:
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.output.close()


@dataclass
class Engine:
    """What the engine was asked, and the containers that it has."""

    address: str
    asked: list[tuple[str, str]] = field(default_factory=list)
    made: list[Container] = field(default_factory=list)
    there: dict[str, Container] = field(default_factory=dict)
    is_out_of_memory: bool = False

    def inspect(self, one: Container) -> dict[str, Any]:
        state = {"OOMKilled": self.is_out_of_memory, "Status": "exited"}
        log = {"LogConfig": {"Type": "json-file", "Config": {}}}
        return {"Id": one.name, "State": state, "Config": {"Tty": False}, "HostConfig": log}


class _Handler(BaseHTTPRequestHandler):
    engine: Engine

    def address_string(self) -> str:
        return "unix"

    def log_message(self, *_: object) -> None:
        pass

    def _say(self, status: int, content: object = None) -> None:
        body = b"" if content is None else json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        parts = urlsplit(self.path)
        path = re.sub(r"^/v1\.\d+", "", parts.path)
        self.engine.asked.append((self.command, path))
        if path == "/version":
            self._say(200, {"ApiVersion": "1.47", "MinAPIVersion": "1.24"})
        elif path == f"/images/{IMAGE}/json":
            self._say(200, {"Id": "sha256:cd", "RepoDigests": [f"example.org/agent@{DIGEST}"]})
        elif path.startswith("/images/"):
            self._say(404, {"message": f"No such image: {path}"})
        elif path == "/containers/create":
            one = Container(parse_qs(parts.query)["name"][0], json.loads(body))
            self.engine.made.append(one)
            self.engine.there[one.name] = one
            self._say(201, {"Id": one.name, "Warnings": []})
        else:
            self._container(path)

    def _container(self, path: str) -> None:
        found = re.fullmatch(r"/containers/([^/]+)(?:/(\w+))?", path)
        one = self.engine.there.get(found[1]) if found else None
        if found is None or one is None:
            self._say(404, {"message": f"No such thing: {path}"})
        elif found[2] == "json":
            self._say(200, self.engine.inspect(one))
        elif found[2] == "start":
            one.start()
            self._say(204)
        elif found[2] == "logs":
            self._follow(one)
        elif found[2] == "wait":
            assert one.process is not None
            self._say(200, {"StatusCode": one.process.wait()})
        elif self.command == "DELETE":
            one.end()
            del self.engine.there[one.name]
            self._say(204)

    def _follow(self, one: Container) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/vnd.docker.multiplexed-stream")
        self.end_headers()
        assert one.process is not None
        one.process.wait()
        with contextlib.suppress(OSError, ValueError):
            one.output.seek(0)
            for line in one.output:
                self.wfile.write(struct.pack(">BxxxL", 1, len(line)) + line)

    do_POST = do_DELETE = do_GET  # noqa: N815 - as http.server has it


class _Server(socketserver.ThreadingMixIn, socketserver.UnixStreamServer):
    daemon_threads = True


@contextlib.contextmanager
def engine(folder: Path) -> Iterator[Engine]:
    """Serve an engine that has one image."""
    path = folder / "docker.sock"
    made = Engine(f"unix://{path}")
    handler = type("Handler", (_Handler,), {"engine": made})
    with _Server(str(path), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        try:
            yield made
        finally:
            server.shutdown()
            thread.join()
            for one in made.made:
                one.end()
