"""What IPython adds to Python, taken out again: magics, shell lines, exported cells.

Lines that go are replaced by empty ones, so that line numbers stay. The text gets longer only where
an exporter hid a cell in one line: ``get_ipython().run_cell_magic('time', '', '<code>')``.
"""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

# Cell magics whose body is not data-science code of its own; any other body is kept.
_FOREIGN = frozenset(
    re.findall(
        r"\S+",
        """! bash sh zsh script system sx cmd html javascript js css svg perl ruby
    latex powershell""",
    )
)
_PROSE = frozenset({"markdown"})
_FILES = frozenset({"writefile", "file"})  # the body is code where the file's name says so
_CODE_NAME = re.compile(r"\.(?:pyx?|[rR]|jl|sql)['\"]?\s*$")
# Line magics that run the code behind them.
_RUNNERS = frozenset({"time", "timeit", "prun", "memit", "mprun", "lprun"})
_SPACED = _RUNNERS | frozenset(  # magics that people write with a space: % matplotlib inline
    {"matplotlib", "pylab", "config", "load_ext", "reload_ext", "autoreload", "env", "cd", "run"}
    | {"reset", "store", "who", "whos"}
)
_OPTIONS = re.compile(r"\s*(?:-\w+\s*\d*\s+)*")

_CELL_MAGIC = re.compile(r"\s*%%[ \t]*(?P<name>!|\w+)(?P<line>[^\n]*+)")
_MAGIC_LINE = re.compile(
    r"""\n(?P<before>[ \t]*+(?:\w[\w.,\ \t\[\]]*+=[ \t]*+)?)
    (?: !(?!=)
      | (?P<sign>%%?)(?P<space>[ \t]*+)(?P<name>[A-Za-z_]\w*+)(?=\s)
      | \?\??[\w.*]++[ \t]*+(?=\n)
      | (?P<help>(?<![=\w.])[A-Za-z_][\w.*]*+\?\??[ \t]*+(?=\n))
    )
    (?P<rest>(?:[^\n]*\\\n)*+[^\n]*+)""",
    re.VERBOSE,
)
_TEXT = r"""(?:[urUR]{0,2}(?:'(?:[^'\\\n]|\\.)*+'|"(?:[^"\\\n]|\\.)*+"))"""
_CALL = re.compile(
    rf"""get_ipython\(\)\.(?:
      run_cell_magic\(\s*+(?P<cell>{_TEXT})\s*+,\s*+(?P<options>{_TEXT})\s*+,\s*+(?P<body>{_TEXT})
    | run_line_magic\(\s*+(?P<name>{_TEXT})\s*+,\s*+(?P<line>{_TEXT})
    | magic\(\s*+(?P<whole>{_TEXT})
    | (?:system|getoutput|getpipes|set_next_input|set_hook|set_custom_exc)\([^\n]*+
    )(?:[ \t]*+\))?""",
    re.VERBOSE,
)
_EXPORTED = re.compile(r"\n# ?In ?\[[ \d*]*+\]:?[ \t]*+(?=\n|\Z)")
# Patterns of lines begin with the line's end before them, which is found fast. Without a match of
# one of these there is no magic.
_HINTS = tuple(map(re.compile, (r"\n[ \t]*+[%!?]", r"=[ \t]*+[!%]", r"\?[ \t]*+\n")))
_MAX_WITHIN = 3  # cells hidden within hidden cells


class Cell(NamedTuple):
    """A cell's Python, and its prose where it was markdown in a code cell."""

    code: str
    prose: str = ""


class Script(NamedTuple):
    """A script's Python.

    Parameters
    ----------
    cell_starts : tuple of int
        First line of each cell, from 1, where the script was exported from a notebook.
    is_longer : bool
        Cells hidden in one line were unfolded, so that lines after them count on.
    """

    code: str
    cell_starts: tuple[int, ...] = ()
    is_longer: bool = False


def python_of_cell(source: str, within: int = 0) -> Cell:
    r"""Return what a code cell runs as Python.

    Examples
    --------
    >>> python_of_cell("%%time\n!ls\n%time x = f(1)").code
    '\n\nx = f(1)'
    >>> python_of_cell("get_ipython().run_cell_magic('time', '', 'x = 1\\ny = 2')").code
    '\nx = 1\ny = 2'
    """
    magic = _CELL_MAGIC.match(source)
    if magic:
        name, body = magic["name"], source[magic.end() :]
        blank = "\n" * source.count("\n")
        if name.lower() in _PROSE:
            return Cell(blank, body.strip("\n"))
        is_data = name in _FILES and not _CODE_NAME.search(magic["line"])
        if name.lower() in _FOREIGN or is_data:
            return Cell(blank)
        source = "\n" * magic.group().count("\n") + body
        rest = python_of_cell(source, within) if _CELL_MAGIC.match(body) else None
        if rest is not None:  # %%capture above %%time
            return rest
    return Cell(_python_of(source, within))


def python_of_script(source: str) -> Script:
    r"""Return a script's Python without an exporter's marks.

    Examples
    --------
    >>> python_of_script("# coding: utf-8\n\n# In[1]:\n\nx = 1\n").cell_starts
    (3,)
    """
    text = _python_of(source, 0)
    is_longer = text.count("\n") != source.count("\n")
    framed = f"\n{text}"
    starts: list[int] = []
    line, last = 0, 0
    for found in _EXPORTED.finditer(framed):
        line, last = line + framed.count("\n", last, found.end()), found.end()
        starts.append(line)
    code = _EXPORTED.sub("\n", framed)[1:] if starts else text
    return Script(code, tuple(starts), is_longer)


def _python_of(source: str, within: int) -> str:
    if "get_ipython()" in source:
        source = _CALL.sub(lambda found: _called(found, within), source)
    framed = f"\n{source}\n"
    if any(hint.search(framed) for hint in _HINTS):
        return _MAGIC_LINE.sub(_without_magic, framed)[1:-1]
    return source


def _without_magic(found: re.Match[str]) -> str:
    """Blank a magic line, or keep the code that it runs."""
    whole, name = found.group(), found["name"]
    is_text = '"""' in whole or "'''" in whole
    is_modulo = name and found["space"] and name not in _SPACED
    if is_text or is_modulo:
        return whole
    if name in _RUNNERS:
        return "\n" + found["before"] + _OPTIONS.sub("", found["rest"], count=1)
    return "\n" * whole.count("\n")


def _called(found: re.Match[str], within: int) -> str:
    """Turn a call of IPython back into what the cell said."""
    if found["body"] and within < _MAX_WITHIN:
        name, options, body = (_value(found[part]) for part in ("cell", "options", "body"))
        return python_of_cell(f"%%{name} {options}\n{body}", within + 1).code
    if found["name"]:
        return f"%{_value(found['name'])} {_value(found['line'])}"
    if found["whole"]:
        return f"%{_value(found['whole'])}"
    return "%system"


def _value(literal: str) -> str:
    """Evaluate a text literal; one that Python does not take stays as it is, without quotes."""
    try:
        return str(ast.literal_eval(literal))
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return literal.strip("urUR").strip("'\"")
