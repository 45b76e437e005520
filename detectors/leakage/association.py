"""How much one column tells of another, held against shuffled rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    Column = NDArray[Any]  # floats are numbers, integers classes from 0

N_SHUFFLES = 999


class Association(NamedTuple):
    """What a column tells of another.

    Parameters
    ----------
    effect : float in [0, 1]
        0 where it tells nothing, 1 where it tells all.
    largest_by_chance : float
        The largest effect among shuffled rows.
    p : float in (0, 1]
        Share of shuffles, the true order among them, with an effect at least as large.
    """

    effect: float
    largest_by_chance: float
    p: float


def association(
    view: Column, target: Column, rng: np.random.Generator, n_shuffles: int = N_SHUFFLES
) -> Association:
    """Measure how much a view tells of a target, by a permutation test.

    Notes
    -----
    Of two columns of numbers, the absolute rank correlation; of numbers and classes, the root of
    the share of the variance of ranks that lies between classes; of two columns of classes,
    Cramér's V. The least p is ``1 / (n_shuffles + 1)``.

    References
    ----------
    Phipson and Smyth (2010), Permutation p-values should never be zero.
    https://doi.org/10.2202/1544-6115.1585

    Examples
    --------
    >>> rows = np.arange(100.0)
    >>> association(rows, (rows // 50).astype(int), np.random.default_rng(0)).p
    0.001
    """
    effect = _effect_of(view, target)
    observed = effect(np.arange(len(target)))
    chance = np.array([effect(rng.permutation(len(target))) for _ in range(n_shuffles)])
    as_large = int((chance >= observed - 1e-12).sum())
    return Association(observed, float(chance.max(initial=0.0)), (as_large + 1) / (n_shuffles + 1))


def largest_effect(view: Column, target: Column) -> float:
    """Return the effect that rows sorted by the target would have; below 1 for uneven classes.

    Examples
    --------
    >>> rare = np.array([0] * 90 + [1] * 10)
    >>> round(largest_effect(np.arange(100.0), rare), 2)
    0.52
    """
    is_class = np.issubdtype(target.dtype, np.integer)
    if not is_class or np.issubdtype(view.dtype, np.integer):
        return 1.0
    places = np.arange(float(len(target)))
    return _effect_of(places, np.sort(target))(np.arange(len(target)))


def _effect_of(view: Column, target: Column) -> Callable[[NDArray[np.intp]], float]:
    """Return the effect as a function of the order into which the view's rows are brought."""
    if np.issubdtype(view.dtype, np.integer) and np.issubdtype(target.dtype, np.integer):
        return _of_classes(view, target)
    if np.issubdtype(target.dtype, np.integer):
        return _between(ranks(view), target)
    if np.issubdtype(view.dtype, np.integer):
        ranked = ranks(target)
        return lambda order: _between(ranked[order], view)(np.arange(len(order)))
    left, right = ranks(view), ranks(target)
    scale = float(np.sqrt((left**2).sum() * (right**2).sum())) or 1.0
    return lambda order: abs(float(left[order] @ right)) / scale


def effects_of_numbers(view: Column, columns: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what a view tells of each of many columns of numbers, as `association` measures it.

    Parameters
    ----------
    columns : ndarray of shape (n_rows, n_columns)

    Returns
    -------
    ndarray of shape (n_columns,)
        NaN for a column that holds NaN.
    """
    from scipy.stats import rankdata

    ranked = rankdata(columns, axis=0)
    ranked -= ranked.mean(axis=0)
    total = (ranked**2).sum(axis=0)
    total[total == 0] = 1.0
    if np.issubdtype(view.dtype, np.integer):
        n = np.bincount(view)
        sums = (view == np.arange(len(n))[:, None]).astype(float) @ ranked
        between = (sums**2 / np.maximum(n, 1)[:, None]).sum(axis=0) / total
        return np.asarray(np.sqrt(np.minimum(1.0, between)))
    left = ranks(view)
    return np.asarray(np.abs(left @ ranked) / np.sqrt(((left**2).sum() or 1.0) * total))


def ranks(values: NDArray[Any]) -> NDArray[np.float64]:
    """Return centred ranks, ties sharing their mean."""
    from scipy.stats import rankdata

    ranked: NDArray[np.float64] = np.asarray(rankdata(values), dtype=float)
    return np.asarray(ranked - ranked.mean())


def _between(
    ranked: NDArray[np.float64], classes: NDArray[np.intp]
) -> Callable[[NDArray[np.intp]], float]:
    n = np.bincount(classes)
    total = float((ranked**2).sum()) or 1.0

    def effect(order: NDArray[np.intp]) -> float:
        sums = np.bincount(classes, weights=ranked[order], minlength=len(n))
        return float(np.sqrt(min(1.0, float((sums**2 / np.maximum(n, 1)).sum()) / total)))

    return effect


def _of_classes(
    view: NDArray[np.intp], target: NDArray[np.intp]
) -> Callable[[NDArray[np.intp]], float]:
    n_view, n_target = int(view.max()) + 1, int(target.max()) + 1
    expected = np.outer(np.bincount(view), np.bincount(target)) / len(view)
    least = max(1, min(n_view, n_target) - 1)

    def effect(order: NDArray[np.intp]) -> float:
        cells = np.bincount(view[order] * n_target + target, minlength=n_view * n_target)
        found = cells.reshape(n_view, n_target)
        chi2 = ((found - expected) ** 2 / np.maximum(expected, 1e-12)).sum()
        return float(np.sqrt(min(1.0, chi2 / (len(view) * least))))

    return effect


def neighbours(target: Column) -> float:
    """Return how alike neighbouring rows are, 0 as by chance and 1 as in sorted rows.

    Of classes the share of equal neighbours beyond chance, of numbers the correlation of ranks.
    """
    if np.issubdtype(target.dtype, np.integer):
        share = float((target[1:] == target[:-1]).mean())
        by_chance = float(((np.bincount(target) / len(target)) ** 2).sum())
        return (share - by_chance) / max(1e-12, 1 - by_chance)
    ranked = ranks(target)
    return float(ranked[1:] @ ranked[:-1]) / (float((ranked**2).sum()) or 1.0)
