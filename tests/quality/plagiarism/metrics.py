"""How well scores tell copies from honest look-alikes."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from tests.quality.plagiarism.material import FORK, HONEST
from tests.quality.plagiarism.tools import Pair

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tests.quality.plagiarism.material import Asked
    from tests.quality.plagiarism.tools import Scores

FALSE_PAIRS = 0.01
FALSE_FILES = 0.02


@dataclass(frozen=True)
class Quality:
    """One tool over one set.

    Parameters
    ----------
    reading : str
        Which of the tool's figures is scored.
    at_pairs, at_files : float
        Recall where 1 % of the false pairs, or 2 % of the honest files by their best match, are
        above the threshold.
    by_kind : dict
        Recall at 1 % false pairs, and how many copies there are.
    """

    tool: str
    reading: str
    auc: float
    average_precision: float
    at_pairs: float
    at_files: float
    by_kind: dict[str, tuple[float, int]]
    groups: dict[str, tuple[float, float, int]]


def threshold(values: Sequence[float], share: float) -> float:
    """Return the lowest score that at most `share` of the values are above."""
    ordered = np.sort(np.asarray(values, float))[::-1]
    return float(ordered[int(share * len(ordered))])


def measure(tool: str, scores: Scores, asked: Iterable[Asked]) -> Quality:
    """Measure the best reading of a tool, by average precision."""
    material = list(asked)
    found = [_of_reading(tool, name, of, material) for name, of in scores.items()]
    return max(found, key=lambda q: q.average_precision)


def _of_reading(
    tool: str, reading: str, scores: Mapping[Pair, float], asked: Sequence[Asked]
) -> Quality:
    from sklearn.metrics import average_precision_score, roc_auc_score

    positive: defaultdict[str, list[float]] = defaultdict(list)
    held_out: set[str] = set()
    negative: list[float] = []
    best: list[float] = []
    for one in asked:
        for query in one.queries:
            values = [scores[Pair(one.task, s, query.file.name)] for s in query.against]
            if query.kind == HONEST:
                negative += values
                best += [max(values)] if values else []
            else:
                positive[query.kind] += values
                held_out |= {query.kind} if query.held_out else set()
    every = [v for values in positive.values() for v in values]
    truth = [1] * len(every) + [0] * len(negative)
    pairs, files = threshold(negative, FALSE_PAIRS), threshold(best, FALSE_FILES)
    grouped = {
        "real forks": {FORK},
        "kinds held out": held_out,
        "other kinds": set(positive) - held_out - {FORK},
    }
    return Quality(
        tool=tool,
        reading=reading,
        auc=float(roc_auc_score(truth, [*every, *negative])),
        average_precision=float(average_precision_score(truth, [*every, *negative])),
        at_pairs=_above(every, pairs),
        at_files=_above(every, files),
        by_kind={k: (_above(v, pairs), len(v)) for k, v in positive.items()},
        groups={
            name: _group([v for k in kinds for v in positive.get(k, ())], pairs, files)
            for name, kinds in grouped.items()
        },
    )


def _group(values: Sequence[float], pairs: float, files: float) -> tuple[float, float, int]:
    return _above(values, pairs), _above(values, files), len(values)


def _above(values: Sequence[float], limit: float) -> float:
    """Return the share of values above a limit; NaN of none."""
    return float(np.mean(np.asarray(values) > limit)) if values else float("nan")
