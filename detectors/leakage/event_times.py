"""Which columns say when the thing of a row happened; a date of birth is none of them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

N_LOOKED_AT = 2_000  # rows of a column by which it is told what it holds; an even sample
MOST = 0.95  # of the cells that have to be times
BIRTHS_SPAN_YEARS = 30  # days of birth spread at least so far; few event times of one table do
_YEAR_S = 365.25 * 86_400
_FIRST_YEAR, _LAST_YEAR = 1800, 2100
_EPOCH = (3e8, 4.2e9)  # seconds: from 1979 to 2103
_EPOCH_UNITS = {"s": 1.0, "ms": 1e3, "us": 1e6, "ns": 1e9}
_MIN_TIMES = 2

_OF_TIME = re.compile(
    r"date|datetime|time|timestamps?|stamp|ts|epoch|when|day|at|on|year|month|week|yr|dt|created"
    r"|updated|modified|posted|published|occurred|observed|recorded"
)
_OF_EVENT = re.compile(
    r"event|visit|admission|admitted|discharge|pickup|dropoff|ordered|sale|sold|purchase|transaction"
    r"|checkin|checkout|opened|closed|captured|measured|exam"
)
_OF_LIFE = re.compile(
    r"born|dob|yob|bday|bdate|geboren|built|construction|founded|expiry|expires|expiration"
)
_OF_LIFE_WITHIN = re.compile(r"birth|geburt|naissance|nacimiento|nascimento|nascita")
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_DATE = re.compile(
    r"\s*(?:"
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}"  # 2013-01-31
    r"|\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})"  # 31.01.2013
    r"|\d{4}-\d{2}"  # 2013-01
    r"|\d{1,2}[ -][A-Za-z]{3,9}\.?,?[ -]\d{2,4}"  # 31 January 2013
    r"|(?:[A-Za-z]{3,9},? )?[A-Za-z]{3,9}\.? \d{1,2}(?:,| ).*\d{2,4}"  # Thu Jan 31 ... 2013
    r"|\d{8}(?:\d{4}|\d{6})?Z?"  # 20130131235959Z
    r")(?:[T ,].*)?\s*"
)
_COMPACT = re.compile(r"(\d{8})(\d{4}|\d{6})?Z?")


class TimeColumn(NamedTuple):
    """A column that says when.

    Parameters
    ----------
    column : str
    score : float in (0, 1]
        How sure it is that the column holds event times; 1 where content and name say so.
    reason : str
        What it was told by.
    """

    column: str
    score: float
    reason: str


def event_times(frame: pd.DataFrame) -> list[TimeColumn]:
    """Return the columns that say when the thing of a row happened, the surest first.

    Dates and timestamps are told by content (texts, integers such as 20130131, seconds since
    1970) and by name; bare years only by name. Dates of birth, of construction and of expiry are
    no event times: they are told by name, or by their spread over decades.

    Examples
    --------
    >>> import pandas as pd
    >>> table = pd.DataFrame({"dob": ["1950-01-02", "1999-05-06"], "seen": ["2020-01-02"] * 2})
    >>> [found.column for found in event_times(table)]
    ['seen']
    """
    found = [one for name in frame.columns if (one := _told(str(name), frame[name])) is not None]
    return sorted(found, key=lambda one: -one.score)


def names_a_birth(name: str) -> bool:
    """Say whether a column's name speaks of the beginning or end of a thing, as ``dob`` does."""
    return _speaks(name, _OF_LIFE) or bool(_OF_LIFE_WITHIN.search(name.lower()))


def as_seconds(values: pd.Series) -> NDArray[np.float64] | None:
    """Return times as seconds since 1970, NaN where a cell is none; None for a column of none.

    Zones are read where they stand, days and months in the order that the cells allow.
    """
    import pandas as pd
    from pandas.api.types import is_bool_dtype, is_datetime64_any_dtype, is_numeric_dtype

    if is_datetime64_any_dtype(values):
        return _seconds(pd.to_datetime(values, utc=True))
    if is_bool_dtype(values):
        return None
    if is_numeric_dtype(values):
        numbers = np.asarray(values.to_numpy(dtype=float, na_value=np.nan))
        return _of_numbers(numbers)
    return _of_texts(values)


def _told(name: str, values: pd.Series) -> TimeColumn | None:
    """Say whether a column holds event times, and by what."""
    if names_a_birth(name):
        return None
    sample = _sample(values.dropna())
    if len(sample) < _MIN_TIMES:
        return None
    is_named = _speaks(name, _OF_TIME) or _speaks(name, _OF_EVENT)
    form = _form_of(sample, is_named=is_named)
    if form is None:
        return _year(name, sample)
    seconds = as_seconds(sample)
    if seconds is None or np.isfinite(seconds).mean() < MOST:
        return None
    if not is_named and _spreads_like_births(seconds):
        return None
    said = f"{form}, and named like a time" if is_named else form
    return TimeColumn(name, 1.0 if is_named else 0.7, said)


def _sample(values: pd.Series) -> pd.Series:
    if len(values) <= N_LOOKED_AT:
        return values
    return values.iloc[np.linspace(0, len(values) - 1, N_LOOKED_AT).astype(int)]


def _speaks(name: str, of: re.Pattern[str]) -> bool:
    """Say whether a word of a name is one of these: ``pickupDate_2`` is pickup, date and 2."""
    return any(of.fullmatch(word.lower()) for word in _WORDS.findall(name))


def _form_of(sample: pd.Series, *, is_named: bool) -> str | None:
    """Say what form of time the cells have, or None where they have none."""
    from pandas.api.types import is_datetime64_any_dtype, is_numeric_dtype

    if is_datetime64_any_dtype(sample):
        return "its cells are times"
    if not is_numeric_dtype(sample):
        is_date = np.array([bool(_DATE.fullmatch(str(cell))) for cell in sample])
        return "its texts are dates" if is_date.mean() >= MOST else None
    numbers = sample.to_numpy(dtype=float)
    if _are_days(numbers):
        return "its numbers are days such as 20130131"
    if is_named and _epoch_unit(numbers) is not None:
        return "its numbers are seconds since 1970, or parts of them"
    return None


def _year(name: str, sample: pd.Series) -> TimeColumn | None:
    """Take bare years where the name says so and speaks of nothing else."""
    from pandas.api.types import is_numeric_dtype

    if not re.fullmatch("year|yr", "".join(_WORDS.findall(name)).lower()):
        return None
    if not is_numeric_dtype(sample):
        return None
    numbers = sample.to_numpy(dtype=float)
    whole = (numbers >= _FIRST_YEAR) & (numbers <= _LAST_YEAR) & (numbers == np.floor(numbers))
    if whole.mean() < MOST or len(np.unique(numbers)) < _MIN_TIMES:
        return None
    return TimeColumn(name, 0.5, "its numbers are years, and it is named so")


def _are_days(numbers: NDArray[np.float64]) -> bool:
    """Say whether whole numbers read as year, month and day; by chance few of them do."""
    numbers = np.where(np.isfinite(numbers), numbers, 0)
    year, month, day = numbers // 10_000, numbers // 100 % 100, numbers % 100
    fits = (year >= _FIRST_YEAR) & (year <= _LAST_YEAR) & (month >= 1) & (month <= 12)  # noqa: PLR2004
    fits &= (day >= 1) & (day <= 31) & (numbers == np.floor(numbers))  # noqa: PLR2004
    return bool(fits.mean() >= MOST) and len(np.unique(numbers)) >= _MIN_TIMES


def _epoch_unit(numbers: NDArray[np.float64]) -> float | None:
    """Return how many of a column's units make a second since 1970, or None for other numbers."""
    known = numbers[np.isfinite(numbers)]
    for per_second in _EPOCH_UNITS.values():
        low, high = _EPOCH[0] * per_second, _EPOCH[1] * per_second
        if len(known) and ((known >= low) & (known <= high)).mean() >= MOST:
            return per_second
    return None


def _of_numbers(numbers: NDArray[np.float64]) -> NDArray[np.float64] | None:
    known = numbers[np.isfinite(numbers)]
    if not len(known):
        return None
    if _are_days(known):
        return _of_days(numbers)
    if (unit := _epoch_unit(known)) is not None:
        return numbers / unit
    if ((known >= _FIRST_YEAR) & (known <= _LAST_YEAR)).mean() >= MOST:
        return np.asarray((numbers - 1970) * _YEAR_S)
    return None


def _of_days(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    import pandas as pd

    texts = pd.Series(numbers).map("{:.0f}".format)
    return _seconds(pd.to_datetime(texts, format="%Y%m%d", errors="coerce", utc=True))


def _of_texts(values: pd.Series) -> NDArray[np.float64] | None:
    """Read texts as times; None where fewer than most of the cells are any."""
    import pandas as pd

    texts = values.astype(object)
    is_text = texts.map(lambda cell: isinstance(cell, str))  # cells of JSON may be lists
    if is_text.sum() < MOST * values.notna().sum():
        return None
    texts = texts.where(is_text, None)
    levels = pd.unique(texts.dropna())
    if not len(levels):
        return None
    head = [str(v) for v in levels[:N_LOOKED_AT]]
    if np.mean([bool(_DATE.fullmatch(v)) for v in head]) < MOST:
        return None
    if all(_COMPACT.fullmatch(v.strip()) for v in head):
        read = _seconds(pd.to_datetime(pd.Series([_spelt(str(v)) for v in levels]), **_MIXED))
    else:
        read = _in_the_better_order(pd.Series([str(v).strip() for v in levels]))
    by_level = dict(zip(levels, read, strict=True))
    return np.array([by_level.get(v, np.nan) for v in texts], dtype=float)


_MIXED: dict[str, Any] = {"format": "mixed", "errors": "coerce", "utc": True}


def _spelt(compact: str) -> str:
    match = _COMPACT.fullmatch(compact.strip())
    if match is None:
        return compact
    day, clock = match.groups()
    time = f"T{clock[:2]}:{clock[2:4]}:{clock[4:] or '00'}" if clock else ""
    return f"{day[:4]}-{day[4:6]}-{day[6:]}{time}"


def _in_the_better_order(texts: pd.Series) -> NDArray[np.float64]:
    """Read days before months or after them, as more cells allow."""
    import warnings

    import pandas as pd

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it warns of what is asked here: which order is meant
        month_first = _seconds(pd.to_datetime(texts, **_MIXED))
        is_numeric = texts.str.match(r"\d{1,2}[-/.]\d{1,2}[-/.]\d{2}").mean() >= MOST
        if not is_numeric:
            return month_first
        parts = texts.str.extract(r"(\d{1,2})[-/.](\d{1,2})").astype(float)
        if (parts[0] <= 12).all() and not ((parts[1] <= 12).all() and _runs(parts[1], parts[0])):  # noqa: PLR2004
            return month_first
        return _seconds(pd.to_datetime(texts, dayfirst=True, **_MIXED))


def _runs(months: pd.Series, days: pd.Series) -> bool:
    """Say whether the first of two numbers up to 12 takes fewer values than the second."""
    return int(months.nunique()) < int(days.nunique())


def _seconds(times: pd.Series) -> NDArray[np.float64]:
    import pandas as pd

    start = pd.Timestamp("1970-01-01", tz="UTC")
    return np.asarray((times - start).dt.total_seconds().to_numpy(dtype=float))


def _spreads_like_births(seconds: NDArray[np.float64]) -> bool:
    """Say whether times are whole days, decades apart and at no regular distance."""
    known = np.unique(seconds[np.isfinite(seconds)])
    if len(known) <= _MIN_TIMES or (known % 86_400 != 0).any():
        return False
    low, high = np.quantile(known, [0.05, 0.95])
    steps = np.diff(known)
    is_regular = (np.abs(steps - np.median(steps)) <= 0.1 * np.median(steps)).mean() > 0.5  # noqa: PLR2004
    return bool(high - low >= BIRTHS_SPAN_YEARS * _YEAR_S) and not is_regular
