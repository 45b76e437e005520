"""Notebooks of every format as code, prose and marks of origin.

Formats 1 (cells with ``code``), 2 and 3 (``worksheets``, ``input``) and 4 (``cells``, ``source``).
Outputs are left out. Nothing is run, and what does not fit a format is passed over.

References
----------
https://nbformat.readthedocs.io/en/latest/format_description.html
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeGuard

from detectors.plagiarism.decoding import with_plain_lines
from detectors.plagiarism.languages import guessed
from detectors.plagiarism.magics import python_of_cell
from reports.provenance import Mark

if TYPE_CHECKING:
    from collections.abc import Iterator

# Kaggle writes these cells itself into every new notebook.
TEMPLATE_MARKS = frozenset({
    "b1076dfc-b9ad-4769-8c92-a6c4dae69d19",
    "79c7e3d0-c299-4dcb-8224-4455121ee9b0",
    "8f2839f25d086af736a60e9eeb907d3b93b6e0e5",
    "d629ff2d2480ee46fbb7e2d37f6b5fab8052498a",
})  # fmt: skip
_MAX_MARK = 200  # characters
_LEVELS = 6  # of headings
_MIN_DIGITS = 5  # different ones in an id; all zeros is none
# Ids of cells that were drawn at random: those of Kaggle, Databricks and format 4.5. Eight hex
# digits, as Jupyter draws them, meet by chance in a large corpus.
_DRAWN = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32,64}")
_COLAB_ID = re.compile(r"[\w-]{12}", re.ASCII)
_MICROSECONDS = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\.\d{5,9}(?:Z|\+00:00)?")
_RUN_TIMES = (
    ("execution", "iopub.execute_input"),
    ("ExecuteTime", "start_time"),
    ("papermill", "start_time"),
)
_RUNS = frozenset({"execution", "ExecuteTime", "papermill", "executionInfo"})
_OTHER_IDS = frozenset({"id", "outputId", "nbpresent", "application/vnd.databricks.v1+cell"})
_MAX_MARKS = 5000  # of one notebook
_COMMON_KERNELS = re.compile(
    r"(?:python|python2|python3|ir|r|julia[-\d.]*|conda-root-py|conda-base-py|pyspark|sos|"
    r"xpython|base|venv|myenv|tensorflow\w*|pytorch\w*|\.?v?env\w*)?"
)

NotebookLanguage = Literal["python", "r", "julia", "sql"]
_LANGUAGES: dict[str, NotebookLanguage] = {
    "r": "r", "ir": "r", "julia": "julia", "sql": "sql", "sqlite": "sql", "xsqlite": "sql"
}  # fmt: skip


class Notebook(NamedTuple):
    """What a notebook says.

    Parameters
    ----------
    code : str
        All code cells in order, an empty line between two.
    cell_starts : tuple of int
        First line of each code cell in `code`, from 1.
    marks : tuple of Mark
        Ids of cells and of the notebook, when cells ran, and who ran them; `first_line` of a code
        cell's is its first line in `code`.
    """

    language: NotebookLanguage
    code: str
    prose: str
    cell_starts: tuple[int, ...]
    marks: tuple[Mark, ...]


def read_notebook(text: str) -> Notebook | None:
    """Read a notebook's JSON; None when the text is no notebook.

    Parameters
    ----------
    text : str
        Any text: nesting, numbers and types in it may be anything.
    """
    content = _loaded(text)
    if not isinstance(content, dict):
        return None
    if not any(isinstance(content.get(key), list) for key in ("cells", "worksheets")):
        return None
    cells = list(_cells(content))
    metadata = _mapping(content, "metadata")
    language = _language(metadata, cells)
    code: list[str] = []
    prose: list[str] = []
    starts: list[int] = []
    marks = list(_notebook_marks(metadata))
    line = 1
    for cell in cells:
        source, first_line = _source(cell), None
        if cell.get("cell_type") == "code":
            if language == "python":
                source, said = python_of_cell(source)
                prose += [said] if said else []
            source = source.rstrip("\n")
            first_line = line
            starts.append(line)
            code.append(source)
            line += source.count("\n") + 2
        elif source.strip():
            prose.append(_hashes(cell) + source)
        marks += _cell_marks(cell, first_line)
    return Notebook(language, "\n\n".join(code), "\n\n".join(prose), tuple(starts), _unique(marks))


def _hashes(cell: dict[str, Any]) -> str:
    """Write a heading of format 3 as markdown does."""
    level = cell.get("level") if cell.get("cell_type") == "heading" else None
    return "#" * level + " " if isinstance(level, int) and 0 < level <= _LEVELS else ""


def _loaded(text: str) -> Any:  # noqa: ANN401 - any JSON value
    try:
        return json.loads(text)
    except RecursionError:
        return None
    except ValueError:
        pass
    try:  # an absurd number must not hide the rest, nor a line break within a text
        return json.loads(text, parse_int=str, strict=False)
    except (ValueError, RecursionError):
        return None


def _mapping(holder: dict[str, Any], key: str) -> dict[str, Any]:
    value = holder.get(key)
    return value if isinstance(value, dict) else {}


def _cells(content: dict[str, Any]) -> Iterator[dict[str, Any]]:
    sheets = content.get("worksheets")
    for holder in [*(sheets if isinstance(sheets, list) else []), content]:
        cells = holder.get("cells") if isinstance(holder, dict) else None
        for cell in cells if isinstance(cells, list) else ():
            if isinstance(cell, dict):
                yield cell


def _source(cell: dict[str, Any]) -> str:
    """Return a cell's text: `source`, formats 2 and 3 `input` for code, format 1 `code`, `text`."""
    for key in ("source", "input", "code", "text"):
        value = cell.get(key)
        if isinstance(value, str):
            return with_plain_lines(value)
        if isinstance(value, list):
            return with_plain_lines("".join([part for part in value if isinstance(part, str)]))
    return ""


def _language(metadata: dict[str, Any], cells: list[dict[str, Any]]) -> NotebookLanguage:
    """Return the kernel's language; a kernel of another one does not hide code that is Python."""
    spec, info = _mapping(metadata, "kernelspec"), _mapping(metadata, "language_info")
    code = [cell for cell in cells if cell.get("cell_type") == "code"]
    told = (info.get("name"), spec.get("language"), spec.get("name"))
    words = [w.lower() for w in (*told, *(c.get("language") for c in code[:1])) if _is_word(w)]
    named = re.split(r"[-\d]", words[0])[0] if words else "python"
    declared: NotebookLanguage = _LANGUAGES.get(named, "python")
    if declared != "python" and guessed("\n".join(map(_source, code))) == "python":
        return "python"
    return declared


def _is_word(value: object) -> TypeGuard[str]:
    return isinstance(value, str) and bool(value)


def _cell_marks(cell: dict[str, Any], first_line: int | None) -> Iterator[Mark]:
    """Yield the ids of a cell, and when it ran to the microsecond: what only a copy shares."""
    metadata = _mapping(cell, "metadata")
    if not metadata and "id" not in cell:
        return
    for value in _ids(cell, metadata):
        if value and isinstance(value, str):
            drawn = value.strip().lower()
            if _DRAWN.fullmatch(drawn):
                if drawn not in TEMPLATE_MARKS and len(set(drawn)) >= _MIN_DIGITS:
                    yield Mark(what="cell guid", value=drawn, first_line=first_line)
            elif "colab_type" in metadata and _COLAB_ID.fullmatch(value):
                yield Mark(what="cell guid", value=f"colab {value}", first_line=first_line)
    if not _RUNS.isdisjoint(metadata):
        yield from _run_marks(metadata, first_line)


def _ids(cell: dict[str, Any], metadata: dict[str, Any]) -> list[object]:
    """Return what may be ids of a cell; few cells have more than two."""
    found = [metadata.get("_cell_guid"), metadata.get("_uuid")]
    if "id" in cell:
        found.append(cell["id"])
    if not _OTHER_IDS.isdisjoint(metadata):
        found += [metadata.get("id"), metadata.get("outputId")]
        found.append(_mapping(metadata, "nbpresent").get("id"))
        found.append(_mapping(metadata, "application/vnd.databricks.v1+cell").get("nuid"))
    return found


def _run_marks(metadata: dict[str, Any], first_line: int | None) -> Iterator[Mark]:
    for holder, key in _RUN_TIMES:
        value = _mapping(metadata, holder).get(key)
        if isinstance(value, str) and _MICROSECONDS.fullmatch(value):
            yield Mark(what="kernel metadata", value=f"run at {value}", first_line=first_line)
    if "executionInfo" in metadata:
        user = _mapping(_mapping(metadata, "executionInfo"), "user").get("displayName")
        if isinstance(user, str) and user.strip():
            name = with_plain_lines(user).strip()[:_MAX_MARK]
            yield Mark(what="author", value=name, first_line=first_line)


def _notebook_marks(metadata: dict[str, Any]) -> Iterator[Mark]:
    """Yield what of a notebook's own metadata is written once: ids of its first copy, a kernel."""
    colab = _mapping(metadata, "colab")
    origins = colab.get("provenance")
    values = [("colab tag", colab.get("authorship_tag"))]
    values += [
        ("colab file", origin.get("file_id"))
        for origin in (origins if isinstance(origins, list) else ())
        if isinstance(origin, dict)
    ]
    databricks = _mapping(metadata, "application/vnd.databricks.v1+notebook")
    values.append(("databricks notebook", databricks.get("notebookOrigID")))
    kernel = _mapping(metadata, "kernelspec").get("name")
    if isinstance(kernel, str) and not _COMMON_KERNELS.fullmatch(kernel.lower()):
        values.append(("kernel", kernel))
    for what, value in values:
        if isinstance(value, str | int) and str(value).strip():
            text = with_plain_lines(str(value)).strip()[:_MAX_MARK]
            yield Mark(what="kernel metadata", value=f"{what} {text}")


def _unique(marks: list[Mark]) -> tuple[Mark, ...]:
    """Keep the first of equal marks."""
    seen: dict[tuple[str, str], Mark] = {}
    for mark in marks:
        seen.setdefault((mark.what, mark.value), mark)
        if len(seen) >= _MAX_MARKS:
            break
    return tuple(seen.values())
