"""Find keys and tokens in code and logs; each is shown masked."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from competitions.io import sha256_bytes
from detectors.attempt import Attempt
from detectors.base import About, register
from detectors.parsing import lines_of
from detectors.rules.folded_secrets import folded_secrets
from detectors.rules.shown_secrets import ASKED_FOR, values_asked_for
from detectors.training.written_rows import steps
from detectors.trajectories.events import EventKind, events
from detectors.trajectories.scripts import script_units
from detectors.trajectories.source import numbered_lines, pieces
from detectors.units import CodeUnit, code_units
from reports.schema import CodeLines, Confidence, LogLines, Severity, SubjectKind
from reports.secrets import marked
from reports.words import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from detectors.base import Subject
    from detectors.text_file import TextFile
    from reports.schema import Finding

MAX_AROUND = 120  # characters shown before and after a secret
MAX_LINE = 1 << 16  # characters of a piece of a line that are looked at together
OVERLAP = 4096  # characters that two pieces of a long line share
MAX_PROGRAMS = 200  # of the logs
MAX_BLOCK = 200  # lines of a private key
_BEGINS = re.compile(r"-----BEGIN|Private-Lines: \d")
_ENDS = re.compile(r"-----END|Private-MAC: ")


class _Seen(NamedTuple):
    """A secret with its place; `digest` tells equal ones from others and gives nothing away."""

    kind: str
    digest: str
    is_certain: bool
    path: str
    line: int
    excerpt: str
    in_log: bool


@register
@dataclass(frozen=True)
class SecretInLog:
    """Keys and tokens in an attempt's code, settings and logs, whoever put them there.

    Known are the forms of the keys of some twenty vendors, private keys, passwords in addresses,
    and values that look drawn by lot and stand behind a name such as ``api_key``. Placeholders and
    the samples of vendors' manuals are none. It is no word about the score: whoever publishes these
    files gives the secret away. All outputs of all detectors show it masked.

    Parameters
    ----------
    max_evidence : int >= 1, default=8
        Different secrets shown with a finding; the message tells how many there are.
    """

    about: ClassVar[About] = About(
        id="secret-in-log",
        subject=SubjectKind.ATTEMPT,
        asks="Do code or logs hold API keys, tokens or private keys?",
        blind_spots=(
            "Passwords that are words, keys of unknown form without a telling name, and secrets "
            "that code computes otherwise than from its own texts are not seen; nor is "
            "whether a key is still good. The submission and other files are not read."
        ),
        reference="https://doi.org/10.14722/ndss.2019.23418 (How Bad Can It Git?)",
        needs=frozenset({"code", "logs"}),
    )
    max_evidence: int = 8

    def applies(self, subject: Subject) -> str | None:
        """See `Detector.applies`."""
        return None if isinstance(subject, Attempt) else "it looks at attempts only"

    def detect(self, subject: Subject) -> Iterator[Finding]:
        """See `Detector.detect`."""
        if not isinstance(subject, Attempt):
            raise TypeError(subject)
        certain: dict[str, _Seen] = {}
        likely: dict[str, _Seen] = {}
        for seen in _all_of(subject):
            (certain if seen.is_certain else likely).setdefault(seen.digest, seen)
        if certain:
            yield self._finding(subject, list(certain.values()), Confidence.HIGH)
        likely = {digest: seen for digest, seen in likely.items() if digest not in certain}
        if likely:
            yield self._finding(subject, list(likely.values()), Confidence.MEDIUM)

    def _finding(self, subject: Attempt, seen: list[_Seen], confidence: Confidence) -> Finding:
        kinds = ", ".join(dict.fromkeys(s.kind for s in seen))
        looks = "hold" if confidence is Confidence.HIGH else "hold what looks like"
        some = f"; {self.max_evidence} shown" if self.max_evidence < len(seen) else ""
        return self.about.finding(
            subject,
            f"Code or logs {looks} {counted(len(seen), 'secret')} ({kinds}{some}).",
            *(_evidence(s) for s in seen[: self.max_evidence]),
            severity=Severity.LOW,
            confidence=confidence,
        )


def _all_of(attempt: Attempt) -> Iterator[_Seen]:
    """Yield what logs, code and settings hold, line by line."""
    for log in attempt.logs:
        if _is_binary(log):
            for event in events([log]):
                lines = enumerate(f"{event.text}\n{event.output}".split("\n"))
                step = 0 if event.member else 1
                numbered = ((event.first_line + step * n, line) for n, line in lines)
                yield from _in_lines(event.where, numbered, in_log=True)
        else:
            yield from _in_lines(log.name, numbered_lines(pieces(log)), in_log=True)
    for file in (*attempt.code, *attempt.settings):
        yield from _in_lines(file.name, enumerate(lines_of(file.text), start=1), in_log=False)
    yield from _put_together(attempt)
    for event in events(attempt.logs):
        for offset, value in values_asked_for(event):
            digest = sha256_bytes(value.encode("utf-8", "replace"))[:8]
            line = event.first_line + (1 + offset if event.output_end else 0)
            told = f"{marked(event.text).text[:MAX_AROUND]}\n[secret: {ASKED_FOR}]"
            yield _Seen(ASKED_FOR, digest, False, event.where, line, told, True)  # noqa: FBT003


def _put_together(attempt: Attempt) -> Iterator[_Seen]:
    """Yield keys that code makes out of pieces or decodes, in files and in the logs."""
    programs = [(list(code_units(attempt.code)), False)]
    programs += [(units, True) for units in islice(_logged(attempt), MAX_PROGRAMS)]
    for units, in_log in programs:
        for found in folded_secrets(units):
            digest = sha256_bytes(found.value.encode("utf-8", "replace"))[:8]
            kind, is_certain = found.secret.kind, found.secret.is_certain
            told = f"[secret: {kind}, put together or decoded by code]"
            yield _Seen(kind, digest, is_certain, found.unit.path, found.line, told, in_log)


def _logged(attempt: Attempt) -> Iterator[list[CodeUnit]]:
    """Yield the programs and commands of the logs, each with the place of its step."""
    for step in steps(attempt.logs):
        at = step.event
        if step.code:
            yield [CodeUnit(at.where, at.first_line, "python", step.code, "log")]
    for event in events(attempt.logs):
        if event.kind is EventKind.COMMAND:
            yield [CodeUnit(event.where, event.first_line, "shell", event.text, "log")]
        for unit in script_units(event):
            if unit.language != "python":
                yield [unit._replace(path=event.where, first_line=event.first_line)]


def _is_binary(log: TextFile) -> bool:
    """Say whether a log is an archive or the like, of which only a reader gets the text."""
    return "\ufffd" in next(iter(pieces(log)), "")[:8]


def _in_lines(path: str, lines: Iterable[tuple[int, str]], *, in_log: bool) -> Iterator[_Seen]:
    """Look at each line, and at the lines of a private key together."""
    block: list[str] = []
    first = 0
    for number, line in lines:
        if block:
            block.append(line)
            if _ENDS.search(line) or len(block) >= MAX_BLOCK:
                yield from _in_line(path, first, "\n".join(block), in_log=in_log)
                block = []
        elif _BEGINS.search(line) and not _ENDS.search(line):
            block, first = [line], number
        else:
            yield from _in_line(path, number, line, in_log=in_log)
    if block:
        yield from _in_line(path, first, "\n".join(block), in_log=in_log)


def _in_line(path: str, number: int, line: str, *, in_log: bool) -> Iterator[_Seen]:
    for start in range(0, max(1, len(line) - OVERLAP), MAX_LINE - OVERLAP):
        part = line[start : start + MAX_LINE]
        shown = marked(part)
        for one, at in shown.labels:
            digest = sha256_bytes(part[one.start : one.end].encode("utf-8", "replace"))[:8]
            excerpt = shown.text[max(0, at - MAX_AROUND) : at + len(one.kind) + MAX_AROUND]
            line_of_it = number + part.count("\n", 0, one.start)
            yield _Seen(one.kind, digest, one.is_certain, path, line_of_it, excerpt, in_log)


def _evidence(seen: _Seen) -> LogLines | CodeLines:
    kind = LogLines if seen.in_log else CodeLines
    is_guessable = "password" in seen.kind
    told = "" if is_guessable else f"; the sha256 of the value begins with {seen.digest}"
    return kind(
        path=seen.path,
        first_line=seen.line,
        last_line=seen.line,
        excerpt=seen.excerpt.encode("utf-8", "replace").decode("utf-8"),
        shows=f"{seen.kind}{told}",
    )
