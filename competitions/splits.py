"""Split recipes: typed functions from a raw table to its train and test part.

A task's YAML names one by its key in `SPLITS`; its arguments are the YAML's `split:` section.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeVar

from competitions.errors import RawDataError, UnknownNameError
from competitions.io import listed

if TYPE_CHECKING:
    from collections.abc import Sized

    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from competitions.spec import GroupKey, Split


class Parts(NamedTuple):
    """The two sides of a split; together they hold every row once."""

    train: pd.DataFrame
    test: pd.DataFrame


class SplitRecipe(Protocol):
    """A deterministic function of the table and the recipe's arguments."""

    def __call__(self, frame: pd.DataFrame, split: Split) -> Parts:
        """Split `frame`; it is left as it was."""


def _column(frame: pd.DataFrame, name: str, split: Split) -> pd.Series:
    if name not in frame.columns:
        found = listed(frame.columns)
        raise RawDataError(f"{split.on}: expected a column {name!r}, found {found}.")
    return frame[name]


def group_names(frame: pd.DataFrame, key: GroupKey) -> pd.Series:
    """Name the thing each row belongs to: a column's value, or its part before a separator.

    Returns
    -------
    Series of str, one per row, on the frame's index

    Examples
    --------
    >>> import pandas as pd
    >>> from competitions.spec import GroupKey
    >>> frame = pd.DataFrame({"id": ["1_1", "1_2", "22_1"]})
    >>> group_names(frame, GroupKey(column="id", prefix_before="_")).tolist()
    ['1', '1', '22']
    """
    values = frame[key.column].astype(str)
    if key.prefix_before is None:
        return values
    return values.str.split(key.prefix_before, n=1, regex=False).str[0]


def random_rows(frame: pd.DataFrame, split: Split) -> Parts:
    """Draw test rows at random, optionally stratified; both parts stay in the shuffled order.

    Notes
    -----
    Exactly ``sklearn.model_selection.train_test_split(frame, test_size=, random_state=seed)``: for
    a share, n_test = ceil(test_size · n). Blind to any structure between rows.

    References
    ----------
    https://scikit-learn.org/stable/modules/generated/sklearn.model_selection.train_test_split.html
    """
    labels = _column(frame, split.stratify, split) if split.stratify else None
    return Parts(*drawn(frame, split, labels))


_Items = TypeVar("_Items", bound="Sized")


def drawn(
    items: _Items,
    split: Split,
    labels: pd.Series | None = None,
    *,
    test_size: float | None = None,
) -> tuple[_Items, _Items]:
    """Draw a test part from things: rows, groups, files; both parts are in the order drawn.

    Parameters
    ----------
    items : list, array or DataFrame
        What ``sklearn.model_selection.train_test_split`` takes.
    labels : Series or None
        What to stratify by.
    test_size : int, float or None
        In place of the sizes that the YAML says.

    Raises
    ------
    RawDataError
        Naming the raw file when it has too few of them.
    """
    from sklearn.model_selection import train_test_split

    try:
        train, test = train_test_split(
            items,
            test_size=split.test_size if test_size is None else test_size,
            train_size=split.train_size if test_size is None else None,
            random_state=split.seed,
            stratify=labels,
        )
    except ValueError as error:
        raise RawDataError(
            f"{split.on}: expected enough to draw a test part from, found {len(items)}: {error}"
        ) from error
    return train, test


def _n_test(split: Split, n: int) -> int:
    """Return how many of n things are tested on; a share is rounded up, as in scikit-learn."""
    import math

    size = split.test_size
    if size is None:
        raise RawDataError(f"The split of {split.on} names no test_size.")
    return math.ceil(size * n) if isinstance(size, float) else size


def _groups(frame: pd.DataFrame, split: Split) -> pd.Series:
    if split.group is None:
        raise RawDataError(f"The split of {split.on} names no group column.")
    _column(frame, split.group.column, split)
    return group_names(frame, split.group)


def _group_cells(frame: pd.DataFrame, split: Split) -> pd.Series:
    """Return names of groups, or numbers as they are: a text for each of 10⁸ rows takes 10 GB."""
    from pandas.api.types import is_numeric_dtype

    key = split.group
    if key is None or key.prefix_before is not None:
        return _groups(frame, split)
    column = _column(frame, key.column, split)
    return column if is_numeric_dtype(column) else _groups(frame, split)


def unique_groups(frame: pd.DataFrame, split: Split) -> Parts:
    """Draw whole groups from their order of first appearance; rows keep their raw order.

    Notes
    -----
    ``sklearn.model_selection.train_test_split`` of the column's unique values, in the order in
    which they first appear, decides; `test_size` counts groups.

    References
    ----------
    https://scikit-learn.org/stable/modules/generated/sklearn.model_selection.train_test_split.html
    """
    names = _group_cells(frame, split)
    # scikit-learn cannot index strings that Arrow holds
    _, chosen = drawn(names.drop_duplicates().to_numpy(dtype=object), split)
    in_test = names.isin(set(chosen))
    return Parts(frame[~in_test], frame[in_test])


def shuffled_groups(frame: pd.DataFrame, split: Split) -> Parts:
    """Draw whole groups from their sorted order; both parts hold them in the shuffled order.

    Notes
    -----
    Groups are sorted by their value (numbers as numbers) and split by
    ``sklearn.model_selection.train_test_split``; each part is its groups one after the other as
    that returns them, rows within a group in raw order. `test_size` counts groups.

    References
    ----------
    https://scikit-learn.org/stable/modules/generated/sklearn.model_selection.train_test_split.html
    """
    import numpy as np
    import pandas as pd

    if split.group is None or split.group.prefix_before is not None:
        raise RawDataError(f"The split of {split.on} names no whole column that groups rows.")
    column = _column(frame, split.group.column, split)
    codes, _ = pd.factorize(column, sort=True)
    ordered = np.argsort(codes, kind="stable")[
        (codes == -1).sum() :
    ]  # rows of no group are left out
    # Places of rows, not tables: those of 75,000 groups would take ten times the whole.
    groups = np.split(ordered, np.cumsum(np.bincount(codes[codes >= 0]))[:-1])
    train, test = drawn(groups, split)
    return Parts(frame.iloc[np.concatenate(train)], frame.iloc[np.concatenate(test)])


def random_groups(frame: pd.DataFrame, split: Split) -> Parts:
    """Draw whole groups at random for the test part; rows keep their raw order in both parts.

    Notes
    -----
    `split.group` names the groups. Their names are sorted as text, so that the order of raw rows
    does not matter, then permuted by ``numpy.random.RandomState(seed)``; the first n_test of them
    are the test part. `test_size` counts *groups*: a share means ceil(share · n_groups). No group
    has rows on both sides; the share of rows follows only roughly.

    References
    ----------
    Roberts et al. (2017), Cross-validation strategies for data with temporal, spatial,
    hierarchical, or phylogenetic structure. https://doi.org/10.1111/ecog.02881
    """
    import numpy as np

    names = _groups(frame, split)
    groups = sorted(set(names))
    n_test = _n_test(split, len(groups))
    if not 0 < n_test < len(groups):
        raise RawDataError(
            f"{split.on}: expected 1 to {len(groups) - 1} test groups of {len(groups)}, "
            f"found {n_test}."
        )
    order = np.random.RandomState(split.seed).permutation(len(groups))
    chosen = {groups[i] for i in order[:n_test]}
    in_test = names.isin(chosen)
    return Parts(frame[~in_test], frame[in_test])


def _instants(frame: pd.DataFrame, split: Split) -> pd.Series:
    """Read the column that orders the rows: numbers as they are, text as dates."""
    import pandas as pd

    if split.time is None:
        raise RawDataError(f"The split of {split.on} names no column of time.")
    values = _column(frame, split.time, split)
    if pd.api.types.is_numeric_dtype(values):
        instants = values
    else:
        instants = pd.to_datetime(values, format="ISO8601", errors="coerce", utc=True)
    unknown = values[instants.isna()]
    if len(unknown):
        raise RawDataError(
            f"{split.on}: expected a number or an ISO 8601 date in every row of {split.time!r}, "
            f"found {len(unknown)} others: {', '.join(map(repr, unknown.head(3)))}."
        )
    return instants


def time_tail(frame: pd.DataFrame, split: Split) -> Parts:
    """Take the rows after a point in time for the test part; rows keep their raw order in both.

    Notes
    -----
    `split.time` names the column that orders the rows: numbers, or dates as ISO 8601 writes them.
    The point is the latest one that leaves at least n_test rows after it, with n_test =
    ceil(test_size · n) for a share: rows of the same time are never parted, so the test part may
    be larger by the ties at its beginning. `seed` has no effect.

    References
    ----------
    Bergmeir and Benítez (2012), On the use of cross-validation for time series predictor
    evaluation. https://doi.org/10.1016/j.ins.2011.12.028
    """
    instants = _instants(frame, split)
    n_test = _n_test(split, len(frame))
    if n_test < len(frame):
        first: object = instants.sort_values(ascending=False).iloc[n_test - 1]
        in_test: NDArray[np.bool_] = (instants >= first).to_numpy()
        if not in_test.all():
            return Parts(frame[~in_test], frame[in_test])
    raise RawDataError(
        f"{split.on}: a test part of {n_test} rows leaves no row of {len(frame)} that is earlier; "
        "rows of the same time are not parted."
    )


SPLITS: dict[str, SplitRecipe] = {
    "random_rows": random_rows,
    "random_groups": random_groups,
    "unique_groups": unique_groups,
    "shuffled_groups": shuffled_groups,
    "time_tail": time_tail,
}


def without_dropped(frame: pd.DataFrame, split: Split) -> pd.DataFrame:
    """Leave out the rows that the task says never count."""
    for column, values in split.drop_rows.items():
        frame = frame[~frame[column].isin(values)]
    return frame


def split_frame(frame: pd.DataFrame, split: Split) -> Parts:
    """Split a raw table by the recipe that the task names.

    Raises
    ------
    UnknownNameError
        When no recipe has this name.
    RawDataError
        When the table lacks a column that the recipe needs.
    """
    if split.method not in SPLITS:
        raise UnknownNameError("split recipe", split.method, SPLITS)
    return SPLITS[split.method](frame, split)
