"""Shell text as pipelines of words: enough to see which paths a command names."""

from __future__ import annotations

import base64
import codecs
import re
import shlex
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from detectors.parsing import lines_of

if TYPE_CHECKING:
    from collections.abc import Iterator

_VARIABLE = re.compile(r"\$(?:\{(\w+)(?::?-([^{}]*))?\}|(\w+))")
_PART = re.compile(r"\$\{(\w+)(//?|%%?|##?)([^{}]*)\}")
_HOW = (
    r"(?P<how>base64 +(?:-d|-D|--decode)|rev|xxd -r -p|"
    r"tr +[\"']?(?P<from>[\w\]\[~!-]{3,64})[\"']? +[\"']?(?P<to>[\w\]\[~!-]{3,64})[\"']?|rot13)"
)
_TEXT = r"[\"']?(?P<text>[^\s\"'|;&()`$]{8,4000})[\"']?"
_ENCODED = re.compile(
    rf"(?P<open>\$\(|`)?\s*(?:echo|printf)\s+(?:-n\s+|[\"']?%s[\"']?\s+)?{_TEXT}\s*\|\s*{_HOW}"
    r"\s*(?(open)[)`]|\|\s*(?:(?:ba|z)?sh\b|xargs\b(?P<xargs>[^|;&\n]{0,200})))"
)
_HERE_TEXT = re.compile(rf"(?:\$\(|`){_HOW}\s*<<<\s*{_TEXT}\s*[)`]")
_ESCAPED = re.compile(r"\$?'?((?:\\x[0-9a-fA-F]{2}){4,})'?")
_IN_PATH = re.compile(r"(?<=/)\$\((?P<inner>[^()]{1,400})\)(?=/)")
_MARKS = re.compile(r"\\.|['\"`]|\$\((?!\()")
_ASSIGNMENT = re.compile(r"^(\w+)(\+?)=(.*)$", re.DOTALL)
_PLAIN = re.compile(r"[\w./:?=&%~+-]+$")
_OCTAL = re.compile(r"(?:\\[0-7]{3}){4,}")
_SLICE = re.compile(r"\$\{(\w+):(\d{1,4})(?::(\d{1,4}))?\}")
_WHICH = re.compile(r"\$\((?:which|command -v)\s+([\w.-]+)\)")
_SAID = re.compile(r"\$\((?:echo|printf)(?: -n)? +[\"']?([\w./:?=&%~+-]+)[\"']?\)")
ALIAS = re.compile(r"(?:^|[;&\n]\s*)alias\s+(\w+)=[\"']?([^\"';\n]{1,200})")
HEREDOC = re.compile(r"(?<!<)<<-?\s*(['\"]?)(\w+)\1")
_HERE = "\ufdd0"  # no character: marks where a here-document stood
_PREFIX = frozenset(
    {"sudo", "time", "nohup", "exec", "command", "then", "do", "else", "if", "elif", "while", "!",
     "until", "{", "(", "setsid", "RUN"}
)  # fmt: skip
_BREAKS = frozenset({";", "&&", "||", "&", "(", ")", ";;", "\n", "<(", ">("})
_SIGN = frozenset("();&|")
_SIGNS = re.compile(r"\|\||&&|;;|\|&|[();&|]")
MAX_LINE = 20_000
MAX_KEPT = 2_000  # characters of a text whose pipelines are kept
MAX_BRACES = 4  # of one word
MAX_SPREAD = 32  # words that it stands for
_BRACES = re.compile(r"\{([^{}]*,[^{}]*)\}")


class Pipeline(NamedTuple):
    """Commands joined by pipes, each a list of words; `line` counts from 1 in the text.

    Parameters
    ----------
    given : tuple of (str, str)
        Names and values of variables that a command is started with: ``KEY=value python a.py``.
    """

    commands: tuple[tuple[str, ...], ...]
    line: int
    text: str
    heredoc: str = ""
    given: tuple[tuple[str, str], ...] = ()


def pipelines(text: str) -> Iterator[Pipeline]:
    """Split shell text into pipelines; what is short is kept for the next rule that asks.

    Variables assigned in the text are put in their places, an assignment alone is a command
    ``export VALUE``; unknown variables stay ``$NAME``. Comments
    are dropped, a here-document goes to its command and is not read as commands.
    """
    return iter(_kept(text)) if len(text) <= MAX_KEPT else _split(text)


@lru_cache(maxsize=8192)
def _kept(text: str) -> tuple[Pipeline, ...]:
    return tuple(_split(text))


def _split(text: str) -> Iterator[Pipeline]:
    known: dict[str, str] = {}
    lines = lines_of(text)
    number = 0
    while number < len(lines):
        first = number
        parts = [lines[number]]
        number += 1
        while parts[-1].endswith("\\") and number < len(lines):
            parts[-1] = parts[-1][:-1]
            parts.append(lines[number])
            number += 1
        line = "".join(parts)[:MAX_LINE]
        heredoc = ""
        mark = HEREDOC.search(line)
        if mark:
            line = f"{line[: mark.start()]} {_HERE} {line[mark.end() :]}"
            body = []
            while number < len(lines) and lines[number].strip() != mark.group(2):
                body.append(lines[number])
                number += 1
            number += 1
            heredoc = "\n".join(body)
        for words in _statements(_words(_substitute(_within(line), known))):
            kept = [w.replace(_HERE, "") for w in words if w != _HERE]
            commands, given = _pipe_parts(kept, known)
            if commands:
                takes_it = any(_HERE in w for w in words)
                said = line.replace(f" {_HERE} ", "").strip()
                yield Pipeline(commands, first + 1, said, heredoc if takes_it else "", given)


def spread(word: str) -> list[str]:
    """Return what a word with alternatives in braces stands for.

    Examples
    --------
    >>> spread("/{private,x}/a.csv")
    ['/private/a.csv', '/x/a.csv']
    """
    words = [word]
    for _ in range(MAX_BRACES if "{" in word and "," in word else 0):
        found = next((m for w in words if (m := _BRACES.search(w))), None)
        if found is None:
            break
        parts = found[1].split(",")[:MAX_SPREAD]
        words = [w.replace(found.group(), part, 1) for w in words for part in parts][:MAX_SPREAD]
    return words


def _within(line: str) -> str:
    """Put what is decoded in its place, and commands within paths behind the line."""
    if "\\" in line:
        line = _OCTAL.sub(_from_octal, _ESCAPED.sub(_unescaped, line))
    if "$(" in line:
        line = _SAID.sub(r"\1", _WHICH.sub(r"\1", line))
    if "|" in line or "<<<" in line:
        line = _HERE_TEXT.sub(_decoded, _ENCODED.sub(_decoded, line))
    inner = []

    def taken(match: re.Match[str]) -> str:
        inner.append(match["inner"])
        return "$_"

    line = _IN_PATH.sub(taken, line) if "$(" in line else line
    if "`" in line or ('"' in line and "$(" in line):
        line, quoted = _in_quotes(line)
        inner += quoted
    return " ; ".join([line, *inner])


def _in_quotes(line: str) -> tuple[str, list[str]]:
    """Take out what a shell runs within double quotes or between backquotes, and list it."""
    inner: list[str] = []
    kept: list[str] = []
    end, quote = 0, ""
    for found in _MARKS.finditer(line):
        sign = found.group()
        if found.start() < end or (len(sign) > 1 and sign[0] == "\\"):
            continue
        if sign in {"'", '"'}:
            quote = "" if quote == sign else quote or sign
        elif quote != "'" and (sign == "`" or quote):
            last = _closing(line, found.end(), sign)
            if last > found.end():
                kept += [line[end : found.start()], "$_"]
                inner.append(line[found.end() : last])
                end = last + 1
    return "".join([*kept, line[end:]]), inner


def _closing(line: str, first: int, sign: str) -> int:
    """Return where a command within a line ends, or -1."""
    if sign == "`":
        return line.find("`", first)
    depth = 1
    for at in range(first, len(line)):
        depth += {"(": 1, ")": -1}.get(line[at], 0)
        if not depth:
            return at
    return -1


def _decoded(match: re.Match[str]) -> str:
    text, how = match["text"], match["how"]
    try:
        if how.startswith("base64"):
            text = base64.b64decode(f"{text}===").decode()
        elif how.startswith("xxd"):
            text = bytes.fromhex(text).decode()
        else:
            text = text[::-1] if how == "rev" else _translated(text, match)
    except ValueError:
        return match.group()
    given = match.groupdict().get("xargs")
    return text if given is None else f"xargs{given} {text}"


def _translated(text: str, match: re.Match[str]) -> str:
    """Return a text as ``tr`` changes its characters, as with ``tr a-z n-za-m``."""
    if match["how"] == "rot13":
        return codecs.encode(text, "rot13")
    before, after = _characters(match["from"]), _characters(match["to"])
    if not before or len(before) != len(after):
        return match.group()
    return text.translate(str.maketrans(before, after))


def _characters(ranges: str) -> str:
    return re.sub(
        r"(.)-(.)",
        lambda m: "".join(map(chr, range(ord(m[1]), ord(m[2]) + 1))),
        ranges.strip("[]"),
    )


def _unescaped(match: re.Match[str]) -> str:
    """Return characters that are written by their numbers, where they are plain ones."""
    text = bytes.fromhex(match[1].replace("\\x", "")).decode("latin-1")
    return text if _PLAIN.match(text) else match.group()


def _from_octal(match: re.Match[str]) -> str:
    numbers = [int(n, 8) for n in match.group().split("\\")[1:]]
    text = "".join(map(chr, numbers))
    return text if _PLAIN.match(text) else match.group()


def _part(match: re.Match[str], known: dict[str, str]) -> str:
    """Take a part off a variable, or put another in its place: ``${D%/*}``, ``${D/a/b}``."""
    name, sign, what = match.groups()
    value = known.get(name, f"${name}")
    if sign.startswith("/"):
        old, _, new = what.partition("/")
        made = value.replace(old, new) if old else value
        return f"{value}/../{new}" if made == value and name not in known else made
    if sign.startswith("%"):
        return value.rpartition("/")[0] if what == "/*" else value.removesuffix(what)
    return value.rpartition("/")[2] if what == "*/" else value.removeprefix(what)


def _sliced(match: re.Match[str], known: dict[str, str]) -> str:
    """Cut a piece out of a variable: ``${A:0:4}``."""
    name, first, size = match.groups()
    if name not in known:
        return match.group()
    end = int(first) + int(size) if size else None
    return known[name][int(first) : end]


def _substitute(line: str, known: dict[str, str]) -> str:
    if "${" in line:
        line = _SLICE.sub(lambda m: _sliced(m, known), line)
        line = _PART.sub(lambda m: _part(m, known)[:MAX_LINE], line)[:MAX_LINE]

    def value(match: re.Match[str]) -> str:
        name = match.group(1) or match.group(3)
        return known.get(name) or match.group(2) or f"${name}"

    parts, size, end = [], 0, 0
    for match in _VARIABLE.finditer(line):
        parts += [line[end : match.start()], value(match)]
        size, end = size + len(parts[-1]), match.end()
        if size > MAX_LINE:  # a variable made of itself, twice
            break
    return "".join([*parts, line[end:]])[:MAX_LINE]


def _words(line: str) -> list[str]:
    line = line.replace("\\(", " -paren ").replace("\\)", " -paren ")  # grouping of find
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    lexer.commenters = ""
    try:
        words = [part for word in lexer for part in _signs(word)]
    except ValueError:  # an open quote: a line cut out of something longer
        words = line.replace('"', " ").replace("'", " ").split()
    comment = next(
        (i for i, w in enumerate(words) if w.startswith("#") and not _is_quoted(w, line)),
        len(words),
    )
    return words[:comment]


def _signs(word: str) -> list[str]:
    """Part signs that stand together: ``);`` closes and ends."""
    return _SIGNS.findall(word) if len(word) > 1 and set(word) <= _SIGN else [word]


def _is_quoted(word: str, line: str) -> bool:
    """Say whether a word that begins with a hash stands in quotes: ``'#!/bin/sh'``."""
    return f"'{word[:3]}" in line or f'"{word[:3]}' in line


def _statements(words: list[str]) -> Iterator[list[str]]:
    current: list[str] = []
    for word in [*words, ";"]:
        if word in _BREAKS:
            if current:
                yield current
            current = []
        else:
            current.append(word)


def _pipe_parts(
    words: list[str], known: dict[str, str]
) -> tuple[tuple[tuple[str, ...], ...], tuple[tuple[str, str], ...]]:
    """Return the commands of a pipeline, and the variables that they are started with."""
    parts: list[list[str]] = [[]]
    for word in words:
        if word in {"|", "|&"}:
            parts.append([])
        else:
            parts[-1].append(word)
    commands = []
    given: list[tuple[str, str]] = []
    for words_of_it in parts:
        at = 0
        values: list[tuple[str, str]] = []
        part = [_substitute(w, known) if "$" in w else w for w in words_of_it]  # of the same line
        is_loop = part[:1] == ["for"] and part[2:3] == ["in"] and len(part) > 3  # noqa: PLR2004
        if is_loop and part[3] != "$":
            known[part[1]] = part[3]  # one of them stands for all
        while at < len(part):
            word = part[at]
            assigned = _ASSIGNMENT.match(word)
            if assigned:
                name, adds, value = assigned.groups()
                known[name] = f"{known.get(name, '')}{value}"[:MAX_LINE] if adds else value
                values.append((name, known[name]))
            elif word != "export" and word not in _PREFIX and not (word.startswith("-") and at):
                break
            at += 1
        if at < len(part) or values:
            commands.append(tuple(part[at:]) or ("export", *(value for _, value in values)))
        given += values if at < len(part) else ()
    return tuple(commands), tuple(given)
