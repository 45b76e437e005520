"""What can be read off a column beside its values: gaps, decimals, prefixes, clocks."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from detectors.leakage.event_times import as_seconds

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pandas as pd
    from numpy.typing import NDArray

MAX_LEVELS = 64  # of a view; the rarer ones are one level together
FEWEST_ROWS = 30  # of a level that is looked at by itself
LEAST_SHARE = 0.005  # of all rows, for the same
MOST_NUMBERS = 0.95  # of the cells of a text column that have to hold a number
LARGEST = 1e30  # numbers beyond are as large as this one
MOST_ALIKE = 0.85  # of numbers that have as many decimals as any; the last may be a nought
MOST_WORDS = 3  # words a cell from which a column is free text
_MAX_DECIMALS = 9
_DAY_S = 86_400
_PLACEHOLDER = re.compile(r"(?i)\s*(?:n/?\.?a\.?|nan|none|null|nil|unknown|missing|[-?.]*)\s*")
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")
_SIGN = re.compile(r"[^A-Za-z0-9]+")
N_PARTS = 5  # of a text between signs, from its front


class Kind(StrEnum):
    """What a view is of, which decides how much it may tell of a target.

    A value may tell much and be honest; the form in which it is written may not. A rare view is
    of single values among others; a frequency is of how often a value occurs.
    """

    VALUE = "value"
    FORM = "form"
    RARE = "rare"
    FREQUENCY = "frequency"


class View(NamedTuple):
    """One way to read a column.

    Parameters
    ----------
    said : str
        What it reads, as part of a sentence.
    kind : Kind
    cells : ndarray, shape (n_rows,)
        Floats are numbers, NaN where there is none; integers are levels from 0.
    levels : tuple of str
        What holds of a row at each level, as a clause; empty for numbers.
    is_gaps : bool
        Whether it is of which cells are empty.
    """

    said: str
    kind: Kind
    cells: NDArray[Any]
    levels: tuple[str, ...] = ()
    is_gaps: bool = False


def views_of(name: str, values: pd.Series, elsewhere: pd.Series | None = None) -> list[View]:
    """Return the views of a column; those that are constant are left out.

    Parameters
    ----------
    name : str
        How a sentence calls it.
    values : Series, shape (n_rows,)
        The cells that a target is known of.
    elsewhere : Series or None
        The column's other cells, such as those of the test part, for frequencies.

    Examples
    --------
    >>> import pandas as pd
    >>> prices = pd.Series([1.5, 2.25, None, 4.0, 7.0, 8.0] * 40)
    >>> [view.said for view in views_of("price", prices)]  # doctest: +NORMALIZE_WHITESPACE
    ['whether price is empty', 'the value of price', 'the number of decimals of price',
     'single values of price']
    """
    return [view for view in _all(name, values, elsewhere) if not _is_constant(view.cells)]


def _all(name: str, values: pd.Series, elsewhere: pd.Series | None) -> Iterator[View]:
    from pandas.api.types import is_bool_dtype, is_datetime64_any_dtype, is_numeric_dtype

    if is_bool_dtype(values):
        yield _levels(f"the value of {name}", Kind.VALUE, values.astype(object))
    elif is_numeric_dtype(values):
        yield from numeric_views(name, finite(values))
        yield from _frequency(name, values, elsewhere)
    elif is_datetime64_any_dtype(values) or as_seconds(_head(values)) is not None:
        yield from time_views(name, values)
    else:
        yield from text_views(name, values, elsewhere)


def _head(values: pd.Series) -> pd.Series:
    return values.dropna().iloc[:200]


def finite(values: pd.Series) -> NDArray[np.float64]:
    """Return numbers, NaN where they are infinite, and none so large that its square is."""
    numbers = np.asarray(values.to_numpy(dtype=float, na_value=np.nan))
    return np.where(np.isfinite(numbers), numbers.clip(-LARGEST, LARGEST), np.nan)


def numeric_views(name: str, numbers: NDArray[np.float64]) -> Iterator[View]:
    """Yield the views of numbers, NaN where there is none."""
    yield _gaps(name, np.isnan(numbers))
    yield View(f"the value of {name}", Kind.VALUE, numbers)
    known = numbers[~np.isnan(numbers)]
    if not len(known):
        return
    decimals = decimals_of(numbers)
    most = int(decimals.max())
    if most > 0 and (decimals < _MAX_DECIMALS).any():
        yield _coded(f"the number of decimals of {name}", Kind.FORM, decimals)
    n_distinct = len(np.unique(known))
    yield from _single_values(name, numbers, known)
    is_of_one_form = (decimals[decimals >= 0] == most).mean() >= MOST_ALIKE
    if n_distinct > MAX_LEVELS // 2 and most < _MAX_DECIMALS and is_of_one_form:
        yield from _last_digits(name, numbers * 10.0**most)


def decimals_of(numbers: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return how many decimals numbers are written with, at most nine; -1 where there is none."""
    found = np.full(len(numbers), _MAX_DECIMALS)
    found[np.isnan(numbers)] = -1
    for n in reversed(range(_MAX_DECIMALS)):
        scaled = numbers * 10.0**n
        found[np.abs(scaled - np.rint(scaled)) <= np.maximum(np.abs(scaled), 1) * 1e-13 * 64] = n
    return found


def _single_values(
    name: str, numbers: NDArray[np.float64], known: NDArray[np.float64]
) -> Iterator[View]:
    """Yield the values that recur, and whether it is the most common one."""
    distinct, counts = np.unique(known, return_counts=True)
    usual = distinct[counts.argmax()]
    if len(distinct) > 2 and counts.max() >= 0.2 * len(numbers):  # noqa: PLR2004
        clauses = (f"{name} is not {usual:g}", f"{name} is {usual:g}")
        yield _flags(f"whether {name} is {usual:g}", Kind.RARE, numbers == usual, clauses)
    least = max(FEWEST_ROWS, LEAST_SHARE * len(numbers))
    recurring = distinct[counts >= least]
    if len(recurring) > MAX_LEVELS - 2:
        recurring = np.sort(distinct[np.argsort(-counts)[: MAX_LEVELS - 2]])
    if not len(recurring):
        return
    place = np.searchsorted(recurring, numbers).clip(max=len(recurring) - 1)
    codes = np.where(recurring[place] == numbers, place + 1, 0)
    said = (f"{name} is another value", *(f"{name} is {value:g}" for value in recurring))
    yield View(f"single values of {name}", Kind.RARE, codes, said)


def _last_digits(name: str, whole: NDArray[np.float64]) -> Iterator[View]:
    """Yield remainders of whole numbers."""
    if np.nanmax(np.abs(whole)) >= 2**53:
        return
    for modulus in (2, 10, 3, 7):
        remainder = np.where(np.isnan(whole), -1, np.mod(np.rint(np.nan_to_num(whole)), modulus))
        said = {2: f"whether {name} is even or odd", 10: f"the last digit of {name}"}
        yield _coded(
            said.get(modulus, f"the remainder of {name} by {modulus}"), Kind.FORM, remainder
        )


def time_views(name: str, values: pd.Series) -> Iterator[View]:
    """Yield the views of times."""
    seconds = as_seconds(values)
    if seconds is None:
        return
    missing = np.isnan(seconds)
    yield _gaps(name, missing)
    yield View(f"the time in {name}", Kind.VALUE, seconds)
    days = np.floor(np.nan_to_num(seconds) / _DAY_S)
    clock = np.nan_to_num(seconds) - days * _DAY_S
    parts = {
        "hour": (Kind.VALUE, clock // 3600),
        "weekday": (Kind.VALUE, (days + 3) % 7),
        "minute": (Kind.FORM, clock // 60 % 60),
        "second": (Kind.FORM, clock // 1 % 60),
        "part of a second": (Kind.FORM, np.rint(clock % 1 * 1e6) != 0),
    }
    for part, (kind, cells) in parts.items():
        yield _coded(f"the {part} of {name}", kind, np.where(missing, -1, cells))


def text_views(name: str, values: pd.Series, elsewhere: pd.Series | None) -> Iterator[View]:
    """Yield the views of texts that are no times."""
    import pandas as pd

    texts = values.astype(object).where(values.notna(), "").map(str)
    distinct = pd.unique(texts)
    is_empty = texts.map({t: bool(_PLACEHOLDER.fullmatch(t)) for t in distinct}).to_numpy(bool)
    yield _gaps(name, is_empty)
    if is_empty.all():
        return
    if len(distinct) <= MAX_LEVELS:
        yield _levels(f"the value of {name}", Kind.VALUE, texts)
        yield _levels(name, Kind.RARE, texts)._replace(said=f"single values of {name}")
    has_words = np.mean([len(t.split()) for t in texts[:500]]) >= MOST_WORDS
    yield from _written(name, texts, is_text=bool(has_words))
    if len(distinct) > MAX_LEVELS and not has_words:
        yield from _parts(name, texts)
    yield from _frequency(name, texts, elsewhere)


def _written(name: str, texts: pd.Series, *, is_text: bool) -> Iterator[View]:
    """Yield how texts are written."""
    lengths = texts.str.len().to_numpy(dtype=float)
    if is_text:
        yield View(f"the length of {name}", Kind.VALUE, lengths)
        yield View(
            f"the number of words of {name}", Kind.VALUE, texts.str.count(" ").to_numpy(dtype=float)
        )
    elif texts.nunique() > MAX_LEVELS:
        yield _coded(f"the length of {name}", Kind.FORM, lengths)
    case = texts.str.isupper().astype(int) + 2 * texts.str.islower() + 4 * texts.str.istitle()
    yield _coded(f"capitals in {name}", Kind.FORM, case.to_numpy())
    is_padded = (texts != texts.str.strip()).to_numpy(bool)
    clauses = (f"{name} has no blanks around it", f"{name} has blanks around it")
    yield _flags(f"blanks around {name}", Kind.FORM, is_padded, clauses)
    is_plain = texts.map(str.isascii).to_numpy(bool)
    clauses = (f"{name} has letters beyond ASCII", f"{name} is ASCII")
    yield _flags(f"letters beyond ASCII in {name}", Kind.FORM, is_plain, clauses)


def _parts(name: str, texts: pd.Series) -> Iterator[View]:
    """Yield what names and ids begin and end with, what stands between signs, their number."""
    first = texts.str.extract(r"^([A-Za-z]*)", expand=False).fillna("")
    yield _levels(f"the letters that {name} begins with", Kind.FORM, first)
    for n in (1, 2, 3):
        yield _levels(f"the first {n} signs of {name}", Kind.FORM, texts.str[:n])
    for n in (1, 2):
        yield _levels(f"the last {n} signs of {name}", Kind.FORM, texts.str[-n:])
    cut = [_SIGN.split(t, maxsplit=N_PARTS) for t in texts]
    for n in range(N_PARTS if any(len(c) > 1 for c in cut) else 0):
        part = [c[n] if n < len(c) else "" for c in cut]
        if len(set(part)) <= max(MAX_LEVELS, len(part) // 50):
            yield _levels(f"part {n + 1} of {name}", Kind.FORM, part)
    yield from _number_within(name, texts)


def _number_within(name: str, texts: pd.Series) -> Iterator[View]:
    found = [_NUMBER.search(t) for t in texts]
    numbers = np.array([float(m.group()) if m else np.nan for m in found])
    if np.isfinite(numbers).mean() < MOST_NUMBERS:
        return
    yield View(f"the number in {name}", Kind.VALUE, numbers)
    if (numbers == np.rint(numbers)).mean() >= MOST_NUMBERS:
        yield from _last_digits(f"the number in {name}", np.rint(numbers))


def _frequency(name: str, values: pd.Series, elsewhere: pd.Series | None) -> Iterator[View]:
    """Yield how often a value occurs in all parts together, where values are many and recur."""
    import pandas as pd

    every = values if elsewhere is None else pd.concat([values, elsewhere], ignore_index=True)
    if every.dtype == object:
        every = every.map(str)
    codes, levels = pd.factorize(every)
    if MAX_LEVELS < len(levels) <= 0.9 * len(every):
        counts = np.bincount(codes[codes >= 0])
        found = np.where(codes >= 0, counts[codes], 0)[: len(values)]
        yield View(f"how often the value of {name} occurs", Kind.FREQUENCY, found.astype(float))


def _gaps(name: str, is_empty: NDArray[np.bool_]) -> View:
    clauses = (f"{name} is filled", f"{name} is empty")
    said = f"whether {name} is empty"
    return _flags(said, Kind.FORM, is_empty, clauses)._replace(is_gaps=True)


def _flags(said: str, kind: Kind, flags: NDArray[np.bool_], clauses: tuple[str, str]) -> View:
    return View(said, kind, flags.astype(np.intp), clauses)


def _coded(said: str, kind: Kind, cells: NDArray[Any]) -> View:
    """Return whole numbers as levels."""
    distinct, codes = np.unique(cells, return_inverse=True)
    return _capped(said, kind, codes, [f"{value:g}" for value in distinct])


def _levels(said: str, kind: Kind, cells: Any) -> View:  # noqa: ANN401 - a column or a list
    """Return texts as levels."""
    import pandas as pd

    codes, distinct = pd.factorize(np.asarray(cells, dtype=object), sort=False)
    return _capped(said, kind, codes, [str(value) for value in distinct])


def _capped(said: str, kind: Kind, codes: NDArray[np.intp], names: list[str]) -> View:
    """Put the rarer levels together where there are too many."""
    if len(names) <= MAX_LEVELS:
        return View(said, kind, codes, tuple(f"{said} is {name}" for name in names))
    kept = np.argsort(-np.bincount(codes, minlength=len(names)), kind="stable")[: MAX_LEVELS - 1]
    place = np.full(len(names), MAX_LEVELS - 1)
    place[kept] = np.arange(len(kept))
    clauses = (*(f"{said} is {names[k]}" for k in kept), f"{said} is a rarer one")
    return View(said, kind, place[codes], clauses)


def _is_constant(cells: NDArray[Any]) -> bool:
    first = cells[0]
    return bool(np.isnan(cells).all() if first != first else (cells == first).all())  # noqa: PLR0124
