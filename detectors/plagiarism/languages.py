"""Which language a file is in: by its name, else by how its lines look."""

from __future__ import annotations

import re
from typing import Literal

Language = Literal["python", "r", "julia", "sql", "markdown", "text"]

LANGUAGES: dict[str, Language] = {
    "py": "python", "pyw": "python", "ipynb": "python", "irnb": "r", "ijlnb": "julia", "r": "r",
    "rmd": "r", "qmd": "r", "jl": "julia", "sql": "sql", "md": "markdown", "markdown": "markdown",
    "txt": "text", "rst": "text",
}  # fmt: skip
NOTEBOOKS = frozenset({"ipynb", "irnb", "ijlnb"})
WOVEN = frozenset({"rmd", "qmd"})  # chunks of code within prose

_HEAD = 1 << 17  # characters that are looked at
_PYTHON = re.compile(
    r"^[ \t]*+(?:import [\w.]+|from [\w.]+ import\b|def \w+ ?\(|class \w+\b[^\n]{0,80}:[ \t]*$"
    r"|(?:for|if|with|while|elif|try|else)\b[^\n]{0,120}:[ \t]*$|print\(|[\w.]+ = \w+[.(])",
    re.MULTILINE,
)
_R = re.compile(r"^[ \t]*+(?:library\(|require\(|[\w.$\[\]]{1,80} <- )", re.MULTILINE)
_JULIA = re.compile(r"^[ \t]*+(?:using [A-Z]\w+|function \w+!?\(|end[ \t]*$)", re.MULTILINE)
_MIN_LINES = 2


def suffix_of(name: str) -> str:
    """Return what follows the last dot of a file's name, in lower case.

    Examples
    --------
    >>> suffix_of("a.b/Model.R"), suffix_of("a.b/Makefile")
    ('r', 'makefile')
    """
    return name.rpartition("/")[2].rpartition(".")[2].lower()


def guessed(text: str, least: float = 0.1) -> Language | None:
    r"""Say which language a text is written in by the forms of its lines; None when it is no code.

    Parameters
    ----------
    least : float in [0, 1]
        Share of the lines that are not blank which must look so.

    Examples
    --------
    >>> guessed("import os\nfor x in y:\n    print(x)\n")
    'python'
    >>> guessed("Dear reader,\nimport nothing.\n") is None
    True
    """
    head = text[:_HEAD]
    lines = sum(1 for line in head.split("\n") if line.strip())
    found: list[tuple[int, Language]] = [
        (len(_PYTHON.findall(head)), "python"),
        (len(_R.findall(head)), "r"),
        (len(_JULIA.findall(head)), "julia"),
    ]
    most, language = max(found, key=lambda pair: pair[0])
    return language if most >= _MIN_LINES and most >= least * lines else None
