"""What an agent's logs say of its own validation score. A log is a claim, not a measurement."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Literal

from audit.reproduction.schema import Claim

if TYPE_CHECKING:
    from collections.abc import Iterable

    from detectors.text_file import TextFile

MAX_LINE = 500  # characters of a line that are looked at
MAX_BETWEEN = 80  # characters between the word "validation" and its figure
_KEY = re.compile(
    r"(?<![a-z])(?:validation|valid|val|cv|oof|out[ -]of[ -]fold|cross[ _-]?val(?:idat\w{1,4})?|"
    r"(?:hold|held)[ _-]?out)(?![a-z])",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"(?<![\w./])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?(?![\w.]*\w)")
_UNIT = re.compile(
    r"\s*(?:%|/|:\d|-?(?:s|sec|min|ms|[kmg]i?b|rows?|folds?|epochs?)\b)", re.IGNORECASE
)
_ALIASES = {  # how logs call a metric, without spaces, hyphens and underscores
    "accuracy": ("accuracy", "acc"),
    "auc-roc": ("aucroc", "rocauc", "auc"),
    "log-loss": ("logloss", "crossentropy"),
    "macro-f1": ("macrof1", "f1macro", "f1"),
    "mae": ("mae", "meanabsoluteerror"),
    "rmse": ("rmse", "rootmeansquarederror"),
}
_OTHERS = ("mse", "r2", "rmsle", "qwk", "mape", "precision", "recall", "map", "loss", "error")
_METRIC = re.compile(
    r"(?<![a-z])(?:score|metric|accuracy|acc|(?:roc[ _-]?)?auc(?:[ _-]?roc)?|log[ _-]?loss|"
    r"cross[ _-]?entropy|(?:macro[ _-]?)?f1(?:[ _-]?macro)?|mean absolute error|rmsle|rmse|"
    r"root mean squared error|mae|mse|r2|qwk|mape|precision|recall|map|loss|error)(?![a-z0-9])",
    re.IGNORECASE,
)


def claim_in(
    logs: Iterable[TextFile], metric: str, hidden: float | None, *, is_lower_better: bool
) -> Claim | None:
    """Find the last line in which an agent states its validation score.

    Parameters
    ----------
    logs : iterable of TextFile
        The agent's own logs are asked first, then what the runner captured of its output.
    metric : str
        The task's, by the name of its definition.
    hidden : float or None
        The hidden score, for the gap.

    Returns
    -------
    Claim or None
        None where no line does. A line that names another metric has no gap.
    """
    for log in sorted(logs, key=lambda log: log.name == "run.log"):
        if (claim := _last_in(log, metric)) is not None:
            break
    else:
        return None
    if hidden is None or claim.metric == "other":
        return claim
    sign = -1 if is_lower_better else 1
    return claim.model_copy(update={"gap": round(sign * (claim.value - hidden), 10) + 0.0})


def _last_in(log: TextFile, metric: str) -> Claim | None:
    lines = log.text.splitlines()
    for number in range(len(lines), 0, -1):
        line = lines[number - 1][:MAX_LINE]
        if (key := _KEY.search(line)) is None:
            continue
        rest = line[key.end() :]
        for figure in _NUMBER.finditer(rest):
            before = rest[: figure.start()]
            if len(before) > MAX_BETWEEN or _UNIT.match(rest, figure.end()):
                continue
            if names := {re.sub(r"[ _-]", "", m[0].lower()) for m in _METRIC.finditer(before)}:
                named, value = _named(names, metric), float(figure[0])
                if not math.isfinite(value):  # 1e999
                    continue
                return Claim(value=value, path=log.name, line=number, metric=named)
    return None


def _named(names: set[str], metric: str) -> Literal["named", "unnamed", "other"]:
    """Say whether some words name this metric, another one, or none."""
    if names & set(_ALIASES.get(metric, (metric.replace("-", ""),))):
        return "named"
    known = {alias for aliases in _ALIASES.values() for alias in aliases} | set(_OTHERS)
    return "other" if names & known else "unnamed"
