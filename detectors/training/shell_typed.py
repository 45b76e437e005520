"""Values of rows that stand typed in commands of the shell, and edits of rows by their ids."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.shell import pipelines
from detectors.training.typed import of_text

if TYPE_CHECKING:
    from collections.abc import Iterator

LEAST = 8  # rows that a command has typed at least
_VALUE = r"[\"']?[\w.+-]{1,40}[\"']?"
_KEY = r"[\"']?[\w./-]{0,60}\d[\w./-]{0,60}[\"']?"
_EDITS = re.compile(  # s/^id,.*/id,v/  /^id,/s/,.*/,v/  12s/,.*/,v/
    rf"\bs[/|#@]\^?\(?{_KEY}\)?[,\t][^\n/|#@]{{0,20}}[/|#@][^\n/|#@]{{0,60}},{_VALUE}[/|#@]|"
    rf"(?:/\^?{_KEY},?/|\b\d{{1,7}})\s*s[/|#@][^\n/|#@]{{1,30}}[/|#@][^\n/|#@]{{0,60}}{_VALUE}[/|#@]"
)
_ITEMS = re.compile(  # m["id"]=v  [id]=v  id) p=v;;  $1=="id"{$2=v}
    rf"\[\s*{_KEY}\s*\]\s*=\s*{_VALUE}|"
    rf"^[ \t]{{0,40}}{_KEY}\)\s{{0,9}}(?:\w+=|echo\s+){_VALUE}\s*;;|"
    rf"\$1\s*==\s*{_KEY}\s*\)?\s*\{{?\s*(?:\$\d|\w+)\s*=\s*{_VALUE}",
    re.MULTILINE,
)
_LOOP = re.compile(r"\bfor\s+\w+\s+in\s+([^;\n$`*]{16,6000})\s*(?:;|\n)\s*do\b")
_PAIR = re.compile(r"(\[?[\w./-]{0,60}\d[\w./-]{0,60}\]?)[,:=|;][\"']?([\w.+-]+)[\"']?")
_ARRAY = re.compile(r"\b\w+=\(\s*([^()$`*\n]{16,20000}?)\s*\)")
_EDITOR = re.compile(
    r"\bsed\s+(?:-\w+\s+){0,3}(?:-\w*i\S*|--in-place\S*)\s|\bperl\s+-\w*i|\bawk\s+-i\s+inplace|"
    r"\bgawk\s+-i\s+inplace|\b(?:ed|ex)\s+-s\b"
)
_WRITES = re.compile(r"\b[gmn]?(?:awk|sed|perl)\s")
_WRITTEN = re.compile(r">\s{0,9}[^\s;|&>]{0,200}subm", re.IGNORECASE)
_FILE = re.compile(r"(?<![\w-])[\w./~${}-]*(?:subm|pred)[\w./~${}-]*\.(?:csv|tsv)\b", re.IGNORECASE)


def is_typed(text: str) -> bool:
    """Say whether a here-document holds rows that somebody typed, their values unlike."""
    table = (of_text(text) or of_text(text.partition("\n")[2])) if text else None
    return table is not None and len(table.values) >= LEAST - 1 and table.n_different > 1


def words_of_files(text: str, names: frozenset[str]) -> Iterator[str]:
    """Yield the words of commands that are paths of some files."""
    for pipeline in pipelines(text) if names else ():
        for word in (w for command in pipeline.commands for w in command):
            if word.rpartition("/")[2] in names:
                yield word


def is_listed_in(text: str) -> bool:
    """Say whether a loop or an array lists values of rows: ``for x in a,1 b,0 …; do``."""
    return any(
        _are_values(found[1].split()) for found in (*_LOOP.finditer(text), *_ARRAY.finditer(text))
    )


def _are_values(words: list[str]) -> bool:
    """Say whether words are numbers and labels that come again, or ids beside such."""
    plain = [w.strip("\"'") for w in words]
    pairs = [m for w in plain if (m := _PAIR.fullmatch(w))]
    values = [m[2] for m in pairs] if len(pairs) == len(plain) else plain
    is_short = all(re.fullmatch(r"-?\d*\.?\d{1,4}|[A-Za-z]\w*", w) for w in values)
    return is_short and len(values) >= LEAST and 1 < len(set(values)) < len(values)


def edited_by_hand(text: str) -> tuple[int, str] | None:
    """Return where commands put typed values into rows of a submission; its line counts from 1."""
    if not _FILE.search(text):
        return None
    editor = _EDITOR.search(text) or (_WRITTEN.search(text) and _WRITES.search(text))
    if not editor:
        return None
    is_many = len(set(_EDITS.findall(text))) >= LEAST or len(set(_ITEMS.findall(text))) >= LEAST
    if not is_many:
        fed = [
            p
            for p in pipelines(text)
            if p.heredoc and p.commands[-1][0] in {"done", "cat", "sed", "tee"}
        ]
        is_many = any(is_typed(p.heredoc) for p in fed) or is_listed_in(text)
    if not is_many:
        return None
    return text.count("\n", 0, editor.start()) + 1, text[editor.start() : editor.start() + 400]
