"""Small files beside the code in which somebody has typed labels of rows."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

from detectors.training.labels import MIN_PAIRS
from detectors.training.typed import of_text

if TYPE_CHECKING:
    from detectors.attempt import Attempt
    from detectors.training.typed import Typed

MAX_ROWS = 400  # that somebody types
MAX_TEXT = 40_000  # characters
_MADE = re.compile(  # what programs write
    r"subm|pseudo|oof|pred|blend|prob|logit|sample|fold|split|param|stat|metric|score|result|importan|"
    r"config|sett|log|vocab|class|mapping|encod",
    re.IGNORECASE,
)
_PRECISE = re.compile(r"\d\.\d{4,}")


def typed_in_files(
    attempt: Attempt, keys: frozenset[str], targets: frozenset[str]
) -> frozenset[str]:
    """Return the names of files with a label for each of a few ids.

    What a program of the attempt writes is left out, and so is what has many decimals.

    Parameters
    ----------
    keys, targets : frozenset of str
        Columns by which rows are told apart, and those that are predicted.
    """
    code = "\n".join(file.text for file in attempt.code)
    found = set()
    for file in attempt.tables:
        name = file.name.rpartition("/")[2]
        is_read = name in code and not _MADE.search(name) and not _is_written(name, code)
        if is_read and len(file.text) <= MAX_TEXT and not _PRECISE.search(file.text):
            table = _table(file.text, keys, targets)
            if table and MIN_PAIRS <= len(table.pairs) <= MAX_ROWS:
                found.add(name)
    return frozenset(found)


def _is_written(name: str, code: str) -> bool:
    """Say whether code writes a file of a name: by its mode, or by a call that saves."""
    lines = (line for line in code.split("\n") if name in line)
    return any(re.search(r"['\"][wax]b?\+?['\"]|to_\w+\(|save|dump|write", line) for line in lines)


def _table(text: str, keys: frozenset[str], targets: frozenset[str]) -> Typed | None:
    """Read an object of one value for each id, or rows under a header of an id and a target."""
    if text.lstrip().startswith("{"):
        try:
            content = json.loads(text)
        except (ValueError, RecursionError):
            return None
        plain = isinstance(content, dict) and all(
            isinstance(v, str | int | float) and re.search(r"\d", k) for k, v in content.items()
        )
        rows = "\n".join(f"{k},{v}" for k, v in content.items()) if plain else ""
        return of_text(f"id,label\n{rows}") if rows else None
    pairs = [words for line in text.strip().splitlines() if (words := line.split())]
    if "," not in text and all(len(p) == len(("id", "label")) for p in pairs):
        return of_text("id,label\n" + "\n".join(map(",".join, pairs))) if _are_ids(pairs) else None
    named = {w.strip().strip('"') for w in re.split(r"[,;\t|]", text.lstrip().partition("\n")[0])}
    table = of_text(text) if named & keys else None
    if table is None or named & targets or named & {"label", "target", "answer"}:
        return table
    return table if set(table.values) <= targets else None  # columns that are called as classes


def _are_ids(pairs: list[list[str]]) -> bool:
    return all(any(map(str.isdigit, first)) and not last[:1].isdigit() for first, last in pairs)
