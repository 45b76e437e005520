"""Names in two columns, phones and postcodes: what identifies people, and is too common alone."""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import pandas as pd

_NAME = re.compile(r"[^\W\d_]+(?:[ '.\u2019-]{1,2}[^\W\d_]+){0,3}\.?")
_POSTCODE = re.compile(
    r"zip|post(?:al)?_?-? ?(?:code|nr|number)|postcode|\bplz\b|\bcap\b", re.IGNORECASE
)
MOST = 0.9  # of values that look like names
MIN_LEVELS = 12
MAX_SHARED_NAME = 0.15  # chance of two rows to share one of two names
MAX_SHARED_BOTH = 0.0025  # and both of them
DEPENDENT = 3.0  # times as often as of names drawn apart: a town and its county are no two names
LENGTHS = (3, 16)  # median letters of a name
POSTCODE_DIGITS = (4, 6)
SAME_LENGTH = 0.8  # of phones read as numbers, which lose the zero that they begin with


def name_pair(table: pd.DataFrame, columns: Iterable[str]) -> tuple[str, str] | None:
    """Return two columns that name people together, such as first name and surname; else None.

    Each is of letters and has many levels, and one says little about the other.
    """
    shares = {c: share for c in columns if (share := _shared_name(table[c])) is not None}
    found = []
    for one, other in combinations(shares, 2):
        both = shared(joined(table[one], table[other]))
        apart = shares[one] * shares[other]
        if both <= min(MAX_SHARED_BOTH, DEPENDENT * apart + 1 / max(1, len(table))):
            found.append((both, one, other))
    return min(found)[1:] if found else None


def joined(one: pd.Series, other: pd.Series) -> pd.Series:
    """Write two names as one; a missing one leaves the other."""
    both = one.astype("str").fillna("") + " " + other.astype("str").fillna("")
    return both.str.strip().replace("", None)


def shared(values: pd.Series) -> float:
    """Return the chance of two rows to have the same value."""
    counts = values.dropna().value_counts().to_numpy(float)
    n = counts.sum()
    return float((counts * (counts - 1)).sum() / (n * (n - 1))) if n > 1 else 1.0


def _shared_name(values: pd.Series) -> float | None:
    """Return how often two rows share a name, or None where values are no names."""
    from pandas.api.types import is_numeric_dtype

    if is_numeric_dtype(values) or len(known := values.dropna()) < max(2, len(values) / 2):
        return None
    texts = known.astype(str).str.strip()
    levels = texts.unique().tolist()
    if len(levels) < MIN_LEVELS or not LENGTHS[0] <= np.median([*map(len, levels)]) <= LENGTHS[1]:
        return None
    alike = sum(_NAME.fullmatch(text) is not None for text in levels)
    if alike < MOST * len(levels) or _are_codes(levels):
        return None
    share = shared(texts)
    return share if share <= MAX_SHARED_NAME else None


def _are_codes(levels: Sequence[str]) -> bool:
    """Say whether texts are all of one length, as codes of airports are."""
    return len({*map(len, levels)}) == 1


def is_particular(name: str, values: pd.Series) -> bool:
    """Say whether whole numbers of a table about people are their phones or postcodes.

    Phones are known by their form; a postcode read as a number looks as an amount does, and is
    known by the name of its column as well.
    """
    from pandas.api.types import is_bool_dtype, is_numeric_dtype

    known = values.dropna()
    if not is_numeric_dtype(values) or is_bool_dtype(values) or len(known) < len(values) / 2:
        return False
    numbers = known.to_numpy(float)
    if not len(numbers) or not (np.isfinite(numbers) & (numbers == np.floor(numbers))).all():
        return False
    digits = np.char.str_len(np.abs(numbers).astype("int64").astype(str))
    usual = float(np.median(digits))
    if (np.abs(digits - usual) <= 1).mean() < MOST or (digits == usual).mean() < SAME_LENGTH:
        return False
    is_postcode = POSTCODE_DIGITS[0] <= usual <= POSTCODE_DIGITS[1] and _POSTCODE.search(name)
    is_phone = usual >= 9  # noqa: PLR2004 - with its area: nine digits and more
    return shared(known) <= 0.01 and bool(is_postcode or is_phone)  # noqa: PLR2004 - as of texts
