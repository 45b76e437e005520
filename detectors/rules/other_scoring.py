"""Where programs of other languages than Python score predictions against the hidden answers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.rules.answer_names import holds_answers
from detectors.rules.grading_calls import GradingCall

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.units import CodeUnit

_TEXT = re.compile(r"\"([^\"\n]{1,300})\"|'([^'\n]{1,300})'|(?<![\w.])/[\w./-]{4,200}")
_MAY_NAME = re.compile(r"private|answers?|truth|hidden|labels|solution|grad|eval", re.IGNORECASE)
_CALLED = re.compile(r"\b([A-Za-z_][\w.]*)\s*\(")
_MEAN = re.compile(
    r"\b(?:mean|sum|avg|average|sqrt|nnz|count|accuracy|filter|reduce|"
    r"zip)\s*[(\[{]",
    re.IGNORECASE,
)
_COMPARED = re.compile(r"\.?[=!]==?|[-–]|<>|≠")
_REPEATS = re.compile(
    r"\b(?:for|while|until|repeat|foreach|sapply|lapply|map|optim\w*|which\.m(?:ax|in)|findmax|"
    r"argmax)\b"
)
_COMPARES = re.compile(r"\bif\b|\bsort\b|\bbest\b|\bmax\b|\bmin\b|\bawk\b|\buntil\b")
_ASSIGNED = re.compile(r"(?:my |let |const |var |auto |local )?[$@%]?(\w+)\s*(?:<-|:=|=(?!=))")


def scoring_in_other(unit: CodeUnit, metric: re.Pattern[str]) -> Iterator[GradingCall]:
    """Yield it where answers are named, and further down a metric, or a mean of a comparison.

    Parameters
    ----------
    metric : pattern
        Names of metrics.
    """
    named = next(
        (
            m
            for m in _TEXT.finditer(unit.text)
            if _MAY_NAME.search(m[0]) and holds_answers(m[1] or m[2] or m[0])
        ),
        None,
    )
    if named is None or re.match(r"\s*#|\s*//|\s*--", _line(unit.text, named.start())):
        return
    found = _judged(unit, named, metric)
    if found is None:
        return
    at = unit.first_line + unit.text.count("\n", 0, found)
    told = "scores against the hidden answers"
    again = bool(_REPEATS.search(unit.text))
    shows = f"{told}, again and again or to choose" if again else told
    yield GradingCall(unit.path, at, at, _line(unit.text, found), shows, again)


def _judged(unit: CodeUnit, named: re.Match[str], metric: re.Pattern[str]) -> int | None:
    """Return where something is scored after the answers were named."""
    if unit.language == "shell":  # the command that names them compares, or prints a number of it
        line = _line(unit.text, named.start())
        scores = _COMPARES.search(line) or metric.search(line) or _COMPARED.search(line)
        return named.start() if scores and _REPEATS.search(unit.text) else None
    by_name = (m.start() for m in _CALLED.finditer(unit.text, named.end()) if metric.search(m[1]))
    first = next(by_name, None)
    if first is not None:
        return first
    held = _ASSIGNED.search(_line(unit.text, named.start()))
    if held is None:
        return None
    uses = re.compile(rf"(?<!\w){re.escape(held[1])}\b")
    for mean in _MEAN.finditer(unit.text, named.end()):
        line = unit.text[mean.start() :].partition("\n")[0]
        if uses.search(line) and _COMPARED.search(line):
            return mean.start()
    return None


def _line(text: str, at: int) -> str:
    return text[text.rfind("\n", 0, at) + 1 :].partition("\n")[0]
