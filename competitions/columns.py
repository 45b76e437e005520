"""What is wrong with one predicted column: every problem at once, each with its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.io import printable
from competitions.labels import LARGEST_WHOLE_FLOAT, is_integral, label_problem

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas as pd

    from competitions.spec import Column

MAX_SHOWN = 5
JOINT = "\x1f"  # between the parts of a key; no CSV that passes the reader needs it

_MAX_CELL, _MAX_KEY = 40, 60  # characters of a hostile file that a message repeats
_BOOL_WORDS = frozenset({"True", "TRUE", "true", "False", "FALSE", "false"})


def show_key(key: str | None) -> str:
    """Write a key for a message: short, its parts joined by a slash, nothing unprintable."""
    text = "(empty)" if key is None else str(key)[:_MAX_KEY].replace(JOINT, "/")
    return printable(text)


def list_shown(shown: Iterable[str], n: int) -> str:
    """Join at most five examples and count the rest of all `n`."""
    rest = f" and {n - MAX_SHOWN} more" if n > MAX_SHOWN else ""
    return ", ".join(shown) + rest


def column_problems(rule: Column, values: pd.Series, keys: pd.Index | None) -> list[str]:
    """Say what is wrong with a column.

    Parameters
    ----------
    rule : Column
        What may stand in it.
    values : Series
        As pandas reads them, numbered from 0.
    keys : Index or None
        The key of each row; None when the file has no key column, and rows are numbered from 1.

    Returns
    -------
    list of str
        Empty cells, values of another type and values out of range, each with at most five rows;
        empty when the column is valid.
    """
    if rule.by_metric:
        return []
    column = _Cells(values, keys)
    problems = []
    empty = values.isna()
    if empty.any() and not rule.may_be_empty:
        problems.append(f"empty cells ({int(empty.sum())}), at {column.places(empty)}")
    if empty.all():
        return problems
    if rule.lenient and rule.type != "float":
        return problems + _lenient_problems(column, values[~empty], is_binary=rule.type == "bool")
    return problems + _typed_problems(rule, column, values, empty)


def _typed_problems(rule: Column, column: _Cells, values: pd.Series, empty: pd.Series) -> list[str]:
    if rule.type == "bool":
        return _bool_problems(column, values[~empty])
    if rule.type == "label":
        known = {str(label) for label in rule.labels}
        odd = ~empty & ~values.astype(object).map(lambda v: str(v) in known)
        said = f"{_values(odd)} not among the labels: {column.words(odd)}"
        return [said] if odd.any() else []
    if rule.type in {"int", "float"}:
        read = _as_zero_and_one(column) if rule.lenient else column
        return _number_problems(rule, read, empty)
    return []


class _Cells:
    """A column's cells and the names of their rows, for messages."""

    def __init__(self, cells: pd.Series, keys: pd.Index | None) -> None:
        self.cells, self._keys = cells, keys

    def with_cells(self, cells: pd.Series) -> _Cells:
        """Return other cells in the same rows."""
        return _Cells(cells, self._keys)

    def _place(self, row: int) -> str:
        key = None if self._keys is None else self._keys[row]
        return f"row {row + 1}" if key is None else show_key(key)

    def places(self, wrong: pd.Series) -> str:
        """List the marked rows."""
        rows = [int(row) for row in wrong.to_numpy().nonzero()[0]]
        return list_shown((self._place(row) for row in rows[:MAX_SHOWN]), len(rows))

    def words(self, wrong: pd.Series) -> str:
        """List the marked cells in quotes with their rows, in the order of the file."""
        rows = [int(row) for row in wrong.to_numpy().nonzero()[0]]
        shown = (
            f"{str(self.cells.iloc[row])[:_MAX_CELL]!r} at {self._place(row)}"
            for row in rows[:MAX_SHOWN]
        )
        return list_shown(shown, len(rows))

    def numbers(self, wrong: pd.Series) -> str:
        """List numbers with their rows, in their own order."""
        first = wrong.iloc[:MAX_SHOWN].items()
        return list_shown(
            (f"{n!s} at {self._place(int(str(row)))}" for row, n in first), len(wrong)
        )


def _bool_problems(column: _Cells, present: pd.Series) -> list[str]:
    """Expect True and False, or 1 and 0; where one odd cell made the column text, name only it."""
    if all(v in {0, 1} for v in present.unique()):
        return []
    odd = _mask(column.cells, present[~present.map(_is_bool_word)])
    if not odd.any():  # True beside 1, or written in quotes: each cell is fine, the column is not
        words = ", ".join(repr(str(v)[:_MAX_CELL]) for v in present.unique()[:MAX_SHOWN])
        return [f"expected one spelling, True and False or 1 and 0, in every row, found {words}"]
    return [
        f"expected True or False in every row, found {_values(odd, 'other ')}: {column.words(odd)}"
    ]


def _is_bool_word(value: object) -> bool:
    if isinstance(value, str):
        return value in _BOOL_WORDS or value in {"0", "1", "0.0", "1.0"}
    return value in {0, 1}


def _lenient_problems(column: _Cells, present: pd.Series, *, is_binary: bool) -> list[str]:
    """Say what the published grader refuses, naming only the cells that make it refuse."""
    import pandas as pd

    problem = label_problem(present, words_count_as_wrong=True, is_binary=is_binary)
    if problem is None:
        return []
    if pd.api.types.is_numeric_dtype(present):
        odd = _mask(column.cells, present[~is_integral(present)])
        return [
            "expected whole numbers (probabilities are no labels), found "
            f"{_values(odd, 'other ')}: {column.words(odd)}"
        ]
    whole = _as_numbers(present)
    is_fine = present.map(_is_bool_word) | (whole.notna() & is_integral(whole))
    odd = _mask(column.cells, present[~is_fine])
    if not odd.any():
        return [problem]
    return [
        f"expected True/False or whole numbers, found {_values(odd, 'other ')}: {column.words(odd)}"
    ]


def _number_problems(rule: Column, column: _Cells, empty: pd.Series) -> list[str]:
    import pandas as pd

    problems = []
    numbers = _as_numbers(column.cells)
    odd = ~empty & numbers.isna()
    if odd.any():
        problems.append(f"expected numbers, found {_values(odd, 'other ')}: {column.words(odd)}")
    elif not pd.api.types.is_numeric_dtype(
        column.cells
    ):  # each cell is a number, but no column of numbers can hold them
        odd = numbers.abs() >= LARGEST_WHOLE_FLOAT
        said = (
            f"whole numbers beyond 64 bits: {column.words(odd)}"
            if odd.any()
            else column.cells.dtype
        )
        problems.append(f"expected numbers, found {said}")
    present = numbers[numbers.notna()]
    if rule.type == "int":
        fractions = present[~is_integral(present)]
        if len(fractions):
            shown = column.numbers(fractions)
            found = _values(fractions, "other ")
            problems.append(f"expected whole numbers, found {found}: {shown}")
    return problems + _range_problems(rule, column, present)


def _range_problems(rule: Column, column: _Cells, numbers: pd.Series) -> list[str]:
    problems = []
    infinite = numbers[numbers.abs() == float("inf")]
    if len(infinite):
        problems.append(f"{_values(infinite, 'infinite ')}: {column.numbers(infinite)}")
    if rule.low is not None:
        below = numbers[numbers < rule.low].sort_values(kind="stable")
        if len(below):
            problems.append(f"{_values(below)} below {rule.low:g}: {column.numbers(below)}")
    if rule.high is not None:
        above = numbers[numbers > rule.high].sort_values(kind="stable", ascending=False)
        if len(above):
            problems.append(f"{_values(above)} above {rule.high:g}: {column.numbers(above)}")
    return problems


def _as_zero_and_one(column: _Cells) -> _Cells:
    """Take True for 1 in a column that holds nothing else, as published graders of numbers do."""
    import pandas as pd

    flags = pd.api.types.is_bool_dtype(column.cells)
    return column.with_cells(column.cells.astype("int64")) if flags else column


def _as_numbers(values: pd.Series) -> pd.Series:
    """Read each cell as a number; what is none becomes missing. True and False are no numbers."""
    import pandas as pd

    if pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values):
        return values
    return pd.to_numeric(values.astype(str), errors="coerce").astype(float)


def _mask(values: pd.Series, chosen: pd.Series) -> pd.Series:
    """Mark the rows of `chosen` among all."""
    import pandas as pd

    return pd.Series(values.index.isin(chosen.index), index=values.index)


def _values(wrong: pd.Series, kind: str = "") -> str:
    """Count marked rows, or chosen values."""
    n = int(wrong.sum()) if wrong.dtype == bool else len(wrong)
    return f"{n} {kind}value{'s' * (n != 1)}"
