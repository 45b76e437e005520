"""An attempt's source files as units of code: scripts, notebook cells, shell, with their places."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from detectors.kept import Kept
from detectors.parsing import lines_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from detectors.text_file import TextFile

Language = Literal["python", "shell", "config", "other"]

_LANGUAGES: dict[str, Language] = {
    "py": "python",
    **dict.fromkeys(("sh", "bash", "zsh", "slurm", "Makefile", "mk"), "shell"),
    **dict.fromkeys(("justfile", "Justfile", "Dockerfile", "Containerfile"), "shell"),
    **dict.fromkeys(("yaml", "yml", "json", "toml", "ini", "cfg", "env"), "config"),
}
_SHELL_CELL = re.compile(r"%%(bash|sh|script\s+bash|!)\b")
_FILE_CELL = re.compile(r"%%(?:writefile|file)\s+(?:-a\s+)?(?P<path>[^\s\"']+)")
_SHELL_LINE = re.compile(r"^(\s*)(?:[\w,\[\]][\w,\s\[\]]*=\s*)?!(.*)$")  # linear on any line
_MAGIC_LINE = re.compile(r"^\s*%")
_SHELL_MAGIC = re.compile(r"^\s*%(?:sx|system|ls|cat|cp|ln)\b")


MAX_KEPT = 16 << 20  # characters of notebooks' cells kept for the next who asks


class CodeUnit(NamedTuple):
    """A piece of source of one language.

    Parameters
    ----------
    path : str
        File, with ``#cell-<n>`` (from 1, code cells and text cells counted) for a notebook's cell.
    first_line : int
        Line of `text`'s first line in the file or the cell, from 1.
    module : str
        Name by which other units import it; the cells of one notebook share one.
    """

    path: str
    first_line: int
    language: Language
    text: str
    module: str


_NOTEBOOK = re.compile(r'\s*\{\s*"(?:cells|metadata|nbformat(?:_minor)?|worksheets)"\s*:')
_OF_CELL = re.compile(r'"(?:cell_type"\s*:\s*"(?P<kind>\w+)"|(?:source|input)"\s*:\s*(?=[\["]))')
_DECODER = json.JSONDecoder()
_KEPT: Kept[tuple[CodeUnit, ...]] = Kept(MAX_KEPT)


def code_units(files: Iterable[TextFile]) -> Iterator[CodeUnit]:
    """Yield the units of source files in order; a notebook that is no JSON is read as Python.

    The cells of a notebook are kept while its file is, up to `MAX_KEPT` characters.
    """
    for file in files:
        stem, _, suffix = file.name.rpartition("/")[2].rpartition(".")
        if suffix != "ipynb":
            language = _LANGUAGES.get(suffix, "other")
            yield CodeUnit(file.name, 1, language, file.text, stem or suffix)
            continue
        kept = _KEPT.get(file)
        if kept is None:
            kept = tuple(_notebook_units(file, stem))
            if not file.is_large:
                _KEPT.put(file, kept, sum(len(unit.text) for unit in kept))
        yield from kept


def _notebook_units(file: TextFile, stem: str) -> Iterator[CodeUnit]:
    for number, source in notebook_cells(file.text):
        path = f"{file.name}#cell-{number}"
        if _SHELL_CELL.match(source):
            body = "\n".join(lines_of(source)[1:])
            yield CodeUnit(path, 2, "shell", body, stem)
            continue
        if written := _FILE_CELL.match(source):
            yield CodeUnit(path, 1, "shell", f"cat > {written['path']}", stem)
        yield CodeUnit(path, 1, "python", python_of_cell(source), stem)
        for offset, line in enumerate(lines_of(source), start=1):
            shell = _SHELL_LINE.match(line)
            if shell or _SHELL_MAGIC.match(line):
                command = shell.group(2) if shell else line.strip().lstrip("%")
                yield CodeUnit(path, offset, "shell", command, stem)


def _cells(text: str) -> list[tuple[int, dict[str, Any]]] | None:
    """Return a notebook's code cells with their numbers, or None when the text is no notebook."""
    try:
        content = json.loads(text, parse_int=str)  # an absurd number must not hide the rest
    except (ValueError, RecursionError):
        return _cells_of_a_piece(text)
    sheets = content.get("worksheets") if isinstance(content, dict) else None
    holders = sheets if isinstance(sheets, list) else [content]
    cells = [
        c
        for h in holders
        if isinstance(h, dict) and isinstance(h.get("cells"), list)
        for c in h["cells"]
    ]
    return [
        (number, cell)
        for number, cell in enumerate(cells, start=1)
        if isinstance(cell, dict) and cell.get("cell_type") == "code"
    ]


def _cells_of_a_piece(text: str) -> list[tuple[int, dict[str, Any]]] | None:
    """Return the whole code cells of a notebook that was cut while it was saved."""
    if not _NOTEBOOK.match(text):
        return None
    found, kind, number, end = [], "", 0, 0
    for mark in _OF_CELL.finditer(text):
        if mark.start() < end:  # within the source of a cell
            continue
        if mark["kind"]:
            kind, number = mark["kind"], number + 1
        elif kind == "code":
            try:
                source, end = _DECODER.raw_decode(text, mark.end())
            except (ValueError, RecursionError):
                break
            found.append((number, {"source": source}))
    return found or None


def _joined(value: object) -> str:
    """Join a notebook's text, which is a list of lines or one text."""
    parts = value if isinstance(value, list) else [value]
    return "".join(p for p in parts if isinstance(p, str))


def notebook_cells(text: str) -> Iterator[tuple[int, str]]:
    """Yield ``(number, source)`` of a notebook's code cells; formats 3 (`worksheets`) and 4.

    Text that is no notebook is one cell: some agents save a script under this suffix.
    """
    cells = _cells(text)
    if cells is None:
        yield 1, text
        return
    for number, cell in cells:
        yield number, _joined(cell.get("source", cell.get("input", "")))


def notebook_outputs(text: str) -> Iterator[tuple[int, str]]:
    """Yield ``(number, text)`` of what a notebook's code cells printed or returned as text."""
    for number, cell in _cells(text) or []:
        outputs = cell.get("outputs")
        for output in outputs if isinstance(outputs, list) else []:
            if isinstance(output, dict):
                data = output.get("data")
                plain = data.get("text/plain") if isinstance(data, dict) else None
                yield number, _joined(output.get("text", plain))


def python_of_cell(source: str) -> str:
    r"""Blank the magics and shell lines of a cell so that the rest parses; line numbers stay.

    Examples
    --------
    >>> python_of_cell("%matplotlib inline\nx = 1")
    '\nx = 1'
    >>> python_of_cell("if x:\n    !ls")
    'if x:\n    pass'
    """
    lines = []
    for line in lines_of(source):
        shell = _SHELL_LINE.match(line)
        if shell:
            lines.append(f"{shell.group(1)}pass" if shell.group(1) else "")
        elif _MAGIC_LINE.match(line):
            lines.append("")
        else:
            lines.append(line)
    return "\n".join(lines)
