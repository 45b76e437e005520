"""Texts of a column as 64-bit hashes, from Arrow's buffers where pandas keeps them there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from typing import TypeAlias

    import pandas as pd
    import pyarrow as pa
    from numpy.typing import NDArray

    Hashes: TypeAlias = NDArray[np.uint64]

_STRETCH = 1 << 15  # texts at a time: what is worked on stays in the processor's cache
_LONG = 1 << 12  # bytes from which texts are hashed one by one
_BETWEEN = "\x1f\x1e\x1f"  # texts that are put together; no text holds it
_WORD = 8  # bytes that are taken in at once
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_MASKS = np.array([(1 << 8 * n) - 1 for n in range(_WORD + 1)], np.uint64)


def as_text(values: pd.Series) -> list[str]:
    """Return a column as texts, missing values as empty ones."""
    missing = values.isna().to_numpy()
    cells = values.astype(object).tolist()
    return ["" if m else str(v) for v, m in zip(cells, missing, strict=True)]


def text_hashes(values: pd.Series) -> Hashes:
    """Hash texts one by one, as Python does."""
    return np.fromiter(map(hash, as_text(values)), np.int64, len(values)).view(np.uint64)


def is_arrow(dtype: object) -> bool:
    """Say whether pandas keeps the texts of a column in Arrow's buffers."""
    import pandas as pd

    return isinstance(dtype, pd.StringDtype) and dtype.storage == "pyarrow"


def arrow_array(values: pd.Series) -> pa.Array | None:
    """Return a column of texts as Arrow keeps it, or None where pandas does not keep it there."""
    if not is_arrow(values.dtype):
        return None
    import pyarrow as pa

    array = pa.array(values.array)
    return array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array


def joined(table: pd.DataFrame, size: int) -> pd.DataFrame:
    """Return a table whose columns, all kept by Arrow, are put together, `size` in one text each.

    Rows are equal where they were; a missing text is an empty one.
    """
    import pandas as pd
    import pyarrow as pa
    import pyarrow.compute as pc

    large = pa.large_string()
    arrays = [pa.array(table.iloc[:, n].array).cast(large) for n in range(table.shape[1])]
    between = pa.scalar(_BETWEEN, large)
    kind = pd.StringDtype("pyarrow", na_value=np.nan)
    put = {"null_handling": "replace", "null_replacement": ""}
    texts = {
        start: pc.binary_join_element_wise(*arrays[start : start + size], between, **put)
        for start in range(0, len(arrays), size)
    }
    columns = {start: pd.array(values, kind) for start, values in texts.items()}
    return pd.DataFrame(columns, index=table.index)


def arrow_hashes(array: pa.Array) -> Hashes:
    """Hash texts from their bytes, eight at a time; a missing one as an empty one.

    Parameters
    ----------
    array : pyarrow.StringArray or pyarrow.LargeStringArray
    """
    starts, lengths, content = _laid_out(array)
    hashes = lengths.astype(np.uint64)
    hashes *= _FACTOR
    words: Hashes = np.ndarray((len(content) - _WORD + 1,), "<u8", content.data, strides=(1,))
    is_long = lengths > _LONG
    for row in np.flatnonzero(is_long):
        text = content[starts[row] : starts[row] + lengths[row]].tobytes()
        hashes[row] = np.uint64(hash(text) % 2**64)
    lengths[is_long] = 0
    for at in range(0, len(lengths), _STRETCH):
        part = slice(at, at + _STRETCH)
        _take_in(words, starts[part], lengths[part], hashes[part])
    return hashes


def _take_in(
    words: Hashes, starts: NDArray[np.int64], lengths: NDArray[np.int64], hashes: Hashes
) -> None:
    """Mix the words of texts into their hashes, in place."""
    left, places = lengths.copy(), starts.copy()
    rows: NDArray[np.intp] | slice = slice(None)
    if len(left) and left.min() == 0:
        rows = np.flatnonzero(left)
        left, places = left[rows], places[rows]
    while len(left):
        word = _words_at(words, places)
        shortest = left.min()
        if shortest < _WORD:
            word &= _MASKS[np.minimum(left, _WORD)]
        mixed = hashes[rows] ^ word
        mixed *= _FACTOR
        mixed ^= mixed >> np.uint64(32)
        hashes[rows] = mixed
        left -= _WORD
        places += _WORD
        if shortest <= _WORD:
            going = np.flatnonzero(left > 0)
            rows = going if isinstance(rows, slice) else rows[going]
            left, places = left[going], places[going]


def _words_at(words: Hashes, places: NDArray[np.int64]) -> Hashes:
    """Return the words that begin at some bytes, ascending; nothing stands behind the last."""
    last = len(words) - 1
    if places[-1] <= last:
        return words[places]
    over = np.maximum(places - last, 0)
    return words[places - over] >> (over * 8).astype(np.uint64)


def _laid_out(
    array: pa.Array,
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.uint8]]:
    """Return where texts begin, how long they are, and all bytes, a word of them at least."""
    import pyarrow as pa

    if not len(array):
        return np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(_WORD, np.uint8)
    kind = np.int64 if pa.types.is_large_string(array.type) else np.int32
    _valid, offsets, content = array.buffers()
    ends = np.frombuffer(offsets, kind)[array.offset : array.offset + len(array) + 1]
    starts = ends[:-1].astype(np.int64, copy=False)
    lengths = np.diff(ends).astype(np.int64, copy=False)
    if array.null_count:
        lengths[array.is_null().to_numpy(zero_copy_only=False)] = 0
    raw = np.frombuffer(content, np.uint8) if content is not None else np.zeros(0, np.uint8)
    if len(raw) < _WORD:
        raw = np.concatenate([raw, np.zeros(_WORD, np.uint8)])
    return starts, lengths, raw
