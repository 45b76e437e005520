"""Loops of languages that are not parsed which ask a server of submissions to learn from it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.parsing import lines_of
from detectors.rules.grading_calls import GradingCall
from detectors.rules.learning_words import SCORE_KEY
from detectors.rules.scoring_servers import is_own, names_scorer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from detectors.units import CodeUnit

MAX_TEXT = 20_000  # characters of one program that are looked at
MANY_ROUNDS = 100  # of a loop whose length is known
_WINDOW = 4  # lines of one request
_REPEATS = re.compile(
    r"\b(?:for|foreach|while|until|repeat|loop|times|sapply|lapply|vapply|map\w*|Map|walk|forEach|optim\w*|"
    r"optimi[sz]e|upto|step|each|pmap|uniroot|replicate|setInterval|setTimeout|each_with_index|eachindex|seq_along|seq_len)\b"
)
_LENGTH = re.compile(
    r"\b1\s*:\s*(\d{2,6})\b|<=?\s*(\d{2,6})\b|\.\.=?\s*(\d{2,6})\b|\b(\d{2,6})\.times\b|seq_len\((\d+)\)"
)
_SENDS = re.compile(
    r"(?i)\b(?:POST|PUT|post|fetch|axios|request\w*|curl\w*|got|Post\w*|NewRequest|req_perform|upload|"
    r"system2?|exec\w*|spawn\w*|run|qx|shell|Command|http\w*)\b"
)
_FIELD = re.compile(
    r"(?:\$|\.|->|\[\[?\s*[\"']|\{\s*[\"']?|:)(?P<key>[A-Za-z]\w*)(?:[\"']\s*\]?\]|\b)|"
    r"\b(?:parseFloat|as\.numeric|Number|parse\(Float64|to_f|strconv\.ParseFloat|tonumber)\b"
)
_OTHER_ROW = re.compile(
    r"\b(\w+)(?:\$\w+|\.\w+|\[[^\]\n]*\])?\[\s*(?:i|j|k|row|idx|r)\s*(?:,[^\]\n]*)?\]\s*"
    r"(?:=|<-|\.=)\s*(?:1|0|!|not|flip|1\s*-)|"
    r"\[\s*-\s*(?:i|j|k|row|idx|r)\b|\b(?:filter|subset)\([^)\n]*!=\s*(?:i|j|k|id|row)\b|"
    r"\b(?:delete_at|deleteat!|splice|Not|drop_at)\(\s*(?:\w+,\s*)?(?:i|j|k|row|idx)\b"
)
_COMMENT = re.compile(r"^\s*(?:#|//|--|%).*")
_HOLDS = re.compile(r"\b([A-Za-z_$][\w.]*)\s*(?::\s*\w+\s*)?(?:=|<-|:=)\s*[^=].*")
_DEFINES = re.compile(
    r"\b(?:function|def|sub|func|fn)\s+([A-Za-z_]\w*)|\b([A-Za-z_][\w.]*)\s*(?:=|<-)\s*(?:async\s*)?"
    r"(?:function\b|\([^()]*\)\s*=>|\w+\s*=>|\([^()]*\)\s*->|lambda\b|\\\()|^\s*([a-z]\w*)\([^()]*\)\s*="
)


def probing_in_other(unit: CodeUnit, ports: frozenset[str]) -> Iterator[GradingCall]:
    """Yield where a program in another language asks in a loop and learns from it."""
    text = unit.text[:MAX_TEXT]
    if not (_REPEATS.search(text) and _SENDS.search(text)) or is_own(text, ports):
        return
    lines = [_COMMENT.sub("", line) for line in lines_of(text)]
    for number in _asking(lines, text):
        loop = _loop_around(lines, number)
        shows = _learned(lines, number, loop) if loop is not None else ""
        if shows:
            at = unit.first_line + number
            yield GradingCall(unit.path, at, at, lines[number], shows, again=True)
            return


def _asking(lines: Sequence[str], text: str) -> Iterator[int]:
    """Yield the lines that send something to a server of submissions."""
    named: set[str] = set()
    for number, line in enumerate(lines):
        window = "\n".join(lines[number : number + _WINDOW])
        is_named = names_scorer(line, text) or any(
            re.search(rf"(?<![\w$]){re.escape(name)}\b", line) for name in named
        )
        if not is_named and re.search(r":\d{2,5}|https?://", line):
            is_named = names_scorer(window, text)
        if not is_named:
            continue
        holds = _HOLDS.search(line)
        if _SENDS.search(re.sub(r"https?://\S+", "", line)):
            yield number
        elif holds:
            named.add(holds[1])
        elif _SENDS.search(re.sub(r"https?://\S+", "", window)):
            yield number


def _loop_around(lines: Sequence[str], number: int) -> str | None:
    """Return what makes a line run again and again: a loop around it, or around its function."""
    headers = [*_headers(lines, number), lines[number]]
    loop = next((h for h in headers if _REPEATS.search(_no_texts(h))), None)
    if loop is not None:
        return loop
    for header in headers:
        defines = _DEFINES.search(header)
        name = next((g for g in defines.groups() if g), "") if defines else ""
        for other, line in enumerate(lines if name else ()):
            called = re.search(rf"(?<![\w.]){re.escape(name)}\b", line) and line != header
            around = [*_headers(lines, other), line] if called else []
            if any(_REPEATS.search(_no_texts(h)) for h in around):
                return line
    return None


def _headers(lines: Sequence[str], number: int) -> list[str]:
    """Return the lines that open the blocks around one, by braces and by what stands further in."""
    open_braces: list[str] = []
    for line in lines[:number]:
        bare = _no_texts(line)
        for sign in re.findall(r"[{}]", bare):
            if sign == "{":
                open_braces.append(line)
            elif open_braces:
                open_braces.pop()
    indented: list[str] = []
    width = _indent(lines[number])
    for line in reversed(lines[:number]):
        if line.strip() and _indent(line) < width:
            indented.append(line)
            width = _indent(line)
    return [*open_braces, *indented]


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _no_texts(line: str) -> str:
    return re.sub(r"\"[^\"]*\"|'[^']*'|`[^`]*`", "''", line)


def _learned(lines: Sequence[str], number: int, loop: str) -> str:
    after = "\n".join(lines[number:])
    fields = {f["key"] or "score" for f in _FIELD.finditer(after)}
    if any(SCORE_KEY.match(key) for key in fields):
        return "asks again and again what its files score, and takes the score out of the answers"
    if _OTHER_ROW.search("\n".join(lines)):
        return "asks about one row, or some, after the other"
    rounds = [int(n) for groups in _LENGTH.findall(loop) for n in groups if n]
    if rounds and max(rounds) >= MANY_ROUNDS and not re.search(r"\b(?:break|last)\b", after):
        return f"asks {max(rounds)} times in a loop"
    return ""
