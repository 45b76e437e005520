"""What files Python reads: rows of train or test, the sample, the task's text, typed values."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from detectors.bounds import UNKNOWN
from detectors.training.flows import last_name
from detectors.training.handing_in import SAMPLE
from detectors.training.writes import is_for_writing, name_of

if TYPE_CHECKING:
    from collections.abc import Iterable

_READS = re.compile(
    r"(?:^|\.)(?:read\w*|open|loadtxt|genfromtxt|load|loads|imread|memmap|fromfile)$"
)
_ROWS_OF_TEST = re.compile(r"test|eval", re.IGNORECASE)
_TRAIN = re.compile(r"train", re.IGNORECASE)
TOLD = re.compile(r"(?:instructions?|description|prompt|readme|task)\.(?:txt|md)$", re.IGNORECASE)
_OF_MEMORY = frozenset({"StringIO", "BytesIO"})


def is_reading(node: ast.AST) -> bool:
    """Say whether a node reads a file, not a text in memory and not for writing."""
    if not isinstance(node, ast.Call) or not _READS.search(name_of(node)):
        return False
    inner = {last_name(n) for a in node.args for n in ast.walk(a) if isinstance(n, ast.Call)}
    if inner & (_OF_MEMORY | {"b64decode", "decompress", "open"}):
        return False
    if last_name(node) in {"loads", "read", "readlines", "readline", "reader"}:
        return False  # of what was opened before
    return not is_for_writing(node)


def kind_of(texts: Iterable[str], typed_files: frozenset[str]) -> str:
    """Return what a file is: ``test``, ``sample``, ``told``, ``typed``, ``train`` or ``other``.

    Parameters
    ----------
    texts : iterable of str
        The texts that the call which reads it is given.
    typed_files : frozenset of str
        Names of files whose values somebody typed.
    """
    names = [t for t in texts if t not in {"r", "rb", "utf-8"}]
    if any(n.rpartition("/")[2] in typed_files for n in names):
        return "typed"
    named = " ".join(n.replace(UNKNOWN, "/").rpartition("/")[2] or n for n in names)
    if _TRAIN.search(named):
        return "train"
    if any(TOLD.search(n) for n in names):
        return "told"
    if SAMPLE.search(named):
        return "sample"
    return "test" if _ROWS_OF_TEST.search(named) else "other"
