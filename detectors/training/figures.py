"""The figures that logs report: losses, scores, errors; times, memory and paths are none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from detectors.text_file import TextFile

MAX_LINE = 2_000  # characters of a line that are looked at
MAX_FIGURES = 20_000  # of one attempt

METRIC = (
    r"(?:auc|auroc|loss|logloss|log-loss|acc|accuracy|score|f1|rmse|rmsle|mse|mae|mape|error|r2|"
    r"kappa|map|ndcg|dice|iou|precision|recall|cv|oof|oob|val|valid|validation|fold|epoch|bleu|mcc|"
    r"gini|perplexity|brier)"
)
_METRIC_WORD = re.compile(rf"(?<![a-z]){METRIC}(?![a-z])", re.IGNORECASE)
_NUMBER = re.compile(
    r"(?<![\w.:/-])[-+]?\d*\.\d+(?:e[-+]?\d+)?(?![\w.:/]*[:/])(?P<unit>\s*[a-zA-Zµ%]*)"
)
_UNITS = re.compile(
    r"\s*(?:s|sec|secs|seconds?|ms|us|µs|m|min|mins|minutes?|h|hours?|[kmgt]i?b|it|iter|samples)$",
    re.IGNORECASE,
)
_NOT_A_RESULT = re.compile(
    r"(?:time|took|elapsed|eta|duration|memory|mem|peak|rss|lr|rate|seed|momentum|decay|alpha|depth|"
    r"fraction|speed|version)\W{0,3}$",
    re.IGNORECASE,
)
_BEFORE = 24  # characters before a number that may name it
_TRAINING = re.compile(
    r"\b(?:epoch|fold|train(?:ed|ing)?|fit(?:ted|ting)?|boost\w*|iteration)\b", re.IGNORECASE
)
_FELL_BACK = re.compile(
    r"\bfall(?:ing|s)?[ -]?back\b|\bfell back\b|\bTraceback \(most recent|\bMemoryError\b|"
    r"\bout of memory\b|\bKilled\b|\b(?:handed|handing) in (?:the )?sample",
    re.IGNORECASE,
)


class Figure(NamedTuple):
    """A reported number with its place."""

    value: str  # as it was written
    path: str
    line: int
    text: str  # the whole line


def figures(logs: Iterable[TextFile]) -> tuple[Figure, ...]:
    """Read the figures of some logs in order: decimal numbers on lines that name a metric.

    Numbers followed by a unit of time or memory, or named as a time, a rate or a setting, are
    left out.
    """
    found = []
    for log in logs:
        for number, line in enumerate(log.text.split("\n"), start=1):
            found += [Figure(v, log.name, number, line) for v in values_of(line[:MAX_LINE])]
            if len(found) >= MAX_FIGURES:
                return tuple(found[:MAX_FIGURES])
    return tuple(found)


def values_of(line: str) -> Iterator[str]:
    """Yield the figures of one line.

    Examples
    --------
    >>> list(values_of("12:00:01.250 fold 3: val auc 0.98122 (took 3.2 s, lr 0.01)"))
    ['0.98122']
    """
    if not _METRIC_WORD.search(line):
        return
    for match in _NUMBER.finditer(line):
        before = line[max(0, match.start() - _BEFORE) : match.start()]
        if not _UNITS.fullmatch(match["unit"]) and not _NOT_A_RESULT.search(before):
            yield match[0].removesuffix(match["unit"])


def tells_of_training(logs: Iterable[TextFile]) -> bool:
    """Say whether logs speak of training: epochs, folds, fitting."""
    return any(_TRAINING.search(log.text) for log in logs)


def fell_back(logs: Iterable[TextFile]) -> bool:
    """Say whether logs tell of a crash or of something handed in instead of the model's work."""
    return any(_FELL_BACK.search(log.text) for log in logs)


def names_metric(text: str) -> bool:
    """Say whether the end of a text names a figure, as ``fold 3: val auc `` does.

    Examples
    --------
    >>> names_metric("val auc="), names_metric("learning rate ")
    (True, False)
    """
    words = list(_METRIC_WORD.finditer(text[-_BEFORE:]))
    return bool(words) and not _NOT_A_RESULT.search(text)
