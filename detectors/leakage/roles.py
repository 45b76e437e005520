"""Which columns name a row and which are asked for, where nobody says so."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from detectors.leakage.event_times import as_seconds

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pandas as pd

NOT_FOUND = "not found: name it to have it looked at"
MOST_LEVELS = 0.9  # of the sample's columns that have to be values of one train column: classes
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_OF_KEY = re.compile(
    r"ids?|key|uid|uuid|guid|index|idx|rowid|row|no|nr|number|identifier|code|name|filename|file"
    r"|image|img|unnamed"
)
_SURELY_OF_KEY = re.compile(r"ids?|key|uid|uuid|guid|index|idx|rowid|identifier")
_OF_TARGET = re.compile(r"target|labels?|class|y|outcome|response|answer")


class Roles(NamedTuple):
    """What the columns of a task are for.

    Parameters
    ----------
    key : tuple of str
        Columns that together name a row of the test table, or of the sample submission where the
        test table has none of its columns; empty where none was found.
    targets : tuple of str
        Columns that are asked for, by their names in the train table, or in the sample submission
        where the train table has none of them; empty where none was found.
    how : dict of str to str
        What either was told by, under ``key`` and ``targets``.
    """

    key: tuple[str, ...]
    targets: tuple[str, ...]
    how: dict[str, str]


def key_and_target(
    train: pd.DataFrame | None, test: pd.DataFrame | None, sample: pd.DataFrame | None
) -> Roles:
    """Guess the key and the targets from the tables that there are.

    The key is made of the columns of the sample submission that the test table has, and the targets
    are the others; a sample with a column per class stands for the train column that holds the
    classes. Without a sample, targets are columns of train that test lacks, or that are named so in
    both; the key is a column that is unique in every row and named like an id.

    Examples
    --------
    >>> import pandas as pd
    >>> train = pd.DataFrame({"id": [1, 2], "x": [5, 6], "y": [0, 1]})
    >>> test, sample = train[["id", "x"]] + 2, train[["id", "y"]] + 2
    >>> key_and_target(train, test, sample)[:2]
    (('id',), ('y',))
    """
    key, key_how = _key(train, test, sample)
    targets, targets_how = _targets(train, test, sample, key)
    return Roles(key, targets, {"key": key_how, "targets": targets_how})


def _key(
    train: pd.DataFrame | None, test: pd.DataFrame | None, sample: pd.DataFrame | None
) -> tuple[tuple[str, ...], str]:
    if sample is not None and test is not None:
        shared = [c for c in sample.columns if c in test.columns and not _is_asked(c, train, test)]
        if shared:
            return _least_unique(shared, test)
    if sample is not None and len(sample):
        for name in sample.columns[:-1]:
            if _is_unique(sample[name]) and (is_like_a_key(name) or name == sample.columns[0]):
                return (name,), "inferred: unique in every row of the sample submission"
    if sample is not None or test is None:
        return (), NOT_FOUND
    return _key_of(train, test)


def _is_asked(name: str, train: pd.DataFrame | None, test: pd.DataFrame) -> bool:
    """Say whether a column of the sample is a target that the test table holds filled."""
    in_train = train is not None and name in train.columns
    return in_train and _speaks(name, _OF_TARGET) and not _is_unique(test[name])


def _least_unique(shared: Sequence[str], test: pd.DataFrame) -> tuple[tuple[str, ...], str]:
    """Return the one shared column that names every row, or else all of them."""
    both = "inferred: the sample submission and the test table have"
    for name in sorted(shared, key=lambda c: not is_like_a_key(c)):
        if _is_unique(test[name]):
            return (name,), f"{both} it, and it is unique in every row"
    together = tuple(shared)
    if len(together) > 1 and _is_unique(test[list(together)].astype(str).agg("\0".join, axis=1)):
        return together, f"{both} them, and together they are unique"
    return together[:1], f"{both} it, though several rows share a value"


def _key_of(train: pd.DataFrame | None, test: pd.DataFrame) -> tuple[tuple[str, ...], str]:
    """Find the key of tables that come without a sample submission."""
    unique = [c for c in test.columns if len(test) > 1 and _is_unique(test[c])]
    if train is not None:
        unique = [c for c in unique if c in train.columns and _is_unique(train[c])]
    sure = [c for c in unique if _speaks(c, _SURELY_OF_KEY)]
    for name in [*sure, *[c for c in unique if is_like_a_key(c) and _names(test[c])]]:
        return (name,), "inferred: unique in every row and named like an id"
    if unique and unique[0] == test.columns[0] and _names(test[unique[0]]):
        return (unique[0],), "inferred: unique in every row, and the first column"
    return (), NOT_FOUND


def _targets(
    train: pd.DataFrame | None,
    test: pd.DataFrame | None,
    sample: pd.DataFrame | None,
    key: tuple[str, ...],
) -> tuple[tuple[str, ...], str]:
    asked = [] if sample is None else [c for c in sample.columns if c not in key]
    if asked:
        in_train = tuple(c for c in asked if train is not None and c in train.columns)
        if in_train:
            return in_train, "inferred: the sample submission and the train table have it"
        if train is not None and (classes := _column_of_classes(train, test, asked)):
            return (classes,), "inferred: the sample submission has a column for each of its values"
    if train is not None and test is not None:
        alone = tuple(c for c in train.columns if c not in test.columns)
        if alone:
            return _of_alone(alone)
        for name in train.columns:
            if _speaks(name, _OF_TARGET) and name not in key:
                return (name,), "inferred: named like a target; both tables have it"
    if asked:
        return tuple(asked), "inferred: the other columns of the sample submission"
    return (), NOT_FOUND


def _column_of_classes(
    train: pd.DataFrame, test: pd.DataFrame | None, asked: Iterable[str]
) -> str | None:
    """Return the train column whose values are the names of the sample's columns, if one is."""
    wanted = {str(c) for c in asked}
    lacking = [c for c in train.columns if test is None or c not in test.columns]
    for name in lacking:
        levels = set(train[name].dropna().astype(str).unique()[:10_000])
        endings = {w for w in wanted for level in levels if w == level or w.endswith(f"_{level}")}
        if len(wanted) > 1 and len(endings) >= MOST_LEVELS * len(wanted):
            return str(name)
    return None


def _of_alone(alone: tuple[str, ...]) -> tuple[tuple[str, ...], str]:
    """Choose among columns that only the train table has."""
    if len(alone) == 1:
        return alone, "inferred: the train table has it and the test table lacks it"
    named = tuple(c for c in alone if _speaks(c, _OF_TARGET))
    if named:
        return named, "inferred: named like a target, and the test table lacks it"
    return alone, f"inferred: the test table lacks all {len(alone)} of these"


def _is_unique(values: pd.Series) -> bool:
    try:
        return bool(values.is_unique) and not bool(values.isna().any())
    except TypeError:  # cells of JSON that are lists name nothing
        return False


def is_like_a_key(name: str) -> bool:
    """Say whether a column is named like one that names things, as ``userId`` is."""
    return _speaks(name, _OF_KEY)


def _names(values: pd.Series) -> bool:
    """Say whether values can be names: texts or whole numbers, no measurements and no times."""
    from pandas.api.types import is_float_dtype

    return not is_float_dtype(values) and as_seconds(values.iloc[:200]) is None


def _speaks(name: str, of: re.Pattern[str]) -> bool:
    return any(of.fullmatch(word.lower()) for word in _WORDS.findall(str(name)))
