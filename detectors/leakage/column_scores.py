"""How much a view of a column tells of a target, out of fold and by rows without exception."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

MAX_CLASSES = 50
LARGEST = 1e30
MIN_NUMBERS = 12  # fewer different numbers are classes
N_BINS = 64
ROWS_OF_BIN = 20  # at least, on average
FEWEST_IN_PART = 100  # rows whose ends can be told to be sharp
N_FOLDS = 5
MAX_BASE = 0.8  # share of a class from which rows without exception tell little
MAX_SPAN = 0.7  # of the target's range that rows without exception may lie in, by rank
EXCEPTIONS = 0.002  # share of rows that may break a rule without exception
_EDGE = 0.1  # part of a span whose rows tell whether it ends sharply
_SHARP = 0.05  # share of rows there: a tenth where they are even, next to none in a tail


class Target(NamedTuple):
    """A target in the rows that have it.

    Parameters
    ----------
    name : str
    cells : ndarray, shape (n_rows,)
        Integers are classes from 0, floats are numbers.
    classes : tuple of str
        Names of the classes; empty for numbers.
    ranks : ndarray, shape (n_rows,)
        Of numbers, from 0 to 1, ties sharing their mean; of classes, the classes as floats.
    """

    name: str
    cells: NDArray[Any]
    classes: tuple[str, ...]
    ranks: NDArray[np.float64]

    @property
    def is_classes(self) -> bool:
        """Whether it is of classes."""
        return bool(self.classes)

    def of(self, rows: NDArray[Any]) -> Target:
        """Return the target of some rows; classes keep their numbers."""
        if self.is_classes:
            return self._replace(cells=self.cells[rows], ranks=self.ranks[rows])
        return _of_numbers(self.name, self.cells[rows])

    def shuffled(self, rng: np.random.Generator) -> Target:
        """Return the target with its rows in another order."""
        order = rng.permutation(len(self.cells))
        return self._replace(cells=self.cells[order], ranks=self.ranks[order])


class Score(NamedTuple):
    """What a view tells, out of fold.

    Parameters
    ----------
    strength : float
        Area under the curve of classes, one against the rest, mean over classes; of numbers, the
        explained share of the variance of ranks.
    accuracy : float
        Mean over classes of the share of their rows that are told right; of numbers, `strength`.
    """

    strength: float
    accuracy: float


class Rule(NamedTuple):
    """Rows that a level of a view picks out, nearly all of one class or in one part of the range.

    Parameters
    ----------
    level : int
    n_rows : int
    n_exceptions : int
    among : str
        The class, or the part of the range in words.
    base : float
        Share of all rows that are of this class or in this part.
    log10_p : float
        Of so few exceptions, were the level without meaning (Chernoff's bound on the binomial).
    """

    level: int
    n_rows: int
    n_exceptions: int
    among: str
    base: float
    log10_p: float


def target_of(name: str, values: pd.Series) -> Target | None:
    """Return a target as numbers or classes; None for a constant, or texts that are no classes."""
    import pandas as pd

    is_number = pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)
    codes, levels = pd.factorize(values.astype(object).map(_cell), sort=False)
    if len(levels) < 2:  # noqa: PLR2004 - a constant
        return None
    if is_number and len(levels) >= MIN_NUMBERS:
        numbers = np.nan_to_num(values.to_numpy(dtype=float), posinf=LARGEST, neginf=-LARGEST)
        return _of_numbers(name, numbers.clip(-LARGEST, LARGEST))
    if len(levels) > MAX_CLASSES:
        return None
    order = np.argsort(levels.astype(str) if not is_number else levels.astype(float))
    place = np.empty(len(levels), dtype=np.intp)
    place[order] = np.arange(len(levels))
    classes = tuple(str(levels[n]) for n in order)
    return Target(name, place[codes], classes, place[codes].astype(float))


def levels_of(name: str, codes: NDArray[np.intp], levels: tuple[str, ...]) -> Target:
    """Return the levels of a view as what is to be told."""
    return Target(name, codes, levels, codes.astype(float))


def _cell(value: object) -> object:
    return value if isinstance(value, (int, float, bool, np.number)) else str(value)


def _of_numbers(name: str, numbers: NDArray[np.float64]) -> Target:
    from scipy.stats import rankdata

    ranks = (np.asarray(rankdata(numbers), dtype=float) - 0.5) / max(1, len(numbers))
    return Target(name, numbers, (), ranks)


def folds_of(n_rows: int, seed: int) -> NDArray[np.intp]:
    """Return a fold per row, drawn."""
    return np.asarray(np.random.default_rng(seed).permutation(n_rows) % N_FOLDS)


def binned(cells: NDArray[Any]) -> NDArray[np.intp]:
    """Return levels as they are, and numbers in bins of like many rows; missing ones in the last.

    Examples
    --------
    >>> binned(np.array([3.5, 1.0, np.nan, 3.5])).tolist()
    [1, 0, 2, 1]
    """
    if np.issubdtype(cells.dtype, np.integer):
        return cells
    missing = np.isnan(cells)
    known = cells[~missing]
    distinct = np.unique(known)
    if len(distinct) <= N_BINS:
        codes = np.searchsorted(distinct, cells).clip(max=len(distinct))
    else:
        n_bins = min(N_BINS, max(4, len(known) // ROWS_OF_BIN))
        edges = np.unique(np.quantile(known, np.linspace(0, 1, n_bins + 1)[1:-1]))
        codes = np.searchsorted(edges, cells, side="right")
        distinct = edges
    codes = np.asarray(codes)
    codes[missing] = codes[~missing].max(initial=-1) + 1
    return codes


def score(codes: NDArray[np.intp], target: Target, folds: NDArray[np.intp]) -> Score:
    """Score the levels of a view out of fold."""
    if target.is_classes:
        return _score_of_classes(codes, target, folds)
    return _score_of_numbers(codes, target.ranks, folds)


def _score_of_classes(codes: NDArray[np.intp], target: Target, folds: NDArray[np.intp]) -> Score:
    n_levels, n_classes = int(codes.max()) + 1, len(target.classes)
    place = (folds * n_levels + codes) * n_classes + target.cells
    table = np.bincount(place, minlength=N_FOLDS * n_levels * n_classes).astype(float)
    table = table.reshape(N_FOLDS, n_levels, n_classes)
    n = table.sum((0, 1))
    others = table.sum(0)[None] - table
    prior = n / n.sum()
    said = (others + prior) / (others.sum(2, keepdims=True) + 1)
    flat, said = table.reshape(-1, n_classes), said.reshape(-1, n_classes)
    present = np.flatnonzero((n > 0) & (n < n.sum()))
    if len(present) < 2:  # noqa: PLR2004
        return Score(0.5, 0.0)
    mine = flat[:, present]
    strength = _areas(said[:, present], mine, flat.sum(1)[:, None] - mine).mean()
    guess = (said / np.maximum(prior, 1e-12)).argmax(1)
    right = np.bincount(guess, flat[np.arange(len(flat)), guess], minlength=n_classes)
    return Score(float(strength), float((right[present] / n[present]).mean()))


def _areas(
    said: NDArray[np.float64], positive: NDArray[np.float64], negative: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the area under the curve of each column of scores, ties counting half.

    Parameters
    ----------
    said, positive, negative : ndarray, shape (n_scores, n_classes)
        Scores that many rows share, and how many rows of either kind have each.
    """
    order = np.argsort(said.T, axis=1)
    scores, ups, downs = (
        np.take_along_axis(cells.T, order, axis=1) for cells in (said, positive, negative)
    )
    is_new = np.ones(scores.shape, dtype=bool)
    is_new[:, 1:] = scores[:, 1:] != scores[:, :-1]
    group = np.cumsum(is_new.ravel()) - 1
    up, down = (np.bincount(group, w.ravel()) for w in (ups, downs))
    of_class = np.repeat(np.arange(len(scores)), is_new.sum(1))
    earlier = np.cumsum(downs.sum(1)) - downs.sum(1)
    below = np.cumsum(down) - down - earlier[of_class]
    area = np.bincount(of_class, up * (below + down / 2), minlength=len(scores))
    return np.asarray(area / (ups.sum(1) * downs.sum(1)))


def _score_of_numbers(
    codes: NDArray[np.intp], numbers: NDArray[np.float64], folds: NDArray[np.intp]
) -> Score:
    n_levels = int(codes.max()) + 1
    place = folds * n_levels + codes
    shape = (N_FOLDS, n_levels)
    n, total, squares = (
        np.bincount(place, w, minlength=N_FOLDS * n_levels).reshape(shape)
        for w in (None, numbers, numbers**2)
    )
    mean = numbers.mean()
    said = (total.sum(0) - total + mean) / (n.sum(0) - n + 1)
    error = (squares - 2 * said * total + n * said**2).sum()
    spread = ((numbers - mean) ** 2).sum()
    explained = float(1 - error / spread) if spread > 0 else 0.0
    return Score(explained, explained)


def rules_of(codes: NDArray[np.intp], target: Target, fewest: int) -> list[Rule]:
    """Return the levels whose rows are nearly all of one class, or in one part of the range.

    Levels of fewer rows than `fewest` are passed over, and so are classes and parts that make up
    most of all rows, of which rows without exception tell little.
    """
    if target.is_classes:
        return _of_one_class(codes, target, fewest)
    return _of_one_part(codes, target, fewest)


def _of_one_class(codes: NDArray[np.intp], target: Target, fewest: int) -> list[Rule]:
    n_classes = len(target.classes)
    table = np.bincount(codes * n_classes + target.cells, minlength=(codes.max() + 1) * n_classes)
    table = table.reshape(-1, n_classes)
    base = table.sum(0) / table.sum()
    found = []
    for level in np.flatnonzero(table.sum(1) >= fewest):
        n, k = int(table[level].sum()), int(table[level].argmax())
        rule = _rule(int(level), n, n - int(table[level, k]), target.classes[k], float(base[k]))
        if rule is not None:
            found.append(rule)
    return found


def _of_one_part(codes: NDArray[np.intp], target: Target, fewest: int) -> list[Rule]:
    order = np.lexsort((target.ranks, codes))
    starts = np.searchsorted(codes[order], np.arange(codes.max() + 2))
    found = []
    for level in np.flatnonzero(np.diff(starts) >= max(fewest, FEWEST_IN_PART)):
        rows = order[starts[level] : starts[level + 1]]
        ranks, out = target.ranks[rows], int(EXCEPTIONS * len(rows))
        first, last = out // 2, len(rows) - 1 - (out - out // 2)
        if not _ends_sharply(ranks, ranks[first], ranks[last]):
            continue
        low, high = target.cells[rows[first]], target.cells[rows[last]]
        within = (target.cells >= low) & (target.cells <= high)
        n_out = int((~within[rows]).sum())
        said = f"from {low:.4g} to {high:.4g}"
        base = float(within.mean())
        if base <= MAX_SPAN and (rule := _rule(int(level), len(rows), n_out, said, base)):
            found.append(rule)
    return found


def _ends_sharply(ranks: NDArray[np.float64], low: float, high: float) -> bool:
    """Say whether both ends that are not those of the whole range are edges and no tails."""
    width = _EDGE * (high - low)
    at_low = low <= 0.01 or (ranks <= low + width).mean() >= _SHARP  # noqa: PLR2004
    at_high = high >= 0.99 or (ranks >= high - width).mean() >= _SHARP  # noqa: PLR2004
    return bool(at_low and at_high)


def _rule(level: int, n: int, n_exceptions: int, among: str, base: float) -> Rule | None:
    if n_exceptions > EXCEPTIONS * n or base > MAX_BASE:
        return None
    wrong = n_exceptions / n
    divergence = (1 - wrong) * np.log((1 - wrong) / base)
    if wrong:
        divergence += wrong * np.log(wrong / (1 - base))
    return Rule(level, n, n_exceptions, among, base, float(-n * divergence / np.log(10)))
