"""Values that name a thing whose answer is known: two columns together, or one fine number.

Of hotels that were searched for, the town of who asks and the distance name the hotel between them:
rows that have both in common have one answer. So has a number that is written so finely that equal
values are of one thing. Where equal values agree in the target and neighbouring ones do not, it is
no honest feature, but a name.
"""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pandas as pd
    from numpy.typing import NDArray

    Codes = NDArray[np.int64]

MAX_ROWS = 1_000_000  # of a table, the first ones
MAX_CELLS = 20_000_000  # rows times columns: of wide tables fewer rows
MAX_DRAWN = 16_000  # rows of a pair, drawn by the values of one column so that equal ones stay
MAX_COLUMNS = 30  # with the most levels
MIN_LEVELS = 13  # fewer are tried as they are, each level with each
MIN_RECURRING = 0.02  # share of a column's rows whose value another row has
MIN_LINKS = 100  # rows with an equal one before them
MIN_NAMES = 20  # different values that such rows have
FINE = 0.1  # different values as a share of rows, from which a number alone may name things
MIN_TOLD = 0.5  # agreement of equal values, beyond chance
MOST_NEAR = 0.5  # agreement of neighbouring values, or of one column alone, as a share of that
FEW_VALUES = 0.1  # different answers as a share of rows, up to which equal ones are asked for
NEAR_RANK = 0.01  # of numbers that hardly recur: of all rows, how many may lie between two answers
MIN_KNOWN = 0.01  # share of test rows whose values a train row has
N_SHUFFLES = 99
_MAX_COMPARED = 60  # columns by which copies of rows are known
_MISSING = -1


class Joint(NamedTuple):
    """Columns whose values, where they recur, tell the target.

    Parameters
    ----------
    columns : tuple of str
        One or two.
    agree : float
        Share of rows whose answer is that of another row with the same values.
    alone : float
        The same of rows with one of both in common, or with neighbouring values: the larger.
    bar : float
        Agreement from which it is told of: half of the way from chance to all.
    by_chance : float
        The largest in shuffles of the target, of two columns among rows that have the one with
        fewer levels in common.
    n_links : int
        Rows that were held against another one.
    known : float
        Share of test rows, or where there are none of rows, with a train row of the same values.
    partner : ndarray of float, shape (n_rows,)
        The answer of another row with the same values, as a number; NaN where there is none.
    """

    columns: tuple[str, ...]
    agree: float
    alone: float
    bar: float
    by_chance: float
    n_links: int
    known: float
    partner: NDArray[np.float64]


class _Answers(NamedTuple):
    """Answers as numbers, and by how much those that agree may differ."""

    cells: NDArray[np.float64]
    within: float

    def agree(self, left: Codes, right: Codes) -> NDArray[np.bool_]:
        return np.abs(self.cells[left] - self.cells[right]) <= self.within


def joints_of(
    train: pd.DataFrame, test: pd.DataFrame | None, columns: Sequence[str], target: str, seed: int
) -> Iterator[Joint]:
    """Yield columns whose recurring values tell the target of a row, each column once.

    Copies of rows do not count: of rows with the same values at least three columns have to differ,
    in narrow tables fewer.

    Parameters
    ----------
    train : DataFrame
        Rows whose target is known.
    test : DataFrame or None
        Where nearly none of its rows has values of a train row, nothing is told.
    columns : sequence of str
    target : str
    seed : int
        Of the rows that are drawn, their order and the shuffles.
    """
    rng = np.random.default_rng(seed)
    rows = train.iloc[: min(MAX_ROWS, MAX_CELLS // max(1, len(columns)))]
    codes = _candidates(rows, columns)
    if not codes:
        return
    answers, compared = _answers(rows[target]), list(columns)[:_MAX_COMPARED]
    pairs = ((name,) for name in codes if _is_fine(rows[name]))
    tried = [*pairs, *combinations(sorted(codes, key=lambda c: -int(codes[c].max())), 2)]
    found = []
    for names in tried:
        told = _told([codes[n] for n in names], answers, rows[compared], rng)
        if told is not None:
            found.append((names, told))
    taken: set[str] = set()
    for names, told in sorted(found, key=lambda f: -f[1].n_links * f[1].agree):
        known = _known(rows, test, names)
        if known >= MIN_KNOWN and not taken & set(names):
            taken |= set(names)
            yield told._replace(
                columns=names, known=known, partner=_partners([codes[n] for n in names], answers)
            )


def _candidates(rows: pd.DataFrame, columns: Sequence[str]) -> dict[str, Codes]:
    """Return the codes of columns with many levels that recur, in the order of values."""
    import pandas as pd

    found: dict[str, Codes] = {}
    for name in columns:
        try:
            codes, levels = pd.factorize(rows[name])
        except TypeError:  # lists and dicts of a JSON table
            continue
        sizes = np.bincount(codes[codes >= 0], minlength=1)
        recurring = sizes[sizes > 1].sum() / max(1, len(codes))
        if len(levels) >= MIN_LEVELS and recurring >= MIN_RECURRING:
            found[name] = _in_order(codes, levels)
    most = sorted(found, key=lambda name: -int(found[name].max()))[:MAX_COLUMNS]
    return {name: found[name] for name in most}


def _in_order(codes: NDArray[np.intp], levels: pd.Index) -> Codes:
    """Renumber levels in the order of their values; those of texts stay as they were met."""
    if levels.dtype.kind not in "iufM":
        return codes.astype(np.int64)
    place = np.empty(len(levels) + 1, dtype=np.int64)
    place[np.argsort(levels.to_numpy(), kind="stable")] = np.arange(len(levels))
    place[_MISSING] = _MISSING
    return place[codes]


def _answers(values: pd.Series) -> _Answers:
    import pandas as pd

    if pd.api.types.is_numeric_dtype(values) and values.nunique() > FEW_VALUES * len(values):
        return _Answers(np.asarray(values.rank(pct=True), dtype=float), NEAR_RANK)
    return _Answers(pd.factorize(values.astype(object).map(str))[0].astype(float), 0.0)


def _is_fine(values: pd.Series) -> bool:
    """Say whether a column holds numbers with decimals, which name nothing by themselves."""
    from pandas.api.types import is_float_dtype

    if not is_float_dtype(values):
        return False
    known = values.to_numpy(float)
    known = known[np.isfinite(known)]
    if len(np.unique(known)) < max(1.0, FINE * len(known)):
        return False
    return bool((known != np.floor(known)).mean() > 0.5)  # noqa: PLR2004


def _told(
    codes: list[Codes], answers: _Answers, rows: pd.DataFrame, rng: np.random.Generator
) -> Joint | None:
    """Hold rows with the same values against one another, and against those with nearly the same.

    Rows are sorted by one column and then the other: the one before has the same values, or those
    nearest to it among rows that have the first in common.
    """
    drawn = _drawn(codes, rng)
    one, other = (c[drawn] for c in (codes * 2)[:2])
    is_pair = len(codes) == 2  # noqa: PLR2004
    left, right = _links(one, other, same=True)
    left, right = drawn[left], drawn[right]
    if len(left) < MIN_LINKS or not _is_telling(answers, left, right):
        return None
    is_other = _are_different(rows, left, right)
    left, right = left[is_other], right[is_other]
    names = np.unique(np.column_stack([c[left] for c in codes]), axis=0)
    if len(left) < MIN_LINKS or len(names) < MIN_NAMES or not _is_telling(answers, left, right):
        return None
    ways = [_links(one, other, same=False), _links(other, one, same=False)] if is_pair else []
    ways += [_next_of(c, rng) for c in (one, other)] if is_pair else [_neighbours(one)]
    told = _beyond_chance(answers, left, right)
    near = max(_beyond_chance(answers, drawn[a], drawn[b]) for a, b in ways)
    if near > MOST_NEAR * told:
        return None
    agree = [float(answers.agree(drawn[a], drawn[b]).mean()) for a, b in ways if len(a)]
    among = min(codes, key=np.max) if is_pair else np.zeros_like(codes[0])
    by_chance = max(_shuffled(answers, (left, right), among, rng) for _ in range(N_SHUFFLES))
    share = float(answers.agree(left, right).mean())
    alone = max(agree, default=0.0)
    if share <= max(by_chance, alone):
        return None
    chance = _by_chance(answers.cells[left], answers.within)
    bar = chance + MIN_TOLD * (1 - chance)
    return Joint((), share, alone, bar, by_chance, len(left), 0.0, np.zeros(0))


def _drawn(codes: list[Codes], rng: np.random.Generator) -> Codes:
    """Return rows that have values, in any order; of many, all those of some values of the first.

    So equal values stay together, as they would not among rows that were drawn one by one.
    """
    rows = np.flatnonzero(np.all([c != _MISSING for c in codes], axis=0))
    if len(rows) > MAX_DRAWN:
        first = codes[0][rows]
        sizes = np.bincount(first)
        order = rng.permutation(len(sizes))
        kept = order[np.cumsum(sizes[order]) <= MAX_DRAWN]
        rows = rows[np.isin(first, kept)] if len(kept) else rows[:MAX_DRAWN]
    return np.asarray(rng.permutation(rows))


def _links(one: Codes, other: Codes, *, same: bool) -> tuple[Codes, Codes]:
    """Return places of rows and of the one before, where both or only the first are the same."""
    order = np.argsort(one * (int(other.max(initial=0)) + 1) + other, kind="stable")
    a, b = order[1:], order[:-1]
    is_equal = other[a] == other[b]
    kept = (one[a] == one[b]) & (is_equal if same else ~is_equal)
    return a[kept], b[kept]


def _next_of(codes: Codes, rng: np.random.Generator) -> tuple[Codes, Codes]:
    """Return places of rows and of another with the same value."""
    return _links(codes, rng.integers(0, 2**31, len(codes)), same=False)


def _neighbours(codes: Codes) -> tuple[Codes, Codes]:
    """Return places of rows and of one with the next value."""
    order = np.argsort(codes, kind="stable")
    a, b = order[1:], order[:-1]
    kept = codes[a] != codes[b]
    return a[kept], b[kept]


def _is_telling(answers: _Answers, left: Codes, right: Codes) -> bool:
    return _beyond_chance(answers, left, right) >= MIN_TOLD


def _beyond_chance(answers: _Answers, left: Codes, right: Codes) -> float:
    """Return by how much answers agree more than chance lets them: 1 where all do (Cohen 1960)."""
    if not len(left):
        return 0.0
    by_chance = _by_chance(answers.cells[left], answers.within)
    agree = float(answers.agree(left, right).mean())
    return (agree - by_chance) / (1 - by_chance) if by_chance < 1 else 0.0


def _by_chance(values: NDArray[np.float64], within: float) -> float:
    """Return the share of pairs among values that agree."""
    ordered = np.sort(values)
    ends = np.searchsorted(ordered, ordered + within, side="right")
    starts = np.searchsorted(ordered, ordered - within, side="left")
    return float((ends - starts).mean() / len(ordered))


def _are_different(rows: pd.DataFrame, left: Codes, right: Codes) -> NDArray[np.bool_]:
    """Say which pairs of rows are no copies, but for a value or two."""
    import pandas as pd

    n_columns = len(rows.columns)
    most = min(2, max(0, (n_columns - 2) // 3))  # as of nearly equal rows
    differ = np.zeros(len(left), dtype=np.intp)
    for name in rows.columns:
        a, b = rows[name].iloc[left], rows[name].iloc[right]
        one, other = a.to_numpy(object), b.to_numpy(object)
        differ += (one != other) & ~(pd.isna(a).to_numpy() & pd.isna(b).to_numpy())
    return differ > most


def _shuffled(
    answers: _Answers, links: tuple[Codes, Codes], codes: Codes, rng: np.random.Generator
) -> float:
    """Return how many agree where answers are shuffled among rows with one column in common."""
    left, right = links
    order = np.lexsort((rng.random(len(right)), codes[right]))
    plain = np.argsort(codes[right], kind="stable")
    mixed = np.empty_like(right)
    mixed[plain] = right[order]
    return float(answers.agree(left, mixed).mean())


def _partners(codes: list[Codes], answers: _Answers) -> NDArray[np.float64]:
    """Return the answer of another row with the same values, for every row."""
    one, other = (codes * 2)[:2]
    left, right = _links(one, other, same=True)
    found = np.full(len(one), np.nan)
    found[right], found[left] = answers.cells[left], answers.cells[right]
    found[(one == _MISSING) | (other == _MISSING)] = np.nan
    return found


def _known(rows: pd.DataFrame, test: pd.DataFrame | None, names: tuple[str, ...]) -> float:
    """Return the share of test rows with the values of a train row."""
    import pandas as pd

    mine = rows[list(names)].dropna()
    if test is None:
        return float(mine.duplicated(keep=False).sum() / max(1, len(rows)))
    theirs = test[list(names)].dropna()
    if not len(theirs) or not len(mine):
        return 0.0
    seen = pd.MultiIndex.from_frame(theirs).isin(pd.MultiIndex.from_frame(mine.drop_duplicates()))
    return float(seen.sum() / len(test))
