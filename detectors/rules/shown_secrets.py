"""Values that a command asked for by the name of a secret, and that came back alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.trajectories.events import EventKind
from reports.secrets import looks_drawn, secrets_in

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.trajectories.events import Event

ASKED_FOR = "value that a command asked for as a secret"
MAX_LINES = 4  # that come back with a value
MAX_COMMAND = 4_000  # characters
_NAMED = r"(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PAT)"
_ASKS = re.compile(
    rf"\b(?:echo|printf|printenv)\b[^\n|;&]{{0,80}}?(?:\$\{{?|printenv )"
    rf"(?!\w*(?:CACHE|SORT|PUBLIC|GROUP|PRIMARY|RUN)_)\w{{0,40}}{_NAMED}\b(?!\}}?[\"']?\s{{0,3}}\|)|"
    r"\bcat\s[^\n|;&]{0,100}?(?:/run/secrets/|/secrets?/|[./_-](?:token|api_?key|secret|password)s?"
    r"(?:\.txt|\.key)?(?=[\s;|&\"']|$))|"
    r"\bjq\b[^\n|;&]{0,60}?\.\w{0,30}(?:key|token|secret|password)\b|print-access-token|"
    r"\bgh auth token|get-login-password|\bkubectl (?:get secret|create token)|"
    r"\bvault (?:kv get|read)\b|\bop read\b|"
    r"\bpass show\b|\bgit config\b[^\n]{0,60}(?:token|password)"
)
_VALUE = re.compile(r"[\"']?(?P<value>[A-Za-z0-9_+/.~-]{20,500}={0,2})[\"']?,?")


def values_asked_for(event: Event) -> Iterator[tuple[int, str]]:
    """Yield what a command got that asked for a secret by its name, with the line of its output.

    What has the form of a known key is left to whoever reads the lines.

    Examples
    --------
    >>> from detectors.trajectories.events import Event
    >>> asked = Event(EventKind.COMMAND, "jq -r .key k.json", "a", 1, 1, output="aB3dE5gH7j" * 3)
    >>> list(values_asked_for(asked))
    [(0, 'aB3dE5gH7jaB3dE5gH7jaB3dE5gH7j')]
    """
    if event.kind is not EventKind.COMMAND or not _ASKS.search(event.text[:MAX_COMMAND]):
        return
    lines = event.output.strip().split("\n")
    for offset, line in enumerate(lines[:MAX_LINES] if len(lines) <= MAX_LINES else ()):
        found = _VALUE.fullmatch(line.strip())
        if found and looks_drawn(found["value"]) and not secrets_in(line):
            yield offset, found["value"]
