"""Photographs whose file name is their label: new names, which tell it in the train part alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.hooks import Hooks
from competitions.splits import Parts

if TYPE_CHECKING:
    import pandas as pd

    from competitions.spec import Competition


def species(names: pd.Series) -> pd.Series:
    """Read off a file's name what it shows: a cat where ``cat`` stands in it, else a dog.

    Examples
    --------
    >>> import pandas as pd
    >>> species(pd.Series(["cat.7.jpg", "dog.7.jpg"])).tolist()
    ['cat', 'dog']
    """
    shown = names.str.contains("cat", regex=False)
    return shown.map({True: "cat", False: "dog"})


def rows(spec: Competition, parts: Parts) -> Parts:  # noqa: ARG001 - each hook has this form
    """Call train files by a number per species, from 0, and test files by one from 1.

    Returns
    -------
    Parts
        The train part with ``file``, its new name; the test part with ``id`` and ``label``, 1 for
        a dog.
    """
    train, test = species(parts.train["name"]), species(parts.test["name"])
    numbers = train.groupby(train).cumcount().astype(str)
    return Parts(
        parts.train.assign(file=train + "." + numbers + ".jpg"),
        parts.test.assign(id=range(1, len(test) + 1), label=(test == "dog").astype(int)),
    )


HOOKS = Hooks(rows=rows)
