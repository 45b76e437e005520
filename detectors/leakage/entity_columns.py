"""Which columns say what a row is about, such as a patient, a school or a firm."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from detectors.leakage.entity_columns_names import named_like_a_thing
from detectors.leakage.entity_columns_parts import composites, prefixes
from detectors.leakage.entity_columns_structure import (
    HALF,
    alike,
    counts_up,
    determined,
    occasions,
    ranked,
    together,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import pandas as pd
    from numpy.typing import NDArray

MAX_ROWS, MIN_ROWS = 200_000, 5_000  # looked at; of more rows twenty stretches
MAX_CELLS = 100_000_000  # rows times pairs of columns that are looked at
MAX_ABLE = 40  # columns that are judged
N_STRETCHES = 20
MAX_COLUMNS = 300  # beyond that, only columns that are named like a thing
MIN_LEVELS = 5
MIN_SIZE = 1.15  # rows of a thing, on average
MAX_PARTS = 12  # columns of which two may name a thing together
MIN_SCORE = 1.0  # of a candidate that is told at all
PREFIX_SCORE = 1.2
BEYOND = 0.1  # what two columns that name a thing together score beyond either alone
SURE_SCORE = 2.0
LIKELY_NAME = 0.5
MANY_LEVELS = 20  # fewer may be a category
ALIKE = 1.0  # what numbers that vary less within it add to the score
DETERMINED = 0.98  # of what chance would vary, how much has to be the same within a thing

_MEASURED = r"[-+]?\d*\.\d+(?:e[-+]?\d+)?|\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}.*"


class EntityColumn(NamedTuple):
    """A guess of what rows are about.

    Parameters
    ----------
    columns : tuple of str
        One, or several that only together name a thing.
    score : float
        Higher is surer; comparable within a table only.
    reason : str
        What speaks for it, for a person.
    prefix_before : str or None
        Where only what stands before this sign names the thing.
    is_sure : bool
        True where there are many things, the table's structure speaks for it, and its name or more
        of the structure does so too. A category of rows, such as a party, is not.
    """

    columns: tuple[str, ...]
    score: float
    reason: str
    prefix_before: str | None = None
    is_sure: bool = False

    @property
    def column(self) -> str:
        """The first of its columns."""
        return self.columns[0]


def entity_columns(
    frame: pd.DataFrame, without: Sequence[str] = (), *, by_name: bool = True
) -> list[EntityColumn]:
    """Guess which columns say what rows are about, the likeliest first.

    A column of names or whole numbers that recur is held against the others: how many of them are
    the same in all rows of a thing and would not be by chance, whether the rows of a thing stand
    together, whether it and a column of occasions name every row. What its name says counts too.

    Parameters
    ----------
    without : sequence of str
        Columns that are no entities whatever they hold: targets.
    by_name : bool, default=True
        False leaves the names of columns out of it.

    Returns
    -------
    list of EntityColumn
        Empty where rows seem to be about a thing each.

    Notes
    -----
    At most 200,000 rows and 300 columns are looked at.

    Examples
    --------
    >>> import pandas as pd
    >>> visits = pd.DataFrame({"patient": [i // 4 for i in range(40)], "visit": [1, 2, 3, 4] * 10,
    ...                        "born": [1950 + i // 4 * 3 for i in range(40)]})
    >>> [guess.column for guess in entity_columns(visits)][0]
    'patient'
    """
    rows = _stretches(frame)
    codes = {c: _codes(rows[c]) for c in _looked_at(rows, by_name=by_name)}
    levels = {c: int(k.max()) + 1 if len(k) else 0 for c, k in codes.items()}
    able = [c for c in codes if c not in set(without) and _may_name(rows[c], levels[c])]
    if len(able) > MAX_ABLE:
        able = sorted(able, key=lambda c: (-named_like_a_thing(c) if by_name else 0, -levels[c]))[
            :MAX_ABLE
        ]
    numbers = {c: r for c in codes if (r := ranked(rows[c])) is not None}
    looks = _Looks(rows, codes, levels, numbers, by_name)
    found = [g for c in able if (g := _judged(c, looks)) is not None]
    found += _in_parts(looks, set(without), found)
    return sorted(found, key=lambda g: (-g.score, g.columns))


def _stretches(frame: pd.DataFrame) -> pd.DataFrame:
    """Take rows that stand together, so that things whose rows do are seen whole."""
    n_columns = min(len(frame.columns), MAX_COLUMNS)
    n_rows = int(np.clip(MAX_CELLS / max(1, n_columns**2), MIN_ROWS, MAX_ROWS))
    if len(frame) <= n_rows:
        return frame
    each = n_rows // N_STRETCHES
    starts = np.linspace(0, len(frame) - each, N_STRETCHES).astype(int)
    return frame.iloc[np.concatenate([np.arange(s, s + each) for s in starts])]


def _looked_at(rows: pd.DataFrame, *, by_name: bool) -> list[str]:
    is_twice = rows.columns.duplicated(keep=False)
    names = [c for c, twice in zip(rows.columns, is_twice, strict=True) if not twice]
    if len(names) <= MAX_COLUMNS:
        return names
    likely = [c for c in names if by_name and named_like_a_thing(c) > 0]
    return list(dict.fromkeys([*likely[:MAX_COLUMNS], *names[: MAX_COLUMNS // 3]]))


def _codes(values: pd.Series) -> NDArray[np.intp]:
    """Give each level of a column a number, a missing one too."""
    import pandas as pd

    try:
        return pd.factorize(values, use_na_sentinel=False)[0]
    except TypeError:  # lists and dicts of a JSON table
        return pd.factorize(values.map(repr))[0]


def _may_name(values: pd.Series, n_levels: int) -> bool:
    """Say whether a column may hold names: texts or whole numbers that recur."""
    n_known = int(values.notna().sum())
    if n_levels < MIN_LEVELS or n_known < max(MIN_SIZE * n_levels, HALF * len(values)):
        return False
    return _is_coded(values)


def _is_coded(values: pd.Series) -> bool:
    """Say whether a column holds texts or whole numbers, and no dates or other measurements."""
    from pandas.api.types import is_bool_dtype, is_datetime64_any_dtype, is_numeric_dtype

    known = values.dropna()
    if is_bool_dtype(values) or is_datetime64_any_dtype(values):
        return False
    if is_numeric_dtype(values):
        numbers = known.to_numpy(float)
        return bool(np.isfinite(numbers).all() and (numbers == np.floor(numbers)).all())
    return not known.head(1000).astype(str).str.fullmatch(_MEASURED).mean() > HALF


def _in_parts(
    looks: _Looks, without: set[str], alone: list[EntityColumn]
) -> Iterator[EntityColumn]:
    """Yield things that several columns name together, and those that a part of a text names."""
    allowed = [c for c in looks.codes if c not in without]
    for prefix in prefixes(looks.rows, allowed):
        reason = f"what stands before {prefix.sign!r} recurs in {prefix.size:.1f} rows each"
        sure = prefix.n_things >= MANY_LEVELS
        yield EntityColumn((prefix.column,), PREFIX_SCORE, reason, prefix.sign, sure)
    if any(guess.is_sure for guess in alone):
        return
    names = {c: named_like_a_thing(c) if looks.by_name else 0.0 for c in allowed}
    coded = [c for c in allowed if _is_coded(looks.rows[c]) and names[c] >= 0]
    coded.sort(key=lambda c: -names[c])
    for pair in composites(coded[:MAX_PARTS], looks.codes, looks.levels):
        name = sum(names[c] for c in pair.columns) / 2
        score = 0.9 * min(1.0, len(pair.fixed) / 3) + 1.5 * name
        if score >= MIN_SCORE:
            parts = [g.score for g in alone if g.column in pair.columns]
            score = max(score, max(parts, default=0.0) + BEYOND)
            reason = f"{_listed(pair.fixed)} never differ within what they name together"
            sure = pair.n_things >= MANY_LEVELS and name >= LIKELY_NAME
            yield EntityColumn(pair.columns, round(score, 3), reason, is_sure=sure)


class _Looks(NamedTuple):
    """What was counted of a table once for all its columns."""

    rows: pd.DataFrame
    codes: dict[str, NDArray[np.intp]]
    levels: dict[str, int]
    numbers: dict[str, NDArray[np.float64]]
    by_name: bool


def _judged(column: str, looks: _Looks) -> EntityColumn | None:
    """Score one column and say why."""
    codes, levels = looks.codes, looks.levels
    mine, n = codes[column], levels[column]
    shares = determined(mine, n, {c: codes[c] for c in codes if c != column}, levels)
    fixed = [c for c, share in shares.items() if share >= DETERMINED]
    stands = together(mine, n)
    other = occasions(column, codes, levels)
    name = named_like_a_thing(column) if looks.by_name else 0.0
    score = (
        1.2 * stands
        + 0.9 * min(1.0, len(fixed) / 3)
        + sum(share**2 for share in shares.values()) / max(1, len(shares))
        + 0.4 * bool(other)
        + 0.8 * min(1.0, 1.5 * np.log(n) / np.log(max(len(mine), 2)))
        + 1.5 * name
        - 1.0 * counts_up(looks.rows[column], mine, stands)
    )
    why = _reasons(fixed, stands, other)
    sure = bool(why) and n >= MANY_LEVELS and (name >= LIKELY_NAME or score >= SURE_SCORE)
    near = [alike(mine, n, r) for c, r in looks.numbers.items() if c != column and c not in fixed]
    score += ALIKE * sum(near) / max(1, len(near))
    if name > 0:
        why.append("it is named like a thing")
    if score < MIN_SCORE or not why:
        return None
    return EntityColumn((column,), round(float(score), 3), "; ".join(why), is_sure=sure)


def _reasons(fixed: list[str], stands: float, other: str | None) -> list[str]:
    why = []
    if fixed:
        why.append(
            f"{_listed(fixed)} {'never differs' if len(fixed) == 1 else 'never differ'} within it"
        )
    if stands > HALF:
        why.append("its rows stand together")
    if other:
        why.append(f"it and {other} name every row")
    return why


def _listed(names: Sequence[str], most: int = 3) -> str:
    rest = len(names) - most
    return ", ".join(names[:most]) + (f" and {rest} more" if rest > 0 else "")
