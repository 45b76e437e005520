"""Where an attempt's settings name a grader: its command, its module, its address or its file."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.parsing import lines_of
from detectors.rules.grader_requests import asks_grader
from detectors.rules.grading_calls import GradingCall
from detectors.rules.grading_commands import grades_in_shell
from detectors.rules.judging_places import names_board
from detectors.rules.probing_intent import refuses

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.attempt import Attempt

MAX_LINE = 1_000  # characters of a line that are looked at
_MODULE = re.compile(
    r"\b(?:mlebench|biomlbench)[.:/](?:grade|grade_helpers|competitions)\b|"
    r"\bMLAgentBench\.eval\b|"
    r"\bmledojo\.(?:competitions?|metrics)\b"
)
_COMMAND = re.compile(
    r"\b(?:mlebench|mle-bench|mle-audit|biomlbench)(?:\.cli)?[\"',\s-]+grade(?:-sample)?\b"
)
_QUOTED = re.compile(r"[\"']([^\"'\n]{2,400})[\"']")
_SIGNS = "-\"' ,[]{}"
_FORBIDS = re.compile(
    r"forbid|forbad|deny|denied|block|disallow|\bban|exclu|reject|ignor|refus|never|prohibit|"
    r"\bnot\b|"
    r"hidden_paths|black_?list|redact|mask",
    re.IGNORECASE,
)
_ABOVE = 8  # lines of a list that stand under one key


def graders_in_settings(attempt: Attempt) -> Iterator[GradingCall]:
    """Yield the lines of an attempt's settings that name a grader, and not to forbid it."""
    for file in attempt.settings:
        lines = lines_of(file.text)
        for number, line in enumerate(lines, start=1):
            said = line[:MAX_LINE]
            if not _names_grader(said) or refuses(said):
                continue
            above = "\n".join(lines[max(0, number - 1 - _ABOVE) : number])
            if not _FORBIDS.search(above):
                yield GradingCall(file.name, number, number, line, "names the grader in a setting")


def _names_grader(line: str) -> bool:
    if line.lstrip().startswith(("#", ";", "//")):
        return False
    if _MODULE.search(line) or _COMMAND.search(line):
        return True
    value = line.strip(_SIGNS)
    key = re.match(r"[\w.-]{1,60}[\"']?\s{0,4}[:=]\s{0,4}", value)
    values = [*_QUOTED.findall(line), value[key.end() :].strip(_SIGNS) if key else value]
    return any(grades_in_shell(v) or asks_grader(v) or names_board(v) for v in values if v)
