"""One measure of a task's documents: each held against controls of its kind, then averaged.

The unit is the document, never the token. What a document's score differs from its controls' is
divided by their spread, so that descriptions, posts and programs can be averaged. p is the share of
draws of as many documents of each kind, from controls and documents together, whose average is as
high. It is right where documents and controls are exchangeable; what makes all documents of a task
alike but is no knowledge, their subject for one, is not told from knowledge.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from competitions.errors import UsageError
from detectors.familiarity.calibration import (
    POWER,
    RATE,
    left_out,
    require_controls,
    studentised,
)
from detectors.known import Calibrated

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

DRAWS = 9_999
MIN_INTERVAL = 3  # documents; an interval of fewer is made of a handful of different resamples
_TIE = 1e-9


class Group(NamedTuple):
    """Documents of one kind, and controls of it.

    Parameters
    ----------
    scores, covariates : sequences of length d
        Of the task's documents, scores oriented so that higher is more familiar.
    controls, control_covariates : sequences of length n
    """

    scores: Sequence[float]
    covariates: Sequence[Sequence[float]]
    controls: Sequence[float]
    control_covariates: Sequence[Sequence[float]]


@dataclass(frozen=True)
class TaskMeasure:
    """What the documents of a task come to.

    Parameters
    ----------
    calibrated : Calibrated
        The average excess in standard deviations of single controls.
    interval : tuple of float
        95 % bootstrap over documents, within kinds; NaN below three documents.
    excesses : mapping of str to tuple of float
        Of each document, by kind, in the order given.
    """

    calibrated: Calibrated
    interval: tuple[float, float]
    excesses: Mapping[str, tuple[float, ...]]


def measure_task(groups: Mapping[str, Group], seed: int = 0) -> TaskMeasure:
    """Average the excess of a task's documents over kinds and hold it against draws of controls.

    Parameters
    ----------
    groups : mapping of str to Group
        By kind; each with at least one document.

    Raises
    ------
    UsageError
        When a kind has too few controls, or a score is missing.

    References
    ----------
    A permutation test of two samples, stratified by kind: Lehmann & Romano, Testing Statistical
    Hypotheses, 2005, section 15.2; of documents, Maini et al., 2024 (arXiv:2406.06443).
    """
    rng = np.random.default_rng(seed)
    sizes = {kind: len(group.scores) for kind, group in groups.items()}
    pools = {kind: _pooled(group) for kind, group in groups.items()}
    asked = float(np.mean(np.concatenate([p[-sizes[kind] :] for kind, p in pools.items()])))
    chance = _averages(pools, sizes, rng)
    n_ways = math.prod(math.comb(len(pool), sizes[kind]) for kind, pool in pools.items())
    beside = {kind: _beside_controls(group) for kind, group in groups.items()}
    own = {kind: pair.own for kind, pair in beside.items()}
    score = float(np.mean(np.concatenate(list(own.values()))))
    unseen = _averages({kind: pair.controls for kind, pair in beside.items()}, sizes, rng)
    low, middle, high = np.quantile(unseen, [RATE, 1 - POWER, 1 - RATE])
    calibrated = Calibrated(
        score=score,
        expected=0.0,
        spread=1.0,
        p=(1 + int(np.sum(chance >= asked - _TIE))) / (DRAWS + 1),
        floor=max(1 / (DRAWS + 1), 1 / n_ways),
        upper=float(max(0.0, score - low)),
        visible=float(high - middle),
    )
    found = {kind: tuple(values.tolist()) for kind, values in own.items()}
    return TaskMeasure(calibrated, _interval(own, rng), found)


def _pooled(group: Group) -> NDArray[np.float64]:
    """Return residuals of controls, then of documents, from one line through all.

    The scale is of all, too, so that which of them are controls plays no part: p rests on it.
    """
    y = np.asarray(group.controls, dtype=np.float64)
    own = [*group.scores, *(value for row in group.covariates for value in row)]
    require_controls(len(y), own[: 1 + len(group.covariates[0])], y, group.control_covariates)
    if not np.isfinite(own).all():
        raise UsageError("Expected a score for every document, found none for some.")
    left = studentised(
        _design([*group.control_covariates, *group.covariates]), np.append(y, group.scores)
    )
    return _scaled(left, left)


class _Beside(NamedTuple):
    own: NDArray[np.float64]
    controls: NDArray[np.float64]


def _beside_controls(group: Group) -> _Beside:
    """Return what documents, and controls left out, differ from the line through the controls."""
    y = np.asarray(group.controls, dtype=np.float64)
    known = _design(group.control_covariates)
    line, _, _, _ = np.linalg.lstsq(known, y, rcond=None)
    theirs = left_out(known, y)
    ours = np.asarray(group.scores) - _design(group.covariates) @ line
    return _Beside(_scaled(ours, theirs), _scaled(theirs, theirs))


def _design(rows: Sequence[Sequence[float]]) -> NDArray[np.float64]:
    return np.column_stack([np.ones(len(rows)), np.asarray(rows, dtype=np.float64)])


def _scaled(values: NDArray[np.float64], by: NDArray[np.float64]) -> NDArray[np.float64]:
    spread = float(by.std(ddof=1))
    return np.asarray(values / spread if spread else values)


def _averages(
    pools: Mapping[str, NDArray[np.float64]],
    sizes: Mapping[str, int],
    rng: np.random.Generator,
) -> NDArray[np.float64]:
    """Draw as many of each kind without replacement, again and again; return the averages."""
    total = np.zeros(DRAWS)
    for kind, pool in pools.items():
        size = min(sizes[kind], len(pool))
        for start in range(0, DRAWS, 1000):
            order = rng.random((min(1000, DRAWS - start), len(pool)))
            drawn = np.argpartition(order, size - 1, axis=1)[:, :size]
            total[start : start + len(order)] += pool[drawn].mean(axis=1) * sizes[kind]
    return np.asarray(total / sum(sizes.values()))


def _interval(
    own: Mapping[str, NDArray[np.float64]], rng: np.random.Generator
) -> tuple[float, float]:
    n_documents = sum(map(len, own.values()))
    if n_documents < MIN_INTERVAL:
        return math.nan, math.nan
    total = np.zeros(DRAWS)
    for values in own.values():
        total += values[rng.integers(0, len(values), (DRAWS, len(values)))].sum(axis=1)
    low, high = np.quantile(total / n_documents, [0.025, 0.975])
    return float(low), float(high)
