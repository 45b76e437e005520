"""Baselines that see no model: whether targets can be told from controls by how they look.

Where length or register alone separate them, a score that separates them too says nothing of the
model. These are printed beside every verdict.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from detectors.familiarity.conformal import auc

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from detectors.familiarity.texts import Text

LEVEL = 0.05
MIN_TARGETS = 5  # fewer make no group that a classifier could learn
_RIDGE = 1.0
_Z = 1.645  # one-sided .05
_COMMON = re.compile(
    r"\b(?:an?|and|are|as|at|be|by|can|for|from|has|have|in|is|it|of|on|or|that|the|this|to|was|we|"
    r"which|will|with|you|your)\b",
    re.IGNORECASE,
)
_MARK = re.compile(r"^[^\S\n]*(?:#+ |[-*] |```)|\]\(|\*\*|`", re.MULTILINE)
_URL = re.compile(r"https?://")


class Blind(NamedTuple):
    """What can be told apart without a model.

    Parameters
    ----------
    length_auc, register_auc : float in [0, 1]
        Of targets against controls: by number of characters; by a linear classifier of the
        features, each text judged by the others. NaN with fewer than five targets.
    odd : tuple of float
        Per target the share of texts, itself among them, that look at least as unlike the
        controls.
    separated : tuple of bool
        Per target, whether its verdict is confounded.
    """

    length_auc: float
    register_auc: float
    odd: tuple[float, ...]
    separated: tuple[bool, ...]


def table_share(text: Text) -> float:
    """Return the share of characters that stand in lines of a table or of values with commas."""
    inside = sum(len(line) + 1 for line in text.content.split("\n") if _is_row(line))
    return min(1.0, inside / len(text.content))


def _is_row(line: str) -> bool:
    return line.count("|") > 1 or line.count(",") > 2  # noqa: PLR2004 - cells between marks


def features(text: Text) -> list[float]:
    """Describe how a text looks: length, tables, digits, capitals, marks, lines, words."""
    content = text.content
    n = len(content)
    words = re.findall(r"[^\W\d_]+", content.lower())
    lines = content.splitlines() or [content]
    n_words = max(1, len(words))
    return [
        math.log(n),
        table_share(text),
        sum(c.isdigit() for c in content) / n,
        sum(c.isupper() for c in content) / n,
        sum(not c.isalnum() and not c.isspace() for c in content) / n,
        sum(ord(c) > 127 for c in content) / n,  # noqa: PLR2004 - ASCII
        len(_MARK.findall(content)) / len(lines),
        len(_URL.findall(content)) / n_words,
        math.log1p(n / len(lines)),
        sum(not line.strip() for line in lines) / len(lines),
        sum(map(len, words)) / n_words,
        len(_COMMON.findall(content)) / n_words,
        len(set(words)) / math.sqrt(n_words),
    ]


def blind(targets: Sequence[Text], controls: Sequence[Text]) -> Blind:
    """Tell targets from controls by how they look.

    Examples
    --------
    >>> from detectors.familiarity.texts import Text
    >>> same = [Text(str(i), f"Text number {i} of many.") for i in range(40)]
    >>> blind(same[:1], same[1:]).separated
    (False,)
    """
    theirs = np.array([features(t) for t in controls])
    ours = np.array([features(t) for t in targets])
    odd = tuple(_odd(row, theirs) for row in ours)
    if len(targets) < MIN_TARGETS:
        return Blind(math.nan, math.nan, odd, tuple(p <= LEVEL for p in odd))
    by_length = auc(ours[:, 0], theirs[:, 0])
    by_register = _register_auc(ours, theirs)
    sizes = len(targets), len(controls)
    whole = _beyond_chance(max(by_length, 1 - by_length), *sizes, two_sided=True)
    whole |= _beyond_chance(by_register, *sizes, two_sided=False)
    return Blind(by_length, by_register, odd, tuple(whole or p <= LEVEL / len(odd) for p in odd))


def _standard(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    spread = rows.std(axis=0)
    return np.asarray((rows - rows.mean(axis=0)) / np.where(spread > 0, spread, 1.0))


def _odd(row: NDArray[np.float64], controls: NDArray[np.float64]) -> float:
    """Return a conformal p of the distance from the middle; whose text it is plays no part."""
    rows = _standard(np.vstack([controls, row]))
    shape = rows.T @ rows / len(rows) + 1e-3 * np.eye(rows.shape[1])
    distance = np.einsum("ij,ij->i", rows @ np.linalg.inv(shape), rows)
    return float(np.mean(distance >= distance[-1] * (1 - 1e-9)))


def _register_auc(ours: NDArray[np.float64], theirs: NDArray[np.float64]) -> float:
    """Fit ridge regression on the group, each text foretold by a line without it."""
    rows = _standard(np.vstack([ours, theirs]))
    design = np.column_stack([np.ones(len(rows)), rows])
    group = np.repeat([1.0, 0.0], [len(ours), len(theirs)])
    penalty = _RIDGE * np.diag([0.0, *[1.0] * rows.shape[1]])
    hat = design @ np.linalg.solve(design.T @ design + penalty, design.T)
    leverage = np.minimum(np.diag(hat), 1 - 1e-9)
    foretold = group - (group - hat @ group) / (1 - leverage)
    # Leaving a text out moves the mean of its group away from it: compare within equal shares.
    share = (group.sum() - group) / (len(group) - 1)
    foretold = foretold - share
    return auc(foretold[: len(ours)], foretold[len(ours) :])


def _beyond_chance(value: float, n: int, m: int, *, two_sided: bool) -> bool:
    """Say whether an AUC is above .5 by more than its error under no difference."""
    error = math.sqrt((n + m + 1) / (12 * n * m))
    return value > 0.5 + (1.96 if two_sided else _Z) * error
