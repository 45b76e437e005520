"""Documents: a stranger's source files as code, prose, marks of origin and provenance.

A document comes from a file, a member of a zip, or what an attempt wrote on its way. Everything is
hostile input: nothing is run, imported or unpacked to disk, and what cannot be read is said.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from competitions.errors import UnreadableFileError
from competitions.io import printable
from detectors.plagiarism.code_marks import code_marks
from detectors.plagiarism.containers import Unread, files_below
from detectors.plagiarism.decoding import decode
from detectors.plagiarism.kaggle_layouts import Origins
from detectors.plagiarism.languages import (
    LANGUAGES,
    NOTEBOOKS,
    WOVEN,
    Language,
    guessed,
    suffix_of,
)
from detectors.plagiarism.magics import python_of_script
from detectors.plagiarism.notebooks import read_notebook
from reports.provenance import Mark, Provenance

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from detectors.attempt import Attempt

__all__ = ["Document", "Language", "Unread", "document_from", "documents_of", "read_documents"]

_NO_PROVENANCE = Provenance()
_KNOWN = "documents of plagiarism"
_MIN_CODE, _MIN_CODE_UNNAMED = 0.25, 0.1  # of the lines of what is called text, and of what is not
_HEAD = 256  # characters within which the brace of a notebook stands


@dataclass(frozen=True)
class Document:
    r"""One source file.

    Parameters
    ----------
    name : str
        Path below the source with forward slashes, printable; a member of an archive is
        ``kernels.zip!a/b.ipynb``.
    code : str
        The code channel. All code cells of a notebook, an empty line between two. Lines end in
        ``\n`` alone, and line numbers everywhere refer to this text.
    prose : str
        Markdown cells, text files, text between the chunks of R Markdown; comments are in `code`.
    cell_starts : tuple of int
        First line in `code` of each code cell, from 1.
    marks : tuple of Mark
        Ids of cells, kernel metadata, author strings, addresses in code.
    notes : tuple of str
        What was odd about the file.
    competition : str or None
        The competition's name on Kaggle, where the source tells.
    """

    name: str
    language: Language
    code: str
    prose: str
    cell_starts: tuple[int, ...] = ()
    marks: tuple[Mark, ...] = ()
    provenance: Provenance = _NO_PROVENANCE
    notes: tuple[str, ...] = ()
    competition: str | None = None


def read_documents(
    source: Path, *, only: Collection[Path] | None = None
) -> Iterator[Document | Unread]:
    """Read the documents of a file, a folder, a zip or a git checkout, in the order of their names.

    Only names that say source, notebook or text are read from folders and archives. What has such
    a name and cannot be read is yielded as `Unread`. Version control, caches and installed packages
    are left out.

    Parameters
    ----------
    only : collection of Path or None
        Files below a folder to read, instead of all.

    Raises
    ------
    UnreadableFileError
        When there is no such file or folder, or a table of Meta Kaggle beside it has not the
        columns that it has on Kaggle.
    """
    if not source.exists():
        raise UnreadableFileError(f"{source}: expected a file or a folder, found none.")
    origins = Origins(source)
    for found in files_below(source, _is_document, only):
        if isinstance(found, Unread):
            yield found
            continue
        try:
            document = document_from(found.name, found.content)
        except UnreadableFileError as error:
            yield Unread(found.name, error.problem.removeprefix(f"{found.name}: "))
            continue
        origin = origins.of(found)
        yield replace(document, provenance=origin.provenance, competition=origin.competition)


def document_from(name: str, content: bytes, provenance: Provenance = _NO_PROVENANCE) -> Document:
    """Read one file's bytes.

    Raises
    ------
    UnreadableFileError
        When it is no text.
    """
    name = printable(name)
    text, notes = decode(name, content)
    return replace(document_of_text(name, text, notes), provenance=provenance)


def document_of_text(name: str, text: str, notes: tuple[str, ...] = ()) -> Document:
    r"""Read one file's text, whose lines end in ``\n`` alone.

    A name that says no language leaves it to the lines: what looks like no code is prose.
    """
    suffix = suffix_of(name)
    if suffix in NOTEBOOKS or text[:_HEAD].lstrip()[:1] == "{":
        notebook = read_notebook(text)
        if notebook is not None:
            if suffix not in NOTEBOOKS:
                notes = (*notes, "a notebook under another name")
            marks = (*notebook.marks, *code_marks(notebook.code))
            return Document(name, *notebook[:4], marks, notes=notes)
        if suffix in NOTEBOOKS:
            notes = (*notes, "no notebook: read as text")
    language = LANGUAGES.get(suffix, "text")
    if language == "text":
        is_named = suffix in LANGUAGES
        language = guessed(text, _MIN_CODE if is_named else _MIN_CODE_UNNAMED) or "text"
        if language != "text" and is_named:
            notes = (*notes, f"{language} under another name")
    if language in {"markdown", "text"}:
        return Document(name, language, "", text, notes=notes)
    if suffix in WOVEN:
        code, prose = _unwoven(text)
        return Document(name, language, code, prose, (), code_marks(code), notes=notes)
    starts: tuple[int, ...] = ()
    if language == "python":
        text, starts, is_longer = python_of_script(text)
        notes = (*notes, "hidden cells unfolded: lines count on") if is_longer else notes
    return Document(name, language, text, "", starts, code_marks(text), notes=notes)


def documents_of(attempt: Attempt) -> tuple[tuple[Document, ...], tuple[Document, ...]]:
    """Return an attempt's handed-in code, and the code that only its logs show.

    Of the logs every piece is left out that consists of lines of the handed-in code or of an
    earlier piece. Pieces of less than 15 lines are joined, one document a log, and `cell_starts`
    says where each begins. A document from a log is named ``logs/agent.log:120``, after its file
    and line.

    Returns
    -------
    handed_in, only_in_logs : tuple of Document
    """
    from detectors.plagiarism.attempt_code import handed_in, only_in_logs

    known = attempt.__dict__.get(_KNOWN)  # as a cached property would: several detectors ask
    if known is None:
        handed = handed_in(attempt)
        known = attempt.__dict__[_KNOWN] = (handed, only_in_logs(attempt, handed))
    return known


def _is_document(name: str) -> bool:
    return suffix_of(name) in LANGUAGES


_FENCE = re.compile(r"[ \t]*(?P<mark>`{3,}|~{3,})[ \t]*(?P<chunk>\{)?")


def _unwoven(text: str) -> tuple[str, str]:
    """Part R Markdown into its chunks and the text between; both keep the file's lines."""
    code: list[str] = []
    prose: list[str] = []
    fence = ""
    for line in text.split("\n"):
        found = _FENCE.match(line)
        if found and not fence and found["chunk"]:
            fence = found["mark"]
            line = ""  # noqa: PLW2901 - the fence itself is neither
        elif found and fence and found["mark"].startswith(fence):
            fence, line = "", ""  # noqa: PLW2901
        code.append(line if fence else "")
        prose.append("" if fence else line)
    return "\n".join(code), "\n".join(prose)
