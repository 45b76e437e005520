"""Names, dates and numbers written in one way, whoever wrote them."""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

_PARTS = re.compile(r"[^\W_]+")
_DATE_PARTS = re.compile(r"\d+|[a-z]+")
_DATE = re.compile(
    r"\s*(?:\d{4}[-/. ]\d{1,2}[-/. ]\d{1,2}|\d{1,2}[-/. ]\d{1,2}[-/. ]\d{2,4}|(?:19|20)\d{6}"
    r"|\d{1,2}[-/. ][A-Za-z]{3,9}[-/. ,]+\d{2,4}|[A-Za-z]{3,9}\.? \d{1,2},? \d{4})"
    r"(?:[T ]00:00.*)?\s*"
)
_NOT_DIGITS = re.compile(r"\D+")
_NUMBER = re.compile(r"\s*\+?[\d\s()./-]{6,24}\s*")
_MONTHS = {m: i for i, m in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)}  # noqa: SIM905
_LONG_NUMBER = 9  # digits that are kept of a longer number: what stands before is a country's code
MOST = 0.9
LONG_NAME = 24  # signs of a name from which it may hold a second slip
_CENTURY = 25  # two digits of a year from which it is of the last century


class Kind(StrEnum):
    """What a field holds."""

    WORDS = "words"
    DATE = "date"
    NUMBER = "number"


class Written(NamedTuple):
    """A value written in one way, and two parts of it of which a slip leaves one as it is."""

    whole: str
    first: str
    last: str


def kind_of(texts: Sequence[str]) -> Kind:
    """Say what a field holds, from some of its texts.

    Examples
    --------
    >>> kind_of(["1980-01-31", "31/01/1980"]).value, kind_of(["+44 755 421557"]).value
    ('date', 'number')
    """
    known = [text for text in texts if text]
    for kind, form in ((Kind.DATE, _DATE), (Kind.NUMBER, _NUMBER)):
        if sum(form.fullmatch(text) is not None for text in known) > MOST * len(known):
            return kind
    return Kind.WORDS


def written(text: str, kind: Kind) -> Written:
    """Write a value without case, accents, signs, order of words and formats.

    Examples
    --------
    >>> written("Müller, Anna", Kind.WORDS) == written("anna MULLER", Kind.WORDS)
    True
    >>> {written(date, Kind.DATE).whole for date in ("31/1/1980", "1980-01-31", "31 Jan 1980")}
    {'19800131'}
    >>> written("+44 (755) 421-557", Kind.NUMBER).whole, written("0755421557", Kind.NUMBER).whole
    ('755421557', '755421557')
    """
    if kind is Kind.DATE:
        day = _day(text)
        return Written(day, day[:-4], day[-4:])
    if kind is Kind.NUMBER:
        number = _NOT_DIGITS.sub("", text).lstrip("0")[-_LONG_NUMBER:]
        return _halved(number)
    plain = text.casefold()
    if not plain.isascii():
        signs = unicodedata.normalize("NFKD", plain)
        plain = "".join(sign for sign in signs if not unicodedata.combining(sign))
    parts = _PARTS.findall(plain)
    parts.sort()
    if len(parts) == 1:
        return _halved(parts[0])
    return Written(" ".join(parts), parts[0], parts[-1]) if parts else Written("", "", "")


def _halved(text: str) -> Written:
    half = len(text) // 2
    return Written(text, text[:half], text[len(text) - half :])


def _day(text: str) -> str:
    """Write a date as year, month and day; what is no date as its digits."""
    parts: list[str] = _DATE_PARTS.findall(text.lower())[:3]
    if len(parts) == 1 and len(parts[0]) == 8:  # noqa: PLR2004 - 20130131
        return (
            parts[0]
            if parts[0][:2] in {"19", "20"}
            else parts[0][4:] + parts[0][2:4] + parts[0][:2]
        )
    named = [i for i, part in enumerate(parts) if part[:3] in _MONTHS]
    if named:
        parts[named[0]] = str(_MONTHS[parts[named[0]][:3]])
        parts = [parts[1 - named[0]], parts[named[0]], *parts[2:]] if named[0] < 2 else parts  # noqa: PLR2004
    if len(parts) != 3 or not all(part.isdigit() for part in parts):  # noqa: PLR2004
        return _NOT_DIGITS.sub("", text)
    if len(parts[0]) > 2:  # noqa: PLR2004 - a year, or one with a slip
        year, month, day = parts
    else:
        day, month, year = parts
        if int(month) > 12 >= int(day):  # noqa: PLR2004 - months first
            day, month = month, day
    if len(year) == 2:  # noqa: PLR2004
        year = ("19" if int(year) >= _CENTURY else "20") + year
    return f"{year}{int(month):02}{int(day):02}"


def are_close(pairs: Sequence[tuple[str, str]], kind: Kind, least: float) -> NDArray[np.bool_]:
    """Say which pairs of written values are the same but for a slip.

    Words with digits in them have to have the same digits: neighbours live in numbers 12 and 14.
    Words alone may differ by one edit, a second beyond 24 signs, or by words that one of them lacks
    of three or more: in one house live an Anul and an Elul.

    Parameters
    ----------
    least : float in (0, 1]
        Share of signs that no edit touches; a swap of two neighbours is one edit.
    """
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import cpdist

    if not pairs:
        return np.zeros(0, dtype=bool)
    one, other = zip(*pairs, strict=True)
    alike = cpdist(one, other, scorer=OSA.normalized_similarity, dtype=np.float64) >= least
    if kind is Kind.DATE:
        turned = np.array([a[:4] == b[:4] and a[4:6] + a[6:] == b[6:] + b[4:6] for a, b in pairs])
        alike |= turned  # day and month
    if kind is Kind.WORDS:
        slips = cpdist(one, other, scorer=OSA.distance)
        alike = np.array(
            [
                _same_words(a, b, int(n)) if _are_names(a, b) else bool(so and _digits_agree(a, b))
                for (a, b), so, n in zip(pairs, alike, slips, strict=True)
            ]
        )
    return np.asarray(alike & np.array([bool(a) and bool(b) for a, b in pairs]))


def _are_names(one: str, other: str) -> bool:
    return not any(sign.isdigit() for sign in one + other)


def _same_words(one: str, other: str, n_edits: int) -> bool:
    if n_edits <= 1 + (min(len(one), len(other)) > LONG_NAME):
        return True
    fewer, more = sorted((set(one.split()), set(other.split())), key=len)
    return len(fewer) > 1 and fewer < more


def _digits_agree(one: str, other: str) -> bool:
    return _NOT_DIGITS.sub(" ", one).split() == _NOT_DIGITS.sub(" ", other).split()


def shares_some_words(one: str, other: str) -> bool:
    """Say whether two texts of words alone share some of their words and not all.

    Examples
    --------
    >>> shares_some_words("anna smith", "boris smith"), shares_some_words("elm 7", "elm 9")
    (True, False)
    """
    if not _are_names(one, other):
        return False
    mine, theirs = set(one.split()), set(other.split())
    return bool(mine & theirs) and bool(mine ^ theirs)
