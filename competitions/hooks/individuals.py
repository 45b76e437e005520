"""Photographs of individuals that shall be met again: each whale in both parts where it can be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.hooks import Hooks
from competitions.splits import Parts, drawn
from competitions.work import raw_table

if TYPE_CHECKING:
    import pandas as pd

    from competitions.spec import Competition, Split
    from competitions.work import Work

_STRANGER = "new_whale"  # who is in the train part under no name


def sides(names: pd.Series, split: Split) -> pd.Series:
    """Say for each photograph whether it is a test one, by the individual it shows.

    Of each individual with several photographs one is drawn for either part; a single one goes
    to the test part with a chance of ``test_size``; that share of those left over are test ones.

    Returns
    -------
    Series of bool, on the index of `names`

    Notes
    -----
    Individuals come in the order of their first photographs. Draws are
    ``pandas.Series.sample(2, random_state=seed)``, one ``numpy.random.default_rng(seed)``
    for all single photographs and ``sklearn.model_selection.train_test_split``.
    """
    import numpy as np
    import pandas as pd

    rng, share = np.random.default_rng(split.seed), float(split.test_size or 0)
    in_test = pd.Series(index=names.index, dtype=object)
    for _, rows in names.groupby(names, sort=False):
        if len(rows) == 1:
            side = rng.choice(["train", "test"], replace=False, p=[1 - share, share])
            in_test[rows.index] = side == "test"
            continue
        first, second = rows.sample(2, random_state=split.seed).index
        in_test[first], in_test[second] = False, True
    left = names.index[in_test.isna()]
    in_test[left] = False
    if len(left) > 1:
        _, test = drawn(np.asarray(left), split)
        in_test[left] = left.isin(test)
    return in_test.astype(bool)


def split(spec: Competition, work: Work) -> Parts:
    """Split photographs in file order; who is not in the train part has no name in the answers."""
    frame = raw_table(spec, work, spec.split.on)
    in_test = sides(frame[spec.targets[0]], spec.split)
    train, test = frame[~in_test], frame[in_test]
    known = test[spec.targets[0]].isin(set(train[spec.targets[0]]))
    names = test[spec.targets[0]].where(known, _STRANGER)
    return Parts(train, test.assign(**{spec.targets[0]: names}))


HOOKS = Hooks(split=split)
