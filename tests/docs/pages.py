"""Reads the written pages: their code blocks, commands and links; and the source's remedies."""

from __future__ import annotations

import ast
import functools
import re
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import typer.main

from audit.cli import app

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).parents[2]
PAGES = [
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    *sorted((ROOT / "changes").glob("*.md")),
]
SOURCE = [
    path
    for room in ("audit", "detectors", "reports", "competitions")
    for path in sorted((ROOT / room).rglob("*.py"))
    if "agents" not in path.parts
]
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`(mle-audit [^`]+)`")
_LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
# In the source a command stands after a colon, at the start of a line, or in backticks.
_IN_TEXT = re.compile(r"(?:: |^[ ]*|`)mle-audit ([^`\n]+)", re.MULTILINE)
_BUILT = "X1"  # stands for what an f-string fills in


class Block(NamedTuple):
    """A fenced block of a page."""

    language: str
    text: str


class Command(NamedTuple):
    """A command and where it is written."""

    where: str
    words: tuple[str, ...]


def blocks(page: Path, language: str) -> list[Block]:
    found = (Block(*match.groups()) for match in _BLOCK.finditer(page.read_text(encoding="utf-8")))
    return [block for block in found if block.language == language]


def page_commands() -> list[Command]:
    """List every `mle-audit` line of a fenced block and every one in backticks."""
    return [
        Command(page.name, tuple(shlex.split(line, comments=True)[1:]))
        for page in PAGES
        for line in _lines(page.read_text(encoding="utf-8"))
    ]


def _lines(text: str) -> Iterator[str]:
    for block in _BLOCK.finditer(text):
        for line in block[2].splitlines():
            command = line.strip().removeprefix("$ ")
            if command.startswith("mle-audit "):
                yield command
    for match in _INLINE.finditer(_BLOCK.sub("", text)):
        yield match[1]


def links(page: Path) -> list[str]:
    return _LINK.findall(_BLOCK.sub("", page.read_text(encoding="utf-8")))


def source_commands() -> list[Command]:
    """List every command that a docstring or a message of the source tells to run."""
    return [
        Command(f"{path.relative_to(ROOT)}:{line}", words)
        for path in SOURCE
        for line, text in _texts(ast.parse(path.read_text(encoding="utf-8")))
        for words in _commands_in(text)
    ]


def _texts(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield each string once, with a word for what is filled in; concatenations are joined."""
    inside: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            inside |= {id(part) for part in ast.walk(node)} - {id(node)}
            yield (
                node.lineno,
                "".join(
                    str(part.value) if isinstance(part, ast.Constant) else _BUILT
                    for part in node.values
                ),
            )
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and id(node) not in inside
        ):
            yield node.lineno, node.value


def _commands_in(text: str) -> Iterator[tuple[str, ...]]:
    for match in _IN_TEXT.finditer(text):
        words = shlex.split(match[1].rstrip(" ."))
        if words and not words[0].startswith(_BUILT):  # else it is a version
            yield tuple(words)


@functools.cache
def _command() -> object:
    return typer.main.get_command(app)


def parse_error(words: tuple[str, ...]) -> str | None:
    """Parse a command as the terminal would, without running it; return what is wrong."""
    verbs = _command().commands  # type: ignore[attr-defined]
    if words[0].startswith("-"):
        return None if words in {("--help",), ("--version",), ("-h",)} else f"no option {words[0]}"
    if words[0] not in verbs:
        return f"no verb {words[0]}"
    if words[1:] == ("--help",):
        return None
    verb, rest = verbs[words[0]], words[1:]
    runs_alone = getattr(verb, "invoke_without_command", False)
    if hasattr(verb, "commands") and not (runs_alone and (not rest or rest[0].startswith("-"))):
        if not rest or rest[0] not in verb.commands:
            return f"no verb {' '.join(words[:2])}"
        verb, rest = verb.commands[rest[0]], rest[1:]
    usage_error: type[Exception] = typer.BadParameter.__mro__[1]
    try:
        verb.make_context(words[0], list(rest))
    except usage_error as error:
        return str(error.format_message())  # type: ignore[attr-defined]
    return None
