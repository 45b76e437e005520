"""Which language models answered, by the accounts that scaffolds and their clients keep."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.rules.accounts import is_account, stats_of_archive
from detectors.rules.models_asked import FAMILIES, models_asked
from detectors.rules.prompts import said
from detectors.rules.resource import Resource, SeenResource
from detectors.trajectories.events import Event, EventKind, events, recognised
from detectors.trajectories.source import numbered_lines, pieces

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.attempt import Attempt
    from detectors.text_file import TextFile

MAX_TEXT = 20_000  # characters of one line that are looked at
MAX_ACCOUNT = 1 << 20  # characters of an account
MAX_APART = 12  # lines of one answer's account in a document of JSON
_MODEL = re.compile(
    r"\bmodel(?:_?name|_id)?[\"']?\s*[:=]\s*[\"']?"
    rf"(?P<name>(?:[\w.-]+/)*(?:[a-z]+\.)?(?:{FAMILIES})[\w.:-]*)",
    re.IGNORECASE,
)
_ANSWERED = re.compile(
    r"token|query|usage|latency|\bcost|request|completion|response|200 OK", re.IGNORECASE
)
_NO_ANSWER = re.compile(
    r"\b(?:429|40[0134]|50\d)\b|rate.?limit|failed|error|price|per 1[kM]|context|window|"
    r"supports?|limit|max|available|fallback to",
    re.IGNORECASE,
)
_USING = re.compile(  # and then it answered
    rf"\b(?:using|switch(?:ed|ing) to|falling back to|fall(?:s|ed)? back to) (?:the )?"
    rf"(?:model:?\s+)?"
    rf"[\"'`]?(?P<name>(?:[\w.-]+/)*(?:{FAMILIES})[\w.:-]*)",
    re.IGNORECASE,
)
_SPOKEN = frozenset({EventKind.TEXT, EventKind.MESSAGE})
_STAMPED = re.compile(  # by a scaffold, before an answer
    r"^[(\[<](?:model|answered by|served by|via)[:=] ?"
    rf"(?P<name>(?:[\w.-]+/)*(?:{FAMILIES})[\w.:-]*)[)\]>]",
    re.IGNORECASE,
)
_GOT_TOKENS = re.compile(
    r"\b(?:response|answer|completion)\b.{0,40}\b\d[\d,]* tokens", re.IGNORECASE
)
_COUNTED = re.compile(  # tokens of an answer
    r"\"(?:in|prompt_tokens|input_tokens|tokens_in)\"\s*:\s*[1-9]\d*.{0,80}?"
    r"\"(?:out|completion_tokens|output_tokens|tokens_out)\"\s*:\s*[1-9]",
    re.DOTALL,
)
_ASKED_HOST = re.compile(  # as clients of HTTP log what they were answered
    r"POST https://(?P<host>api\.anthropic\.com|generativelanguage\.googleapis\.com|"
    r"api\.deepseek\.com|api\.x\.ai)/\S*\"?[^\n]{0,20}\b200\b"
)
_FAMILY = {"api.anthropic.com": "claude", "generativelanguage.googleapis.com": "gemini",
           "api.deepseek.com": "deepseek", "api.x.ai": "grok"}  # fmt: skip
_CONFIGURED = re.compile(r"\b(?:config(?:uration)?|settings)\b", re.IGNORECASE)
_CALLED = re.compile(  # as scaffolds sum up what each model did
    rf"(?<![\w/-])(?P<name>(?:[\w.-]+/)*(?:{FAMILIES})[\w.-]*\d[\w.-]*)[: |]{{1,20}}[^\n]{{0,60}}?"
    r"(?:\b[1-9]\d* (?:calls|requests)\b|\b(?:calls|requests)[=: ]{1,3}[1-9]|"
    r"\b(?:answered|responded|replied)\b)",
    re.IGNORECASE,
)
_BY_NAME = re.compile(  # an account whose keys are the models
    rf"\"(?P<name>(?:[\w.-]+/)*(?:{FAMILIES})[\w.:-]*)\"\s*:\s*\{{[^{{}}]{{0,80}}(?:\{{[^{{}}]{{0,80}})?"
    r"\"(?:input|prompt|completion|output)(?:_tokens)?\"\s*:\s*[1-9]",
    re.IGNORECASE,
)
_COUNTED_OF = re.compile(  # by a scaffold: a program may tell of texts in its data
    rf"(?<![\w/-])(?P<name>(?:[\w.-]+/)*(?:{FAMILIES})[\w.-]*\d[\w.-]*)[: |]{{1,20}}[^\n]{{0,60}}?"
    r"\b\d[\d,]* (?:completion |output )?tokens\b",
    re.IGNORECASE,
)
_IN_JSON = re.compile(
    rf"\"model(?:_?name|_id)?\"\s*:\s*\"(?P<name>[^\"\n]*(?:{FAMILIES})[^\"\n]*)\""
)


def models_in(attempt: Attempt) -> Iterator[SeenResource]:
    """Yield the models of which logs tell that they answered; settings and prices tell none."""
    for log in attempt.logs:
        yield from _of_json(log)
    yield from (_answer(name, event, "asks") for name, event in models_asked(attempt))
    yield from _configured(attempt)
    yield from _stamped(attempt)
    using: Event | None = None
    for event, line in _lines_of_scaffolds(attempt):
        model = _MODEL.search(line)
        if model and _ANSWERED.search(line) and not _NO_ANSWER.search(line):
            yield _answer(model["name"], event)
        called = _CALLED.search(line)
        if called is None and event.path != "run.log":
            called = _COUNTED_OF.search(line)
        if called and not _NO_ANSWER.search(line):
            yield _answer(called["name"], event)
        asked = _ASKED_HOST.search(line)
        if asked:
            yield _answer(_FAMILY[asked["host"]], event)
        if _USING.search(line):
            using = event
        elif using and _GOT_TOKENS.search(line):
            found = _USING.search(using.text)
            if found:
                yield _answer(found["name"], using)
            using = None


def _lines_of_scaffolds(attempt: Attempt) -> Iterator[tuple[Event, str]]:
    for one in said(events(attempt.logs)):
        is_count = one.own and _GOT_TOKENS.search(one.event.text[:400])
        if one.event.kind is EventKind.TEXT and not one.told and (is_count or not one.own):
            yield from ((one.event, line) for line in one.event.text[:MAX_TEXT].split("\n"))


def _stamped(attempt: Attempt) -> Iterator[SeenResource]:
    """Yield the models that answers begin with; a network that is trained has none of its own."""
    for event in events(attempt.logs):
        found = _STAMPED.match(event.text) if event.kind in _SPOKEN else None
        if found:
            yield _answer(found["name"], event)


def _configured(attempt: Attempt) -> Iterator[SeenResource]:
    """Yield models that a logged configuration names, and no declared one beside them."""
    found = [
        _answer(model["name"], event, "is configured with")
        for event, line in _lines_of_scaffolds(attempt)
        if _CONFIGURED.search(line) and (model := _MODEL.search(line))
    ]
    record = attempt.readable_record
    declared = [m.lower().rpartition("/")[2] for m in record.agent.models] if record else []
    names = [one.name.rpartition("/")[2] for one in found]
    if not any(n.startswith(d) or d.startswith(n) for n in names for d in declared):
        yield from found


def _of_json(log: TextFile) -> Iterator[SeenResource]:
    """Read the accounts of answers in JSON: a model's name beside counts of its tokens."""
    kind = recognised(log)
    if is_account(log) or kind == "inspect-eval":
        text = stats_of_archive(log) if kind == "inspect-eval" else log.text[:MAX_ACCOUNT]
        yield from (_answer(m["name"], _line(log, 1, m[0])) for m in _BY_NAME.finditer(text))
    if kind == "plain-text":
        for number, line in numbered_lines(pieces(log)):
            model = _MODEL.search(line[:MAX_TEXT]) if line.startswith('{"') else None
            if model and _COUNTED.search(line[:MAX_TEXT]):
                yield _answer(model["name"], _line(log, number, line))
        return
    near: list[tuple[int, str]] = []
    for number, line in numbered_lines(pieces(log)):
        for text, at in _windows(number, line, near):
            yield from (_answer(name, _line(log, at, text)) for name in _accounts(text))


def _windows(number: int, line: str, near: list[tuple[int, str]]) -> Iterator[tuple[str, int]]:
    """Yield stretches that may hold an account: around tokens in a line, or some lines together."""
    if len(line) > MAX_APART * 200:
        for found in re.finditer(r"\"(?:completion|output)_tokens\"", line):
            yield line[max(0, found.start() - 600) : found.end() + 300], number
        return
    near.append((number, line))
    del near[:-MAX_APART]
    if '_tokens"' in line or '"model' in line:
        yield "\n".join(text for _, text in near), number


def _accounts(text: str) -> Iterator[str]:
    if not _COUNTED.search(text):
        return
    for found in _IN_JSON.finditer(text):
        yield found["name"]


def _line(log: TextFile, number: int, line: str) -> Event:
    return Event(EventKind.TEXT, line[:400], log.name, number, number)


def _answer(name: str, event: Event, shows: str = "tells of an answer by") -> SeenResource:
    return SeenResource(Resource.MODEL, name.lower(), f"{shows} {name}", event)
