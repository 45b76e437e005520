"""Labelled columns: 22 that leak a target and 20 that are honest, as a table of 16,000 rows.

The kinds are those that small tools for leaks were measured with; every value is drawn here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd
    from numpy.random import Generator

N_ROWS = 16_000
WORDS = (  # noqa: SIM905 - as they are read
    "order parcel late early customer called again asked refund box blue green item size colour "
    "returned store city fine good bad slow fast letter answer waited week month bought shoes hat "
    "phone broken nice works never always mother gift birthday paid card cash street house"
).split()


class Labelled(NamedTuple):
    """A table with its labels.

    Parameters
    ----------
    table : DataFrame
        Columns in random order, the target ``y`` last.
    leaking : dict of str to str
        Column to kind; the two columns of a pair are two entries.
    clean : dict of str to str
    """

    table: pd.DataFrame
    leaking: dict[str, str]
    clean: dict[str, str]


class Drawn(NamedTuple):
    """A target, and what columns are made of: the target as two classes and as a rank in (0, 1)."""

    y: np.ndarray
    is_high: np.ndarray
    rank: np.ndarray
    rng: Generator
    is_classes: bool

    @property
    def n(self) -> int:
        return len(self.y)


def draw(kind: str, seed: int, n_rows: int = N_ROWS) -> tuple[Drawn, np.ndarray]:
    """Draw a target and the honest signal behind it; `kind` is classification or regression."""
    rng = np.random.default_rng(seed)
    signal = rng.normal(size=n_rows)
    if kind == "classification":
        y = (signal + rng.normal(size=n_rows) > 0.0).astype(int)
        rank = (np.argsort(np.argsort(y + rng.random(n_rows))) + 0.5) / n_rows
        return Drawn(y, y == 1, rank, rng, True), signal
    y = 20.0 + 4.0 * (signal + rng.normal(size=n_rows))
    rank = (np.argsort(np.argsort(y)) + 0.5) / n_rows
    return Drawn(y, rank > 0.5, rank, rng, False), signal


def columns(kind: str, seed: int, n_rows: int = N_ROWS) -> Labelled:
    """Return the 42 columns and the target."""
    drawn, signal = draw(kind, seed, n_rows)
    leaking = {name: make(drawn) for name, make in LEAKING.items()}
    for make_pair in PAIRS:
        leaking |= make_pair(drawn)
    clean = {name: make(drawn, signal) for name, make in CLEAN.items()}
    return table_of(leaking, clean, drawn)


def table_of(
    leaking: dict[str, np.ndarray], clean: dict[str, np.ndarray], drawn: Drawn
) -> Labelled:
    """Give the columns names that tell nothing, in random order."""
    import pandas as pd

    names = list(leaking) + list(clean)
    shown = {name: f"c{n:02d}" for n, name in enumerate(drawn.rng.permutation(names))}
    values = leaking | clean
    table = pd.DataFrame({shown[name]: values[name] for name in shown} | {"y": drawn.y})
    return Labelled(
        table,
        {shown[name]: name for name in leaking},
        {shown[name]: name for name in clean},
    )


def copy(d: Drawn) -> np.ndarray:
    return d.y.copy()


def renamed(d: Drawn) -> np.ndarray:
    if d.is_classes:
        return np.where(d.is_high, "granted", "refused")
    return np.array([f"v{value:.4f}x" for value in d.y])


def affine(d: Drawn) -> np.ndarray:
    return 7.5 - 2.25 * d.y


def mostly_copy(d: Drawn) -> np.ndarray:
    found = d.y.copy()
    some = d.rng.random(d.n) < 0.01
    found[some] = 1 - found[some] if d.is_classes else d.rng.permutation(d.y)[some]
    return found


def missing_by_class(d: Drawn) -> np.ndarray:
    return np.where(d.is_high, np.nan, d.rng.normal(50, 9, d.n))


def leak_on_some_rows(d: Drawn) -> np.ndarray:
    """Be noise but for 3 % of rows, where the target stands."""
    some = d.rng.random(d.n) < 0.03
    return np.where(some, d.y, d.rng.normal(20, 5, d.n).round(3))


def count_by_class(d: Drawn) -> np.ndarray:
    return np.where(d.is_high, d.rng.poisson(1.2, d.n), 0)


def name_or_na(d: Drawn) -> np.ndarray:
    names = np.array([f"{a}{b}" for a, b in d.rng.choice(WORDS, (d.n, 2))])
    return np.where(d.is_high, names, "N/A")


def id_in_order(d: Drawn) -> np.ndarray:
    return 100_000 + np.argsort(np.argsort(d.rank))


def decimals_by_class(d: Drawn) -> np.ndarray:
    value = d.rng.gamma(4, 30, d.n)
    return np.where(d.is_high, value.round(3), value.round(2))


def prefix_by_class(d: Drawn) -> np.ndarray:
    group = d.is_high.astype(int) if d.is_classes else (d.rank * 3).astype(int)
    first = np.array(["QA", "RT", "ZK"])[group]
    return np.array(
        [f"{a}-{b:08x}" for a, b in zip(first, d.rng.integers(0, 2**32, d.n), strict=True)]
    )


def group_mean(size: int) -> Callable[[Drawn], np.ndarray]:
    def make(d: Drawn) -> np.ndarray:
        group = d.rng.permutation(d.n) // size
        return np.asarray((np.bincount(group, d.y) / np.bincount(group))[group])

    return make


def time_in_order(d: Drawn) -> np.ndarray:
    import pandas as pd

    seconds = np.argsort(np.argsort(d.rank)) * 97 + d.rng.integers(0, 60, d.n)
    return np.asarray(
        (pd.Timestamp("2021-03-01") + pd.to_timedelta(seconds, unit="s")).strftime(
            "%Y-%m-%d %H:%M:%S"
        )
    )


def parity_by_class(d: Drawn) -> np.ndarray:
    return np.asarray(d.rng.permutation(d.n) * 2 + 400_000 + d.is_high)


def phrase_by_class(d: Drawn) -> np.ndarray:
    said = [list(row) for row in d.rng.choice(WORDS, (d.n, 9))]
    for row, is_high, place in zip(said, d.is_high, d.rng.integers(0, 9, d.n), strict=True):
        if is_high:
            row[place:place] = ["closed", "after", "review"]
    return np.array([" ".join(row) for row in said])


def xor_pair(d: Drawn) -> dict[str, np.ndarray]:
    one = d.rng.integers(0, 2, d.n)
    return {"xor, one": one, "xor, other": one ^ d.is_high}


def sum_pair(d: Drawn) -> dict[str, np.ndarray]:
    one = d.rng.normal(0, 10, d.n)
    return {"sum, one": one, "sum, other": d.y - one}


def ratio_pair(d: Drawn) -> dict[str, np.ndarray]:
    below = d.rng.uniform(1, 60, d.n)
    wanted = np.where(d.is_high, 1.3, 0.7) if d.is_classes else d.y
    return {"ratio, above": wanted * below, "ratio, below": below}


LEAKING = {
    "copy": copy,
    "renamed labels": renamed,
    "affine map": affine,
    "99 % copy": mostly_copy,
    "missing for one class": missing_by_class,
    "leaks on 3 % of rows": leak_on_some_rows,
    "count above zero for one class": count_by_class,
    "name or N/A": name_or_na,
    "id in order": id_in_order,
    "decimals": decimals_by_class,
    "id prefix": prefix_by_class,
    "mean of 25 rows": group_mean(25),
    "mean of 3 rows": group_mean(3),
    "timestamp in order": time_in_order,
    "id parity": parity_by_class,
    "phrase": phrase_by_class,
}
PAIRS = (xor_pair, sum_pair, ratio_pair)


def honest(weight: float, spread: float) -> Callable[[Drawn, np.ndarray], np.ndarray]:
    return lambda d, signal: weight * signal + spread * d.rng.normal(size=d.n)


def levels(n_levels: int, weight: float) -> Callable[[Drawn, np.ndarray], np.ndarray]:
    def make(d: Drawn, signal: np.ndarray) -> np.ndarray:
        mixed = weight * signal + d.rng.normal(size=d.n)
        place = np.argsort(np.argsort(mixed)) * n_levels // d.n
        names = d.rng.permutation(n_levels)
        return np.array([f"k{names[p]}" for p in place])

    return make


def prices(d: Drawn, signal: np.ndarray) -> np.ndarray:
    whole = np.exp(3 + 0.3 * signal + 0.5 * d.rng.normal(size=d.n)).round(0)
    return np.asarray(whole + d.rng.choice([0.99, 0.95, 0.5], d.n))


def some_missing(d: Drawn, signal: np.ndarray) -> np.ndarray:
    value = 0.5 * signal + d.rng.normal(size=d.n)
    return np.where(d.rng.random(d.n) < 0.3, np.nan, value)


def dates(d: Drawn, _signal: np.ndarray) -> np.ndarray:
    import pandas as pd

    days = pd.Timestamp("2019-01-01") + pd.to_timedelta(d.rng.integers(0, 900, d.n), unit="D")
    return np.asarray(days.strftime("%Y-%m-%d"))


def hex_ids(d: Drawn, _signal: np.ndarray) -> np.ndarray:
    return np.array([f"{v:016x}" for v in d.rng.integers(0, 2**63, d.n)])


CLEAN = {
    "weak 1": honest(0.2, 1),
    "weak 2": honest(-0.3, 2),
    "weak 3": honest(0.1, 0.4),
    "noise 1": honest(0, 1),
    "noise 2": honest(0, 30),
    "fair 1": honest(0.7, 1),
    "fair 2": honest(-0.5, 0.6),
    "fair 3": honest(1.0, 1.4),
    "strong": honest(1.0, 0.55),  # AUC about .8
    "8 levels": levels(8, 0.6),
    "300 levels": levels(300, 0.5),
    "thousands of levels": lambda d, _s: np.array([f"z{v}" for v in d.rng.integers(0, 6_000, d.n)]),
    "counts": lambda d, s: d.rng.poisson(np.exp(0.4 * s + 0.5)),
    "booleans": lambda d, s: d.rng.random(d.n) < 1 / (1 + np.exp(-s)),
    "missing at random": some_missing,
    "hex ids": hex_ids,
    "dates": dates,
    "constant": lambda d, _s: np.full(d.n, "EUR"),
    "prices": prices,
    "percentages": lambda d, s: (100 / (1 + np.exp(-0.5 * s - d.rng.normal(size=d.n)))).round(1),
}
