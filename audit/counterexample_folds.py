"""How the builder's agents fold the train part, and what the careful one does not trust."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from audit.counterexample_features import when
from competitions.trap import PERSON, THING

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from audit.counterexample_features import Roles
    from competitions.trap import Parts

    Folds = list[tuple[NDArray[np.int64], NDArray[np.int64]]]

FOLDS: Final = 3
MAX_P: Final = 1e-4  # of a column that is as in the test part, to look otherwise
MIN_DISTANCE: Final = 0.18  # of the two distributions: less is no harm
_ALIKE: Final = 88  # of 100: likeness of two ways to write one name
_MOSTLY: Final = 0.5  # of names that are different: then one thing is written in many ways
_LONG_NAME: Final = 6  # letters; numbers are no names that can be mistyped
_BLOCK: Final = 1000  # names compared at once


def folds_of(parts: Parts, seed: int, *, careful: bool) -> tuple[str, Folds]:
    """Fold the train part and say how.

    Parameters
    ----------
    careful : bool
        Whether things stay whole and time is kept; else rows are folded as they lie.
    """
    import numpy as np
    from sklearn.model_selection import GroupKFold, KFold

    train = parts.train
    if careful and parts.time is not None:
        return "forward in time", _forward(when(train[parts.time]))
    if careful and parts.entity is not None:
        things = things_of(train[parts.entity])
        if len(np.unique(things)) >= FOLDS:
            whole = GroupKFold(FOLDS, shuffle=True, random_state=seed)
            return _whole(parts.entity), list(whole.split(train, groups=things))
    return "random rows", list(KFold(FOLDS, shuffle=True, random_state=seed).split(train))


def _whole(column: str) -> str:
    """Say what stays whole; a column of the user's own is no word that has a plural."""
    return f"whole {column}s" if column in {THING, PERSON} else f"whole groups by {column}"


def _forward(times: NDArray[np.float64]) -> Folds:
    """Learn from what came before, validate on what came next; the first half is only learnt."""
    import numpy as np

    order = np.argsort(times, kind="stable")
    cuts = np.linspace(len(order) // 2, len(order), FOLDS + 1).astype(int)
    return [
        (order[:first], order[first:last]) for first, last in pairwise(cuts) if last > first > 0
    ]


def things_of(names: pd.Series) -> NDArray[np.int64]:
    """Return things as numbers; names that are hardly ever repeated are put together by looks.

    Examples
    --------
    >>> import pandas as pd
    >>> names = ["Ana Berg 1970-01-02", "BERG Ana 02.01.1970", "Ole Dahl 1960-05-03"]
    >>> [int(n) for n in things_of(pd.Series(names))]
    [0, 0, 1]
    """
    import pandas as pd

    numbers, different = pd.factorize(names.astype(str))
    is_text = sum(map(str.isalpha, "".join(map(str, different[:100])))) > _LONG_NAME
    if not is_text or len(different) <= _MOSTLY * len(names):
        return numbers.astype("int64")
    return _alike(list(map(str, different)))[numbers]


def _alike(names: list[str]) -> NDArray[np.int64]:
    """Return groups of names alike as numbers, whatever the order of words and figures."""
    import numpy as np
    from rapidfuzz import fuzz, process
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    plain = [_plain(name) for name in names]
    pairs: list[NDArray[np.int64]] = []
    for start in range(0, len(plain), _BLOCK):
        likeness = process.cdist(
            plain[start : start + _BLOCK],
            plain,
            scorer=fuzz.ratio,
            score_cutoff=_ALIKE,
            dtype=np.uint8,
        )
        left, right = np.nonzero(likeness)
        pairs.append(np.column_stack([left + start, right]))
    found = np.concatenate(pairs)
    size = (len(names), len(names))
    graph = coo_array((np.ones(len(found)), (found[:, 0], found[:, 1])), shape=size)
    labels: NDArray[np.int64] = np.asarray(connected_components(graph, directed=False)[1], np.int64)
    return labels


def _plain(name: str) -> str:
    """Write a name in small letters, words in order, dates as sorted figures."""
    import re

    words = re.findall(r"[a-z]+|\d+", name.casefold())
    return " ".join(sorted(words))


def shifted(parts: Parts, roles: Roles) -> list[str]:
    """List columns of numbers whose values in the test part come from elsewhere.

    Notes
    -----
    Two-sample Kolmogorov-Smirnov test, column by column, on one row of each thing. Times are left
    out: they are meant to differ.
    """
    from scipy.stats import ks_2samp

    train, test = (_one_each(table, parts.entity) for table in (parts.train, parts.test))
    found = []
    for column in roles.numbers:
        ours, theirs = train[column].dropna(), test[column].dropna()
        if ours.empty or theirs.empty:
            found.append(column)
            continue
        said = ks_2samp(ours, theirs, method="asymp")
        if said.pvalue < MAX_P and said.statistic > MIN_DISTANCE:
            found.append(column)
    return found


def _one_each(table: pd.DataFrame, entity: str | None) -> pd.DataFrame:
    """Keep the first row of each thing."""
    import pandas as pd

    return table if entity is None else table[~pd.Series(things_of(table[entity])).duplicated()]
