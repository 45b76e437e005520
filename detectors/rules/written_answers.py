"""Files that an attempt writes itself, by whatever code of its folder or its logs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.rules.answer_files import AnswerFiles, copied_in_shell
from detectors.rules.other_training import OtherTaught, is_submitted, written_by
from detectors.rules.run_by_python import shell_of
from detectors.trajectories.events import events
from detectors.units import code_units

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from detectors.attempt import Attempt
    from detectors.training.written_rows import Step

_WRITTEN = re.compile(
    r"\b(?:to_\w+|save\w*|dump|write\w*)\([^()\n]{0,80}?[\"'](?P<path>[^\"'\n]{1,200}\.\w+)[\"']|"
    r"\bopen\([^()\n]{0,40}?[\"'](?P<opened>[^\"'\n]{1,200})[\"'],\s*[\"'][wax]"
)
_MAY_COPY = re.compile(r">|\bto\s+'|\b(?:cp|mv|ln|install|rsync|tee)\s")
_HANDLED = re.compile(  # an attempt's own solution: what it is told to write, or copies as a whole
    r"(?:\b(?:cp|mv)\s+(?:-\w+\s+)*|\b(?:copy\w*|move|rename)\(\s*|-\w{0,20}out\w{0,20}[ =]|"
    r"\b\w{0,20}(?:out|save|dest)\w{0,20} {0,4}= {0,4})[\"']?"
    r"(?P<path>(?:\./)?(?:\w+/){0,3}(?:solutions?|answers?)[\w-]*\.\w+)\b",
    re.IGNORECASE,
)
_INTO = re.compile(r">\s*[\"']?(?P<path>[\w./~-]{1,200}\.\w{1,8})\b")


def copies_made(subject: Attempt, files: AnswerFiles) -> frozenset[str]:
    """Return the names of copies of answers that scripts, commands and other languages make."""
    copied: frozenset[str] = frozenset()
    for unit in code_units(subject.code):
        if unit.language == "shell":
            copied = copied_in_shell(unit.text, copied, files)
    for raw in events(subject.logs):
        for event in shell_of(raw) if _MAY_COPY.search(raw.text) else ():
            copied = copied_in_shell(event.text, copied, files)
    return copied | written_elsewhere(subject, copied)


def names_written(subject: Attempt, done: Iterable[Step]) -> frozenset[str]:
    """Return the names of files that code writes: a table called like answers may be its own."""
    texts = [*(f.text for f in subject.code), *(step.code for step in done)]
    texts += {step.event.text for step in done if not step.code}
    return frozenset(name for text in texts for name in _names_written(text))


def _names_written(text: str) -> Iterator[str]:
    for found in _WRITTEN.finditer(text):
        yield (found["path"] or found["opened"]).rpartition("/")[2]
    for pattern in (_INTO, _HANDLED):
        yield from (found["path"].rpartition("/")[2] for found in pattern.finditer(text))


def written_elsewhere(subject: Attempt, copies: frozenset[str]) -> frozenset[str]:
    """Return the names of files that code of other languages writes with answers in them."""
    files = AnswerFiles(copies=copies)
    others = (u for u in code_units(subject.code) if u.language == "other")
    return frozenset(name for u in others for name in written_by(u.path, u.text, files.holds))


def handed_in_by_commands(
    subject: Attempt, files: AnswerFiles
) -> Iterator[tuple[str, OtherTaught]]:
    """Yield the commands by which answers come into the submission, with their file."""
    loose = frozenset(name for name in files.copies if is_submitted(name))
    known = files._replace(copies=files.copies - loose)

    def hands_in(text: str) -> bool:
        made = copied_in_shell(text, known.copies, known) - known.copies
        return any(map(is_submitted, made))

    for unit in code_units(subject.code):
        if unit.language == "shell" and hands_in(unit.text):
            yield unit.path, _at(unit.text, unit.first_line)
    for raw in events(subject.logs) if loose else ():
        for event in shell_of(raw):
            if _MAY_COPY.search(event.text) and hands_in(event.text):
                yield raw.where, _at(event.text, raw.first_line)


def _at(text: str, line: int) -> OtherTaught:
    return OtherTaught(text, line, text, line, is_handed_in=True)
