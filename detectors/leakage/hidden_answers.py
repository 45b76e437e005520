"""The hidden answers of a task in the order and under the ids that the public part gives away."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from competitions.errors import EvidenceUnavailableError
from competitions.submission import key_index
from detectors.leakage.association import association, effects_of_numbers

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd
    from numpy.typing import NDArray

MAX_CLASSES = 50  # more different values that are no numbers are texts, not classes
MAX_ROWS = 20_000  # looked at; of more rows an even sample, in their order
MIN_ROWS = 20  # fewer tell nothing
MOST_ALONE = 0.8  # share of different names up to which ids name somebody with several rows
MOST_KINDS = 0.5  # share of different last parts up to which they are kinds of rows
MAX_KINDS = 5  # kinds of rows that the last part of an id may tell apart
_KNOWN = 0.9  # how much a public column may tell of a view: then the view is nothing new
MIN_SEEN, MAX_CELLS = 1000, 20_000_000  # rows, and values of all columns, that are looked at
_AT_ONCE = 500  # columns
_MIN_NUMBERS = 12  # fewer different numbers are classes


class Answers(NamedTuple):
    """Answers row by row as the public part lists its rows.

    Parameters
    ----------
    ids : list of str, shape (n_rows,)
        The first key column, as text.
    targets : dict of str to ndarray, shape (n_rows,)
        Floats where the answers are numbers, else class numbers as integers.
    public : DataFrame
        The public columns of these rows, without the key.
    """

    ids: list[str]
    targets: dict[str, NDArray[Any]]
    public: pd.DataFrame


def pair_answers(
    perfect: pd.DataFrame, public: pd.DataFrame, key: Sequence[str], targets: Sequence[str]
) -> Answers:
    """Bring answers into the order in which a public table lists their rows.

    Parameters
    ----------
    perfect : DataFrame
        Key and targets, a row per answer.
    public : DataFrame
        Key and public columns, in the order that is public.

    Raises
    ------
    EvidenceUnavailableError
        When they cannot be paired, are fewer than twenty, or are neither numbers nor classes.
    """
    if not key or any(k not in perfect.columns or k not in public.columns for k in key):
        raise EvidenceUnavailableError("data", "its answers have no ids to pair rows by")
    names = key_index(perfect, key)
    if not names.is_unique:
        raise EvidenceUnavailableError("data", "an id names several of its answers")
    order = names.get_indexer(key_index(public, key))
    rows = np.flatnonzero(order >= 0)
    if len(rows) < MIN_ROWS:
        raise EvidenceUnavailableError(
            "data", f"expected at least {MIN_ROWS} rows with an answer, found {len(rows)}"
        )
    if len(rows) > MAX_ROWS:
        rows = rows[np.linspace(0, len(rows) - 1, MAX_ROWS).astype(int)]
    answers = perfect.iloc[order[rows]]
    found = {t: known for t in targets if (known := coded(answers[t])) is not None}
    if not found:
        raise EvidenceUnavailableError("data", "its answers are neither numbers nor classes")
    shown = public.iloc[rows].drop(columns=[*key, *targets], errors="ignore")
    return Answers(public.iloc[rows][key[0]].astype(str).tolist(), found, shown)


def as_texts(values: pd.Series) -> pd.Series:
    """Return a column as texts, missing values as empty ones."""
    return values.astype(object).where(values.notna(), "").map(str)


def parts_of(ids: Sequence[str]) -> tuple[list[str], list[str]] | None:
    """Cut ids such as ``patient_week`` into whom they name and which of its rows.

    Returns
    -------
    tuple of two lists, or None
        None where the ids have no such form: no separator, or nobody with several rows.
    """
    cut = [re.split(r"[^A-Za-z0-9.]", one) for one in ids]
    if any(len(parts) == 1 for parts in cut):
        return None
    whom, which = ["_".join(p[:-1]) for p in cut], [p[-1] for p in cut]
    if len(set(which)) > MOST_KINDS * len(ids):
        return None  # what follows names single rows, as in ``car-0a1b2c``
    has_several = len(set(whom)) <= MOST_ALONE * len(ids)
    return (whom, which) if has_several or len(set(which)) <= MAX_KINDS else None


def alone(ids: Sequence[str]) -> NDArray[np.intp]:
    """Return one row for each that ids name, of the most common kind of row, in their order.

    Rows of one patient share what their id says of the patient, and are one observation of it.
    """
    parts = parts_of(ids)
    if parts is None:
        return np.arange(len(ids))
    whom, which = parts
    kinds = Counter(which)
    (usual, _n) = kinds.most_common(1)[0]
    rows = [n for n, kind in enumerate(which) if len(kinds) > MAX_KINDS or kind == usual]
    first = {whom[n]: n for n in reversed(rows)}
    return np.array(sorted(first.values()))


def is_told(view: NDArray[Any], public: pd.DataFrame) -> bool:
    """Say whether a public column says what a view of the rows says, which then is nothing new.

    Of wide tables an even sample of the rows is looked at.
    """
    import pandas as pd

    rows = max(MIN_SEEN, MAX_CELLS // max(1, public.shape[1]))
    step = max(1, -(-len(view) // rows))
    view, public = view[::step], public.iloc[::step]
    is_number = np.array([dtype.kind in "iuf" for dtype in public.dtypes], dtype=bool)
    at = np.flatnonzero(is_number)
    for start in range(0, len(at), _AT_ONCE):
        numbers = _filled(public.iloc[:, at[start : start + _AT_ONCE]])
        if (effects_of_numbers(view, numbers) >= _KNOWN).any():
            return True
    rng = np.random.default_rng(0)
    for name in public.columns[~is_number]:
        column: NDArray[Any]
        values = public[name]
        texts = values if isinstance(values.dtype, pd.StringDtype) else as_texts(values)
        column, levels = pd.factorize(texts, sort=True)
        column = column - column.min(initial=0)  # where a text is missing, as if it were empty
        if len(levels) > MAX_CLASSES:  # a date as text, say: its place among the others
            column = column.astype(float)
        if association(view, column, rng, 0).effect >= _KNOWN:
            return True
    return False


def _filled(table: pd.DataFrame) -> NDArray[np.float64]:
    """Return columns of numbers with medians where one is missing; as they are where all are."""
    numbers = np.array(table.to_numpy(float, na_value=np.nan))
    gaps = np.isnan(numbers)
    some = np.flatnonzero(gaps.any(axis=0) & ~gaps.all(axis=0))
    numbers[:, some] = np.where(
        gaps[:, some], np.nanmedian(numbers[:, some], axis=0), numbers[:, some]
    )
    return numbers


def coded(values: pd.Series) -> NDArray[Any] | None:
    """Return numbers as floats and classes numbered; None for texts and constants."""
    import pandas as pd

    codes, levels = pd.factorize(values.astype(object), use_na_sentinel=False)
    if len(levels) < 2:  # noqa: PLR2004 - a constant tells nothing
        return None
    is_number = pd.api.types.is_numeric_dtype(values) and not pd.api.types.is_bool_dtype(values)
    if is_number and len(levels) >= _MIN_NUMBERS:
        numbers = values.astype(float)
        return np.asarray(numbers.fillna(numbers.median()), dtype=float)
    return codes if len(levels) <= MAX_CLASSES else None
