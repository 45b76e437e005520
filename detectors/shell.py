"""Shell text as pipelines of words: enough to see which paths a command names."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

_VARIABLE = re.compile(r"\$(?:\{(\w+)(?::?-([^}]*))?\}|(\w+))")
_ASSIGNMENT = re.compile(r"^(\w+)=(.*)$", re.DOTALL)
_HEREDOC = re.compile(r"<<-?\s*(['\"]?)(\w+)\1")
_PREFIX = frozenset(
    {"sudo", "time", "nohup", "exec", "command", "then", "do", "else", "if", "while", "!", "{", "("}
)
_BREAKS = frozenset({";", "&&", "||", "&", "(", ")", ";;", "\n"})
MAX_LINE = 20_000


class Pipeline(NamedTuple):
    """Commands joined by pipes, each a list of words; `line` counts from 1 in the text."""

    commands: tuple[tuple[str, ...], ...]
    line: int
    text: str
    heredoc: str = ""


def pipelines(text: str) -> Iterator[Pipeline]:
    """Split shell text into pipelines.

    Variables assigned in the text are put in their places, an assignment alone is a command
    ``export VALUE``; unknown variables stay ``$NAME``. Comments
    are dropped, a here-document goes to its command and is not read as commands.
    """
    known: dict[str, str] = {}
    lines = text.splitlines()
    number = 0
    while number < len(lines):
        first = number
        line = lines[number][:MAX_LINE]
        number += 1
        while line.endswith("\\") and number < len(lines):
            line = line[:-1] + lines[number][:MAX_LINE]
            number += 1
        heredoc = ""
        mark = _HEREDOC.search(line)
        if mark:
            line = line[: mark.start()] + line[mark.end() :]
            body = []
            while number < len(lines) and lines[number].strip() != mark.group(2):
                body.append(lines[number])
                number += 1
            number += 1
            heredoc = "\n".join(body)
        for words in _statements(_words(_substitute(line, known))):
            commands = _pipe_parts(words, known)
            if commands:
                yield Pipeline(commands, first + 1, line.strip(), heredoc)


def _substitute(line: str, known: dict[str, str]) -> str:
    def value(match: re.Match[str]) -> str:
        name = match.group(1) or match.group(3)
        return known.get(name) or match.group(2) or f"${name}"

    return _VARIABLE.sub(value, line)


def _words(line: str) -> list[str]:
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        words = list(lexer)
    except ValueError:  # an open quote: a line cut out of something longer
        words = line.replace('"', " ").replace("'", " ").split()
    comment = next((i for i, w in enumerate(words) if w.startswith("#")), len(words))
    return words[:comment]


def _statements(words: list[str]) -> Iterator[list[str]]:
    current: list[str] = []
    for word in [*words, ";"]:
        if word in _BREAKS:
            if current:
                yield current
            current = []
        else:
            current.append(word)


def _pipe_parts(words: list[str], known: dict[str, str]) -> tuple[tuple[str, ...], ...]:
    parts: list[list[str]] = [[]]
    for word in words:
        if word in {"|", "|&"}:
            parts.append([])
        else:
            parts[-1].append(word)
    commands = []
    for part in parts:
        rest = part
        values = []
        while rest:
            assigned = _ASSIGNMENT.match(rest[0])
            if assigned:
                known[assigned.group(1)] = assigned.group(2)
                values.append(assigned.group(2))
            elif rest[0] == "export":
                pass
            elif rest[0] not in _PREFIX:
                break
            rest = rest[1:]
        if rest or values:
            commands.append(tuple(rest) or ("export", *values))
    return tuple(commands)
