"""Made-up persons, and the ways in which one person's name is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

_ONSETS: Final = ("b", "d", "f", "g", "h", "k", "l", "m", "n", "p", "r", "s", "t", "v", "z", "st")
_VOWELS: Final = ("a", "e", "i", "o", "u", "ai", "ei", "ou")
_ENDS: Final = ("n", "r", "s", "l", "m", "", "nd", "rt")
_DAYS: Final = 28  # of every month
_FIRST_YEAR, _YEARS = 1930, 75
_SHORTEST: Final = 4  # letters of a word in which one may be lost
_TYPO_RATE: Final = 0.6
_PHONES: Final = 10**9  # the first one


class Person(NamedTuple):
    """Somebody who does not exist."""

    given: str
    family: str
    born: tuple[int, int, int]  # year, month, day
    phone: str  # ten figures


def persons(n: int, random: np.random.Generator) -> list[Person]:
    """Make up persons; no two have one name and day of birth.

    Examples
    --------
    >>> import numpy as np
    >>> len(set(persons(500, np.random.default_rng(0))))
    500
    """
    found: dict[Person, None] = {}
    phones = random.integers(_PHONES, 10 * _PHONES, n)
    while len(found) < n:
        born = (
            int(_FIRST_YEAR + random.integers(_YEARS)),
            int(1 + random.integers(12)),
            int(1 + random.integers(_DAYS)),
        )
        phone = str(phones[len(found)])
        found.setdefault(Person(_word(2, random), _word(3, random), born, phone))
    return list(found)


def _word(syllables: int, random: np.random.Generator) -> str:
    text = "".join(
        _ONSETS[random.integers(len(_ONSETS))] + _VOWELS[random.integers(len(_VOWELS))]
        for _ in range(syllables)
    )
    return (text + _ENDS[random.integers(len(_ENDS))]).capitalize()


def disguised(
    people: Sequence[Person], who: NDArray[np.int64], random: np.random.Generator
) -> list[tuple[str, str, str]]:
    """Write a person's name, telephone and mail once per row, each time a little differently.

    Parameters
    ----------
    who : ndarray of int
        Of each row, the person's place in `people`.
    """
    return [_row(people[number], random) for number in who]


def _row(person: Person, random: np.random.Generator) -> tuple[str, str, str]:
    return _written(person, random), _called(person, random), _mailed(person, random)


def _called(person: Person, random: np.random.Generator) -> str:
    number = person.phone
    if random.random() < _TYPO_RATE:
        number = mistyped(number, random)
    forms = (number, f"{number[:3]} {number[3:]}", f"+0 {number[:3]}-{number[3:6]}-{number[6:]}")
    return forms[random.integers(len(forms))]


def _mailed(person: Person, random: np.random.Generator) -> str:
    name = f"{person.given}.{person.family}{person.born[0] % 100:02d}".lower()
    if random.random() < _TYPO_RATE:
        name = mistyped(name, random)
    return f"{name}@example.org"


def _written(person: Person, random: np.random.Generator) -> str:
    year, month, day = person.born
    given, family = person.given, person.family
    if random.random() < _TYPO_RATE:
        if random.random() < 0.5:  # noqa: PLR2004 - either of the two
            given = mistyped(given, random)
        else:
            family = mistyped(family, random)
    date = (f"{year}-{month:02d}-{day:02d}", f"{day:02d}.{month:02d}.{year}")[random.integers(2)]
    forms = (f"{given} {family}", f"{family}, {given}", f"{family.upper()} {given}")
    return f"{forms[random.integers(len(forms))]} {date}"


def mistyped(word: str, random: np.random.Generator) -> str:
    """Lose, double or swap one letter behind the first; texts of one letter stay as they are."""
    if len(word) < 2:  # noqa: PLR2004
        return word
    at = int(1 + random.integers(max(1, len(word) - 2)))
    kind = random.integers(3)
    if kind == 0 and len(word) > _SHORTEST:
        return word[:at] + word[at + 1 :]
    if kind == 1:
        return word[:at] + word[at] + word[at:]
    return word[:at] + word[at + 1 : at + 2] + word[at] + word[at + 2 :]
