"""One question to an OpenAI-compatible endpoint, and why it was not answered.

References
----------
https://platform.openai.com/docs/api-reference/chat (chat completions, structured outputs)
RFC 9110, section 10.2.3 (Retry-After). https://www.rfc-editor.org/rfc/rfc9110
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from audit.runner.model_answers import MAX_TOKENS
from competitions.downloads import InterruptedTransferError, Patience, wait_before_retry
from competitions.errors import MissingLibraryError, UsageError
from competitions.io import printable
from detectors.json_http import MAX_SAID, JsonHttp, address

if TYPE_CHECKING:
    from collections.abc import Mapping


KEY_NAME = "MLE_AUDIT_JUDGE_KEY"
MAX_OUT = 2_000  # tokens of one answer
PATIENCE = Patience(tries=4, longest_wait_s=30.0, longest_asked_s=120.0, timeout_s=180.0)
DEADLINE_S = 300.0  # of one answer; one that drips in is given up
_MAX_BYTES = 4 << 20
_OK, _REFUSED_PARAMETER, _FAULT = 200, frozenset({400, 422}), 500
_HOPELESS = frozenset({401, 402, 403, 404, 405, 407, 429})  # for the next question, too


class Answered(NamedTuple):
    """What the model wrote, and the tokens as the endpoint counts them, where it does."""

    text: str
    tokens_in: int | None = None
    tokens_out: int | None = None


class Unanswered(NamedTuple):
    """Why there is no answer, and whether nothing else can be asked either.

    A document repeats it, and documents are published: it names no host.
    """

    why: str
    is_hopeless: bool = False


def require_requests() -> None:
    """Refuse to begin where the client is not installed.

    Raises
    ------
    MissingLibraryError
        When `requests` is not there.
    """
    try:
        import requests  # noqa: F401
    except ImportError as error:
        raise MissingLibraryError("requests", "Asking a model for an opinion", "judge") from error


@dataclass
class Endpoint:
    """Where a model is asked; it learns which parameters the endpoint takes.

    Parameters
    ----------
    url : str
        Up to the version, as `OPENAI_BASE_URL` has it: ``https://api.openai.com/v1``.
    model : str
        Empty asks the endpoint for the one it has; see `named`.
    key : str or None
        Sent as a bearer token to this host alone, and shown nowhere.
    patience : Patience
        Tries, waits and the clock.

    Raises
    ------
    UsageError
        When the address is none of http or https, or has a password in it.
    """

    url: str
    model: str = ""
    key: str | None = field(default=None, repr=False)
    patience: Patience = PATIENCE
    deadline_s: float = DEADLINE_S
    _options: dict[str, Any] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        address(self.url, "--judge-url", "http://127.0.0.1:8000/v1", KEY_NAME)
        self.url = self.url.rstrip("/").removesuffix("/chat/completions")
        self._options = {"temperature": 0, "max_tokens": MAX_OUT, "response_format": True}

    @property
    def host(self) -> str:
        """Who is asked, without path."""
        return urlsplit(self.url).netloc

    def named(self) -> Endpoint:
        """Return it with its model named: the only one it lists, where none was.

        Raises
        ------
        UsageError
            When it lists none or several, or cannot be asked.
        """
        if self.model:
            return self
        content = self._tried("GET", "/models", None)
        if not isinstance(content, dict):
            why = content.why if isinstance(content, Unanswered) else content.said
            raise UsageError(
                f"{self.host} could not be asked which models it has: {why}.",
                "Name one: --judge-model NAME",
            )
        listed = content.get("data")
        models = listed if isinstance(listed, list) else []
        found = [one.get("id") for one in models if isinstance(one, dict)]
        names = [printable(name)[:MAX_SAID] for name in found if isinstance(name, str)]
        if len(names) != 1:
            shown = ", ".join(names[:10]) or "none"
            raise UsageError(
                f"Expected {self.host} to have one model, found {shown}.",
                "Name one: --judge-model NAME",
            )
        self.model = names[0]
        return self

    def ask(
        self, messages: list[dict[str, str]], schema: Mapping[str, Any]
    ) -> Answered | Unanswered:
        """Ask once; try again where waiting helps, and leave out what the endpoint does not take.

        An answer that was cut short, refused or is empty is none.
        """
        while True:
            content = self._tried("POST", "/chat/completions", self._request(messages, schema))
            if isinstance(content, dict):
                return _answer_in(content)
            if isinstance(content, Unanswered):
                return content
            if not self._adapt(content.said):
                return Unanswered(f"the endpoint refused the request ({content.said})")

    def _request(self, messages: list[dict[str, str]], schema: Mapping[str, Any]) -> dict[str, Any]:
        options = dict(self._options)
        if options.pop("response_format", None):
            form = {"name": "opinions", "strict": True, "schema": schema}
            options["response_format"] = {"type": "json_schema", "json_schema": form}
        return {"model": self.model, "messages": messages, **options}

    def _adapt(self, said: str) -> bool:
        """Leave out or rename the parameter that a refusal names; False where none is left."""
        options = self._options
        if "max_tokens" in options and "max_completion_tokens" in said:
            options["max_completion_tokens"] = options.pop("max_tokens")
        elif "temperature" in options and "temperature" in said:
            del options["temperature"]
        elif "response_format" in options:
            del options["response_format"]
        else:
            return False
        return True

    def _tried(
        self, method: str, path: str, body: dict[str, Any] | None
    ) -> dict[str, Any] | Unanswered | _Refused:
        import requests

        failures = 0
        while True:
            try:
                return self._once(method, path, body)
            except (requests.RequestException, InterruptedTransferError) as error:
                failures += 1
                wait = wait_before_retry(error, failures, self.patience)
                if wait is None or failures >= self.patience.tries:
                    return self._gave_up(error)
                self.patience.sleep(wait)

    @property
    def _http(self) -> JsonHttp:
        wait, clock = self.patience.timeout_s, self.patience.clock
        return JsonHttp(self.key, wait, self.deadline_s, _MAX_BYTES, clock)

    def _once(
        self, method: str, path: str, body: dict[str, Any] | None
    ) -> dict[str, Any] | Unanswered | _Refused:
        reply = self._http.send(method, self.url + path, body)
        if reply.status in _REFUSED_PARAMETER:
            return _Refused(self._http.said(reply.text))
        if reply.status != _OK:
            raise self._http.error(reply)
        try:
            content = json.loads(reply.text)
        except (ValueError, RecursionError):
            content = None
        return content if isinstance(content, dict) else Unanswered("the endpoint sent no JSON")

    def _gave_up(self, error: Exception) -> Unanswered:
        import requests

        response = getattr(error, "response", None)
        if response is not None:
            status = response.status_code
            why = f"the endpoint answered with {status} ({error})"
            return Unanswered(why, status in _HOPELESS or status < _FAULT)
        if isinstance(error, InterruptedTransferError):
            return Unanswered(f"the answer was not whole: {error}")
        if isinstance(error, requests.Timeout):
            return Unanswered("the endpoint did not answer in time", is_hopeless=True)
        return Unanswered("the endpoint could not be reached", is_hopeless=True)


class _Refused(NamedTuple):
    """What an endpoint says to a request that it does not take as it is."""

    said: str


def _answer_in(content: dict[str, Any]) -> Answered | Unanswered:
    """Read a chat completion, whose form is the endpoint's word and no more."""
    choices = content.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        return Unanswered("the endpoint sent no chat completion")
    reason, text = choice.get("finish_reason"), message.get("content")
    if message.get("refusal") or reason == "content_filter":
        return Unanswered("the model refused to answer")
    if reason == "length":
        return Unanswered("the answer was cut off at its longest")
    if not isinstance(text, str) or not text.strip():
        return Unanswered("the answer is empty")
    usage = content.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    return Answered(text, _count(usage, "prompt_tokens"), _count(usage, "completion_tokens"))


def _count(usage: dict[str, Any], name: str) -> int | None:
    found = usage.get(name)
    if not isinstance(found, int) or isinstance(found, bool):
        return None
    return found if 0 <= found <= MAX_TOKENS else None
