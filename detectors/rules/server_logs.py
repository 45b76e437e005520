"""What the log of a server of submissions says itself: how often it was asked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from detectors.rules.learning_words import scores_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from detectors.text_file import TextFile

MIN_SERVED = 10  # files scored
MIN_TOLD = 5  # scores on the lines themselves
MIN_CHECKED = 100  # files whose form was looked at
_ACCESS = re.compile(
    r"\bPOST\s+(?!\S*/v\d)\S*/(?P<path>validat\w*|grad\w+|scor\w+|evaluat\w*|eval|submit\w*|judge)\b"
    r"(?:[^\n]*?[\s\"](?P<code>[1-5]\d\d)\b)?|"
    r"[\"'](?:path|endpoint|route|url|uri)[\"']\s*:\s*[\"'][^\"'\n]*/(?P<route>validat\w*|grad\w+|"
    r"scor\w+|evaluat\w*|submit\w*|judge)\b"
)


class Served(NamedTuple):
    """Lines in which a server itself says that it was asked: which log, from where to where."""

    path: str
    numbers: tuple[int, ...]
    lines: tuple[str, ...]
    is_scored: bool


def served(logs: Iterable[TextFile], *, own: bool) -> Served | None:
    """Return the log of a server that was asked most often; None where none was asked often.

    Parameters
    ----------
    own : bool
        The attempt runs such a server itself: what that one logs is nobody's business.
    """
    best: Served | None = None
    for log in () if own else logs:
        if log.is_large or not _ACCESS.search(log.text):
            continue
        numbers, lines, scored, told = [], [], 0, 0
        for number, line in enumerate(log.text.split("\n"), start=1):
            found = _ACCESS.search(line)
            if found is None or (found["code"] or "200")[0] != "2":
                continue
            numbers.append(number)
            lines.append(line)
            path = found["path"] or found["route"] or ""
            scored += path.startswith(("grad", "scor", "eval", "judge"))
            told += scores_in(line[found.end() :]) > 0
        is_scored = scored >= MIN_SERVED or told >= MIN_TOLD
        if (is_scored or len(numbers) >= MIN_CHECKED) and (
            best is None or len(numbers) > len(best.numbers)
        ):
            best = Served(log.name, tuple(numbers), tuple(lines), is_scored)
    return best
