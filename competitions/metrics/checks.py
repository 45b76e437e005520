"""What metrics ask of a submission's cells before they score, and how they name what is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from competitions.columns import MAX_SHOWN, list_shown, show_key
from competitions.errors import InvalidSubmissionError
from competitions.labels import is_integral

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pandas as pd

    from competitions.metrics.base import Context


def places(frame: pd.DataFrame, wrong: pd.Series, context: Context) -> str:
    """Name the marked rows by their key, at most five; by number where there is no key column."""
    from competitions.submission import key_index

    rows = [int(row) for row in wrong.to_numpy().nonzero()[0]]
    shown = rows[:MAX_SHOWN]
    if not context.key or set(context.key) - set(frame.columns):
        return list_shown((f"row {row + 1}" for row in shown), len(rows))
    return list_shown(map(show_key, key_index(frame.iloc[shown], context.key)), len(rows))


def refuse_rows(frame: pd.DataFrame, wrong: pd.Series, said: str, context: Context) -> None:
    """Refuse a submission some of whose rows break a rule.

    Parameters
    ----------
    wrong : Series of bool
        Marks the rows.
    said : str
        Column and what is wrong with it: ``"score: empty cells"``.

    Raises
    ------
    InvalidSubmissionError
        When at least one row is marked.
    """
    if wrong.any():
        where = places(frame, wrong, context)
        raise InvalidSubmissionError([f"{said} ({int(wrong.sum())}), at {where}"])


def require_columns(frame: pd.DataFrame, names: Iterable[str]) -> None:
    """Refuse a table that lacks a column.

    Raises
    ------
    InvalidSubmissionError
        Naming every column that is not there.
    """
    missing = [name for name in names if name not in frame.columns]
    if missing:
        found = ", ".join(map(str, frame.columns[:MAX_SHOWN]))
        raise InvalidSubmissionError([f"expected the columns {', '.join(missing)}, found {found}"])


def check_columns(frame: pd.DataFrame, context: Context) -> None:
    """Hold a submission to the argument ``columns``: how strict the task is about other columns.

    ``any`` (the default) ignores further columns; ``exact`` refuses them; ``key-first`` refuses
    them and wants the key to stand first; ``ordered`` wants every column in the answers' order.

    Raises
    ------
    InvalidSubmissionError
        When a column is missing, too many or in the wrong place.
    """
    rule = context.arguments.get("columns", "any")
    expected = [*context.key, *context.targets]
    found = [str(name) for name in frame.columns]
    require_columns(frame, context.targets)
    if rule == "any":
        return
    others = [name for name in found if name not in expected]
    if others:
        raise InvalidSubmissionError([f"columns that are not expected: {', '.join(others[:5])}"])
    if rule == "key-first" and found[: len(context.key)] != list(context.key):
        said = f"expected {', '.join(context.key)} as the first column, found {found[0]}"
        raise InvalidSubmissionError([said])
    if rule == "ordered" and found != expected:
        at = next(i for i, name in enumerate(found) if name != expected[i])
        said = f"expected {expected[at]} as column {at + 1}, found {found[at]}"
        raise InvalidSubmissionError([said])


def as_numbers(cells: pd.Series) -> pd.Series:
    """Read each cell as a float; True is 1, and what is no number becomes missing."""
    import pandas as pd

    if pd.api.types.is_numeric_dtype(cells):  # bool is numeric to pandas
        return cells.astype("float64")
    return pd.to_numeric(cells.astype(object), errors="coerce").astype("float64")


def numbers(
    frame: pd.DataFrame,
    context: Context,
    columns: Sequence[str] | None = None,
    *,
    allow: Iterable[str] = (),
    limits: tuple[float, float] | None = None,
) -> pd.DataFrame:
    """Return columns as floats, or refuse the submission with everything that is no such number.

    Parameters
    ----------
    columns : sequence of str or None
        None takes the targets.
    allow : iterable of {"missing", "infinite"}
        What is let through all the same.
    limits : tuple of float or None
        Least and greatest value that may stand there.

    Raises
    ------
    InvalidSubmissionError
        One sentence per column and fault, with at most five rows each.
    """
    import pandas as pd

    names = list(context.targets if columns is None else columns)
    require_columns(frame, names)
    low, high = limits or (float("-inf"), float("inf"))
    read, problems = {}, []
    for name in names:
        cells, values = frame[name], as_numbers(frame[name])
        faults = {
            "text that is no number": cells.notna() & values.isna(),
            "empty cells": cells.isna() & ("missing" not in allow),
            "infinite values": (values.abs() == float("inf")) & ("infinite" not in allow),
            f"values below {low:g}": values < low,
            f"values above {high:g}": values > high,
        }
        problems += [
            f"{name}: {said} ({int(wrong.sum())}), at {places(frame, wrong, context)}"
            for said, wrong in faults.items()
            if wrong.any()
        ]
        read[name] = values
    if problems:
        raise InvalidSubmissionError(problems)
    return pd.DataFrame(read)


def whole_numbers(frame: pd.DataFrame, context: Context, column: str) -> pd.Series:
    """Return a column of class numbers as integers; True is 1, 2.0 is 2, 2.5 is refused.

    Raises
    ------
    InvalidSubmissionError
        When a cell is empty, text, infinite or a fraction.
    """
    import pandas as pd

    cells = frame[column] if column in frame.columns else None
    if cells is not None and pd.api.types.is_integer_dtype(cells):
        return cells
    values = numbers(frame, context, [column])[column]
    said = f"{column}: values that are no whole numbers"
    refuse_rows(frame, ~is_integral(values), said, context)
    return values.astype("int64")


def refuse_sums(frame: pd.DataFrame, sums: pd.Series, wrong: pd.Series, context: Context) -> None:
    """Refuse rows whose probabilities do not add up to one, with the first sum that is off.

    Raises
    ------
    InvalidSubmissionError
        When at least one row is marked.
    """
    if wrong.any():
        first = float(sums[wrong].iloc[0])
        said = f"{context.targets[0]} … {context.targets[-1]}: rows that sum to {first:g}, not to 1"
        refuse_rows(frame, wrong, said, context)
