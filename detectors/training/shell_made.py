"""Values of a submission that shell commands make without a model, and numbers typed in them."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from detectors.shell import Pipeline, pipelines
from detectors.training.other_made import other_made
from detectors.training.programs import Origin
from detectors.training.readings import TOLD
from detectors.training.shell_typed import (
    edited_by_hand,
    is_listed_in,
    is_typed,
    words_of_files,
)
from detectors.training.typed import of_rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from detectors.training.typed import Typed

MIN_PROGRAM = 20  # characters of a word that is a program: ``Rscript -e '…'``
MAX_TEXT = 200_000  # characters
_TEXT_TOOLS = frozenset(
    {"awk", "gawk", "mawk", "nawk", "tail", "head", "cut", "sed", "echo", "printf", "cat", "paste",
     "seq", "shuf", "sort", "tr", "perl", "nl", "tee", "jot", "yes", "grep", "egrep", "fgrep", "rg",
     "column", "uniq", "join", "comm", "rev", "fold", "expand", "dos2unix", "tac", "split",
     "csvcut"}
)  # fmt: skip
_INTERPRETERS = frozenset(
    {"Rscript", "R", "julia", "perl", "ruby", "node", "duckdb", "sqlite3", "octave", "lua", "php",
     "clickhouse-local", "mlr", "csvsql", "psql"}
)  # fmt: skip
_FILE = re.compile(r"^[\w./~${}-]+\.(?:csv|tsv|txt|json|dat|out|npy|ft|gz)$")
_PATH = re.compile(r"^(?!/dev/|[sy]/)[\w.~-]*(?:/[\w.~-]+)+$")  # names without an ending
_COMMAND = re.compile(r"^[A-Za-z_./][\w./-]*$|^[!:>}]+$")
_JOINS = re.compile(r"\b(?:F?NR\s*==\s*F?NR|getline)\b")  # awk reads a second file
_WORD = re.compile(r"^[A-Za-z_][\w.-]*$")
_ROWS_ALONE = re.compile(r"test|sample", re.IGNORECASE)
_NOT_ROWS = re.compile(r"train|pred|prob|score|model|oof|out", re.IGNORECASE)
_SUBMISSION = re.compile(r"subm|pred", re.IGNORECASE)
_DRAWS = re.compile(
    r"\brand\b\s*[(\d@*]|/dev/u?random|\bopenssl rand\b|\bsrand\s*\(|"
    r"\$\{?S?RANDOM\b|\bRANDOM\s*%|\bshuf\b|\bjot -r|"
    r"\bsort\s+(?:-\S+\s+){0,4}(?:-\w*R\b|--random-sort)"
)
_DECIDES = re.compile(
    r"\bF?NR\s*[%*/+-]|[%*/+-]\s*F?NR\b|\bF?NR\s*<=?\s*\d{2,}|\blength\s*\(|"
    r"\$\d+\s*[%*/+-]\s*[\d.]+|\$\d+\s*(?:[<>]=?|[=!]=|~)\s*[\"/\d.][^?{]{0,80}\?|"
    r"\$F\[\d+\]\s*(?:[<>=!]=?|=~|eq\b|lt\b|gt\b)|"
    r"\$\.\s*[%*/+-]|\b(?:md5|sha1|sha256|ck)sum\b|\$\(\(|\$\{#\w+\}|\bcase \S+ in\b|"
    r"\bseq\s+(?:-\w+\s+)*[\d.]+\s+[\d.]+\s+[\d.]+|"
    r"\[\[?\s[^\]\n]{1,200}\s(?:-(?:gt|lt|ge|le|eq|ne)|=~|[=!<>]=?)\s|"
    r"\bgrep\s+(?:-\w+\s+){0,3}-\w*[coq]|\bgrep\b[^\n;|&]{0,200}(?:&&|>\s*/dev/null)|"
    r"\b(?:index|match|substr|tolower|toupper|gsub|split)\s*\(\s*\$\d|"
    r"\bif\s*\([^)\n]{0,120}\$\d|\$\d+\s*(?:[<>]=?|[!=]=|!?~)\s*[\"/\d.\w][^{}\n?]{0,80}\{|"
    r"(?:^|[;{'\"\s])(?:(?!1?\s?s|[12],\$)\d{1,9}(?:,(?:\d+|\$)|~\d+)|/[^/\n]{1,60}/)\s*s[/|#,@]"
)
_LOOP = re.compile(
    r"(?:\bdone\b[^\n|;]{0,200}|\b(?:echo|printf)\b[^\n;]{0,200}RANDOM[^\n;]{0,100})"
    r">{1,2}\s*[^\s;|&]*subm[^\s;|&]*",
    re.IGNORECASE,
)
_BLOCK = re.compile(
    r"(?:[)}]|\bdone)\s*(?:[^;\n|&>(){}]{0,200})(?:>{1,2}\s*|\|\s*tee\s+(?:-a\s+)?)[^\s;|&]*subm|"
    r"\bdo\b(?:(?!\bdone\b)[\s\S]){0,400}>{1,2}\s*[^\s;|&]*subm(?:(?!\bdone\b)[\s\S]){0,200}\bdone\b",
    re.IGNORECASE,
)
_OVERDRAWN = re.compile(r"\$\d+\s*=\s*(?:int\s*\(\s*)?(?:[\d.]+\s*[*+]\s*)?rand\s*\(")
_DECODERS = frozenset({"base64", "base32", "xxd", "uudecode", "basenc"})
MIN_ENCODED = 48  # characters of a word that holds rows
_DEALS = frozenset(  # commands that deal out lines as they are
    {"paste", "cut", "tail", "head", "shuf", "sort", "echo", "printf", "cat", "tr", "sed", "wc",
     "ls", "yes", "find", ">", "tee", "basename", "export"}
)  # fmt: skip
_PLAIN = frozenset(
    {"cd", "for", "do", "done", "while", "read", "if", "then", "fi", "test", "wc", "ls", "mkdir",
     "basename", "dirname", "export", "set", "uniq", "column", "true", "date", "local", "let", "rm",
     "case", "esac", "find", "md5sum", "sha1sum", "sha256sum", "cksum", "bc", "od", "openssl",
     "sleep", "break", "continue", "else", "diff", "join", "rev", "fold", "xxd", "}", ")", ">",
     "until", "expr", ">>", "[", "[[", "!", ":", "elif", "declare", "typeset", "mapfile",
     "mv", "cp", "readarray", "shopt", "exit", "return", "pwd", "stat", "du", "identify", "convert",
     "magick", "file", "time", "exiftool", "soxi", "sox", "ffprobe", "strings", "unset", "touch",
     "printenv", "chmod", "in", "function", "trap", "command", "less"}
)  # fmt: skip
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_RUN = re.compile(rf"(?<![\w.])(?:{_NUMBER}(?:\s*,\s*|\s+)){{7,}}{_NUMBER}(?![\w.])")
_GROUP = re.compile(r"[(\[{]\s*([^()\[\]{}]{1,200}?)\s*[)\]}]")
_INSERT = re.compile(r"\bvalues\s*((?:\([^()]{1,200}\)\s*,?\s*)+)", re.IGNORECASE)


class ShellMade(NamedTuple):
    """A command that writes the submission without a model; its line counts from 1."""

    origin: Origin
    line: int
    text: str


def shell_made(text: str, typed: Iterable[str] = ()) -> ShellMade | None:
    r"""Return the last command that makes the submission out of test rows by rules or draws.

    Whatever reads another file than the test rows or the sample may pass on a model's values; what
    commands wrote out of these alone is followed.

    Parameters
    ----------
    typed : iterable of str
        Names of files whose values somebody typed.

    Examples
    --------
    >>> shell_made("awk -F, '{print $1 \",\" NR % 2}' test.csv > submission.csv").origin.name
    'RULE'
    >>> shell_made("paste -d, ids.txt out.txt > submission.csv") is None
    True
    """
    text = text[:MAX_TEXT]
    found: ShellMade | None = None
    by_hand = words_of_files(text, frozenset(typed))
    known: dict[str, Origin | None] = dict.fromkeys(by_hand, Origin.TYPED)
    for pipeline in pipelines(text):
        origin = _of_pipeline(pipeline, known)
        if origin is not None:
            found = ShellMade(origin, pipeline.line, pipeline.text)
    found = found or _grouped(text, known)
    if found is None or found.origin is not Origin.TYPED:
        edited = edited_by_hand(text)
        found = ShellMade(Origin.TYPED, *edited) if edited else found
    loop = _LOOP.search(text)
    if found is None and loop and _DRAWS.search(text):
        line = text.count("\n", 0, loop.start()) + 1
        return ShellMade(Origin.DRAWN, line, loop[0])
    return found


def _of_pipeline(pipeline: Pipeline, known: dict[str, Origin | None]) -> Origin | None:
    """Say how a pipeline makes the submission; what it makes of rows alone is put down."""
    words = [w for command in pipeline.commands for w in command]
    heads = {command[0].rpartition("/")[2] for command in pipeline.commands}
    target = next((t for c in pipeline.commands if (t := _target(c))), "")
    made = _of_interpreter(pipeline, words, target) if heads & _INTERPRETERS else None
    if made is not None:
        return made
    last = pipeline.commands[-1]
    plain = _of_words(pipeline, words, heads) if target else None
    if plain is not None:
        return plain
    if last[0] in {"mv", "cp"} and len(last) > len("mv"):
        return known.get(last[-2]) if _SUBMISSION.search(last[-1]) else None
    written = target or next((w for mark, w in pairwise(last) if mark in {">", ">>"}), "")
    said = " ".join(words)
    files = [w for w in words if _is_file(w, known) and w != written]
    if _JOINS.search(said):
        files += [w for w in last if _WORD.match(w) and w not in {last[0], written}]
    if written and heads <= _TEXT_TOOLS and is_typed(pipeline.heredoc):
        known[written] = Origin.TYPED
        return Origin.TYPED if target else None
    origin = Origin.DRAWN if _OVERDRAWN.search(said) else None
    if written and heads <= _TEXT_TOOLS and _are_alone(files, known, heads, said):
        origin = origin or _of_read(files, known) or _origin(said)
        known[written] = origin
        origin = origin if files or origin is Origin.DRAWN else None
    elif origin is not None:
        known[written] = origin
    return origin if target else None


def _of_words(pipeline: Pipeline, words: list[str], heads: set[str]) -> Origin | None:
    """Say how a command makes the submission of the task's text, of its own words or of draws."""
    if heads <= _TEXT_TOOLS and any(TOLD.search(w) for w in words):
        return Origin.TOLD
    if heads & _DECODERS and any(len(w) >= MIN_ENCODED for w in words):
        return Origin.TYPED
    is_drawn = heads <= {"echo", "printf"} and _DRAWS.search(pipeline.text)
    return Origin.DRAWN if is_drawn else None


def _of_interpreter(pipeline: Pipeline, words: list[str], target: str) -> Origin | None:
    """Say how a program in a command of another language makes the submission."""
    programs = [w for w in words if len(w) >= MIN_PROGRAM]
    for program in ("\n".join([*programs, pipeline.heredoc]), pipeline.text):
        named = f'{program}\n"{target}"' if target else program
        made = other_made(named) if "subm" in named else None
        if made is not None:
            return made.origin
    return None


def _of_read(files: Iterable[str], known: Mapping[str, Origin | None]) -> Origin | None:
    """Return how the files that are read were made; one that was typed comes first."""
    made = {known[f] for f in files if known.get(f)}
    return Origin.TYPED if Origin.TYPED in made else next(iter(made), None)


def _are_alone(
    files: Iterable[str], known: Mapping[str, Origin | None], heads: set[str], said: str
) -> bool:
    """Say whether files hold rows alone; labels of train rows may be dealt out at random."""
    others = [f for f in files if not _is_alone(f, known)]
    is_dealt = heads <= _DEALS and re.search(r"\bshuf\b|\bsort\b", said) and _DRAWS.search(said)
    return not others or (bool(is_dealt) and all("train" in f.lower() for f in others))


def _is_file(word: str, known: Mapping[str, Origin | None]) -> bool:
    return bool(_FILE.match(word) or _PATH.match(word)) or word in known


def _is_alone(file: str, known: Mapping[str, Origin | None]) -> bool:
    """Say whether a file holds test rows, the sample, or what was made of these alone."""
    name = file.rpartition("/")[2]
    return file in known or bool(_ROWS_ALONE.search(name) and not _NOT_ROWS.search(name))


def _grouped(text: str, known: Mapping[str, Origin | None]) -> ShellMade | None:
    """Return what a block writes to the submission, ``( … ) > submission.csv``, of rows alone."""
    block = _BLOCK.search(text)
    if block is None:
        return None
    words = [c for p in pipelines(text) for c in p.commands]
    heads = {c[0].rpartition("/")[2].lstrip("({") for c in words}
    files = {w for c in words for w in c if _is_file(w, known)}
    read = {f for f in files if not _SUBMISSION.search(f) or _ROWS_ALONE.search(f)}
    raw = {c[0].lstrip("({") for c in words}
    read |= {f for f in raw if _is_file(f, known)}
    heads = {h.rpartition("/")[2] for h in raw - read if _COMMAND.match(h)}
    read -= {w for c in words for mark, w in pairwise(c) if mark in {">", ">>"}}
    if not heads <= _PLAIN | _TEXT_TOOLS or not _are_alone(read, known, heads, text):
        return None
    is_listed = any(is_typed(p.heredoc) for p in pipelines(text)) or is_listed_in(text)
    origin = Origin.TYPED if is_listed else _of_read(read, known) or _origin(text)
    line = text.count("\n", 0, block.start()) + 1
    return ShellMade(origin, line, text[block.start() : block.end() + 200]) if origin else None


def _origin(text: str) -> Origin | None:
    if _DRAWS.search(text):
        return Origin.DRAWN
    return Origin.RULE if _DECIDES.search(text) else None


def _target(command: tuple[str, ...]) -> str:
    for mark, word in pairwise(command):
        if mark in {">", ">>", "1>"} and _SUBMISSION.search(word):
            return word
    if command[0] == "tee":
        return next((w for w in command[1:] if _SUBMISSION.search(w)), "")
    return ""


def numbers_in(text: str) -> Iterator[tuple[int, str, Typed]]:
    """Yield runs of eight numbers and more, and rows in brackets, with their lines and texts."""
    text = text[:MAX_TEXT]
    for run in _RUN.finditer(text):
        table = of_rows([[n] for n in re.findall(_NUMBER, run[0])])
        if table.n_different > 1:
            yield text.count("\n", 0, run.start()) + 1, run[0], table
    rows = [
        [cell.strip() for cell in group.split(",")]
        for insert in _INSERT.finditer(text)
        for group in re.findall(r"\(([^()]*)\)", insert[1])
    ]
    first = _INSERT.search(text)
    if first and len(rows) >= len("rows") and len({len(row) for row in rows}) == 1:
        yield text.count("\n", 0, first.start()) + 1, first[0][:600], of_rows(rows)


def rows_in_brackets(text: str) -> Iterator[tuple[int, str, Typed]]:
    """Yield tables of four rows and more that stand in brackets: ``[[1, 0.2], [2, 0.4], …]``."""
    text = text[:MAX_TEXT]
    run: list[re.Match[str]] = []
    for group in [*_GROUP.finditer(text), None]:
        gap = text[run[-1].end() : group.start()] if run and group else ""
        if group is not None and (not run or not gap.strip(" ,;\n\t")):
            run.append(group)
            continue
        rows = [[cell.strip() for cell in one[1].split(",")] for one in run]
        if len(rows) >= len("rows") and len({len(row) for row in rows}) == 1 and len(rows[0]) > 1:
            excerpt = text[run[0].start() : run[-1].end()][:600]
            yield text.count("\n", 0, run[0].start()) + 1, excerpt, of_rows(rows)
        run = [group] if group is not None else []
