"""Code that logs show: what ran, what was written to files, what a model answered in a block.

The readers of `detectors.trajectories` find what was run. Beside them, every text of a log's JSON
is looked at: for code under keys that they do not know (``file_text``, ``best_code``), and for
blocks of code in a model's answers. What tools printed and what was asked is left out.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from detectors.plagiarism.languages import guessed
from detectors.shell import pipelines
from detectors.trajectories.commands import looks_like_command
from detectors.trajectories.events import EventKind, events

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from detectors.text_file import TextFile

SMALL = 15  # lines; pieces of fewer are joined
_MAX_BLOCK = 20_000  # lines of a block or a here-document
_MAX_MISSES = 200  # pieces of one log that are searched for in vain
_MAX_JSON_DEPTH = 8  # JSON texts within JSON texts
_HEREDOC = re.compile(r"<<-?\s*(['\"]?)(\w+)\1")
_ONE_LINER = re.compile(
    r"""\b(?:python[\d.]*|Rscript|R|julia)\s+(?:-\w+\s+)*?-[ce]\s*
    (?:"(?P<double>(?:[^"\\]|\\.)*+)"|'(?P<single>[^']*+)')""",
    re.VERBOSE | re.DOTALL,
)
_CODE_FILE = re.compile(r"\.(?:py|ipynb|r|rmd|jl|sql)$", re.IGNORECASE)
_RUNNERS = re.compile(r"(?:python[\d.]*|ipython|Rscript|R|julia|sqlite3)$")
_STATEMENT = re.compile(r"[=([]|^(?:import|from) ")  # what a line that is code has
_FENCE = re.compile(r"[ \t]*(?P<mark>`{3,}|~{3,})[ \t]*(?P<language>[\w+-]*)")
_LANGUAGES = frozenset({"python", "py", "python3", "ipython", "r", "julia", "jl", "sql"})
_SHELLS = frozenset({"bash", "sh", "shell", "console", "zsh"})
_LEFT_OUT = frozenset(  # keys of what tools printed, and of what was asked
    {"output", "observation", "stdout", "stderr", "result", "error", "out", "term_out"}
    | {"_term_out", "exc_stack", "traceback", "outputs", "logs"}
    | {"prompt", "prompts", "task_desc", "task_description", "description", "instructions"}
)
_ASKED = frozenset({"user", "system", "tool", "function", "developer"})  # roles


class Piece(NamedTuple):
    """A stretch of code and the line of the log at which it begins."""

    first_line: int
    text: str


def code_in(log: TextFile) -> Iterator[Piece]:
    """Yield the code that a log shows, in no particular order; some of it may come twice.

    It costs time in proportion to the log and never fails.
    """
    yield from _joined(_from_events(log))
    if '{"' in log.text or log.text.lstrip()[:1] in {"{", "["}:
        yield from _from_json(log.text)


def code_in_shell(text: str) -> Iterator[Piece]:
    """Yield the code that shell text holds: here-documents, and programs given with ``-c``."""
    if "<<" in text:
        for pipeline in pipelines(text):
            words = [word for command in pipeline.commands for word in command]
            is_code = any(_CODE_FILE.search(w) or _RUNNERS.search(w) for w in words)
            if pipeline.heredoc and (is_code or guessed(pipeline.heredoc)):
                yield Piece(pipeline.line + 1, pipeline.heredoc)
    line, last = 1, 0
    for found in _ONE_LINER.finditer(text):
        line, last = line + text.count("\n", last, found.start()), found.start()
        inner = found["single"] or re.sub(r"\\([\"\\$`])", r"\1", found["double"] or "")
        yield Piece(line, inner)


def code_in_blocks(text: str) -> Iterator[Piece]:
    """Yield the fenced blocks of code in a text; one without a language is judged by its lines."""
    mark, language, first = "", "", 0
    body: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        found = _FENCE.match(line) if "```" in line or "~~~" in line else None
        if found and not mark:
            mark, language, first, body = found["mark"], found["language"].lower(), number + 1, []
        elif mark and found and found["mark"].startswith(mark) and not found["language"]:
            yield from _block("\n".join(body), language, first)
            mark = ""
        elif mark and len(body) < _MAX_BLOCK:
            body.append(line)
    if mark:  # an answer that was cut
        yield from _block("\n".join(body), language, first)


def _block(text: str, language: str, first: int) -> Iterator[Piece]:
    if language in _SHELLS:
        yield from (Piece(first - 1 + p.first_line, p.text) for p in code_in_shell(text))
    elif language in _LANGUAGES or (not language and guessed(text)):
        yield Piece(first, text)


def _from_events(log: TextFile) -> Iterator[Piece]:
    lines: list[str] | None = None
    done = 0  # last line of a here-document
    for event in events([log]):
        if event.kind is EventKind.CODE:
            yield Piece(event.first_line, event.text)
        if event.kind is not EventKind.COMMAND or event.first_line <= done:
            continue
        text = event.text
        mark = _HEREDOC.search(text) if "\n" not in text and "<<" in text else None
        if mark:
            lines = log.text.split("\n") if lines is None else lines
            body = _until(lines, event.last_line, mark[2])
            done = event.last_line + len(body)
            text = "\n".join([text, *body])
        for piece in code_in_shell(text):
            offset = piece.first_line - 1 if mark else 0
            yield Piece(event.first_line + offset, piece.text)


def _until(lines: list[str], after: int, mark: str) -> list[str]:
    """Return the lines up to and with the one that ends a here-document; none when none does."""
    for at in range(after, min(len(lines), after + _MAX_BLOCK)):
        if lines[at].strip() == mark:
            return lines[after : at + 1]
    return []


def _joined(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Join single lines that stand close together, as at an interpreter's prompt."""
    start, last, parts = 0, 0, list[str]()
    for piece in pieces:
        is_line = "\n" not in piece.text
        if parts and not (is_line and last <= piece.first_line <= last + 4):
            yield Piece(start, "\n".join(parts))
            parts = []
        if not is_line:
            yield piece
        if not is_line or not _STATEMENT.search(piece.text):
            continue
        start = start if parts else piece.first_line
        last = piece.first_line
        parts.append(piece.text)
    if parts:
        yield Piece(start, "\n".join(parts))


def _from_json(text: str) -> Iterator[Piece]:
    """Look at the texts of a log that is JSON, whole or line by line."""
    value = _parsed(text) if text.lstrip()[:1] in {"{", "["} else None
    if value is not None:
        yield from _placed(_in_value(value), text)
        return
    for number, line in enumerate(text.split("\n"), start=1):
        start_at = line.find('{"') if "\\n" in line else -1
        if start_at >= 0:
            for piece in _in_value(_parsed(line[start_at:])):
                yield Piece(number, piece.text)


def _placed(pieces: Iterable[Piece], text: str) -> Iterator[Piece]:
    """Find the lines of pieces, in order, by their first line as JSON writes it."""
    at, line, misses = 0, 1, 0
    for piece in pieces:
        start = json.dumps(piece.text.strip().partition("\n")[0], ensure_ascii=False)[1:-1]
        found = text.find(start, at) if start and misses < _MAX_MISSES else -1
        misses += found < 0
        if found >= 0:
            line, at = line + text.count("\n", at, found), found
        yield Piece(line, piece.text)


def _parsed(text: str) -> Any:  # noqa: ANN401 - any JSON value
    try:
        return json.JSONDecoder(parse_int=str, strict=False).raw_decode(text.lstrip())[0]
    except (ValueError, RecursionError):
        return None


def _in_value(value: Any) -> Iterator[Piece]:  # noqa: ANN401
    """Yield the code in the texts of a JSON value, without recursion."""
    stack: list[tuple[str, Any, int]] = [("", value, 0)]
    while stack:
        key, current, depth = stack.pop()
        if isinstance(current, dict):
            if str(current.get("role")) not in _ASKED:
                stack += [(str(k).lower(), v, depth) for k, v in reversed(current.items())]
        elif isinstance(current, list):
            stack += [(key, v, depth) for v in reversed(current)]
        elif isinstance(current, str) and "\n" in current and key not in _LEFT_OUT:
            inner = _parsed(current) if current.lstrip()[:1] == "{" else None
            if inner is not None and depth < _MAX_JSON_DEPTH:
                stack.append((key, inner, depth + 1))
            else:
                yield from _in_text(current)
        elif isinstance(current, str) and current[:1] == "{" and depth < _MAX_JSON_DEPTH:
            stack.append((key, _parsed(current), depth + 1))


def _in_text(text: str) -> Iterator[Piece]:
    """Yield the code in one text: blocks of an answer, a command's, or the whole."""
    if "```" in text or "~~~" in text:
        yield from code_in_blocks(text)
        return
    language = guessed(text)
    is_shell = language is None or looks_like_command(text.lstrip().partition("\n")[0])
    pieces = list(code_in_shell(text)) if is_shell else []
    yield from pieces or ([Piece(1, text)] if language else [])
