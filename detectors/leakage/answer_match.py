"""Whether values that stand in a file are the answers: by value, by a map, by rank, by area."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from detectors.leakage.answer_shapes import area_of, tokens_of
from detectors.leakage.association import ranks

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import pandas as pd
    from numpy.typing import NDArray

    Scored = tuple[float, float]  # how well they agree, and the natural logarithm of its chance

N_SHUFFLES = 99
LEAST = 8  # values that have to be held against answers
EQUAL = 0.9  # share of equal values from which they are answers
CLASSES = 0.99  # the same where classes are renamed
LINEAR = 0.999  # correlation from which one is an affine map of the other
MONOTONE = 0.99  # rank correlation from which both have one order
NEAR = 0.02  # of an area, within which two are equal: polygons cut pixels
MAX_CLASSES = 100
_MANY = 12  # different numbers, from which a map of them says something
_NOTHING: Scored = (0.0, 0.0)


class Match(NamedTuple):
    """How values follow answers.

    Parameters
    ----------
    how : str
        In words.
    score : float in [0, 1]
        Share of equal values, or correlation.
    log_p : float
        Natural logarithm of how probable as good an agreement is among shuffled rows, at most.
    by_chance : float in [0, 1]
        The largest score among shuffled rows.
    n : int
        Values that were compared.
    is_exact : bool
        Whether the values are the answers, and not only in their order.
    """

    how: str
    score: float
    log_p: float
    by_chance: float
    n: int
    is_exact: bool


@dataclass(frozen=True, eq=False)
class Cells:
    """A column in the forms in which columns are compared, each made when it is asked for.

    Parameters
    ----------
    raw : list of object
        Scalars, texts, arrays or nested lists.
    """

    raw: list[Any]

    @cached_property
    def texts(self) -> NDArray[Any]:
        """Each value as text; whole numbers, floats and booleans alike; empty where missing."""
        return np.array([_plain(v) for v in self.raw], dtype=object)

    @cached_property
    def numbers(self) -> NDArray[np.float64] | None:
        """Each value as a number, NaN where missing; None where they are no numbers."""
        found = np.full(len(self.raw), np.nan)
        for n, text in enumerate(self.texts):
            try:
                found[n] = float(text) if text else np.nan
            except ValueError:
                return None
        is_fit = np.isfinite(found).sum() >= LEAST
        return found if is_fit and np.nanstd(found) > 0 else None

    @cached_property
    def tokens(self) -> list[tuple[str, ...]] | None:
        """Each value as a list of short texts; None where most are single."""
        found = [tokens_of(v) for v in self.raw]
        return found if np.median([len(t) for t in found] or [0]) > 1 else None

    @cached_property
    def areas(self) -> NDArray[np.float64] | None:
        """Each value as the area of polygons, of a mask or of run lengths; None where none is."""
        found = np.array([area_of(v) for v in self.raw], dtype=float)
        return found if np.isfinite(found).sum() >= LEAST and np.nanstd(found) > 0 else None

    def taken(self, order: NDArray[np.intp]) -> Cells:
        """Return the cells in another order; forms that were made already are not made again."""
        found = Cells([self.raw[n] for n in order])
        for name, form in list(vars(self).items()):
            if isinstance(form, np.ndarray):
                vars(found)[name] = form[order]
            elif name == "tokens" and form is not None:
                vars(found)[name] = [form[n] for n in order]
        return found

    @property
    def are_runs(self) -> bool:
        """Whether the values are run lengths or nested: whether areas of them say anything."""
        known = [t for t in self.texts if t]
        return bool(known) and all(re.fullmatch(r"\d+ \d+( \d+)*", t) for t in known[:50])


def _plain(value: Any) -> str:  # noqa: ANN401 - anything that stands in a file
    if value is None or (isinstance(value, float | np.floating) and math.isnan(value)):
        return ""
    if isinstance(value, bool | np.bool_ | int | np.integer):
        return str(int(value))
    if isinstance(value, float | np.floating):
        return f"{value:.6g}"
    if isinstance(value, str):
        return _plain_text(" ".join(value.split()))
    if isinstance(value, np.ndarray) and value.ndim == 0:
        return _plain(value.item())
    return " ".join(tokens_of(value))


def _plain_text(text: str) -> str:
    try:
        number = float(text)
    except ValueError:
        return {"true": "1", "false": "0"}.get(text.lower(), text)
    if not math.isfinite(number):
        return ""
    return str(int(number)) if number.is_integer() and abs(number) < 1e15 else f"{number:.6g}"  # noqa: PLR2004


def best_match(values: Cells, answers: Cells, max_log_p: float, seed: int = 0) -> Match | None:
    """Return the first way in which values are the answers of the same rows, or None.

    Parameters
    ----------
    max_log_p : float
        Natural logarithm of how probable an agreement may be among shuffled rows.

    Notes
    -----
    The chance of as many equal values is bounded by Chernoff's bound at the share that shuffled
    rows have on average, so that constants and answers of few kinds agree with nothing. The chance
    of a correlation r of n values is about ``(1 - r²)^((n - 2) / 2)``.

    References
    ----------
    https://doi.org/10.1080/01621459.1963.10500830 (Hoeffding 1963)
    """
    if len(values.raw) < LEAST:
        return None
    for how, least, is_exact, score in _WAYS:
        found, log_p = score(values, answers)
        if found >= least and log_p <= max_log_p:
            rng = np.random.default_rng(seed)
            n_rows = len(values.raw)
            shuffles = (values.taken(rng.permutation(n_rows)) for _ in range(N_SHUFFLES))
            chance = max(score(mixed, answers)[0] for mixed in shuffles)
            n = int((values.texts != "").sum())
            return Match(how, min(found, 1.0), log_p, min(chance, 1.0), n, is_exact)
    return None


def _by_value(values: Cells, answers: Cells) -> Scored:
    left, right = values.texts, answers.texts
    is_there = (left != "") & (right != "")
    return _equal(left[is_there], right[is_there])


def _equal(left: NDArray[Any], right: NDArray[Any]) -> Scored:
    """Return the share of equal values and the chance of it."""
    if len(left) < LEAST:
        return _NOTHING
    levels, codes = np.unique(np.concatenate([left, right]).astype(str), return_inverse=True)
    mine, other = codes[: len(left)], codes[len(left) :]
    shares = [np.bincount(c, minlength=len(levels)) / len(left) for c in (mine, other)]
    return _chance(float((mine == other).mean()), float(shares[0] @ shares[1]), len(left))


def _chance(share: float, expected: float, n: int) -> Scored:
    if share <= expected or expected >= 1:
        return share, 0.0
    floor = max(expected, 1e-12)
    divergence = share * math.log(share / floor)
    if share < 1:
        divergence += (1 - share) * math.log((1 - share) / max(1e-12, 1 - floor))
    return share, -n * divergence


def _by_classes(values: Cells, answers: Cells) -> Scored:
    """Hold classes against classes of other names: each is what most of its rows are."""
    is_there = (values.texts != "") & (answers.texts != "")
    if is_there.sum() < LEAST:
        return _NOTHING
    names, mine = np.unique(values.texts[is_there].astype(str), return_inverse=True)
    kinds, other = np.unique(answers.texts[is_there].astype(str), return_inverse=True)
    if not 1 < len(kinds) == len(names) <= min(MAX_CLASSES, is_there.sum() // 3):
        return _NOTHING
    cells = np.bincount(mine * len(kinds) + other, minlength=len(names) * len(kinds))
    table = cells.reshape(len(names), len(kinds))
    most = table.argmax(axis=1)
    if len(set(most)) < len(names):
        return _NOTHING
    share, log_p = _equal(most[mine], other)
    return share, min(0.0, log_p + math.lgamma(len(names) + 1))


def _by_affine(values: Cells, answers: Cells) -> Scored:
    pair = _both_numbers(values.numbers, answers.numbers)
    return _NOTHING if pair is None else _correlated(*pair)


def _by_rank(values: Cells, answers: Cells) -> Scored:
    pair = _both_numbers(values.numbers, answers.numbers)
    return _NOTHING if pair is None else _correlated(ranks(pair[0]), ranks(pair[1]))


def _both_numbers(
    left: NDArray[np.float64] | None, right: NDArray[np.float64] | None, least: int = _MANY
) -> tuple[NDArray[np.float64], NDArray[np.float64]] | None:
    if left is None or right is None:
        return None
    is_there = np.isfinite(left) & np.isfinite(right)
    left, right = left[is_there], right[is_there]
    if min(len(np.unique(left)), len(np.unique(right))) < min(least, max(LEAST, len(left) // 2)):
        return None
    return left, right


def _correlated(left: NDArray[np.float64], right: NDArray[np.float64]) -> Scored:
    left, right = left - left.mean(), right - right.mean()
    scale = float(np.sqrt((left @ left) * (right @ right)))
    if scale == 0 or not math.isfinite(scale):
        return _NOTHING
    r = min(1.0, abs(float(left @ right)) / scale)
    return r, (len(left) - 2) / 2 * math.log(max(1e-12, 1 - r * r))


def _by_sequence(values: Cells, answers: Cells) -> Scored:
    """Hold lists against lists, place by place, where each is as long as the other's."""
    if values.tokens is None or answers.tokens is None:
        return _NOTHING
    pairs = [
        (left, right)
        for left, right in zip(values.tokens, answers.tokens, strict=True)
        if left and right
    ]
    alike = [p for p in pairs if len(p[0]) == len(p[1])]
    if len(alike) < max(LEAST, EQUAL * len(pairs)):
        return _NOTHING
    left, right = (Cells([t for p in alike for t in p[side]]) for side in (0, 1))
    share, log_p = _by_value(left, right)
    return (share, log_p) if share >= EQUAL else _by_classes(left, right)


def _by_area(values: Cells, answers: Cells) -> Scored:
    if not answers.are_runs:
        return _NOTHING
    pair = _both_numbers(values.areas, answers.areas, LEAST)
    if pair is None:
        return _NOTHING
    left, right = pair
    near = np.abs(left - right) <= NEAR * np.maximum(left, right) + 2
    score, log_p = _correlated(left, right)
    return min(score, float(near.mean())), log_p


_Way = tuple[str, float, bool, "Callable[[Cells, Cells], Scored]"]
_WAYS: tuple[_Way, ...] = (
    ("are the answers, value for value", EQUAL, True, _by_value),
    ("are the answers under other names", CLASSES, True, _by_classes),
    ("are an affine map of the answers", LINEAR, True, _by_affine),
    ("list the answers, one after the other", EQUAL, True, _by_sequence),
    ("have the areas of the answers", EQUAL, True, _by_area),
    ("have the order of the answers", MONOTONE, False, _by_rank),
)


def cells_of(column: pd.Series | Sequence[Any]) -> Cells:
    """Return a column of a table, or a list, in the forms in which it is compared."""
    return Cells(list(column))
