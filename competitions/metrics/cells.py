"""Cells of two tables read as text, and sentences about those that break a rule. No metric."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from competitions.columns import MAX_SHOWN, list_shown, show_key
from competitions.errors import InvalidSubmissionError
from competitions.metrics.checks import places, require_columns
from competitions.submission import key_index

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import pandas as pd

    from competitions.metrics.base import Context

Parsed = TypeVar("Parsed")

_MAX_WORDS = 60  # characters of a hostile cell that a message repeats


def shown(cell: object) -> str:
    """Repeat a cell in a message: in quotes and cut short."""
    return repr(str(cell)[:_MAX_WORDS])


def refusal(
    frame: pd.DataFrame, context: Context, problems: Mapping[str, Sequence[int]]
) -> InvalidSubmissionError:
    """Build the error that names a column's problems with their rows.

    Parameters
    ----------
    problems : mapping of str to sequence of int
        Row positions by what is wrong with them, each sentence beginning with the column's name.

    Returns
    -------
    InvalidSubmissionError
        One sentence per problem, at most five rows each, by their keys where the table has them.
    """
    import pandas as pd

    position = pd.Series(range(len(frame)))
    return InvalidSubmissionError(
        f"{said} ({len(rows)}), at {places(frame, position.isin(rows), context)}"
        for said, rows in problems.items()
    )


def _written(cell: object, *, whole: bool) -> str:
    if whole and isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return str(cell)


def texts(
    frame: pd.DataFrame,
    column: str,
    context: Context,
    *,
    missing: str | None = None,
    numbers: bool = False,
) -> list[str]:
    """Read a submitted column as text, cell by cell.

    Parameters
    ----------
    missing : str or None
        What an empty cell counts as (so do "NA", "null" and the like, which pandas reads as
        missing); None refuses it.
    numbers : bool
        Take numbers and True/False as pandas writes them, 7.0 where one cell of a column of whole
        numbers is empty (``fixed`` writes 7); False refuses them.

    Raises
    ------
    InvalidSubmissionError
        When a cell is refused.
    """
    empty = frame[column].isna().to_numpy()
    cells = frame[column].astype(object).tolist()
    problems: dict[str, list[int]] = {}
    if missing is None and empty.any():
        problems[f"{column}: empty cells"] = [int(row) for row in empty.nonzero()[0]]
    if not numbers:
        odd = [n for n, c in enumerate(cells) if not empty[n] and not isinstance(c, str)]
        if odd:
            problems[f"{column}: expected text, found {shown(cells[odd[0]])}"] = odd
    if problems:
        raise refusal(frame, context, problems)
    whole = context.variant == "fixed"
    return [
        str(missing) if gone else _written(cell, whole=whole)
        for cell, gone in zip(cells, empty, strict=True)
    ]


def parsed(
    frame: pd.DataFrame,
    column: str,
    context: Context,
    cells: Sequence[str],
    parse: Callable[[int, str], Parsed],
) -> list[Parsed]:
    """Parse every cell; what `parse` refuses with a ValueError is the submission's fault.

    Parameters
    ----------
    cells : sequence of str
        The column as `texts` reads it.
    parse : callable
        ``(row position, cell) -> value``.

    Raises
    ------
    InvalidSubmissionError
        With each kind of fault, told by the ValueError's text, and its rows.
    """
    found: list[Parsed] = []
    problems: dict[str, list[int]] = {}
    for row, cell in enumerate(cells):
        try:
            found.append(parse(row, cell))
        except ValueError as error:
            problems.setdefault(f"{column}: {error}", []).append(row)
    if problems:
        raise refusal(frame, context, dict(list(problems.items())[:MAX_SHOWN]))
    return found


def answer_texts(answers: pd.DataFrame, column: str, missing: str | None = "") -> list[str]:
    """Read a column of the answers as text; an empty cell counts as `missing`.

    Raises
    ------
    ValueError
        When a cell is empty and `missing` is None: a fault of the answers.
    """
    empty = answers[column].isna().to_numpy()
    if missing is None and empty.any():
        raise ValueError(f"{column}: {int(empty.sum())} answers are empty")
    cells = answers[column].astype(object).tolist()
    return [str(missing) if gone else str(c) for c, gone in zip(cells, empty, strict=True)]


def aligned(
    answers: pd.DataFrame, submission: pd.DataFrame, context: Context, *, superset: bool = False
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Bring tables that nobody has aligned yet into the order of the answers.

    Parameters
    ----------
    superset : bool
        Drop submitted rows whose key the answers do not hold instead of refusing them.

    Raises
    ------
    InvalidSubmissionError
        When keys are missing, occur more than once or are not in the answers.
    """
    require_columns(submission, [*context.key, *context.targets])
    wanted, found = key_index(answers, context.key), key_index(submission, context.key)
    wrong = [
        ("keys that occur more than once", found[found.duplicated()].unique()),
        ("missing keys", wanted[~wanted.isin(found)]),
    ]
    if not superset:
        wrong.append(("keys that are not in the test part", found[~found.isin(wanted)].unique()))
    problems = [
        f"{', '.join(context.key)}: {what} ({len(keys)}): "
        + list_shown([show_key(k) for k in keys[:MAX_SHOWN]], len(keys))
        for what, keys in wrong
        if len(keys)
    ]
    if problems:
        raise InvalidSubmissionError(problems)
    order = found.get_indexer(wanted)
    return answers.reset_index(drop=True), submission.iloc[order].reset_index(drop=True)
