"""What an agent wrote in words: plans, thoughts and reports in its logs, notes beside its code."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from competitions.io import walk_files
from detectors.plagiarism.decoding import with_plain_lines
from detectors.plagiarism.documents import Document
from detectors.text_file import printable_name, read_text_file

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.attempt import Attempt
    from detectors.text_file import TextFile

MAX_NOTES = 200  # files of words beside the code that are read
MAX_NOTE_BYTES = 4 << 20
MAX_BLOCK = 200  # lines of one thought in a log of plain text
MIN_CHARACTERS = 40  # of what is looked at

_NOTES = (".md", ".markdown", ".rst")
_PLAN_KEYS = frozenset({
    "plan", "thought", "thoughts", "thinking", "analysis", "reasoning", "reasoning_content",
    "reflection", "rationale", "idea", "hypothesis", "strategy",
})  # fmt: skip
_WORD_KEYS = frozenset({"content", "text", "message"})
_AGENT = frozenset({"assistant", "agent", "ai", "model"})
_OTHERS = frozenset({"system", "user", "human", "developer"})
_THOUGHT = re.compile(
    r"^[\W\d]*(?:plan|thoughts?|thinking|reasoning|analysis|reflection|rationale|idea)"
    r"(?: \d+)?\W{0,4}:\W{0,4}(?P<rest>.*)$",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"^\s*(?:```|~~~|\$ |>>> |\++ |[\W\d]*(?:action(?: input)?|observation|command|code|output|"
    r"result|tool|user|system|execution|step)\b[^:]{0,20}:)",
    re.IGNORECASE,
)


class Words(NamedTuple):
    """What was said in an attempt.

    Parameters
    ----------
    written : tuple of Document
        By the agent; named after its file, the words in `prose`.
    given : str
        What the agent was told before it said anything: instructions, the task.
    """

    written: tuple[Document, ...]
    given: str


def words_of_logs(attempt: Attempt) -> Words:
    """Return plans, thoughts and reports of an attempt's logs.

    Of JSON, one document or one a line, they are the texts under names such as ``plan`` and
    ``thought`` and the messages of the agent's side; of plain text, what follows ``Thought:`` and
    the like. What programs printed is none.
    """
    written: list[Document] = []
    given: list[str] = []
    for log in attempt.logs:
        is_report = log.name.lower().endswith(_NOTES)
        said = [log.text] if is_report else list(_said(log, given))
        text = with_plain_lines("\n\n".join(said))
        if len(text) >= MIN_CHARACTERS:
            written.append(Document(log.name, "markdown", "", text))
    return Words(tuple(written), "\n\n".join(given))


def notes_of(attempt: Attempt) -> tuple[Document, ...]:
    """Return the Markdown files below ``code/``, which are no code; links are not followed."""
    folder = attempt.path / "code"
    if folder.is_symlink() or not folder.is_dir():
        return ()
    found: list[Document] = []
    for path in walk_files(folder):
        if path.suffix.lower() in _NOTES and len(found) < MAX_NOTES:
            name = printable_name(path.relative_to(attempt.path).as_posix())
            try:
                text = read_text_file(path, name, MAX_NOTE_BYTES).text
            except OSError:
                continue
            found.append(Document(name, "markdown", "", with_plain_lines(text)))
    return tuple(found)


def _said(log: TextFile, given: list[str]) -> Iterator[str]:
    """Yield what the agent wrote; what it was told before goes to `given`."""
    start = log.text.lstrip()[:1]
    if start in {"{", "["}:
        try:
            value = json.loads(log.text, parse_int=str)
        except (ValueError, RecursionError):
            pass
        else:
            yield from _in_json(value, given)
            return
    yield from _in_lines(log.text, given)


def _in_lines(text: str, given: list[str]) -> Iterator[str]:
    block: list[str] | None = None
    for line in text.split("\n"):
        if line.lstrip()[:1] == "{":
            try:
                value = json.loads(line, parse_int=str)
            except (ValueError, RecursionError):
                value = None
            if isinstance(value, dict):
                yield from _in_json(value, given)
                continue
        thought = _THOUGHT.match(line[:2000])
        ends = thought or _OTHER.match(line[:200]) or (block and len(block) >= MAX_BLOCK)
        if block and (ends or (not line.strip() and not block[-1].strip())):
            yield "\n".join(block)
            block = None
        if thought:
            block = [line[thought.start("rest") :]]
        elif block is not None:
            block.append(line)
    if block:
        yield "\n".join(block)


def _in_json(value: Any, given: list[str]) -> Iterator[str]:  # noqa: ANN401 - any JSON value
    """Walk a JSON value in its order, without recursion."""
    has_spoken = False
    stack: list[tuple[str, Any, str]] = [("", value, "")]
    while stack:
        key, current, who = stack.pop()
        if isinstance(current, dict):
            speaker = current.get("role", current.get("source", who))
            who = speaker.lower() if isinstance(speaker, str) else who
            stack += [(str(k).lower(), v, who) for k, v in reversed(current.items())]
        elif isinstance(current, list):
            stack += [(key, v, who) for v in reversed(current)]
        elif isinstance(current, str):
            if key in _PLAN_KEYS or (key in _WORD_KEYS and who in _AGENT):
                has_spoken = True
                yield current
            elif key in _WORD_KEYS and who in _OTHERS and not has_spoken:
                given.append(current)
