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


def key_hashes(frame: pd.DataFrame, key: list[str]) -> tuple[NDArray[np.uint64], int]:
    """Return 64 bits for the key of each row, and how many rows have none.

    Chunks of one table must have columns of the same types.
    """
    import numpy as np
    import pandas as pd

    if _are_whole(frame, key):
        return pd.util.hash_pandas_object(frame[key], index=False).to_numpy().astype(np.uint64), 0
    keys = key_index(frame, tuple(key))
    hashes = pd.util.hash_array(keys.to_numpy(dtype=object))
    return hashes.astype(np.uint64, copy=False), sum(keys.isna())


def require_unique(
    hashes: NDArray[np.uint64],
    n_empty: int,
    chunks: Iterable[pd.DataFrame],
    key: list[str],
    path: Path,
) -> None:
    """See that keys are unique when only their hashes are held; they are sorted in place.

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

    hashes.sort()
    repeated = np.unique(hashes[1:][hashes[1:] == hashes[:-1]])
    n_repeated = 0
    if len(repeated):
        alike = []
        for chunk in chunks:
            found, _ = key_hashes(chunk, key)
            alike.append(chunk.loc[np.isin(found, repeated), key])
        rows = pd.concat(alike)
        whole = _are_whole(rows, key)
        keys = rows if whole else key_index(rows, tuple(key))
        n_repeated = int(keys.duplicated().sum())
    _refuse(path, key, n_repeated, n_empty)


def _are_whole(frame: pd.DataFrame, key: list[str]) -> bool:
    from pandas.api.types import is_integer_dtype

    return all(is_integer_dtype(frame[column]) and not frame[column].hasnans for column in key)


def _refuse(path: Path, key: list[str], n_repeated: int, n_empty: int) -> None:
    if n_repeated or n_empty:
        raise RawDataError(
            f"{path}: expected one row per {', '.join(key)}, "
            f"found {n_repeated} repeated and {n_empty} empty."
        )
