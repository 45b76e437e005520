"""Files of values beside the code that, by their looks and by what ran, somebody typed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.training.kept_values import is_typed_beside

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from detectors.attempt import Attempt
    from detectors.units import CodeUnit

MAX_TEXT = 200_000  # characters of a file that are looked at
_ROW = re.compile(
    r"""^[\s\[{(-]*(?:["']?(?P<key>[\w./-]+)["']?\s*(?:[:=,;|\t]|\s)\s*)?"""
    r"""["']?(?P<value>-?(?:\d+\.?\d*|\.\d+)|[A-Za-z][\w-]{0,40})["']?[\s,\]})]*$"""
)
_MARKS = re.compile(r"[\n\r{}\[\]]|,(?=\s+[\"'{\[\d.-]|[\"'{\[])")
_SHORT = re.compile(r"-?(?:\d{0,7}(?:\.\d{0,3})?|[A-Za-z][\w-]*)")
_MOST = 0.8


def typed_files(attempt: Attempt, units: Sequence[CodeUnit], least: int) -> frozenset[str]:
    """Return the names of files below ``code/`` that hold typed values of rows.

    Nothing in code or log writes them, and where nothing says that they were typed, nothing learns
    there either; see `kept_values`.

    Parameters
    ----------
    least : int
        Values that such a file has at least.
    """
    return frozenset(
        kept.name.rpartition("/")[2]
        for kept in attempt.tables
        if are_values(kept.text[:MAX_TEXT], least) and is_typed_beside(attempt, units, kept.name)
    )


def are_values(text: str, least: int) -> bool:
    r"""Say whether a text has values as people type them, alone or each beside the id of a row.

    Examples
    --------
    >>> are_values("id_1: 0.2\nid_2: 0.9\nid_3: 0.2\n", 3), are_values("lr: 0.2\nk: 3\nb: 2\n", 3)
    (True, False)
    """
    rows = [m for line in _MARKS.split(text) if (m := _ROW.match(line.strip()))]
    keyed = [m for m in rows if m["key"] and any(map(str.isdigit, m["key"]))]
    bare = [m for m in rows if not m["key"]]
    found = max(keyed, bare, key=len)
    values = [m["value"] for m in found]
    n_lines = sum(1 for _ in _filled(text))
    if len(values) < least or len(values) < _MOST * (n_lines - len(rows) + len(found)):
        return False
    is_short = sum(bool(_SHORT.fullmatch(v)) for v in values) >= _MOST * len(values)
    has_ids = found is bare or len({m["key"] for m in found}) == len(found)
    return is_short and has_ids and 1 < len(set(values)) < len(values)


def _filled(text: str) -> Iterator[str]:
    return (line for line in _MARKS.split(text) if line.strip(" \t,\"'"))
