"""All columns of a table and all their pairs, held against one target."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from detectors.leakage.column_scan import Leak, Scan
from detectors.leakage.column_scores import MAX_CLASSES, MIN_NUMBERS, binned, target_of
from detectors.leakage.column_views import finite, numeric_views
from detectors.leakage.event_times import as_seconds
from detectors.leakage.joint_scan import joints_of
from detectors.leakage.pair_scan import FEW, Few, pairs_of
from detectors.leakage.split import MIN_TRAIN

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    import pandas as pd
    from numpy.typing import NDArray

    from detectors.leakage.column_scores import Target

MAX_ROWS = 16_000
MAX_CELLS = 4_000_000  # rows times columns: of wide tables fewer rows are looked at
FEWEST_DRAWN = 2_000  # rows, however wide a table is
MAX_COLUMNS = 4_000
SIGNED = 0.1  # share of the rarer sign from which numbers are cut at nought
MAX_LISTED = 50  # columns told of one by one


class Scanned(NamedTuple):
    """What a scan saw.

    Parameters
    ----------
    leaks : list of Leak
        The strongest first.
    rows : ndarray of int
        The rows that were looked at.
    columns : tuple of str
        The columns that were.
    target : Target
        In these rows.
    """

    leaks: list[Leak]
    rows: NDArray[np.intp]
    columns: tuple[str, ...]
    target: Target


def scan(
    train: pd.DataFrame,
    test: pd.DataFrame | None,
    columns: Sequence[str],
    target_name: str,
    seed: int,
) -> Scanned | None:
    """Look for columns, and pairs of them, that give a target away.

    Parameters
    ----------
    train : DataFrame
        Rows whose target is known.
    test : DataFrame or None
        The other rows: how often a value occurs is counted over both.
    columns : sequence of str
        Those that are looked at.
    target_name : str
    seed : int
        Of the rows that are drawn, the folds and the shuffles.

    Returns
    -------
    Scanned or None
        None where too few rows have a target, or it is constant, or text that is no class.
    """
    rows = np.flatnonzero(train[target_name].notna().to_numpy())
    columns = tuple(columns)[:MAX_COLUMNS]
    n_cells = len(columns) * _n_curves(train[target_name])
    most = min(MAX_ROWS, max(FEWEST_DRAWN, MAX_CELLS // max(1, n_cells)))
    if len(rows) > most:
        rows = np.sort(np.random.default_rng(seed).choice(rows, most, replace=False))
    if len(rows) < MIN_TRAIN:
        return None
    table = train.iloc[rows].reset_index(drop=True)
    target = target_of(target_name, table[target_name])
    if target is None:
        return None
    elsewhere = _elsewhere(train, test, rows)
    looks = Scan(target, len(columns), seed)
    found = {}
    for name in columns:
        leak = looks.column(name, table[name], elsewhere.get(name))
        if leak is not None:
            found[name] = leak
    rest = {name: table[name] for name in columns if name not in found}
    leaks = [*found.values(), *_pairs(rest, target, seed)]
    told = {name for leak in leaks for name in leak.columns}
    left = [name for name in columns if name not in told]
    leaks += _joint(train, test, left, target, rows, seed)
    return Scanned(sorted(leaks, key=lambda leak: -leak.reach), rows, columns, target)


def _n_curves(values: pd.Series) -> int:
    """Return how many times the work for a column is done: classes are told one by one."""
    from pandas.api.types import is_numeric_dtype

    n_levels = int(values.iloc[:MAX_ROWS].astype(str).nunique())
    most = MIN_NUMBERS - 1 if is_numeric_dtype(values) else MAX_CLASSES
    return max(1, n_levels // 2) if n_levels <= most else 1


def _elsewhere(
    train: pd.DataFrame, test: pd.DataFrame | None, rows: NDArray[np.intp]
) -> pd.DataFrame:
    """Return the cells of each column beside those of the rows that are looked at."""
    import pandas as pd

    others = np.setdiff1d(np.arange(len(train)), rows)
    left = train.iloc[others]
    return left if test is None else pd.concat([left, test], ignore_index=True)


def _pairs(rest: Mapping[str, pd.Series], target: Target, seed: int) -> Iterator[Leak]:
    """Yield the pairs among columns that are no leak alone."""
    numbers, few = {}, []
    for name, values in rest.items():
        cells = numbers_of(values)
        if cells is not None:
            numbers[name] = cells
        few += _few_of(name, values, cells)
    few.sort(key=lambda f: f.said != f.column)  # columns before views of columns
    for pair in pairs_of(numbers, few, target, seed):
        yield Leak(
            pair.columns,
            f"By {pair.said}, {target.name} of a row is told ({pair.measure} "
            f"{pair.value:.3f}; of the better one alone {pair.alone:.3f}).",
            pair.measure,
            pair.value,
            pair.bar,
            2 * pair.value - 1 if target.is_classes else pair.value,
            pair.cells,
            alone=pair.alone,
        )


def _joint(
    train: pd.DataFrame,
    test: pd.DataFrame | None,
    columns: Sequence[str],
    target: Target,
    rows: NDArray[np.intp],
    seed: int,
) -> Iterator[Leak]:
    """Yield columns whose recurring values tell the target, among those that are no leak else."""
    has = np.flatnonzero(train[target.name].notna().to_numpy())
    for found in joints_of(train.iloc[has], test, columns, target.name, seed):
        which = " and ".join(found.columns)
        other = (
            "one of both columns or nearly the same values"
            if found.columns[1:]
            else ("nearly the same value")
        )
        partner = np.full(len(train), np.nan)
        partner[has[: len(found.partner)]] = found.partner
        yield Leak(
            found.columns,
            f"Of {found.n_links} rows held against another one with the same {which}, "
            f"{found.agree:.0%} have its {target.name}; of rows with {other}, {found.alone:.0%}. "
            f"{found.known:.0%} of the test rows have {which} of a row whose {target.name} is "
            "known.",
            "share of rows with the answer of another row of the same values",
            found.agree,
            found.bar,
            found.known * found.agree,
            partner[rows],
            by_chance=found.by_chance,
            alone=found.alone,
        )


def numbers_of(values: pd.Series) -> NDArray[np.float64] | None:
    """Return numbers, and times as seconds; None for other columns."""
    from pandas.api.types import is_numeric_dtype

    if is_numeric_dtype(values):
        return finite(values)
    return as_seconds(values)


def _few_of(name: str, values: pd.Series, cells: NDArray[np.float64] | None) -> list[Few]:
    """Return a column of few levels as it is; of numbers even or odd, and positive or high."""
    import pandas as pd

    if cells is None:
        codes, levels = pd.factorize(values.astype(object).map(str), sort=True)
        return [Few(name, name, codes)] if len(levels) <= FEW else []
    codes = binned(cells)
    if codes.max(initial=0) < FEW:
        return [Few(name, name, codes)]
    wanted = f"whether {name} is even or odd"
    found = [Few(name, wanted, v.cells) for v in numeric_views(name, cells) if v.said == wanted]
    middle, said = float(np.nanmedian(cells)), f"whether {name} is in its upper half"
    if SIGNED < float(np.mean(cells > 0)) < 1 - SIGNED and np.nanmin(cells) < 0:
        middle, said = 0.0, f"whether {name} is positive"
    return [*found, Few(name, said, (cells > middle).astype(np.intp))]
