"""Columns that give a target away, one by one: every view of each, by strength and by rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from detectors.leakage.column_exact import (
    follows,
    is_mean_of_groups,
    stands_in_some_rows,
)
from detectors.leakage.column_phrases import telling_phrase
from detectors.leakage.column_scores import (
    Rule,
    Score,
    Target,
    binned,
    folds_of,
    levels_of,
    rules_of,
    score,
)
from detectors.leakage.column_views import MOST_WORDS, Kind, View, views_of

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from detectors.leakage.column_exact import Exact

VALUE_AREA = 0.995  # out of fold, from which values are no honest feature's
VALUE_ACCURACY = 0.99
NAMED_AREA = 0.98  # the same where a column has as many values as there are classes
VALUE_SHARE = 0.9995  # of the variance of ranks
FORM_AREA = 0.9
FORM_SHARE = 0.5
FREQUENCY_AREA = 0.7
FREQUENCY_SHARE = 0.3
ISOLATED_AREA = 0.7  # what other rows of the column may tell where single values are told of
ISOLATED_SHARE = 0.15
MODEST_AREA = 0.75  # what a column's values may tell where a rule of its form is told of
MODEST_SHARE = 0.4
EXPLAINED_AREA = 0.8  # how well values may tell the form: beyond, it is theirs
FEWEST_SHARE = 0.01  # of all rows, that a rule without exception holds for
FEWEST = 50
LOG10_P = -6.0  # by chance, after as many tests as there are
N_SHUFFLES = 99
MAX_SHUFFLED = 4_000  # rows of them


class Leak(NamedTuple):
    """A way in which a column, or two, give a target away.

    Parameters
    ----------
    columns : tuple of str
    message : str
        What was seen, as a sentence.
    measure : str
        What `value` is.
    value, bar : float
        The rule's score, and where it is remarkable.
    reach : float in [0, 1]
        0 where it decides next to nothing, 1 where it decides all rows.
    cells : ndarray, shape (n_rows,)
        The view that gives the target away.
    by_chance : float or None
        The most extreme value of the measure among shuffled targets.
    log10_p : float or None
        Of a rule without exception.
    alone : float or None
        Of a pair, what the better column reaches alone.
    """

    columns: tuple[str, ...]
    message: str
    measure: str
    value: float
    bar: float
    reach: float
    cells: NDArray[Any]
    by_chance: float | None = None
    log10_p: float | None = None
    alone: float | None = None


class Scan:
    """Looks at columns of the same rows.

    Parameters
    ----------
    target : Target
    n_tests : int
        Columns that are looked at, of which each has many views; for the bounds on chance.
    seed : int
    """

    def __init__(self, target: Target, n_tests: int, seed: int) -> None:
        self.target = target
        self.folds = folds_of(len(target.cells), seed)
        self.fewest = max(FEWEST, int(FEWEST_SHARE * len(target.cells)))
        self.log10_p = LOG10_P - float(np.log10(max(1, n_tests) * 100))
        self.seed = seed

    def column(self, name: str, values: pd.Series, elsewhere: pd.Series | None) -> Leak | None:
        """Return the way in which a column gives the target away most, or None.

        Parameters
        ----------
        name : str
        values : Series, shape (n_rows,)
        elsewhere : Series or None
            Its cells in other parts.
        """
        views = views_of(name, values, elsewhere)
        if not views:
            return None
        views = [view for view in views if not self._is_of_value(view, views)]
        scores = [score(binned(v.cells), self.target, self.folds) for v in views]
        by_value, by_rare = (self._best(views, scores, k) for k in (Kind.VALUE, Kind.RARE))
        found = [
            leak
            for view, got in zip(views, scores, strict=True)
            if (leak := self._view(name, view, got, (by_value, by_rare))) is not None
        ]
        found += self._exact(name, views)
        if not found and _is_free_text(values):
            found += self._phrase(name, values)
        return max(found, key=lambda leak: round(leak.reach, 2)) if found else None

    def _best(self, views: list[View], scores: list[Score], kind: Kind) -> float:
        """Return what the views of a kind tell at best."""
        told = [s.strength for s, v in zip(scores, views, strict=True) if v.kind is kind]
        return max(told, default=0.5 if self.target.is_classes else 0.0)

    def _is_of_value(self, view: View, views: list[View]) -> bool:
        """Say whether a column's values tell the form they are written in, as size tells decimals.

        Then what the form tells of a target is no more than what the values tell.
        """
        if view.kind is not Kind.FORM or view.is_gaps:
            return False
        values = next((v for v in views if v.kind is Kind.VALUE), None)
        if values is None or values.cells.dtype.kind != "f":
            return False
        filled = np.isfinite(values.cells)
        form = levels_of(view.said, view.cells[filled], view.levels)
        told = score(binned(values.cells[filled]), form, self.folds[filled])
        return told.strength >= EXPLAINED_AREA

    def _view(self, name: str, view: View, got: Score, told: tuple[float, float]) -> Leak | None:
        """Look at one view; `told` is what the column's values and single values tell at best."""
        by_value, by_rare = told
        if self._is_telling(view, got, by_value, by_rare):
            return self._by_strength(name, view, got)
        known = MODEST_AREA if self.target.is_classes else MODEST_SHARE
        is_formal = view.kind is Kind.FORM and (view.is_gaps or by_value < known)
        return self._by_rule(name, view) if is_formal or view.kind is Kind.RARE else None

    def _is_telling(self, view: View, got: Score, by_value: float, by_rare: float) -> bool:
        is_classes = self.target.is_classes
        if view.kind is Kind.FORM:
            bar = FORM_AREA if is_classes else FORM_SHARE
            return got.strength >= (bar if view.is_gaps else max(bar, by_value))
        if view.kind is Kind.FREQUENCY:
            bar = FREQUENCY_AREA if is_classes else FREQUENCY_SHARE
            return got.strength >= max(bar, by_value + 0.05, by_rare + 0.05)
        if view.kind is Kind.RARE:
            return False
        if not is_classes:
            is_of_levels = np.issubdtype(view.cells.dtype, np.integer)
            return is_of_levels and got.strength >= VALUE_SHARE
        n_more = len(np.unique(binned(view.cells))) - len(self.target.classes)
        if n_more in {0, 1}:  # one more: the empty cells
            return min(got) >= NAMED_AREA
        return got.strength >= VALUE_AREA and got.accuracy >= VALUE_ACCURACY

    def _by_strength(self, name: str, view: View, got: Score) -> Leak:
        bars = {
            Kind.VALUE: (VALUE_AREA, VALUE_SHARE),
            Kind.FORM: (FORM_AREA, FORM_SHARE),
            Kind.FREQUENCY: (FREQUENCY_AREA, FREQUENCY_SHARE),
        }
        area = "out-of-fold area under the curve"
        measure = area if self.target.is_classes else "out-of-fold share of the variance of ranks"
        score_said = f"{measure} {got.strength:.3f}"
        reach = 2 * got.strength - 1 if self.target.is_classes else got.strength
        return Leak(
            (name,),
            f"By {view.said}, {self.target.name} of a row is told ({score_said}).",
            measure,
            got.strength,
            bars[view.kind][not self.target.is_classes],
            reach,
            view.cells,
            by_chance=self._largest_by_chance(view.cells),
        )

    def _largest_by_chance(self, cells: NDArray[Any]) -> float:
        rng = np.random.default_rng(self.seed)
        rows = np.arange(len(cells))
        if len(rows) > MAX_SHUFFLED:
            rows = rng.choice(rows, MAX_SHUFFLED, replace=False)
        codes, target = binned(cells[rows]), self.target.of(rows)
        folds = self.folds[rows]
        return max(score(codes, target.shuffled(rng), folds).strength for _ in range(N_SHUFFLES))

    def _by_rule(self, name: str, view: View) -> Leak | None:
        rules = [
            rule
            for rule in rules_of(view.cells, self.target, self.fewest)
            if rule.log10_p <= self.log10_p
            and (view.kind is Kind.FORM or self._is_isolated(view, rule))
        ]
        if not rules:
            return None
        n_rows = sum(rule.n_rows for rule in rules)
        rule = min(rules, key=lambda r: r.log10_p)
        return self._of_rule((name,), view.levels[rule.level], rule, view.cells, n_rows)

    def _is_isolated(self, view: View, rule: Rule) -> bool:
        """Say whether the other rows tell little: at its end, an honest scale has no exceptions."""
        rest = view.cells != rule.level
        if rest.sum() < FEWEST:
            return True
        got = score(view.cells[rest], self.target.of(rest), self.folds[rest])
        return got.strength < (ISOLATED_AREA if self.target.is_classes else ISOLATED_SHARE)

    def _of_rule(
        self, columns: tuple[str, ...], clause: str, rule: Rule, cells: NDArray[Any], n_rows: int
    ) -> Leak:
        among = f"= {rule.among}" if self.target.is_classes else rule.among
        share = n_rows / len(self.target.cells)
        return Leak(
            columns,
            f"Of {rule.n_rows} rows where {clause}, {rule.n_rows - rule.n_exceptions} have "
            f"{self.target.name} {among}; of all rows {rule.base:.0%} do.",
            "share of these rows",
            1 - rule.n_exceptions / rule.n_rows,
            rule.base,
            min(0.9, share),
            cells,
            log10_p=rule.log10_p,
        )

    def _exact(self, name: str, views: list[View]) -> list[Leak]:
        """Look for numbers that give the target exactly, or the mean of its groups."""
        found = []
        rng = np.random.default_rng(self.seed)
        y = self.target.cells
        for view in (v for v in views if v.kind is Kind.VALUE and v.cells.dtype.kind == "f"):
            ways: list[tuple[Exact | None, float | None]] = [
                (is_mean_of_groups(view.cells, self.target, rng), 0.5)
            ]
            if not self.target.is_classes:
                is_time = view.said.startswith("the time in")
                ways += [
                    (follows(view.cells, y, rng, is_time=is_time), 1.0),
                    (stands_in_some_rows(view.cells, y, self.fewest, rng), None),
                ]
            for exact, reach in ways:
                if exact is not None:
                    measure = f"{exact.measure} {exact.value:.4g}"
                    leak = Leak(
                        (name,),
                        f"{_begun(view.said)} {exact.said} ({self.target.name}; {measure}).",
                        exact.measure,
                        exact.value,
                        exact.bar,
                        exact.n_rows / len(y) if reach is None else reach,
                        view.cells,
                        by_chance=exact.by_chance,
                    )
                    found.append(leak)
        return found

    def _phrase(self, name: str, values: pd.Series) -> list[Leak]:
        texts = values.astype(object).where(values.notna(), "").map(str)
        found = telling_phrase(texts, self.target, FEWEST_SHARE)
        if found is None or found.rule.log10_p > LOG10_P - np.log10(2 * found.n_phrases):
            return []
        holds = "has" if found.rule.level else "lacks"
        flags = texts.str.lower().str.contains(found.text, regex=False).to_numpy(dtype=np.intp)
        clause = f"{name} {holds} {found.text!r}"
        share = found.rule.n_rows / found.n_texts
        return [self._of_rule((name,), clause, found.rule, flags, int(share * len(texts)))]


def _begun(said: str) -> str:
    """Return words as a sentence begins with them; the names of columns stay as they are."""
    return said[:1].upper() + said[1:]


def _is_free_text(values: pd.Series) -> bool:
    from pandas.api.types import is_object_dtype, is_string_dtype

    if not (is_object_dtype(values) or is_string_dtype(values)):
        return False
    some = values.dropna().astype(str).iloc[:500]
    return len(some) > 0 and float(np.mean([len(t.split()) for t in some])) >= MOST_WORDS
