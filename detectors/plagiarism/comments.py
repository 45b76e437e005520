"""Comments of code as prose: whole lines that say something, and no code that was put aside."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from detectors.plagiarism.prose import prose_shingles

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from detectors.plagiarism.documents import Document

_MARKS = {"sql": "--"}
_CODE = re.compile(
    r"\w[(\[]|[={}<>]=?[^>]|;\s*$|\w\.\w+\(|^\W*(?:import|from|def|return|class|elif|else|try)\b"
    r"|^\W*(?:for|if|while|with)\b.*:\s*$|^\W*(?:%|!|In ?\[)"
)
_MIN_WORDS = re.compile(r"[^\W\d]{2,}\W+[^\W\d]{2,}")


def comments_of(code: str, language: str = "python") -> str:
    r"""Return the comments of a code text, each on the line where it stands; other lines are empty.

    Only comments that begin their line count. Code that was commented out, and lines of fewer than
    two words, are none; an empty line parts what code parts.

    Examples
    --------
    >>> comments_of("# We stack five models\nx = 1  # one\n# x = f(2)\n# in the end.")
    'We stack five models\n\n\nin the end.'
    """
    mark = _MARKS.get(language, "#")
    if mark not in code:
        return "\n" * code.count("\n")
    lines = []
    for line in code.split("\n"):
        text = line.lstrip()
        if not text.startswith(mark) or text.startswith("#!"):
            lines.append("")
            continue
        said = text.lstrip(f"{mark}'!").strip()
        lines.append(said if _MIN_WORDS.search(said) and not _CODE.search(said) else "")
    return "\n".join(lines)


def document_shingles(document: Document) -> NDArray[np.uint64]:
    """Hash all prose of a document: its text, and the comments of its code."""
    parts = (document.prose, comments_of(document.code, document.language))
    return np.concatenate([prose_shingles(part).hashes for part in parts])
