"""Comments of code as prose: whole lines that say something, and no code that was put aside."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from detectors.plagiarism.prose import prose_shingles

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detectors.plagiarism.documents import Document

_COMMENT = re.compile(r"^[ \t]*+\#(?!!)[#'! \t]*+(?P<said>[^\s][^\n]*+)", re.MULTILINE)
_COMMENTS = {"sql": re.compile(r"^[ \t]*+--[- \t]*+(?P<said>[^\s][^\n]*+)", re.MULTILINE)}
_DOCSTRING = re.compile(
    r"^[ \t]*+[rRuU]?(?P<mark>\"{3}|'{3})(?P<said>[\s\S]*?)(?P=mark)", re.MULTILINE
)
_SIGNS = re.compile(r"[(\[={}<>;:]")  # one of these stands in code that was put aside, or
_FIRST = re.compile(r"\W*(?:import|from|def|return|class|elif|else|try)\b|\W*(?:%|!|In ?\[)")
_CODE = re.compile(r"\w[(\[]|[={}<>]=?[^>]|;\s*$|\w\.\w+\(|^\W*(?:for|if|while|with)\b.*:\s*$")
_HEAD = 400  # characters of a comment by which it is judged
_MIN_WORDS = re.compile(r"[^\W\d]{2,}\W+[^\W\d]{2,}")


def comments_of(code: str, language: str = "python") -> str:
    r"""Return the comments of a code text, each on the line where it stands; other lines are empty.

    Comments and Python's docstrings count where they begin their line. Code that was commented out,
    and lines of fewer than two words, do not; an empty line parts what code parts.

    Examples
    --------
    >>> comments_of("# We stack five models\nx = 1  # one\n# x = f(2)\n# in the end.")
    'We stack five models\n\n\nin the end.'
    """
    lines = [""] * (code.count("\n") + 1)
    number, last = 0, 0
    for at, said in _said(code, language):
        number += code.count("\n", last, at)
        last = at
        head = said[:_HEAD]
        is_code = _FIRST.match(head) or (_SIGNS.search(head) and _CODE.search(head))
        if not is_code and _MIN_WORDS.search(head):
            lines[number] = said.rstrip()
    return "\n".join(lines)


def _said(code: str, language: str) -> list[tuple[int, str]]:
    """Return where each line of a comment begins, and what it says."""
    found = [(m.start("said"), m["said"]) for m in _COMMENTS.get(language, _COMMENT).finditer(code)]
    if language == "python" and ('"""' in code or "'''" in code):
        for text in _DOCSTRING.finditer(code):
            at = text.start("said")
            for line in text["said"].split("\n"):
                found.append((at, line.strip()))
                at += len(line) + 1
        found.sort()
    return found


def document_shingles(document: Document) -> NDArray[np.uint64]:
    """Hash all prose of a document: its text, and the comments of its code."""
    parts = (document.prose, comments_of(document.code, document.language))
    return np.concatenate([prose_shingles(part).hashes for part in parts])
