"""The words of any text, whatever its language, and whether they are a submission's rows.

A table that somebody typed has each row's key beside its value, or the values in the file's order,
with as many words between them all the way: ``211 => 0.31``, ``emit(211, 0.31)``, ``WHEN id=211
THEN 0.31``. The words alone tell it, so that no language has to be parsed.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from itertools import groupby, islice
from typing import TYPE_CHECKING, NamedTuple

from detectors.training.typed import normal, unpacked_texts

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from detectors.training.handed_in import HandedIn

MAX_TEXT = 4 << 20  # characters of one text that are looked at
MAX_ASKED = 400  # rows that are looked up; of more, as many are taken evenly
MAX_PLACES = 40  # of one word
MAX_GAP = 5  # words from a key to its value
MAX_STRIDE = 4  # words from a value to the next
MIN_ROWS = 8
MIN_RUNS = 5  # of equal labels, or ids of one label, that are written down
MIN_BITS = 20.0  # that rows must tell, so that chance does not meet them
MIN_KEYED_BITS = 7.5  # the same of values that each stand beside the key of their row
MIN_LISTED_BITS = 14.0  # the same of lengths of runs and of lists of ids, which must all be there
MAX_INTEGERS = 400  # of a text whose digits are looked at
MAX_LABELS = 12
MAX_STARTS = 200_000  # words of a text at which a row of others may begin
MOSTLY = 0.9
_INTEGER = re.compile(
    r"(?<![\w.])(?:0[xX][0-9a-fA-F_]{3,2000}|0[bB][01_]{12,4000}|[1-9]\d{4,1200})(?![\d.])"
)
_ESCAPES = re.compile(r"\\[tnr]")  # of a tab or a line within a literal
_WORD = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])|\w(?:[\w.+-]*\w)?")


class Stood(NamedTuple):
    """Rows of a submission that stand in a text.

    Parameters
    ----------
    n_rows : int
        How many of those that were asked for do.
    share : float
        Of those that were asked for.
    start, end : int
        Characters of the text between which they stand.
    """

    n_rows: int
    share: float
    start: int
    end: int


class _Words:
    """The words of a text with their places."""

    def __init__(self, text: str) -> None:
        found = list(_WORD.finditer(_ESCAPES.sub("  ", text)))
        self.spans = [m.span() for m in found]
        self.plain = [_plain(m[0]) for m in found]
        self.places: dict[str, list[int]] = {}
        for at, word in enumerate(self.plain):
            self.places.setdefault(word, []).append(at)

    def at(self, word: str) -> list[int]:
        """Return where a word stands, the first places."""
        return self.places.get(word, [])[:MAX_PLACES]

    def even(self, wanted: Sequence[str], most: float = 1.0) -> list[int]:
        """Return the places of words that stand one after another at even distances.

        Parameters
        ----------
        most : float
            Share of the words that must be there; the places of those that are not are left out.
        """
        rare = min(range(len(wanted)), key=lambda i: len(self.places.get(wanted[i], ())) or 1 << 30)
        for at in self.at(wanted[rare]):
            for stride in range(1, MAX_STRIDE + 1):
                first = at - rare * stride
                there = self.plain[first::stride][: len(wanted)] if first >= 0 else []
                same = [i for i, (a, b) in enumerate(zip(there, wanted, strict=False)) if a == b]
                if len(same) >= most * len(wanted):
                    return [first + i * stride for i in same]
        return []

    def stood(self, places: Sequence[int], n_rows: int, share: float) -> Stood:
        """Return rows with the characters between which they stand."""
        return Stood(n_rows, share, self.spans[min(places)][0], self.spans[max(places)][1])


class Rows:
    """The rows of a submission as words, to be looked up in many texts.

    Files of fewer than `MIN_ROWS` rows, or whose rows are too much alike, are found nowhere.
    """

    def __init__(self, file: HandedIn) -> None:
        rows = list(zip(file.keys, zip(*file.columns.values(), strict=True), strict=True))
        step = max(1, len(rows) // MAX_ASKED)
        self.keyed = [(words_of(k), words_of(" ".join(c))) for k, c in rows[::step][:MAX_ASKED]]
        first = rows[:MAX_ASKED]
        self.orders = [[w for _, cells in first for w in words_of(" ".join(cells))]]
        self.orders += _percents(self.orders[0])
        if len(file.columns) > 1:
            self.orders += [words_of(" ".join(c[:MAX_ASKED])) for c in file.columns.values()][:3]
        cells = [c[0] for _, c in rows]
        is_short = all(len(c) == 1 for c in cells) and len(file.columns) == 1
        self.packed = "".join(cells) if is_short else ""
        self.bits = _bits([tuple(value) for _, value in self.keyed])
        self.is_asked = len(rows) >= MIN_ROWS and sum(self.bits) >= MIN_KEYED_BITS
        labels = Counter(cells) if len(file.columns) == 1 and len(rows) <= MAX_ASKED else Counter()
        self.is_of_labels = 1 < len(labels) <= min(MAX_LABELS, len(rows) // 2)
        self.runs = [str(len(list(run))) for _, run in groupby(cells)] if self.is_of_labels else []
        usual = labels.most_common(1)[0][0] if labels else ""
        self.listed = [
            [" ".join(words_of(k)) for k, c in rows if c[0] == label]
            for label in (labels if self.is_of_labels else ())
            if label != usual or len(labels) == len("01")
        ]
        self.labels = cells if self.is_of_labels else []
        self.listed += [
            [_plain(str(n + first)) for n, c in enumerate(cells) if c == label]
            for label in (labels if self.is_of_labels else ())
            for first in range(3)  # rows are counted from 0 or 1, lines of a file from 2
            if label != usual or len(labels) == len("01")
        ]
        self.n_rows = len(rows)

    def stand_in(self, text: str) -> Stood | None:
        """Return where most rows stand in a text, by key or in order; None where they do not.

        Examples
        --------
        >>> from detectors.training.handed_in import HandedIn
        >>> values = [str(n * 37 % 101 / 101)[:5] for n in range(12)]
        >>> rows = Rows(HandedIn(tuple(map(str, range(12))), {"y": tuple(values)}))
        >>> rows.stand_in(" ".join(f"{n} => {v}," for n, v in enumerate(values))).n_rows
        12
        >>> rows.stand_in("12 folds, learning rate 0.05") is None
        True
        """
        if not self.is_asked:
            return None
        text = text[:MAX_TEXT]
        found = self._found(text)
        if found is not None:
            return found
        for start, end, inner in unpacked_texts(text):
            stood = self._found(inner)
            if stood is not None:
                return stood._replace(start=start, end=end)
        return None

    def _found(self, text: str) -> Stood | None:
        words = _Words(text)
        return (
            self._by_key(words)
            or self._in_order(words)
            or self._in_a_row(text)
            or self._as_runs(words)
            or self._as_lists(words)
            or self._by_other_names(words)
            or self._as_signs(text)
            or self._as_other_words(words)
        )

    def _by_key(self, words: _Words) -> Stood | None:
        """Vote for the number of words between keys and values by which most rows stand there."""
        votes: dict[int, dict[int, int]] = {}
        for number, (key, value) in enumerate(self.keyed):
            for at in words.at(key[-1]) if key and value else ():
                if words.plain[max(0, at - len(key) + 1) : at + 1] == key:
                    for way, start in _ways(at, len(key), len(value)):
                        if start >= 0 and words.plain[start : start + len(value)] == value:
                            votes.setdefault(way, {}).setdefault(number, at)
        best = max(votes.values(), key=len, default={})
        share = len(best) / max(1, len(self.keyed))
        told = sum(self.bits[n] for n in best)
        if len(best) < MIN_ROWS or share < MOSTLY or told < MIN_KEYED_BITS:
            return None
        return words.stood([*best.values()], round(share * self.n_rows), share)

    def _by_other_names(self, words: _Words) -> Stood | None:
        """Look for labels beside their keys under other names: ``yes`` and ``no`` for 1 and 0."""
        if not self.labels or sum(self.bits) < MIN_LISTED_BITS:
            return None
        for gap in range(1, 3):
            seen: dict[str, Counter[str]] = {}
            places: list[int] = []
            for (key, _), label in zip(self.keyed, self.labels, strict=False):
                at = words.at(key[-1])[:1] if key else []
                if at and at[0] + gap < len(words.plain):
                    seen.setdefault(words.plain[at[0] + gap], Counter())[label] += 1
                    places.append(at[0])
            names = {next(iter(labels)) for labels in seen.values() if len(labels) == 1}
            if set(seen) == {_plain(label) for label in self.labels}:
                continue  # the same names for others are other values
            is_one_to_one = len(names) == len(seen) == len(set(self.labels))
            if is_one_to_one and len(places) == len(self.keyed):
                return words.stood(places, self.n_rows, 1.0)
        return None

    def _as_signs(self, text: str) -> Stood | None:
        """Look for a sign for each label in a row, or for a number whose digits the labels are."""
        if not self.labels or sum(self.bits) < MIN_LISTED_BITS:
            return None
        n, kinds = len(self.labels), sorted(set(self.labels))
        for found in re.finditer(rf"\b\w{{{n}}}\b", text):
            pairs = set(zip(found[0], self.labels, strict=True))
            if len(pairs) == len(kinds) == len({sign for sign, _ in pairs}):
                return Stood(n, 1.0, *found.span())
        wanted = [kinds.index(label) for label in self.labels]
        flipped = [len(kinds) - 1 - one for one in wanted]
        asked = {tuple(x) for x in (wanted, wanted[::-1], flipped, flipped[::-1])}
        for found in islice(_INTEGER.finditer(text), MAX_INTEGERS):
            value = int(found[0].replace("_", ""), 0 if found[0][1:2] in "xXbBoO" else 10)
            if value.bit_length() >= MIN_LISTED_BITS and _digits(value, len(kinds), n) in asked:
                return Stood(n, 1.0, *found.span())
        return None

    def _as_other_words(self, words: _Words) -> Stood | None:
        """Look for a word for each label, one after another: ``E H M`` for three authors."""
        n = len(self.labels)
        if not self.labels or sum(self.bits) < MIN_BITS or not any(map(str.isalpha, self.labels)):
            return None
        firsts = [self.labels.index(label) for label in self.labels]
        n_kinds = len(set(self.labels))
        for at in range(min(len(words.plain) - n + 1, MAX_STARTS)):
            same = (words.plain[at + i] == words.plain[at + f] for i, f in enumerate(firsts))
            if all(same) and len(set(words.plain[at : at + n])) == n_kinds:
                return words.stood([at, at + n - 1], self.n_rows, 1.0)
        return None

    def _in_order(self, words: _Words) -> Stood | None:
        """Look for the values one after another, with as many words between them all the way."""
        for wanted in self.orders:
            if len(wanted) < MIN_ROWS or sum(_bits([(w,) for w in wanted])) < MIN_BITS:
                continue
            places = words.even(wanted, MOSTLY)
            if places:
                share = len(places) / len(wanted)
                return words.stood(places, round(share * self.n_rows), share)
        return None

    def _in_a_row(self, text: str) -> Stood | None:
        """Look for values of one character each, written without anything between."""
        is_long = bool(self.packed) and sum(self.bits) >= MIN_LISTED_BITS
        at = text.find(self.packed[:MAX_ASKED]) if is_long else -1
        return Stood(self.n_rows, 1.0, at, at + len(self.packed)) if at >= 0 else None

    def _as_runs(self, words: _Words) -> Stood | None:
        """Look for the lengths of runs of equal labels."""
        if len(self.runs) < MIN_RUNS:
            return None
        told = math.log2(math.comb(self.n_rows - 1, len(self.runs) - 1))
        places = words.even([_plain(n) for n in self.runs]) if told >= MIN_LISTED_BITS else []
        return words.stood(places, self.n_rows, 1.0) if places else None

    def _as_lists(self, words: _Words) -> Stood | None:
        """Look for lists of all the ids that have a label, in any order."""
        for ids in self.listed:
            if len(ids) < MIN_RUNS or math.log2(math.comb(self.n_rows, len(ids))) < MIN_LISTED_BITS:
                continue
            wanted = Counter(ids)
            for at in words.at(ids[0]):
                for first in range(max(0, at - len(ids) + 1), at + 1):
                    if Counter(words.plain[first : first + len(ids)]) == wanted:
                        return words.stood([first, first + len(ids) - 1], self.n_rows, 1.0)
        return None


def _digits(value: int, base: int, n: int) -> tuple[int, ...]:
    """Return the last n digits of a number in a base; none where it has more of them."""
    found = []
    for _ in range(n):
        value, digit = divmod(value, base)
        found.append(digit)
    return () if value else tuple(reversed(found))


def _percents(order: list[str]) -> list[list[str]]:
    """Return shares of one again as percents; none where they are no shares."""
    try:
        shares = [float(word) for word in order]
    except ValueError:
        return []
    is_share = all(0 <= s <= 1 for s in shares) and any(s % 1 for s in shares)
    return [[normal(round(100 * s, 4)) for s in shares]] if is_share else []


def _ways(at: int, n_key: int, n_value: int) -> Iterator[tuple[int, int]]:
    """Yield where a value may begin after a key that ends here, and before it."""
    for gap in range(1, MAX_GAP + 1):
        yield gap, at + gap
        yield -gap, at - n_key + 2 - gap - n_value


def words_of(text: str) -> list[str]:
    """Return the words of a text, numbers written alike.

    Examples
    --------
    >>> words_of("emit('id_7', 0.50);")
    ['emit', 'id_7', '0.5']
    """
    return [_plain(m[0]) for m in _WORD.finditer(text)]


def _plain(word: str) -> str:
    return normal(word) if word[0] in "+-." or word[0].isdigit() else word.lower()


def _bits(values: Sequence[tuple[str, ...]]) -> list[float]:
    """Return how much each value tells, as often as it occurs."""
    counts = Counter(values)
    return [-math.log2(counts[value] / len(values)) for value in values]
