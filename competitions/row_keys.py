"""Rows of a raw table by their key: each must have one, of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.errors import RawDataError
from competitions.submission import key_index

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray


def require_a_key(frame: pd.DataFrame, key: list[str], path: Path) -> None:
    """See that columns name each row once.

    Whole numbers are equal when their texts are, which for 10⁸ rows are not made.

    Raises
    ------
    RawDataError
        With how many rows repeat another's key, and how many have none.
    """
    if _are_whole(frame, key):
        _refuse(path, key, int(frame.duplicated(key).sum()), 0)
        return
    keys = key_index(frame, tuple(key))
    _refuse(path, key, int(keys.duplicated().sum()), sum(keys.isna()))


class Keys:
    """The keys of a table's rows that were seen in chunks, of each only 64 bits.

    Parameters
    ----------
    key : list of str
        Columns; none where rows need no key.
    n_rows : int
        At least as many as will be seen.
    """

    def __init__(self, key: list[str], n_rows: int) -> None:
        import numpy as np

        self._key = key
        self._hashes = np.empty(n_rows if key else 0, dtype=np.uint64)
        self._n_rows = self._n_empty = 0

    def add(self, chunk: pd.DataFrame) -> None:
        """Remember rows; chunks must have columns of the same types."""
        if not self._key:
            return
        hashes, n_empty = key_hashes(chunk, self._key)
        self._hashes[self._n_rows : self._n_rows + len(hashes)] = hashes
        self._n_rows += len(hashes)
        self._n_empty += n_empty

    def require_unique(self, chunks: Iterable[pd.DataFrame], path: Path) -> None:
        """See that each row has a key of its own.

        Parameters
        ----------
        chunks : iterable of DataFrame
            The rows once more, read only where hashes repeat: two keys may have one.

        Raises
        ------
        RawDataError
            See `require_a_key`.
        """
        import numpy as np
        import pandas as pd

        hashes = self._hashes[: self._n_rows]
        hashes.sort()
        repeated = np.unique(hashes[1:][hashes[1:] == hashes[:-1]])
        n_repeated = 0
        if len(repeated):
            alike = [
                chunk.loc[np.isin(key_hashes(chunk, self._key)[0], repeated), self._key]
                for chunk in chunks
            ]
            rows = pd.concat(alike)
            whole = _are_whole(rows, self._key)
            keys = rows if whole else key_index(rows, tuple(self._key))
            n_repeated = int(keys.duplicated().sum())
        _refuse(path, self._key, n_repeated, self._n_empty)


def key_hashes(frame: pd.DataFrame, key: list[str]) -> tuple[NDArray[np.uint64], int]:
    """Return 64 bits for the key of each row, and how many rows have none."""
    import numpy as np
    import pandas as pd

    if _are_whole(frame, key):
        return pd.util.hash_pandas_object(frame[key], index=False).to_numpy().astype(np.uint64), 0
    keys = key_index(frame, tuple(key))
    hashes = pd.util.hash_array(keys.to_numpy(dtype=object))
    return hashes.astype(np.uint64, copy=False), sum(keys.isna())


def _are_whole(frame: pd.DataFrame, key: list[str]) -> bool:
    from pandas.api.types import is_integer_dtype

    return all(is_integer_dtype(frame[column]) and not frame[column].hasnans for column in key)


def _refuse(path: Path, key: list[str], n_repeated: int, n_empty: int) -> None:
    if n_repeated or n_empty:
        raise RawDataError(
            f"{path}: expected one row per {', '.join(key)}, "
            f"found {n_repeated} repeated and {n_empty} empty."
        )
