"""Files of notebooks and scripts as texts with marks between cells, and back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from detectors.plagiarism.documents import document_from
from tests.quality.plagiarism.code import MARK, cells, joined

if TYPE_CHECKING:
    from detectors.plagiarism.documents import Document


def text_of(document: Document) -> str:
    """Return a document's code; in a notebook each cell begins with a mark."""
    lines = document.code.splitlines()
    starts = document.cell_starts if document.name.endswith(".ipynb") else ()
    if not starts:
        return "\n".join(line for line in lines if line != MARK) + "\n"
    ends = [*(start - 1 for start in starts[1:]), len(lines)]
    parts = ("\n".join(lines[a - 1 : b]) for a, b in zip(starts, ends, strict=True))
    return joined(_dedented(part.strip("\n")) for part in parts if part.strip())


def _dedented(cell: str) -> str:
    """Take the indent of the first line off a cell, as IPython does."""
    indent = cell[: len(cell) - len(cell.lstrip())]
    return "\n".join(line.removeprefix(indent) for line in cell.splitlines())


def read_text(name: str, content: bytes) -> str:
    """Read one file's code."""
    return text_of(document_from(name, content))


def script_of(text: str) -> str:
    """Return a text without marks, as tools read it that know no notebooks."""
    return "\n\n".join(cells(text)) + "\n"


def notebook_of(text: str) -> str:
    """Return a text as the JSON of a notebook of today's format, a cell for each mark."""
    found: list[dict[str, object]] = [
        {
            "cell_type": "code",
            "execution_count": None,
            "metadata": {},
            "outputs": [],
            "source": cell.splitlines(keepends=True),
        }
        for cell in cells(text)
    ]
    body = {"cells": found, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(body, indent=1) + "\n"


def is_notebook(text: str) -> bool:
    """Tell whether a text has cells."""
    return MARK in text.splitlines()


def file_of(stem: str, text: str) -> tuple[str, str]:
    """Return the name and the content of the file that holds a text."""
    if is_notebook(text):
        return f"{stem}.ipynb", notebook_of(text)
    return f"{stem}.py", text
