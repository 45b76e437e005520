"""Made-up people in tables with planted leaks: rows, rows with changes, people with typos.

Seventeen columns: an id, four personal texts, eight measurements, two categories, a date and a
target; a fifth of the rows is the test part. Of every kind of leak 2 % of the test part is planted.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd
    from numpy.typing import NDArray

PERSONAL = ("name", "birth", "phone", "address")
MEASURED = tuple(f"m{i}" for i in range(8))
KINDS = ("exact", "jitter", "one changed", "two changed", "person", "person with typos")
SHARE = 0.02  # of the test part, for each kind
TEST_SHARE = 0.2
IN_HOUSEHOLDS = 0.1  # rows about somebody who lives with somebody else: no leak
_SOUNDS = "an bar cel dor el fin gor hal il jor kas lin mar nor ol per quin ros sal tor ul ven"
_ACCENTS = str.maketrans("aeoui", "áéöüï")


@dataclass(frozen=True)
class Planted:
    """A train and a test table, and which test row was made of which train row.

    Parameters
    ----------
    pairs : dict of str to ndarray of shape (n, 2)
        By kind: positions of the train row and of the test row.
    """

    train: pd.DataFrame
    test: pd.DataFrame
    pairs: dict[str, NDArray[np.intp]]


def people(n: int, seed: int = 0, kinds: tuple[str, ...] = KINDS) -> Planted:
    """Make `n` rows about people, and plant leaks in the test part.

    Parameters
    ----------
    kinds : tuple of str
        Which leaks to plant; none for clean data, where nobody is on both sides.
    """
    rng = np.random.default_rng(seed)
    table = _table(n, rng)
    n_test = int(TEST_SHARE * n)
    train = table.iloc[n_test:].reset_index(drop=True)
    test = table.iloc[:n_test].reset_index(drop=True)
    each = max(1, int(SHARE * n_test))
    to = rng.permutation(n_test)[: each * len(kinds)].reshape(len(kinds), each)
    of = rng.permutation(len(train))[: each * len(kinds)].reshape(len(kinds), each)
    changes: dict[str, Callable[[pd.DataFrame, np.random.Generator], pd.DataFrame]] = {
        "exact": lambda rows, _rng: rows,
        "jitter": _jittered,
        "one changed": lambda rows, rng: _changed(rows, rng, 1),
        "two changed": lambda rows, rng: _changed(rows, rng, 2),
        "person": lambda rows, _rng: rows[list(PERSONAL)],
        "person with typos": lambda rows, rng: _mistyped(rows[list(PERSONAL)], rng),
    }
    for number, kind in enumerate(kinds):
        made = changes[kind](train.iloc[of[number]].drop(columns="id"), rng)
        for column in made.columns:
            values = test[column].to_numpy(object if test[column].dtype == "str" else None).copy()
            values[to[number]] = made[column].to_numpy()
            test[column] = values if test[column].dtype != "str" else values.astype(object)
    for column in PERSONAL:
        test[column] = test[column].astype("str")
    pairs = {k: np.stack([of[i], to[i]], axis=1) for i, k in enumerate(kinds)}
    return Planted(train, test, pairs)


def _table(n: int, rng: np.random.Generator) -> pd.DataFrame:
    import pandas as pd

    given, family = _words(400, 2, rng), _words(8000, 3, rng)
    street, town = _words(3000, 3, rng), _words(300, 2, rng)

    def draw(words: NDArray[np.object_]) -> NDArray[np.object_]:
        weight = 1 / np.arange(3, len(words) + 3) ** 0.8
        return words[rng.choice(len(words), n, p=weight / weight.sum())]

    first, last = draw(given), draw(family)
    roads, number = draw(street), rng.integers(1, 200, n)
    places = draw(town)
    phones = rng.integers(200_000_000, 999_999_999, n)
    with_whom = np.arange(n)
    lives = rng.random(n) < IN_HOUSEHOLDS
    with_whom[lives] = rng.integers(0, n, int(lives.sum()))
    last, roads, places = last[with_whom], roads[with_whom], places[with_whom]
    number, phones = number[with_whom], phones[with_whom]
    days = np.datetime64("1940-01-01") + rng.integers(0, 24_000, n)
    seen = np.datetime64("2019-01-01") + rng.integers(0, 1500, n)
    frame = {
        "id": np.arange(n),
        "name": [f"{a} {b}" for a, b in zip(first, last, strict=True)],
        "birth": np.datetime_as_string(days).astype(object),
        "phone": [f"0{p}" for p in phones],
        "address": [f"{k} {r} Street, {p}" for k, r, p in zip(number, roads, places, strict=True)],
    } | {m: rng.normal(10 * i, 1 + i, n) for i, m in enumerate(MEASURED)}
    frame["ward"] = rng.choice(np.array(list("ABCDEFGH"), object), n)
    frame["kind"] = rng.choice(np.array(["new", "old", "other"], object), n)
    frame["seen"] = np.datetime_as_string(seen).astype(object)
    frame["target"] = rng.integers(0, 2, n)
    return pd.DataFrame(frame).astype(dict.fromkeys([*PERSONAL, "ward", "kind", "seen"], "str"))


def _words(n: int, syllables: int, rng: np.random.Generator) -> NDArray[np.object_]:
    made: dict[str, None] = {}
    while len(made) < n:
        made["".join(rng.choice(_SOUNDS.split(), syllables)).title()] = None
    return np.array(list(made), dtype=object)


def _jittered(rows: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    made = rows.copy()
    for column in MEASURED:
        made[column] = rows[column] * (1 + 1e-3 * rng.normal(size=len(rows)))
    return made


def _changed(rows: pd.DataFrame, rng: np.random.Generator, n_columns: int) -> pd.DataFrame:
    """Give some columns of each row the value that another row has there."""
    made = rows.copy()
    chosen = np.argsort(rng.random(rows.shape), axis=1)[:, :n_columns]
    for number, column in enumerate(rows.columns):
        here = (chosen == number).any(axis=1)
        values = rows[column].to_numpy(object).copy()
        other = rng.permutation(values)
        while (same := other == values).any():
            other[same] = rng.choice(values, int(same.sum()))
        values[here] = other[here]
        made[column] = values
        made[column] = made[column].astype(rows[column].dtype)
    return made


def _mistyped(rows: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    """Write one to three of the four personal fields as another clerk would."""
    made = rows.astype(object)
    n_edited = rng.choice([1, 2, 3], len(rows), p=[0.5, 0.35, 0.15])
    ranks = np.argsort(np.argsort(rng.random(rows.shape), axis=1), axis=1)
    for number, column in enumerate(rows.columns):
        values = made[column].tolist()
        for row in np.flatnonzero(ranks[:, number] < n_edited):
            values[row] = _edited(values[row], column, rng)
        made[column] = values
    return made


def _edited(text: str, column: str, rng: np.random.Generator) -> str:
    if column == "birth":
        year, month, day = text.split("-")
        ways = [
            f"{day}/{month}/{year}",
            f"{year}{month}{day}",
            f"{day}.{month}.{year}",
            _typo(text, rng),
        ]
        return ways[rng.integers(4)]
    if column == "phone":
        ways = [f"+44 {text[1:]}", f"({text[:4]}) {text[4:7]}-{text[7:]}", _typo(text, rng)]
        return ways[rng.integers(3)]
    words = text.split(" ")
    ways = [
        _typo(text, rng),
        text.upper(),
        text.translate(_ACCENTS),
        f"{words[-1]}, {' '.join(words[:-1])}"
        if column == "name"
        else text.replace("Street", "St"),
    ]
    return ways[rng.integers(len(ways))]


def _typo(text: str, rng: np.random.Generator) -> str:
    """Change, drop, double or swap one sign that is a letter or a digit."""
    places = [i for i, sign in enumerate(text[:-1]) if sign.isalnum() and text[i + 1].isalnum()]
    at = places[rng.integers(len(places))]
    signs = "0123456789" if text[at].isdigit() else "abcdefghijklmnopqrstuvwxyz"
    other = signs[rng.integers(len(signs))]
    kept = text[at] * 2 if text[at].isalpha() else text[at] + other
    ways = [other, "", kept, text[at + 1] + text[at]]
    way = int(rng.integers(4))
    return text[:at] + ways[way] + text[at + 1 + (way == 3) :]
