"""What explains a submission best, and how unlikely that is for an honest one of the same task.

Honest submissions of one task are alike, of some tasks very much so. So whatever is said of a file
is held against what the other files of the task, each by another author, reach among themselves.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np

from detectors.plagiarism.agreement import Agreement
from detectors.plagiarism.excess_tail import excess_p
from detectors.plagiarism.mixtures import SMALLEST, Fit, Mixtures

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from detectors.plagiarism.submission_files import Sheets

Method = Literal["equal", "affine", "monotone", "blend", "overridden rows"]
Channel = Literal["values", "ranks", "bent"]

MIN_NULL = 8  # other files of the task, each by another author, below which no p is given
MIN_TELLING = 50  # cells of a value that few rows have; fewer prove nothing
MIN_ODD = 20  # labels that most others do not give; fewer prove nothing
ROUNDED = 1e-6  # the same of a curve or of ranks, after rounding to three or four
ALMOST = 1e-4  # an unexplained part that two linear models with other settings have
ONE_KIND = 2e-3  # the same of settings that differ more
EXACT = 1e-9  # files that leave no more of each other are one family
CHANGED = 500  # roundings by which a scaled copy differs from its source; fewer prove nothing
MIXED = 5000  # the same of a mix and the nearest scaled copy, as models of one kind mix smoothly
MIN_SIZE = 0.01  # of a typical standard deviation; a file that varies less has a shrunken model's
SURE = 1e-11  # the same where nothing is there to compare with
GIVEN = 2.0  # what is left of a cell that follows to the last digit, in roundings of it
NEARLY = 8.0  # the same of a cell that two models of one kind seldom differ by more than
MOST_NEARLY = 0.1  # of the given cells; more that nearly follow are of a model that is alike
WHOLE = 0.99  # share of cells that are equal in an equal file
HALF = 0.5  # share of cells that are equal in one whose rows were overridden
MOST_NULL = 40
_RARE = 0.01
_CHANNELS = 3  # ways in which a file that is no copy could seem to be an exact one


class Explained(NamedTuple):
    """How a submission follows from others.

    Parameters
    ----------
    r2 : float or None
        Of the reproduction; None for labels.
    is_exact : bool
        Whether nothing but rounding is left, apart from overridden rows.
    shares : tuple of float
        For each source, the share of the telling cells that are equal.
    p : float or None
        Chance that an honest submission of the task would seem as much of a copy; None: too few
        to compare with.
    n_null : int
        How many honest ones p was found with.
    is_of_few : bool
        Too few different values to tell more.
    """

    method: Method
    fit: Fit
    r2: float | None
    is_exact: bool
    shares: tuple[float, ...]
    p: float | None = None
    n_null: int = 0
    is_of_few: bool = False


def _nines(unexplained: float) -> float:
    """Count the nines of an R²: 3 for 0.999."""
    return float(-np.log10(max(unexplained, SMALLEST)))


@dataclass(frozen=True)
class Likeness:
    """The files of one task, and what they say of each other.

    Parameters
    ----------
    sheets : Sheets
        Public files first: of several equal ones the first stands for all.
    barred : mapping of int to frozenset of int
        For a file, others that were made after it and can be no source of it.
    """

    sheets: Sheets
    barred: Mapping[int, frozenset[int]] = field(default_factory=dict)

    @cached_property
    def mixtures(self) -> Mixtures:
        """The columns of numbers."""
        return Mixtures(self.sheets.numbers)

    @cached_property
    def agreement(self) -> Agreement:
        """The columns of labels."""
        n = len(self.sheets.files)
        distinct: list[int] = []
        for one in range(n):
            mine = self.sheets.labels[one]
            if not any(np.array_equal(mine, self.sheets.labels[o]) for o in distinct):
                distinct.append(one)
        return Agreement(self.sheets.labels, tuple(distinct))

    def author(self, one: int) -> str:
        """Whose a file is."""
        return self.sheets.files[one].author

    def others(self, one: int) -> tuple[int, ...]:
        """Return the files of other authors that are no constants, of equal ones the first."""
        barred = self.barred.get(one, frozenset())
        return tuple(o for o in self._distinct(frozenset({self.author(one)})) if o not in barred)

    def _rest(self, one: int) -> list[int]:
        """Return all files that may be sources of one."""
        whose, barred = self.author(one), self.barred.get(one, frozenset())
        files = range(len(self.sheets.files))
        return [o for o in files if self.author(o) != whose and o not in barred]

    @cached_property
    def _by_author(self) -> dict[frozenset[str], tuple[int, ...]]:
        return {}

    def _distinct(self, without: frozenset[str]) -> tuple[int, ...]:
        """Return one file of each family of scaled copies, without those of some authors."""
        if without not in self._by_author:
            kept: list[int] = []
            for one in range(len(self.sheets.files)):
                is_source = self.author(one) not in without and self.mixtures.varies[one]
                if is_source and all(self.mixtures.alike(one, o) > EXACT for o in kept):
                    kept.append(one)
            self._by_author[without] = tuple(kept)
        return self._by_author[without]

    def agents_with(self, source: int, one: int) -> int:
        """Count the agents, that of `one` apart, whose attempts gave a file or a scaled copy."""
        files = enumerate(self.sheets.files)
        whose = {
            f.author for n, f in files if f.attempt and self.mixtures.alike(n, source) <= EXACT
        }
        return len(whose - {self.author(one)})

    # ------------------------------------------------------------ numbers

    def explain(self, one: int) -> Explained | None:
        """Say what explains a file of numbers best; None where nothing does or could.

        Exact explanations come first, the simplest of them; else the least likely by chance.
        """
        among = self.others(one)
        telling = self.mixtures.telling(one)
        if not among or not self.mixtures.varies[one]:
            return None
        if telling.sum() < MIN_TELLING:
            return self._of_few_values(one, among)
        found = []
        for way in self._ways(one, among, telling):
            if way.method == "equal" or (way.is_exact and (way.p is None or way.p < _RARE)):
                return way
            found.append(way)
        return min(found, key=lambda w: (1.0 if w.p is None else w.p, w.fit.unexplained))

    def _of_few_values(self, one: int, among: tuple[int, ...]) -> Explained | None:
        """Name the file that one of few different values repeats, scaled or not."""
        fit = self.mixtures.scaled(one, among)
        if not fit.sources or fit.unexplained > EXACT:
            return None
        method: Method = "equal" if self.mixtures.apart(one, fit.sources[0]) <= EXACT else "affine"
        shares = (float(self.mixtures.equal(one, fit.sources[0]).mean()),)
        return Explained(method, fit, 1 - fit.unexplained, True, shares, is_of_few=True)  # noqa: FBT003

    def _share(self, one: int, other: int, telling: NDArray[np.bool_]) -> float:
        return float(self.mixtures.equal(one, other)[telling].mean())

    def _shares(
        self, one: int, sources: Sequence[int], telling: NDArray[np.bool_]
    ) -> tuple[float, ...]:
        return tuple(self._share(one, other, telling) for other in sources)

    def _ways(
        self, one: int, among: tuple[int, ...], telling: NDArray[np.bool_]
    ) -> Iterator[Explained]:
        """Yield the ways in which a file may follow from others, the simplest first."""
        same = self._same(one, telling)
        if same and same.method == "equal":
            yield same
        scaled, blended = (m(one, among) for m in (self.mixtures.scaled, self.mixtures.blended))
        if scaled.unexplained <= EXACT:
            yield self._found("affine", "values", one, scaled, telling)
        method: Method = "blend" if len(blended.sources) > 1 else "affine"
        yield self._found(method, "values", one, blended, telling)
        if same:
            yield same
        for first in (scaled, blended):
            fit, share, is_distinct = self._given(one, first.sources)
            is_distinct = is_distinct and self._is_changed(one, first)
            if first.unexplained > ALMOST and share >= HALF and is_distinct:
                p, n_null = self._p_of_shares(one, share, is_mixed=True)
                shares, r2 = self._shares(one, fit.sources, telling), 1 - blended.unexplained
                yield Explained("overridden rows", fit, r2, True, shares, p, n_null)  # noqa: FBT003
        if scaled.unexplained <= ONE_KIND:  # no curve is needed: models of one kind are so alike
            return
        bent, ranked = (self._fit(c, one, among) for c in ("bent", "ranks"))
        if bent.unexplained <= ROUNDED:
            yield self._found("monotone", "bent", one, bent, telling)
        if ranked.unexplained <= ROUNDED:
            yield self._found("blend", "ranks", one, ranked, telling)

    def _same(self, one: int, telling: NDArray[np.bool_]) -> Explained | None:
        """Look for a file that is the same, or of which rows were overridden."""
        rest = self._rest(one)
        apart = [self.mixtures.apart(one, other) for other in rest]
        shares = self._shares(one, rest, telling)
        best = int(np.argmin(apart)) if min(apart) <= EXACT else int(np.argmax(shares))
        share, source = shares[best], rest[best]
        is_whole = share >= WHOLE or apart[best] <= EXACT
        if share < HALF and not is_whole:
            return None
        r2 = 1 - self.mixtures.alike(one, source)
        is_whole = is_whole or 1 - r2 <= ALMOST or self.mixtures.clipped(one, source)
        if not is_whole and not _is_distinct(self.mixtures.apart_by(one, source), 1.0):
            return None
        method: Method = "equal" if is_whole else "overridden rows"
        p, n_null = self._p_of_shares(one, share)
        fit = Fit((source,), (1.0,), 1 - r2)
        return Explained(method, fit, r2, is_exact=True, shares=(share,), p=p, n_null=n_null)

    def _found(
        self, method: Method, channel: Channel, one: int, fit: Fit, telling: NDArray[np.bool_]
    ) -> Explained:
        p, n_null = self._p(channel, one)
        return Explained(
            method=method,
            fit=fit,
            r2=1 - fit.unexplained,
            is_exact=self._is_exact(channel, one, fit),
            shares=self._shares(one, fit.sources, telling),
            p=p,
            n_null=n_null,
        )

    def _is_exact(self, channel: Channel, one: int, fit: Fit) -> bool:
        """Say whether nothing but rounding is left: of values, to the last digit of the file.

        How much that is depends on the scale of the target, and two ridges leave a billionth.
        """
        if channel != "values":
            return fit.unexplained <= ROUNDED
        if not fit.sources or fit.unexplained > ALMOST or not self._is_changed(one, fit):
            return False
        _, left = self.mixtures.concentrated(one, fit.sources)
        return float((left <= GIVEN).mean()) >= WHOLE

    def _is_changed(self, one: int, fit: Fit) -> bool:
        """Say whether the digits of a file suffice to tell a copy from a model that is alike.

        Models whose settings differ little differ by little, most of it scale, and what is left is
        lost in rounding. So a copy must differ from its source by many times what rounding takes.
        """
        size, coarseness = self.mixtures.size(one), self.mixtures.coarseness(one)
        if not fit.sources or size < MIN_SIZE:
            return False
        if len(fit.sources) == 1:
            return self.mixtures.apart(one, fit.sources[0]) >= (CHANGED * coarseness) ** 2
        left = min(self.mixtures.alike(one, source) for source in fit.sources)
        return size**2 * left >= (MIXED * coarseness) ** 2

    # ------------------------------------------------------------ what is usual

    def _fit(self, channel: Channel, one: int, among: tuple[int, ...]) -> Fit:
        if channel == "bent":
            return self.mixtures.bent(one, among)
        return self.mixtures.blended(one, among, of_ranks=channel == "ranks")

    def _surprise(self, channel: Channel, one: int, among: tuple[int, ...]) -> float:
        """Say how surprising it is that other files reproduce one.

        It is the more so the less of their heaviest one the rest reproduces: that two linear
        models agree to five digits is common, that two files agree that are like no other is not.
        """
        fit = self._fit(channel, one, among)
        if not fit.sources:
            return 0.0
        first = fit.sources[0]
        rest = tuple(o for o in among if o not in {one, first})
        return 2 * _nines(fit.unexplained) - _nines(self._fit(channel, first, rest).unexplained)

    def _null_files(self, one: int) -> tuple[int, ...]:
        """Return the files that honest ones are represented by, at most `MOST_NULL`."""
        among = self._distinct(frozenset({self.author(one)}))
        step = max(1, -(-len(among) // MOST_NULL))
        return among[::step]

    @cached_property
    def _nulls(self) -> dict[tuple[str, str], NDArray[np.float64]]:
        return {}

    def _null(
        self, one: int, name: str, value: Callable[[int, tuple[int, ...]], float]
    ) -> NDArray[np.float64]:
        """Ask of every honest file, by files of others, what is asked of this one."""
        key = (self.author(one), name)
        if key not in self._nulls:
            among = self._distinct(frozenset({self.author(one)}))
            found = [
                value(o, tuple(i for i in among if self.author(i) != self.author(o)))
                for o in self._null_files(one)
            ]
            self._nulls[key] = np.array(found)
        return self._nulls[key]

    def _p(self, channel: Channel, one: int) -> tuple[float | None, int]:
        null = self._null(one, channel, lambda o, among: self._surprise(channel, o, among))
        if len(null) < MIN_NULL:
            return None, len(null)
        p = excess_p(null, self._surprise(channel, one, self.others(one)))
        return (p if channel == "values" else min(1.0, _CHANNELS * p)), len(null)

    def _given(self, one: int, sources: tuple[int, ...]) -> tuple[Fit, float, bool]:
        """Fit a file to others but for some rows.

        Returns
        -------
        Fit
        float
            Share of the telling cells that are exact.
        bool
            Whether the others are other values, and not nearly exact.
        """
        telling = self.mixtures.telling(one)
        if not sources or not telling.any():
            return Fit(), 0.0, False
        fit, left = self.mixtures.concentrated(one, sources)
        return fit, float((left[telling] <= GIVEN).mean()), _is_distinct(left[telling], GIVEN)

    def _p_of_shares(
        self, one: int, share: float, *, is_mixed: bool = False
    ) -> tuple[float | None, int]:
        """Hold a share of exact cells against those that honest files reach."""

        def value(other: int, among: tuple[int, ...]) -> float:
            if is_mixed:
                sources = self.mixtures.blended(other, among).sources
                return _unequal(self._given(other, sources)[1])
            telling = self.mixtures.telling(other)
            shares = self._shares(other, among, telling) if telling.any() else ()
            return _unequal(max(shares, default=0.0))

        null = self._null(one, f"shares {is_mixed}", value)
        if len(null) < MIN_NULL:
            return None, len(null)
        return min(1.0, _CHANNELS * excess_p(null, _unequal(share))), len(null)

    # ------------------------------------------------------------ labels

    def explain_labels(self, one: int) -> Explained | None:
        """Say which file of labels this one was copied from; None where nothing tells."""
        agreement, whose, rest = self.agreement, self.author(one), self._rest(one)
        if not rest or agreement.cells.shape[1] == 0:
            return None
        equal = [agreement.equal(one, o) for o in rest]
        n_odd = int(agreement.odd[one].sum())
        value, source = agreement.surprise(one, rest)
        if max(equal) == 1.0:
            source = rest[int(np.argmax(equal))]
        elif n_odd < MIN_ODD:
            return None
        voters = [v for v in agreement.voters if self.author(v) != whose]
        null = np.array(
            [
                agreement.surprise(v, [o for o in voters if self.author(o) != self.author(v)])[0]
                for v in voters[:: max(1, -(-len(voters) // MOST_NULL))]
            ]
        )
        p = excess_p(null, value) if len(null) >= MIN_NULL and n_odd >= MIN_ODD else None
        share = agreement.equal(one, source)
        method: Method = "equal" if share == 1.0 else "overridden rows"
        fit = Fit((source,), (1.0,), 1 - share)
        return Explained(method, fit, None, share == 1.0, (share,), p, len(null))


def _is_distinct(left: NDArray[np.float64], most: float) -> bool:
    """Say whether cells are either given or something else, with little in between."""
    n_given = int((left <= most).sum())
    return int((left <= NEARLY).sum()) - n_given <= MOST_NEARLY * n_given


def _unequal(share: float) -> float:
    return float(-np.log10(max(1 - share, 1e-4)))
