"""What an embedded task's raw data are: one table, further files, and an order that tells nothing.

Libraries hand out rows in an order that gives answers away (the first breast-cancer rows are mostly
malignant; the travellers are sorted by what they chose). Rows are therefore shuffled, and what has
a number is numbered anew, with a fixed seed before ids are given.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

_SEED = 20240601


@dataclass(frozen=True)
class Embedded:
    """Raw data that are made from what ships with a library.

    Parameters
    ----------
    name : str
        The YAML's `source.dataset`.
    table : callable
        Builds the raw table; the same figures at every call.
    files : callable or None
        Yields further raw files: their paths relative to the raw folder, and their bytes.
    """

    name: str
    table: Callable[[], pd.DataFrame]
    files: Callable[[], Iterator[tuple[str, bytes]]] | None = None


def permutation(n: int) -> NDArray[np.int64]:
    """Return 0 to n - 1 in an order of no meaning, always the same."""
    import numpy as np

    return np.random.RandomState(_SEED).permutation(n)


def shuffled(frame: pd.DataFrame) -> pd.DataFrame:
    """Shuffle rows with the fixed seed and number them in a first column `id`."""
    mixed = frame.iloc[permutation(len(frame))].reset_index(drop=True)
    mixed.insert(0, "id", range(len(mixed)))
    return mixed
