"""Who speaks in a log: what an agent was told stands apart from what it said and printed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from detectors.trajectories.events import Event, EventKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

MAX_PROMPT = 40_000  # characters of one prompt
MAX_GAP = 2  # lines from a prompt to the code that it shows
_STAMP = (
    r"^\s*(?:[\[(]?\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d[.,\d]*)?(?:Z|[+-]\d\d:?\d\d)?[\])]?\s*|"
    r"[\[(]?\d\d:\d\d:\d\d(?:[.,]\d+)?[\])]?\s+)"
)
_STAMPED = re.compile(_STAMP)
_LEVEL = r"(?:\[?(?:DEBUG|INFO|WARN(?:ING)?|ERROR)\]?[:\s|-]*)?"
_KNOWN = (
    r"(?:hints?|tips|knowledge|memor(?:y|ies)|cases|insights?|lessons|solutions|playbook|recipes?)"
)
_TELLS = re.compile(
    rf"(?:{_STAMP})?\s*{_LEVEL}[#*=<|\[ -]{{0,4}}(?:(?:system|user|human|harness|scaffold|"
    r"prompt|instructions?|memory|knowledge|retrieve[dr]|retrieval|context|supervisor|mentor|"
    r"advisor|coach|operator|orchestrator|runner|controller|task|goal|briefing)"
    r"(?:[ _](?:prompt|message|instructions?|description|text|statement|note|hint))?"
    r"(?:\s*[(\[][^)\]]{0,40}[)\]])?[\]>*= ]{0,4}[:>]|"
    r"(?:[\w.-]{1,30}: )?prompt\s*[(\[][^)\]\n]{0,40}[)\]]\s*[:>]|"
    r"prompt (?:of|for|sent|to)\b[^:\n]{0,40}$|[\w.-]{1,30}: prompt\s*$|"
    rf"{_KNOWN}\b[^:\n]{{0,40}}\b(?:added|injected|prepended|appended|inserted|put|given|shown)\b"
    rf"[^:\n]{{0,40}}:|(?:retrieved|recalled|injected)\b[^:\n]{{0,20}}\b{_KNOWN}\b[^:\n]{{0,80}}:)",
    re.IGNORECASE,
)
_OTHERS = re.compile(
    rf"(?:{_STAMP})?\s*{_LEVEL}[#*=<|\[ -]{{0,4}}(?:agent|assistant|ai|model|llm|thought|action|"
    r"observation|tool|response|answer|plan|output)(?:[ _](?:input|\d+))?(?: \(\w{1,20}\))?"
    r"[\]>*= ]{0,4}[:>]",
    re.IGNORECASE,
)
_BANNER = re.compile(  # === PROMPT ===
    r"^[=#*<\[-]{2,12} *(?:(?:system|user|full|agent|input|task)[ _])?"
    r"(?:prompt|input|context|instructions?|request)"
    r"(?: to (?:the )?(?:agent|model))?[ \d#]*[=#*>\]-]{2,12}\s*$",
    re.IGNORECASE,
)
_ANSWER_BANNER = re.compile(
    r"^[=#*<\[-]{2,12} *(?:(?:end|model|agent|llm)[ _])?(?:of )?"
    r"(?:prompt|response|completion|output|answer|assistant|reply)[ \d#]*[=#*>\]-]{2,12}\s*$",
    re.IGNORECASE,
)
_DONE = frozenset({EventKind.COMMAND, EventKind.CODE, EventKind.READ, EventKind.WRITE})


class Said(NamedTuple):
    """A stretch of a log and who it is from.

    Parameters
    ----------
    event : Event
        The event; of a prompt in plain text its first line, as an event of all its lines.
    told : bool
        The agent was told it: by a system prompt, a user, or what the scaffold says as one.
    own : bool
        The agent said it; nothing is known where both are False.
    """

    event: Event
    told: bool = False
    own: bool = False


def said(found: Iterable[Event]) -> Iterator[Said]:
    """Say of each event whom it is from; lines of one prompt in plain text become one."""
    prompt: list[Event] = []
    last: list[Event] = []  # the prompt before
    is_own = False
    for event in found:
        if prompt and event.kind is EventKind.SCORE and event.path == prompt[0].path:
            yield Said(event, told=True)
            continue
        is_line = event.kind is EventKind.TEXT and not event.by and not event.member
        if prompt and not (is_line and _goes_on(event, prompt)):
            yield Said(_joined(prompt), told=True)
            last, prompt = prompt, []
        if not is_line:
            yield from _quoting(event, last)
            is_own = is_own and event.kind is EventKind.SCORE
            yield Said(event, told=_is_told(event), own=event.by == "agent")
            continue
        tells = _TELLS.match(event.text) or _BANNER.match(event.text)
        if tells:
            prompt, is_own = [event], False
        elif prompt:
            prompt.append(event)
        else:
            if _OTHERS.match(event.text) or _ANSWER_BANNER.match(event.text):
                is_own = not re.search(r"observation|output|tool", event.text[:80], re.IGNORECASE)
            elif _STAMPED.match(event.text):
                is_own = False
            yield Said(event, own=is_own)
    if prompt:
        yield Said(_joined(prompt), told=True)


def _quoting(event: Event, prompt: list[Event]) -> Iterator[Said]:
    """Yield a prompt once more with the code that stands in it, and that readers take for run."""
    if event.kind is EventKind.CODE and prompt and event.path == prompt[0].path:
        end = prompt[-1].last_line
        if end < event.first_line <= end + MAX_GAP:
            yield Said(_joined([*prompt, event]), told=True)


def _is_told(event: Event) -> bool:
    return event.kind is EventKind.MESSAGE and event.by in {"system", "user"}


def _goes_on(event: Event, prompt: list[Event]) -> bool:
    """Say whether a line of text is still of the prompt before it."""
    if event.path != prompt[0].path or _OTHERS.match(event.text) or _TELLS.match(event.text):
        return False
    if _BANNER.match(event.text) or _ANSWER_BANNER.match(event.text):
        return False
    size = sum(len(e.text) for e in prompt[-50:])
    return not _STAMPED.match(event.text) and size < MAX_PROMPT and len(prompt) < MAX_PROMPT // 40


def _joined(prompt: list[Event]) -> Event:
    text = "\n".join(e.text for e in prompt)[:MAX_PROMPT]
    return prompt[0]._replace(text=text, last_line=prompt[-1].last_line, by="user")


def is_done(event: Event) -> bool:
    """Say whether an event is something that was done."""
    return event.kind in _DONE or event.kind is EventKind.NETWORK
