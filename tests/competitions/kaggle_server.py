"""A loopback server that speaks Kaggle's API and its storage as the installed client calls them.

The client is pointed at it as at any proxy: with ``KAGGLE_API_ENVIRONMENT=LOCALHOST`` it asks
``http://localhost/api/v1/competitions.CompetitionApiService/DownloadDataFiles``, and ``http_proxy``
leads every such call here. The answer is a redirect to another host, as on Kaggle, where the zip
lies under a signed address.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
import threading
from collections import deque
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from email.message import Message

TOKEN = "KGAT_0123456789abcdef"  # noqa: S105 - of nobody
USERNAME, KEY = "somebody", "0123456789abcdef0123456789abcdef"
SIGNATURE = "5e1f51617a7572"
RULES = "You must accept this competition's rules before you'll be able to download files."
_CALL = "/api/v1/competitions.CompetitionApiService/DownloadDataFiles"
_KERNELS = "/api/v1/kernels.KernelsApiService/"
_RENEW = "/api/v1/users.AccountService/GenerateAccessToken"
_BASIC = base64.b64encode(f"{USERNAME}:{KEY}".encode()).decode()


@dataclass
class Fault:
    """An answer that is not the one asked for."""

    status: int  # 0: none comes, until the server is to go on
    message: str | None = None  # JSON with code and message, as Kaggle's API says it; None: a page
    headers: dict[str, str] = field(default_factory=dict)


@dataclass
class Asked:
    """A call that came in."""

    host: str
    method: str
    headers: Message


@dataclass
class Kaggle:
    """What the server hands out, what it does wrong, and what it was asked.

    Parameters
    ----------
    zips : dict
        Content of each competition's zip.
    kernels : list of dict
        Public notebooks: fields of `ApiKernelMetadata` as JSON names them, with `source`, and
        `fault` for one that is listed and not handed out.
    kernels_a_page : int
        A page never has more, whatever was asked for.
    api_faults, storage_faults : deque
        Each is answered once, before anything else.
    cuts : deque
        After how many bytes of a body the connection breaks; each once.
    etag, dated, sized, ranges : bool
        What the storage tells and can do.
    packed, wrong_range : bool
        The body comes compressed by gzip; a part comes from another place than was asked for.
    held : int or None
        Bytes after which a body waits until `go_on` is set.
    """

    zips: dict[str, bytes] = field(default_factory=dict)
    kernels: list[dict[str, object]] = field(default_factory=list)
    kernels_a_page: int = 100
    api_faults: deque[Fault] = field(default_factory=deque)
    storage_faults: deque[Fault] = field(default_factory=deque)
    cuts: deque[int] = field(default_factory=deque)
    etag: bool = True
    dated: bool = True
    sized: bool = True
    ranges: bool = True
    packed: bool = False
    wrong_range: bool = False
    held: int | None = None
    go_on: threading.Event = field(default_factory=threading.Event)
    asked: list[Asked] = field(default_factory=list)
    sent: int = 0
    port: int = 0

    @property
    def environment(self) -> dict[str, str]:
        """Variables that lead the client here."""
        return {
            "KAGGLE_API_ENVIRONMENT": "LOCALHOST",
            "http_proxy": f"http://127.0.0.1:{self.port}",
        }

    def at_storage(self) -> list[Asked]:
        """Calls for the zip itself."""
        return [call for call in self.asked if call.host == "storage.test"]


def serve(kaggle: Kaggle) -> ThreadingHTTPServer:
    """Start the server on a free port of the loopback; the caller shuts it down."""

    class Handler(_Handler):
        state = kaggle

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    kaggle.port = server.server_address[1]
    threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
    return server


class _Handler(BaseHTTPRequestHandler):
    state: Kaggle
    protocol_version = "HTTP/1.1"

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        where = urlsplit(self.path)
        self.state.asked.append(Asked(where.hostname or "", "POST", self.headers))
        if self.state.api_faults:
            self._fail(self.state.api_faults.popleft())
        elif (where.hostname, where.path) == ("localhost", _RENEW):
            self._answer(200, "application/json", json.dumps({"token": TOKEN, "expiresIn": 600}))
        elif where.hostname != "localhost" or not where.path.startswith((_CALL, _KERNELS)):
            self._fail(Fault(404, None))
        elif self.headers.get("Authorization") not in {f"Bearer {TOKEN}", f"Basic {_BASIC}"}:
            self._fail(Fault(401, "Unauthenticated"))
        elif where.path == f"{_KERNELS}ListKernels":
            self._list_kernels(json.loads(body))
        elif where.path == f"{_KERNELS}GetKernel":
            self._get_kernel(json.loads(body))
        else:
            self._redirect(json.loads(body)["competitionName"])

    def _list_kernels(self, asked: dict[str, object]) -> None:
        """Answer with a page of a competition's notebooks, sorted as they were asked for."""
        size, page = int(str(asked.get("pageSize", 20))), int(str(asked.get("page", 1)))
        size = min(size, self.state.kernels_a_page)
        name = asked.get("competition")
        found = [k for k in self.state.kernels if name in k["competitionDataSources"]]  # type: ignore[operator]
        if asked.get("sortBy") == "VOTE_COUNT":
            found.sort(key=lambda k: -int(str(k["totalVotes"])))
        hidden = {"source", "fault"}
        listed = [
            {key: value for key, value in kernel.items() if key not in hidden}
            for kernel in found[(page - 1) * size : page * size]
        ]
        self._answer(200, "application/json", json.dumps({"kernels": listed}))

    def _get_kernel(self, asked: dict[str, object]) -> None:
        ref = f"{asked['userName']}/{asked['kernelSlug']}"
        kernel = next((k for k in self.state.kernels if k["ref"] == ref), None)
        fault = Fault(404, "Not found") if kernel is None else kernel.get("fault")
        if kernel is None or isinstance(fault, Fault):
            self._fail(fault)  # type: ignore[arg-type]
            return
        names = ("source", "language", "kernelType", "slug")
        blob = {name: kernel[name] for name in names if name in kernel}
        told = {k: v for k, v in kernel.items() if k not in {"source", "fault"}}
        self._answer(200, "application/json", json.dumps({"metadata": told, "blob": blob}))

    def _redirect(self, name: str) -> None:
        if name not in self.state.zips:
            self._fail(Fault(404, f"Competition {name} not found"))
            return
        self.send_response(302)
        url = f"http://storage.test/{name}.zip?X-Goog-Signature={SIGNATURE}"
        self.send_header("Location", url)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def do_GET(self) -> None:
        where = urlsplit(self.path)
        self.state.asked.append(Asked(where.hostname or "", "GET", self.headers))
        if self.state.storage_faults:
            self._fail(self.state.storage_faults.popleft())
            return
        content = self.state.zips[where.path.strip("/").removesuffix(".zip")]
        tag, start = f'"{hashlib.md5(content).hexdigest()}"', 0  # noqa: S324 - as the storage does
        date = f"Mon, 01 Jan 2024 00:00:{len(content) % 60:02d} GMT"
        wanted = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        if wanted and self.state.ranges and self.headers.get("If-Range") in {tag, date}:
            start = int(wanted[1])
        if start > len(content):
            self._fail(Fault(416, None))
            return
        if self.state.packed:
            content = gzip.compress(content)
        self.send_response(206 if start else 200)
        if start:
            last = len(content) - 1
            first = start - 1 if self.state.wrong_range else start
            self.send_header("Content-Range", f"bytes {first}-{last}/{len(content)}")
        told = {
            "ETag": tag if self.state.etag else None,
            "Last-Modified": date if self.state.dated else None,
            "Content-Length": str(len(content) - start) if self.state.sized else None,
            "Accept-Ranges": "bytes" if self.state.ranges else None,
            "Content-Type": "application/zip",
            "Content-Encoding": "gzip" if self.state.packed else None,
            "Connection": "close",
        }
        for name, value in told.items():
            if value is not None:
                self.send_header(name, value)
        self.end_headers()
        self._send(content[start:])

    def _send(self, body: bytes) -> None:
        self.close_connection = True
        cut = self.state.cuts.popleft() if self.state.cuts else len(body)
        try:
            if self.state.held is not None:
                self.wfile.write(body[: self.state.held])
                self.wfile.flush()
                self.state.sent += self.state.held
                self.state.go_on.wait(60)
                body, cut = body[self.state.held :], cut - self.state.held
            self.wfile.write(body[:cut])
            self.state.sent += len(body[:cut])
        except OSError:
            return  # the other side was killed, as the tests do

    def _fail(self, fault: Fault) -> None:
        if not fault.status:
            self.close_connection = True
            self.state.go_on.wait(60)
            return
        page = f"<html>HTTP {fault.status}</html>"
        told = {"code": fault.status, "message": fault.message}
        kind = "text/html" if fault.message is None else "application/json"
        body = page if fault.message is None else json.dumps(told)
        self._answer(fault.status, kind, body, fault.headers)

    def _answer(
        self, status: int, kind: str, body: str, headers: dict[str, str] | None = None
    ) -> None:
        self.send_response(status)
        for name, value in ({"Content-Type": kind} | (headers or {})).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body.encode())))
        self.end_headers()
        self.wfile.write(body.encode())
