"""Hold the test texts against the train texts: equal, equal but for form, then alike."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from detectors.leakage.closest import Bounds, bound_of, recurring
from detectors.leakage.media_files import evenly
from detectors.leakage.text_shingles import Index, normalised, prints_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

MAX_NULL = 500  # train texts that are held against the others
N_NEAR = 3  # train texts that each test text is compared with
RECURS = 5  # equal train texts from which one is a phrase that recurs
MIN_LENGTH = 20  # letters and blanks from which a text is its author's own
MIN_PART = 40  # from which a text that lies within another is a part of it and no phrase
MIN_SHARED = 0.05  # share of rare prints below which two texts are not compared
GRAM = 5  # characters of the stretches that are counted
LENGTHS = 0.7  # of the shorter to the longer, above which texts are compared as wholes
BOUNDS = Bounds(0.8, 0.92, 0.97)  # of the likeness from which texts are copies


class TextMatch(NamedTuple):
    """A test text that is also a train text.

    Parameters
    ----------
    train, test : int
        Rows, from 0.
    how : {"text", "form", "likeness"}
        Equal; equal in letters and digits; alike.
    likeness, bound : float
    is_expected : bool
        Too short, or too common in the train part, to say anything.
    """

    train: int
    test: int
    how: str
    likeness: float = 1.0
    bound: float = 1.0
    is_expected: bool = False


@dataclass
class TextComparison:
    """What came of it.

    Parameters
    ----------
    matches : dict of int to TextMatch
        By row of the test part.
    repeated : dict of str to float
        Share of ``train`` and of ``test`` texts that another one of the same side equals.
    """

    matches: dict[int, TextMatch] = field(default_factory=dict)
    repeated: dict[str, float] = field(default_factory=dict)


def compare_texts(train: Sequence[str], test: Sequence[str], most: int) -> TextComparison:
    """Find the test texts that are train texts.

    Parameters
    ----------
    most : int
        Texts of each part that are compared for likeness, of more an even sample; all are compared
        for being equal.

    Notes
    -----
    Time and memory are linear in the texts: each is compared with at most `N_NEAR` others.
    """
    found = TextComparison()
    plain = [normalised(t) for t in train], [normalised(t) for t in test]
    _equal(train, test, plain, found)
    _alike(plain, found, most)
    return found


def _equal(
    train: Sequence[str],
    test: Sequence[str],
    plain: tuple[list[str], list[str]],
    found: TextComparison,
) -> None:
    rows: dict[str, list[int]] = {}
    for row, text in enumerate(plain[0]):
        if text:
            rows.setdefault(text, []).append(row)
    for row, text in enumerate(plain[1]):
        equals = rows.get(text) if text else None
        if equals:
            first = next((r for r in equals[:RECURS] if train[r] == test[row]), None)
            is_expected = len(text) < MIN_LENGTH or len(equals) >= RECURS
            how = "form" if first is None else "text"
            at = equals[0] if first is None else first
            found.matches[row] = TextMatch(at, row, how, is_expected=is_expected)
    for side, texts in zip(("train", "test"), plain, strict=True):
        long = [t for t in texts if len(t) >= MIN_LENGTH]
        different = len(set(long))
        found.repeated[side] = (len(long) - different) / max(len(long), 1)


def _alike(plain: tuple[list[str], list[str]], found: TextComparison, most: int) -> None:
    train, test = plain
    # Equal train texts count once: what recurs would else be too common to be looked up.
    first = {text: row for row, text in reversed(list(enumerate(train)))}
    rows = evenly([r for t, r in first.items() if len(t) >= MIN_LENGTH], most)
    open_rows = [r for r, t in enumerate(test) if r not in found.matches and len(t) >= MIN_LENGTH]
    open_rows = evenly(open_rows, most)
    if not rows or not open_rows:
        return
    texts = [train[r] for r in rows]
    index = Index(prints_of(texts))
    own = np.array(evenly(range(len(texts)), MAX_NULL))
    null = _best(index, texts, [texts[i] for i in own], own)[0]
    bound = bound_of(null, BOUNDS)
    found.repeated["train"] = max(found.repeated["train"], recurring(null, BOUNDS))
    values, nearest = _best(index, texts, [test[r] for r in open_rows])
    for number in np.flatnonzero(values >= bound):
        row, value = open_rows[number], float(values[number])
        found.matches[row] = TextMatch(rows[nearest[number]], row, "likeness", value, bound)


def _best(
    index: Index,
    train: Sequence[str],
    texts: Sequence[str],
    itself: NDArray[np.int64] | None = None,
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return for each text its greatest likeness to a train text, and which one."""
    values, nearest = np.zeros(len(texts)), np.zeros(len(texts), dtype=np.int64)
    pairs = index.nearest(prints_of(texts), N_NEAR, itself)
    for left, right, shared in zip(*pairs, strict=True):
        if shared < MIN_SHARED:
            continue
        value = likeness(train[left], texts[right])
        if value > values[right]:
            values[right], nearest[right] = value, left
    return values, nearest


def likeness(left: str, right: str) -> float:
    """Return how much of two normalised texts is the same, at most 1.

    The greatest of: the longest common subsequence, for texts of about one length; the same once
    words are sorted, for words and sentences that changed places; the share of the shorter one's
    stretches of five characters that the longer one has, for texts that were cut or added to.

    Examples
    --------
    >>> likeness("the cat sat on the mat", "on the mat sat the cat")
    1.0
    """
    from rapidfuzz import fuzz

    short, long = sorted((left, right), key=len)
    value = 0.0
    if len(short) >= LENGTHS * len(long):
        value = max(fuzz.ratio(left, right), fuzz.token_sort_ratio(left, right)) / 100
    if len(short) >= MIN_PART and value < BOUNDS.strictest:
        grams = {short[i : i + GRAM] for i in range(len(short) - GRAM + 1)}
        value = max(value, sum(g in long for g in grams) / len(grams))
    return value
