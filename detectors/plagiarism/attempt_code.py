"""An attempt's code as documents: what it handed in, and what only its logs show."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from detectors.plagiarism.code_in_texts import Text, code_in_texts
from detectors.plagiarism.decoding import with_plain_lines
from detectors.plagiarism.documents import Document, document_of_text
from detectors.plagiarism.languages import LANGUAGES, guessed, suffix_of
from detectors.plagiarism.trajectory_code import SMALL, Piece, code_in, code_in_shell

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from detectors.attempt import Attempt
    from detectors.text_file import TextFile

MAX_PIECES = 5000  # of one attempt's logs that are looked at
_MIN_CHARACTERS = 20  # of a piece
_SHELL = frozenset({"sh", "bash", "zsh", "slurm"})
_HEAD = 1 << 14
_MAX_ODD = 0.05  # of the head; what was no text has more replaced characters
# Text in quotes is no code of the file: it must not hide that the same code was run.
_QUOTED = re.compile(
    r'"""(?:[^"\\]|\\[\s\S]|"(?!""))*+(?:"""|\\?\Z)'
    r"|'''(?:[^'\\]|\\[\s\S]|'(?!''))*+(?:'''|\\?\Z)"
)


def handed_in(attempt: Attempt) -> tuple[Document, ...]:
    """Return the source files below ``code/``, and the programs within their texts.

    A program that a shell script or another program holds as a text, to write it to a file or to
    run it, is a document of its own, named after file and line. Shell itself is left out.
    """
    found: list[Document] = []
    for file in attempt.code:
        if suffix_of(file.name) in _SHELL:
            pieces = code_in_shell(with_plain_lines(file.text))
            found += [_of_piece(f"{file.name}:{p.first_line}", p.text) for p in pieces]
        elif (document := _document(file)) is not None:
            found.append(document)
            found += [_of_piece(f"{file.name}:{t.first_line}", t.code) for t in _within(document)]
    return tuple(found)


def _within(document: Document) -> Iterator[Text]:
    return code_in_texts(document.code) if document.language == "python" else iter(())


def only_in_logs(attempt: Attempt, handed: Iterable[Document]) -> tuple[Document, ...]:
    """Return the code that the logs show and that was not handed in."""
    known = {line for d in handed for line in _lines(_QUOTED.sub("", d.code))}
    found: list[Document] = []
    left = MAX_PIECES
    for log in attempt.logs:
        small: list[Piece] = []
        for name, first_line, document in _documents_in(log):
            left -= 1
            lines = set(_lines(document.code))
            if left < 0 or len(document.code) < _MIN_CHARACTERS or lines <= known:
                continue
            known |= lines
            if first_line and document.code.count("\n") + 1 < SMALL:
                small.append(Piece(first_line, document.code))
            else:
                found.append(replace(document, name=name))
        if small:
            found.append(_together(log.name, small))
    if left < 0 and found:
        note = f"of {MAX_PIECES - left} pieces of code in the logs, {MAX_PIECES} were looked at"
        found[-1] = replace(found[-1], notes=(*found[-1].notes, note))
    return tuple(found)


def _documents_in(log: TextFile) -> Iterator[tuple[str, int, Document]]:
    """Yield name, line and document of each piece of code; line 0 for a log that is a source."""
    if LANGUAGES.get(suffix_of(log.name), "text") not in {"text", "markdown"}:
        document = _document(log)
        if document is not None:
            yield log.name, 0, document
        return
    for piece in code_in(log):
        name = f"{log.name}:{piece.first_line}"
        yield name, piece.first_line, _of_piece(name, piece.text)


def _document(file: TextFile) -> Document | None:
    """Read a file of an attempt; None for one that is no text."""
    head = file.text[:_HEAD]
    if head.count("\ufffd") > max(2, _MAX_ODD * len(head)):
        return None
    notes = ("longer than is read: the rest was left out",) if file.truncated else ()
    return document_of_text(file.name, with_plain_lines(file.text), notes)


def _of_piece(name: str, text: str) -> Document:
    """Read a piece of code, which is Python unless its lines look like another language."""
    suffix = {"r": ".r", "julia": ".jl"}.get(guessed(text) or "", ".py")
    return replace(document_of_text(suffix, with_plain_lines(text)), name=name)


def _together(log: str, pieces: list[Piece]) -> Document:
    """Join small pieces in the order of their places, an empty line between two."""
    pieces = sorted(pieces)
    starts: list[int] = []
    line = 1
    for piece in pieces:
        starts.append(line)
        line += piece.text.count("\n") + 2
    whole = _of_piece("", "\n\n".join(piece.text for piece in pieces))
    name = f"{log}:{pieces[0].first_line}"
    return replace(whole, name=name, cell_starts=tuple(starts))


def _lines(code: str) -> Iterator[str]:
    for line in code.split("\n"):
        plain = "".join(line.split())
        if plain and not plain.startswith("#"):
            yield plain
