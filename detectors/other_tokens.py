"""Words, texts and signs of a program in any language but Python and the shell."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_TOKENS = 60_000  # of one text; what stands behind them is not looked at
MAX_TEXT = 2_000  # characters of one quoted text

_HASH = frozenset(
    {"r", "R", "Rmd", "rmd", "qmd", "irnb", "jl", "ijlnb", "pl", "pm", "rb", "awk", "php", "m", ""}
)
_SLASH = frozenset(
    {"c", "cc", "cpp", "h", "js", "mjs", "ts", "go", "rs", "java", "scala", "php", "kt"}
)
_DASH = frozenset({"sql", "lua"})
_CHARS = frozenset({"c", "cc", "cpp", "h", "go", "rs", "java", "scala", "kt", "jl", "ijlnb"})
_RUNS = frozenset({"pl", "rb", "php", "jl", "ijlnb"})  # where backticks run a command
_REGEXES = frozenset({"js", "mjs", "ts", "rb"})
_CHUNKS = frozenset({"Rmd", "rmd", "qmd"})
SUFFIXES = (_HASH | _SLASH | _DASH) - {""}
_CHUNK = re.compile(r"^\s*(```+|~~~+)\s*(\{?\s*[\w.]+.*)?$")
_NAME = r"[$@]?[A-Za-z_][\w]*(?:(?:::|->|\?\.|\.|\$)[A-Za-z_]\w*)*[!?]?"
_OPERATOR = (
    r"<<-|<-|:=|%>%|\|>|=>|->|===?|!==?|<=|>=|&&|\|\||\.\.|\+=|::|[-+*/%.,:;=<>&|!?~^@$\\()\[\]{}]"
)


INTERPRETERS = {  # commands that are given code, and the suffix of its language
    **dict.fromkeys(("Rscript", "R", "littler", "r"), "R"),
    **dict.fromkeys(("node", "nodejs", "deno", "bun", "tsx"), "js"),
    **dict.fromkeys(
        ("duckdb", "sqlite3", "psql", "mysql", "clickhouse", "clickhouse-local"), "sql"
    ),
    **dict.fromkeys(("perl", "perl5"), "pl"),
    **dict.fromkeys(("awk", "gawk", "mawk"), "awk"),
    "julia": "jl",
    "ruby": "rb",
    "php": "php",
    "lua": "lua",
    "octave": "m",
}


def code_given(command: tuple[str, ...], heredoc: str) -> str:
    """Return the code in a command's words and its here-document."""
    words = [w for w in command[1:] if not w.startswith("-") and re.search(r"[(;'\"\s]", w)]
    return "\n".join([*words, heredoc])


class Token(NamedTuple):
    """One word, text or sign.

    Parameters
    ----------
    kind : str
        ``text`` (of quotes), ``run`` (a command in backticks), ``name``, ``sign`` or ``end`` (of a
        line).
    """

    kind: str
    text: str
    line: int


def suffix_of(path: str) -> str:
    """Return the suffix that tells a unit's language; a notebook's cells are taken for R.

    Examples
    --------
    >>> suffix_of("code/fit.jl"), suffix_of("code/a.ipynb#cell-2")
    ('jl', 'R')
    """
    name = path.partition("#")[0].rpartition("/")[2]
    suffix = name.rpartition(".")[2] if "." in name else ""
    return "R" if suffix == "ipynb" else suffix


def tokens(text: str, suffix: str) -> list[Token]:
    r"""Split a program; comments are left out.

    Parameters
    ----------
    suffix : str
        Of the file: it tells what begins a comment and what quotes.

    Examples
    --------
    >>> [t.text for t in tokens('read.csv("a.csv") # "b"', "R")]
    ['read.csv', '(', 'a.csv', ')']
    """
    if suffix in _CHUNKS:
        text = _chunks(text)
    pattern = _pattern(suffix)
    found: list[Token] = []
    line = 1
    for match in pattern.finditer(text):
        kind = match.lastgroup or ""
        said = match.group()
        if kind not in {"comment", "space"} and not (kind == "end" and _goes_on(found)):
            token = _token(kind, said, line)
            if token.kind != "regex":
                found.append(token)
        line += said.count("\n")
        if len(found) >= MAX_TOKENS:
            break
    return found


def _goes_on(found: list[Token]) -> bool:
    return not found or found[-1].kind == "end"


def _token(kind: str, said: str, line: int) -> Token:
    if kind in {"text", "run"}:
        quote = re.match(r"[A-Za-z]{0,2}(\"\"\"|'''|[\"'`])", said)
        size = len(quote[1]) if quote else 1
        inner = said[quote.end() if quote else 1 : -size][:MAX_TEXT]
        return Token(kind, re.sub(r"\\([\\/\"'`$])", r"\1", inner), line)
    return Token(kind, said, line)


def _chunks(text: str) -> str:
    """Blank the prose of a document between its pieces of code."""
    lines, inside = [], False
    for line in text.split("\n"):
        mark = _CHUNK.match(line)
        if mark:
            inside = not inside and "{" in (mark[2] or "")
            lines.append("")
        else:
            lines.append(line if inside else "")
    return "\n".join(lines)


def _pattern(suffix: str) -> re.Pattern[str]:
    return re.compile("|".join(_parts(suffix)), re.MULTILINE)


def _parts(suffix: str) -> Iterator[str]:
    comments = []
    if suffix in _SLASH or suffix == "sql":
        comments.append(r"/\*[\s\S]*?(?:\*/|\Z)")
    if suffix in _SLASH:
        comments.append(r"//[^\n]*")
    if suffix in {"pl", "pm"}:
        comments.append(r"^=[a-z]+[\s\S]*?(?:^=cut[^\n]*|\Z)")
    if suffix in {"jl", "ijlnb"}:
        comments.append(r"#=[\s\S]*?(?:=#|\Z)")
    if suffix in _DASH:
        comments.append(r"--[^\n]*")
    if suffix in _HASH or suffix not in _SLASH | _DASH:
        comments.append(r"(?<![$\w])#[^\n]*")
    if suffix == "m":
        comments.append(r"%[^\n]*")
    yield f"(?P<comment>{'|'.join(comments)})"
    yield r"(?P<end>\n)"
    yield r"(?P<space>[^\S\n]+)"
    prefix = r"(?:\b[rRbBfFsuL]{1,2}(?=[\"']))?"
    yield from _quoted(suffix, prefix)
    if suffix in _REGEXES:
        yield r"(?P<regex>(?<=[(,=:\[!&|?{;] )/(?![*/\s])(?:\\.|[^/\\\n])+/\w*|(?<=[(,=:\[!&|?{;])/(?![*/\s])(?:\\.|[^/\\\n])+/\w*)"  # noqa: E501
    yield f"(?P<name>{_NAME})"
    yield r"(?P<number>\d[\w.]*)"
    yield f"(?P<sign>{_OPERATOR})"
    yield r"(?P<other>.)"


def _quoted(suffix: str, prefix: str) -> Iterator[str]:
    texts = [r'"""[\s\S]*?"""', r'"(?:\\.|[^"\\\n])*"']
    if suffix in _CHARS:
        texts.append(r"'(?:\\.|[^'\\\n]){1,2}'")
    elif suffix == "m":
        texts.append(r"(?<![\w)\]'])'(?:''|[^'\n])*'")
    else:
        texts.append(r"'(?:\\.|[^'\\\n])*'")
    if suffix in _RUNS:
        yield r"(?P<run>`(?:\\.|[^`\\])*`)"
    else:
        texts.append(r"`(?:\\.|[^`\\])*`")
    yield f"(?P<text>{prefix}(?:{'|'.join(texts)}))"
