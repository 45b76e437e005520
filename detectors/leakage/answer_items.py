"""Hold the files that test rows have each of their own against the answers of these rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from detectors.leakage.answer_match import LEAST, Cells, best_match
from detectors.leakage.answer_places import Place

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from detectors.leakage.answer_places import Wanted
    from detectors.leakage.containers_parsed import Parsed

SEVERAL = 3  # answers of one file, from which they are a course
LARGE = 4_096  # cells of an array that is kept as run lengths
LONGEST = 200_000  # values of a list that is kept
WITHIN = 0.95  # correlation within files, from which a course is one of the answers
DOWN, ALONG = "pixels, down the columns", "pixels, along the rows"


def leaves_of(parsed: Parsed) -> dict[str, Any]:
    """Return all that one file holds, by path: its leaves, and the columns of its tables."""
    found = {path: _compact(value) for path, value in parsed.leaves.items()}
    for where, table in parsed.tables:
        for column in list(table.columns)[:200]:
            values = table[column].tolist()[:LONGEST]
            name = f"{where}[].{column}" if where else str(column)
            found.setdefault(name, values[0] if len(values) == 1 else values)
    return found


def _compact(value: Any) -> Any:  # noqa: ANN401 - anything that stands in a file
    is_large = isinstance(value, np.ndarray) and value.ndim == 2 and value.size > LARGE  # noqa: PLR2004
    if is_large and np.issubdtype(value.dtype, np.number):
        return run_lengths(value)
    return value[:LONGEST] if isinstance(value, list) else value


def run_lengths(mask: NDArray[Any], *, is_down: bool = True) -> str:
    """Write the set pixels of a mask as starts from 1 and lengths, down its columns or along rows.

    Examples
    --------
    >>> run_lengths(np.array([[0, 1], [1, 1]]))
    '2 3'
    """
    flat = (np.asarray(mask) != 0).ravel(order="F" if is_down else "C").astype(np.int8)
    steps = np.diff(np.concatenate([[0], flat, [0]]))
    starts, ends = np.flatnonzero(steps == 1), np.flatnonzero(steps == -1)
    return " ".join(f"{s + 1} {e - s}" for s, e in zip(starts, ends, strict=True))


def in_items(wanted: Wanted, kind: str, held: Mapping[str, Mapping[str, Any]]) -> Iterator[Place]:
    """Yield the paths within files of one kind that follow the answers of the rows they are of.

    Parameters
    ----------
    kind : str
        Their name, with ``*`` for what names a row.
    held : mapping of str to mapping
        By row's name, what its file holds, by path.
    """
    rows = {item: wanted.items[item] for item in held}
    single = [item for item in held if len(rows[item]) == 1]
    several = [item for item in held if len(rows[item]) >= SEVERAL]
    paths = dict.fromkeys(p for leaves in held.values() for p in leaves)
    if len(single) >= LEAST:
        at = np.array([rows[item][0] for item in single])
        columns = [(p, [held[item].get(p) for item in single]) for p in paths]
        columns += [
            (f"number of values in {p}", [_length(held[item].get(p)) for item in single])
            for p in paths
        ]
        yield from wanted.places_of(kind, columns, (np.arange(len(at)), at, "file by file"))
    if several:
        for path in paths:
            yield from _of_course(
                wanted, kind, path, [(rows[i], held[i].get(path)) for i in several]
            )


def _length(value: Any) -> int | None:  # noqa: ANN401
    is_list = isinstance(value, list) or (isinstance(value, np.ndarray) and value.ndim > 0)
    return len(value) if is_list else None


def _of_course(
    wanted: Wanted, kind: str, path: str, courses: list[tuple[list[int], Any]]
) -> Iterator[Place]:
    """Hold values that follow one another in a file against the answers of its rows."""
    for target in wanted.targets:
        rows: list[int] = []
        here: list[float] = []
        groups: list[int] = []
        for n, (mine, values) in enumerate(courses):
            drawn = _drawn(values, len(mine))
            if drawn is not None:
                rows += mine
                here += drawn.tolist()
                groups += [n] * len(mine)
        if len(rows) < 2 * LEAST:
            continue
        at = np.array(rows)
        answers = wanted.cells(target, at)
        wanted.n_asked += 1
        limit = wanted.log_p - float(np.log(wanted.n_asked + 100))
        match = best_match(Cells(here), answers, limit)
        if match is not None and _agree_within(np.array(here), answers.numbers, np.array(groups)):
            yield Place(kind, path, target, "file by file, in their order", match, at, match.n)


def _drawn(values: Any, n: int) -> NDArray[np.float64] | None:  # noqa: ANN401
    """Return as many values as there are rows, taken evenly from a course of numbers."""
    if not isinstance(values, list | np.ndarray):
        return None
    try:
        numbers = np.asarray(values, dtype=float)
    except (TypeError, ValueError):
        return None
    if numbers.ndim != 1 or len(numbers) < max(SEVERAL, n / 2) or not np.isfinite(numbers).all():
        return None
    places = np.linspace(0, 1, len(numbers))
    return np.asarray(np.interp(np.linspace(0, 1, n), places, numbers))


def _agree_within(
    values: NDArray[np.float64], answers: NDArray[np.float64] | None, groups: NDArray[np.intp]
) -> bool:
    """Say whether both go together within files too, and not from file to file alone."""
    if answers is None:
        return True
    n = np.bincount(groups)
    left, right = (v - (np.bincount(groups, weights=v) / n)[groups] for v in (values, answers))
    scale = float(np.sqrt((left @ left) * (right @ right)))
    return bool(scale) and abs(float(left @ right)) / scale >= WITHIN
