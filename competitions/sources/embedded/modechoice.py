"""Choices of 210 travellers between four ways; the table of statsmodels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.sources.embedded.base import Embedded, permutation, shuffled

if TYPE_CHECKING:
    import pandas as pd


def table() -> pd.DataFrame:
    """Build the travel-mode table: 840 rows, four per person, `choice` 1 for the mode taken.

    References
    ----------
    Greene (2011), Econometric Analysis, table F18-2.
    https://www.statsmodels.org/stable/datasets/generated/modechoice.html
    """
    from statsmodels.datasets import modechoice as source

    frame = source.load_pandas().data.astype(int)
    renumbered = permutation(frame["individual"].nunique()) + 1
    frame["individual"] = renumbered[frame["individual"].to_numpy() - 1]
    return shuffled(frame)


EMBEDDED = Embedded("modechoice", table)
