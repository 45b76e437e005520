"""Answers that are shapes or lists: run lengths, polygons, masks, tokens."""

from __future__ import annotations

import io
import re
import warnings
from typing import Any

import numpy as np

MAX_PIXELS = 50_000_000
MAX_TOKENS = 10_000
_RUNS = re.compile(r"\d+ \d+( \d+)*")
_TOKEN = re.compile(r"[^\s,;|\[\](){}'\"]+")


def tokens_of(value: Any) -> tuple[str, ...]:  # noqa: ANN401 - anything that stands in a file
    """Return the short texts that a value lists.

    Examples
    --------
    >>> tokens_of("[2, 14, 20]") == tokens_of([2, 14.0, 20])
    True
    """
    if isinstance(value, np.ndarray):
        value = value.ravel()[:MAX_TOKENS].tolist()
    if isinstance(value, list | tuple):
        return tuple(_token(v) for v in value[:MAX_TOKENS])
    return tuple(_TOKEN.findall(str(value)[: 20 * MAX_TOKENS])) if value is not None else ()


def _token(value: Any) -> str:  # noqa: ANN401
    is_whole = isinstance(value, float) and value.is_integer()
    return str(int(value)) if is_whole else str(value)


def area_of(value: Any) -> float:  # noqa: ANN401
    """Return how many pixels run lengths, polygons or a mask cover; NaN for anything else.

    Examples
    --------
    >>> area_of("1 3 10 5"), area_of([[0, 0], [4, 0], [4, 2], [0, 2]])
    (8.0, 8.0)
    """
    if isinstance(value, str):
        text = " ".join(value.split())
        if not _RUNS.fullmatch(text):
            return np.nan
        runs = text.split(" ")
        return float(sum(map(int, runs[1::2])))
    if isinstance(value, np.ndarray):
        return _of_array(value)
    if isinstance(value, list | tuple) and value:
        return _of_lists(value, 0)
    return np.nan


def _of_array(value: np.ndarray[Any, Any]) -> float:
    if value.dtype == object or not np.issubdtype(value.dtype, np.number):
        return _of_lists(value.tolist(), 0) if value.dtype == object else np.nan
    if value.ndim == 2 and value.shape[1] == 2:  # noqa: PLR2004
        return _shoelace(value)
    return float(np.count_nonzero(value)) if value.ndim >= 2 else np.nan  # noqa: PLR2004


def _of_lists(value: Any, depth: int) -> float:  # noqa: ANN401
    """Add up the polygons of nested lists; a list of pairs of numbers is one."""
    if not isinstance(value, list | tuple) or not value or depth > 6:  # noqa: PLR2004
        return np.nan
    if all(isinstance(p, list | tuple) and len(p) == 2 and _are_numbers(p) for p in value):  # noqa: PLR2004
        return _shoelace(np.array(value, dtype=float))
    if _are_numbers(value):  # x, y, x, y, …
        is_polygon = len(value) >= 6 and len(value) % 2 == 0  # noqa: PLR2004
        return _shoelace(np.array(value, dtype=float).reshape(-1, 2)) if is_polygon else np.nan
    found = [_of_lists(one, depth + 1) for one in value]
    return float(np.nansum(found)) if np.isfinite(found).any() else np.nan


def _are_numbers(values: Any) -> bool:  # noqa: ANN401
    return bool(len(values)) and all(
        isinstance(v, int | float | np.number) and not isinstance(v, bool) for v in values
    )


def _shoelace(points: np.ndarray[Any, Any]) -> float:
    x, y = points[:, 0].astype(float), points[:, 1].astype(float)
    return abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2


def grey_of(content: bytes) -> np.ndarray[Any, Any] | None:
    """Decode a picture to grey values; None where it is damaged or too large."""
    from detectors.leakage.image_pixels import PictureError, decoded

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pixels, is_whole = decoded(content, MAX_PIXELS)
    except PictureError:
        return None
    if not is_whole:
        return None
    return pixels if pixels.ndim == 2 else pixels.mean(axis=2)  # noqa: PLR2004


def array_of(content: bytes) -> np.ndarray[Any, Any] | None:
    """Return an array of numbers that a NumPy file holds, or a picture's grey values."""
    if content[:6] != b"\x93NUMPY":
        return grey_of(content)
    try:
        found = np.load(io.BytesIO(content), allow_pickle=False)
    except (ValueError, OSError, EOFError, MemoryError):
        return None
    return found if isinstance(found, np.ndarray) and found.ndim == 2 else None  # noqa: PLR2004
