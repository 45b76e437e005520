"""The one way out of a sandbox leads to the model's endpoint, and everything on it is on record."""

from __future__ import annotations

import http.client
import json
import socket
import threading
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

import pytest

from audit.runner.model_endpoint import ModelEndpoint
from audit.runner.model_proxy import proxying
from audit.runner.places import PLACEHOLDER
from audit.runner.plan import read_plan
from competitions.errors import UsageError
from detectors.model_calls import model_calls, summed
from detectors.record import MODEL_LOG, ModelUse
from tests.audit.runner.model_server import MODEL, Asked, Model, Reply, playing
from tests.audit.runner.tiny import Ran, make_agent, run_once

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from detectors.record import ModelCall

KEY = "sk-canary-51f2c07e9a"
CHAT = "/v1/chat/completions"
HELLO = {"model": "scripted", "messages": [{"role": "user", "content": "a secret question"}]}


class Answered(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


class Way:
    """A proxy that runs, and the model behind it."""

    def __init__(self, url: str, model: Model, attempt: Path) -> None:
        self.netloc = urlsplit(url).netloc
        self.model, self.attempt = model, attempt

    def ask(self, content: Any = HELLO, path: str = CHAT, method="POST", **headers) -> Answered:
        body = content if isinstance(content, bytes) else json.dumps(content).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        connection = http.client.HTTPConnection(self.netloc, timeout=20)
        try:
            connection.request(method, path, body, named)
            answer = connection.getresponse()
            return Answered(answer.status, dict(answer.headers), answer.read())
        finally:
            connection.close()

    def raw(self, request: bytes) -> bytes:
        host, port = self.netloc.split(":")
        with socket.create_connection((host, int(port)), timeout=20) as connection:
            connection.sendall(request)
            return b"".join(iter(lambda: connection.recv(65536), b""))

    @property
    def calls(self) -> list[ModelCall]:
        return list(model_calls(self.attempt))


REPLIES: dict[str, Reply] = {
    "echo": Reply(body=b"", status=200),
    "redirect": Reply(status=302, body=b"", headers=(("Location", "https://elsewhere.example"),)),
    "cookie": Reply("hello", headers=(("Set-Cookie", "a=b"), ("X-RateLimit-Remaining", "7"))),
    "cut": Reply(body=b'{"half', length=1000),
    "stream": Reply(
        kind="text/event-stream",
        body=b'data: {"model":"m-1","usage":{"prompt_tokens":3,"completion_tokens":1}}\n\n'
        b'data: {"model":"m-1","usage":{"prompt_tokens":3,"completion_tokens":9}}\n\n'
        b"data: [DONE]\n",
    ),
    "wrong key": Reply(status=401, body=f'{{"error": "wrong key {KEY}"}}'.encode()),
}


TOGETHER = threading.Barrier(3)


def play(content: Any, number: int) -> Reply:
    if not isinstance(content, dict):
        return Reply("what?")
    if content.get("model") == "together":
        TOGETHER.wait(20)
    return REPLIES.get(str(content.get("model")), Reply("hello"))


@pytest.fixture(scope="module")
def way(tmp_path_factory) -> Iterator[Way]:
    """A proxy with a key, reached by a port."""
    attempt = tmp_path_factory.mktemp("attempt")
    with pytest.MonkeyPatch.context() as patch, playing(play) as model:
        patch.setenv("THE_KEY", KEY)
        with proxying("none", ModelEndpoint(model.url, "THE_KEY"), attempt) as access:
            assert access is not None
            yield Way(access.url, model, attempt)


def last(way: Way) -> tuple[ModelCall, list[Asked]]:
    return way.calls[-1], way.model.asked


def test_a_request_reaches_the_model_with_the_key_that_the_caller_has_not(way):
    answer = way.ask(Authorization=f"Bearer {PLACEHOLDER}", Content_Type="application/json")
    assert answer.status == 200
    assert json.loads(answer.body)["choices"][0]["message"]["content"] == "hello"
    call, asked = last(way)
    assert asked[-1].headers["Authorization"] == f"Bearer {KEY}"
    assert asked[-1].content == HELLO
    assert (call.result, call.method, call.path, call.status) == ("answered", "POST", CHAT, 200)
    assert (call.model, call.answered_by) == ("scripted", MODEL)
    assert (call.tokens_in, call.tokens_out) == (100, 10)
    assert call.sent_bytes == len(json.dumps(HELLO))
    assert call.received_bytes > 0


def test_the_log_has_neither_the_key_nor_what_was_said(way):
    way.ask(path=f"{CHAT}?key={KEY}")
    way.ask({"model": "wrong key"})
    text = (way.attempt / MODEL_LOG).read_text()
    assert KEY not in text
    assert "secret question" not in text
    assert "hello" not in text


@pytest.mark.parametrize("header", ["x-api-key", "api-key", "x-goog-api-key"])
def test_the_key_goes_into_the_header_that_the_client_writes_its_own_into(way, header):
    way.ask(**{header: PLACEHOLDER, "Authorization": "Bearer x"})
    headers = way.model.asked[-1].headers
    assert {n.lower(): v for n, v in headers.items()}[header] == KEY
    assert "Authorization" not in headers


def test_of_headers_only_those_that_a_model_needs_are_handed_on(way):
    answer = way.ask(
        {"model": "cookie"},
        Cookie="a=b",
        X_Forwarded_For="1.2.3.4",
        OpenAI_Organization="others",
        OpenAI_Beta="assistants=v2",
    )
    names = {name.lower() for name in way.model.asked[-1].headers}
    assert not names & {"cookie", "x-forwarded-for", "openai-organization"}
    assert "openai-beta" in names
    assert "Set-Cookie" not in answer.headers
    assert answer.headers["X-RateLimit-Remaining"] == "7"


def test_a_key_in_an_answer_is_starred(way):
    answer = way.ask({"model": "wrong key"})
    assert answer.status == 401
    assert KEY.encode() not in answer.body
    assert b"*" * len(KEY) in answer.body


def test_tokens_of_a_stream_are_its_last_count(way):
    answer = way.ask({"model": "stream", "stream": True})
    assert answer.body == REPLIES["stream"].body
    call, _ = last(way)
    assert (call.answered_by, call.tokens_in, call.tokens_out) == ("m-1", 3, 9)


def test_a_redirect_is_answered_and_not_followed(way):
    answer = way.ask({"model": "redirect"})
    assert answer.status == 302
    assert "Location" not in answer.headers


def test_half_an_answer_does_not_look_whole(way):
    with pytest.raises(http.client.IncompleteRead):
        way.ask({"model": "cut"})
    assert last(way)[0].result == "failed"


@pytest.mark.parametrize(
    ("line", "target"),
    [
        pytest.param("CONNECT api.kaggle.com:443 HTTP/1.1", "api.kaggle.com:443", id="tunnel"),
        pytest.param("GET http://example.org/a?b HTTP/1.1", "example.org", id="absolute"),
        pytest.param("GET http://u:secret@example.org/ HTTP/1.1", "example.org", id="userinfo"),
        pytest.param("POST ftp://example.org/ HTTP/1.1", "example.org", id="another-scheme"),
        pytest.param("GET example.org/v1/ HTTP/1.1", "example.org", id="no-slash"),
    ],
)
def test_another_host_is_refused_and_its_name_is_kept(way, line, target):
    before = len(way.model.asked)
    answer = way.raw(f"{line}\r\nHost: x\r\n\r\n".encode())
    assert answer.startswith(b"HTTP/1.1 403 ")
    call, asked = last(way)
    assert (call.result, call.target, call.because) == ("refused", target, "another host")
    assert len(asked) == before
    assert "secret" not in (way.attempt / MODEL_LOG).read_text().replace("a secret question", "")


@pytest.mark.parametrize(
    "path",
    [
        pytest.param("/", id="above"),
        pytest.param("/v2/models", id="beside"),
        pytest.param("/v1models", id="begins-alike"),
        pytest.param("/v1/../admin", id="dots"),
        pytest.param("/v1/..", id="dots-at-the-end"),
        pytest.param("/v1/./../x", id="both-dots"),
        pytest.param("/v1/%2e%2e/admin", id="encoded-dots"),
        pytest.param("/v1/a%2f..%2fadmin", id="encoded-slash"),
        pytest.param("//evil.example/v1/x", id="two-slashes"),
        pytest.param("/v1//evil", id="two-slashes-inside"),
        pytest.param("/v1/\\evil", id="backslash"),
        pytest.param("/v1/a;b#c", id="fragment"),
    ],
)
def test_another_path_is_refused(way, path):
    before = len(way.model.asked)
    answer = way.raw(f"GET {path} HTTP/1.1\r\nHost: x\r\n\r\n".encode())
    assert answer.startswith(b"HTTP/1.1 403 ")
    assert last(way)[0].because == "another path"
    assert len(way.model.asked) == before


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE"])
def test_another_method_is_refused(way, method):
    assert way.raw(f"{method} /v1/files HTTP/1.1\r\n\r\n".encode()).startswith(b"HTTP/1.1 405 ")


@pytest.mark.parametrize(
    "request_",
    [
        pytest.param(b"\x00\xff\x00\r\n\r\n", id="garbage"),
        pytest.param(b"POST /v1/x HTTP/1.1\r\n\r\n", id="no-length"),
        pytest.param(b"POST /v1/x HTTP/1.1\r\nContent-Length: -1\r\n\r\n", id="negative"),
        pytest.param(
            b"POST /v1/x HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", id="two"
        ),
        pytest.param(
            b"POST /v1/x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", id="chunked"
        ),
        pytest.param(
            b"POST /v1/x HTTP/1.1\r\nContent-Length: 99999999999\r\n\r\n", id="much-too-large"
        ),
        pytest.param(b"GET " + b"/v1/" * 20000 + b" HTTP/1.1\r\n\r\n", id="long-line"),
    ],
)
def test_what_is_no_request_is_refused_and_the_next_one_is_served(way, request_):
    before = len(way.model.asked), len(way.calls)
    assert way.raw(request_)[9:10] == b"4" or b"Refused" in way.raw(request_)
    assert len(way.model.asked) == before[0]
    assert len(way.calls) > before[1]
    assert way.calls[-1].result == "refused"
    assert way.ask().status == 200


@pytest.mark.parametrize(
    "content",
    [
        pytest.param({"tools": [{"type": "web_search_preview"}]}, id="openai"),
        pytest.param({"tools": [{"type": "web_search_20250305", "name": "w"}]}, id="anthropic"),
        pytest.param({"tools": [{"google_search": {}}]}, id="gemini"),
        pytest.param({"tools": [{"type": "mcp", "server_url": "https://e"}]}, id="mcp"),
        pytest.param({"tools": [{"type": "code_interpreter"}]}, id="code"),
        pytest.param({"plugins": [{"id": "web"}]}, id="openrouter-plugin"),
        pytest.param({"model": "a/b:online"}, id="openrouter-model"),
        pytest.param({"web_search_options": {"a": 1}}, id="option"),
    ],
)
def test_tools_that_the_provider_runs_are_refused(way, content):
    before = len(way.model.asked)
    answer = way.ask(content)
    assert answer.status == 403
    assert str(last(way)[0].because).startswith("the hosted tool")
    assert len(way.model.asked) == before


@pytest.mark.parametrize(
    "content",
    [
        pytest.param({"tools": [{"type": "function", "function": {"name": "web_search"}}]}, id="f"),
        pytest.param({"tools": [{"name": "search", "input_schema": {}}]}, id="anthropic-client"),
        pytest.param({"tools": [{"type": "bash_20250124", "name": "bash"}]}, id="bash"),
        pytest.param({"tools": [{"functionDeclarations": [{"name": "fetch"}]}]}, id="gemini"),
        pytest.param({"tools": "web_search", "plugins": []}, id="no-list"),
        pytest.param([{"type": "web_search"}], id="no-object"),
    ],
)
def test_tools_that_the_agent_runs_are_handed_on(way, content):
    assert way.ask(content).status == 200


def test_an_endpoint_that_is_not_there_is_a_failure_on_record(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as free:
        url = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    with proxying("none", ModelEndpoint(url), tmp_path) as access:
        assert access is not None
        answer = Way(access.url, Model(""), tmp_path).ask()
    assert answer.status == 502
    (call,) = model_calls(tmp_path)
    assert (call.result, call.because) == ("failed", "ConnectionRefusedError")


def test_a_request_under_way_when_the_attempt_ends_is_on_record(tmp_path):
    is_asked, may_go = threading.Event(), threading.Event()

    def slow(content: dict[str, Any], number: int) -> Reply:
        is_asked.set()
        may_go.wait(20)
        return Reply("too late")

    def ask(way: Way) -> None:
        with pytest.raises((OSError, http.client.HTTPException)):
            way.ask()

    with playing(slow) as model:
        with proxying("none", ModelEndpoint(model.url), tmp_path) as access:
            assert access is not None
            asking = threading.Thread(target=ask, args=[Way(access.url, model, tmp_path)])
            asking.start()
            assert is_asked.wait(20)
        may_go.set()
        asking.join()
    (call,) = model_calls(tmp_path)
    assert call.because == "the attempt ended before the answer did"
    assert call.model == "scripted"


def test_calls_are_added_up(tmp_path):
    line = {"at": "2026-11-01T00:00:00Z", "after_s": 1, "result": "answered", "method": "POST"}
    said = [
        {**line, "tokens_in": 5, "answered_by": "a"},
        {**line, "tokens_in": 7, "tokens_out": 2, "answered_by": "b"},
        {**line, "result": "refused", "answered_by": "a"},
        {**line, "result": "failed"},
    ]
    lines = [*map(json.dumps, said), "no call", '{"half']
    (tmp_path / MODEL_LOG).write_text("\n".join(lines))
    assert summed(model_calls(tmp_path)) == ModelUse(
        calls=4, refused=1, failed=1, tokens_in=12, tokens_out=2, models=("a", "b")
    )
    assert summed([]) == ModelUse()


@pytest.mark.parametrize(
    ("url", "host", "prefix"),
    [
        ("https://api.openai.com/v1", "api.openai.com", "/v1"),
        ("https://API.OpenAI.com/v1/", "api.openai.com", "/v1"),
        ("http://127.0.0.1:8000", "127.0.0.1:8000", ""),
        ("https://x.example:443/a/b-c", "x.example", "/a/b-c"),
    ],
)
def test_an_address_is_a_host_and_a_prefix(url, host, prefix):
    endpoint = ModelEndpoint(url)
    assert (endpoint.named, endpoint.prefix) == (host, prefix)


@pytest.mark.parametrize(
    "url",
    [
        *("", "api.openai.com", "ftp://a/v1", "https://", "https://a:b/v1", "https://a:0/v1"),
        *("https://u:p@a/v1", "https://a/v1?key=secret", "https://a/v1#secret"),
        *("https://a/../b", "https://a/v1/..", "https://a//b", "https://a/%2e", "https://a/b c"),
    ],
)
def test_what_is_no_address_is_refused_without_repeating_a_secret(url):
    with pytest.raises(UsageError, match="Expected a model's address") as caught:
        ModelEndpoint(url)
    assert "secret" not in str(caught.value)
    assert "u:p" not in str(caught.value)


@pytest.mark.parametrize("key", [None, "", "  ", "two words", "line\nbreak"])
def test_a_key_that_is_not_there_is_said_by_the_variables_name_alone(key, monkeypatch):
    monkeypatch.delenv("THE_KEY", raising=False)
    if key is not None:
        monkeypatch.setenv("THE_KEY", key)
    with pytest.raises(UsageError, match="THE_KEY") as caught:
        ModelEndpoint("https://a/v1", "THE_KEY").key()
    assert "two words" not in str(caught.value)


INSIDE = r"""
import json, os, socket, subprocess, urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

seen = {"environment": dict(os.environ)}

def attempt(name, function):
    try:
        seen[name] = ["ok", function()]
    except BaseException as error:
        seen[name] = [type(error).__name__, str(error)]

def ask(url, content=None):
    body = json.dumps(content).encode() if content else None
    headers = {"Authorization": "Bearer " + os.environ["OPENAI_API_KEY"]}
    request = urllib.request.Request(url, body, headers)
    return urllib.request.urlopen(request, timeout=30).read().decode()

base = os.environ["OPENAI_BASE_URL"]
attempt("model", lambda: ask(base + "/chat/completions", {"model": "m"}))
def together():
    with ThreadPoolExecutor(3) as pool:
        one = lambda _: ask(base + "/chat/completions", {"model": "together"})
        return len(list(pool.map(one, range(3))))

attempt("three at once", together)
attempt("other path", lambda: ask(base.removesuffix("/v1") + "/admin"))
attempt("https", lambda: ask("https://www.kaggle.com/competitions"))
attempt("http", lambda: ask("http://example.org/data.csv"))
attempt("direct", lambda: socket.create_connection(("1.1.1.1", 443), timeout=3).close())
attempt("upstream itself", lambda: socket.create_connection(("127.0.0.1", UPSTREAM)).close())
attempt("validation", lambda: ask("http://127.0.0.1:5000/health"))
find = ["find", "/", "-name", "model-calls*", "-not", "-path", "/proc/*"]
seen["log"] = subprocess.run(find, capture_output=True, text=True).stdout
seen["processes"] = [Path(f"/proc/{p}/cmdline").read_text() for p in os.listdir("/proc")
                     if p.isdigit()]
Path(os.environ["LOGS_DIR"], "seen.json").write_text(json.dumps(seen))
"""


@pytest.fixture(scope="module")
def inside(tmp_path_factory, interpreters, task) -> tuple[dict[str, Any], Ran]:
    with pytest.MonkeyPatch.context() as patch, playing(play) as model:
        patch.setenv("THE_KEY", KEY)
        port = str(urlsplit(model.url).port)
        agent = make_agent(
            tmp_path_factory.mktemp("agents") / "probe",
            'exec python "$AGENT_DIR/probe.py"\n',
            {"probe.py": INSIDE.replace("UPSTREAM", port)},
        )
        ran = run_once(
            agent,
            task,
            tmp_path_factory.mktemp("runs"),
            interpreters,
            model_endpoint=ModelEndpoint(model.url, "THE_KEY"),
        )
    assert ran.record.exit_status == "finished", ran.log
    loaded: dict[str, Any] = json.loads((ran.path / "logs" / "seen.json").read_text())
    return loaded, ran


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("way", "outcome"),
    [
        ("model", "ok"),
        ("three at once", "ok"),
        ("validation", "ok"),
        ("other path", "HTTPError"),
        ("http", "HTTPError"),
        ("https", "URLError"),
        ("direct", "OSError"),
        ("upstream itself", "ConnectionRefusedError"),
    ],
)
def test_from_inside_the_model_is_reached_and_nothing_else(inside, way, outcome):
    assert inside[0][way][0] == outcome, inside[0][way]


@pytest.mark.sandbox
def test_what_was_tried_from_inside_is_on_record(inside):
    _, ran = inside
    calls = list(model_calls(ran.path))
    assert [(c.result, c.target or c.path) for c in calls] == [
        *[("answered", CHAT)] * 4,
        ("refused", "/admin"),
        ("refused", "www.kaggle.com:443"),
        ("refused", "example.org"),
    ]
    use = ran.record.model_use
    assert use is not None
    assert (use.calls, use.refused, use.tokens_in, use.models) == (7, 3, 400, (MODEL,))
    assert ran.record.sandbox.network is False
    assert ran.record.sandbox.network_words.startswith("model endpoint only (127.0.0.1:")
    assert "no network but your own model" in (ran.path / "instructions.txt").read_text()


@pytest.mark.sandbox
def test_the_key_is_nowhere_inside_and_in_nothing_that_is_kept(inside):
    seen, ran = inside
    assert seen["environment"]["OPENAI_API_KEY"] == PLACEHOLDER
    assert KEY not in json.dumps(seen)
    assert seen["log"] == ""
    group = ran.path.parent
    kept = b"".join(p.read_bytes() for p in group.rglob("*") if p.is_file())
    assert KEY.encode() not in kept
    planned = read_plan(group).model_endpoint
    assert planned is not None
    assert (planned.key_env, planned.prefix) == ("THE_KEY", "/v1")


@pytest.mark.sandbox
def test_without_an_endpoint_nothing_of_it_exists(tmp_path, interpreters, task):
    agent = make_agent(tmp_path / "agent", "env; ls /run; exec 3<>/dev/tcp/127.0.0.1/5001\n")
    ran = run_once(agent, task, tmp_path / "runs", interpreters)
    assert "refused" in ran.log
    assert "OPENAI" not in ran.log
    assert "proxy" not in ran.log.lower()
    assert ran.record.model_use is None
    assert not (ran.path / MODEL_LOG).exists()


def test_no_key_no_run(tmp_path, interpreters, task, monkeypatch):
    monkeypatch.delenv("THE_KEY", raising=False)
    agent = make_agent(tmp_path / "agent", "exit 0")
    with pytest.raises(UsageError, match="THE_KEY"):
        run_once(
            agent,
            task,
            tmp_path / "runs",
            interpreters,
            model_endpoint=ModelEndpoint("https://a/v1", "THE_KEY"),
        )
    assert not (tmp_path / "runs").exists()
