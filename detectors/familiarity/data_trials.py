"""A published table, what it is held against, and what scores of all of these say."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from competitions.errors import TextError
from detectors.familiarity.blind import LEVEL, blind
from detectors.familiarity.calibration import calibrate, least_controls
from detectors.familiarity.conformal import conformal_p
from detectors.familiarity.data_order import order_of, orders_of_names, other_orders
from detectors.familiarity.data_scores import (
    header_span,
    measures,
    per_character,
    row_spans,
    telling_column,
)
from detectors.familiarity.data_tables import MIN_ROWS, Fresh, Lines, with_order
from detectors.known_data import DataTest

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from detectors.familiarity.texts import Text
    from detectors.familiarity.tokens import TokenScores

MAX_ROWS = 40
MAX_CHARACTERS = 4_000  # of the rows of one table: a hundred of them are to be scored
FIRST = 19  # controls of each kind that are scored before it is clear that more are needed
OPEN = 0.3  # p beside the first controls from which more of them are not
FRESH, OTHER_ORDERS, OTHER_NAMES = (
    "fresh tables",
    "other orders of its rows",
    "other orders of its names",
)


class Trial(NamedTuple):
    """One table and its controls.

    Parameters
    ----------
    lines : Lines
        The published table, cut to the rows that are scored.
    column : int
        The feature whose cells are asked for.
    fresh : list of Lines
    orders, headers : list of Lines, or str
        The same rows, and the same names, in other orders; or why there are none to be had.
    """

    lines: Lines
    column: int
    fresh: list[Lines]
    orders: list[Lines] | str
    headers: list[Lines] | str

    def first(self, n: int, *, but: frozenset[str] = frozenset()) -> Trial:
        """Return it with some controls of each kind alone.

        Parameters
        ----------
        n : int
            Of each kind.
        but : frozenset of str
            Kinds (`FRESH` and the others) that are kept whole.
        """

        def cut(kind: str, controls: list[Lines]) -> list[Lines]:
            return controls if kind in but else controls[:n]

        return self._replace(
            fresh=cut(FRESH, self.fresh),
            orders=self.orders if isinstance(self.orders, str) else cut(OTHER_ORDERS, self.orders),
            headers=self.headers
            if isinstance(self.headers, str)
            else cut(OTHER_NAMES, self.headers),
        )

    @property
    def texts(self) -> list[Text]:
        """All that is to be scored."""
        whole = [self.lines, *self.fresh]
        whole += [] if isinstance(self.orders, str) else self.orders
        if not isinstance(self.headers, str):
            whole += [self.lines.with_rows(()), *self.headers]
        return [one.text() for one in whole]


def trial_of(lines: Lines, n_controls: int, seed: int = 0) -> Trial:
    """Cut a table to its first rows and make what it is held against.

    Parameters
    ----------
    n_controls : int
        Of each kind.

    Raises
    ------
    TextError
        When fewer than twelve rows are short enough.
    """
    rng = np.random.default_rng(seed)
    n_rows = lines.fitting(MAX_ROWS, MAX_CHARACTERS)
    if n_rows < MIN_ROWS:
        raise TextError(
            lines.name,
            f"expected {MIN_ROWS} rows of at most {MAX_CHARACTERS:,} characters together, found "
            f"{n_rows}",
        )
    fresh = Fresh(lines, n_rows)
    drawn = [fresh.draw(rng) for _ in range(n_controls)]
    order = order_of(lines)
    first = lines.with_rows(lines.rows[:n_rows])
    orders: list[Lines] | str = order.refused
    if not order.refused:
        strata = order.strata[:n_rows]
        orders = [with_order(first, o) for o in other_orders(strata, n_controls, rng)]
    names = orders_of_names(lines.header, n_controls, rng)
    headers = names if isinstance(names, str) else [first.with_header(h) for h in names]
    return Trial(first, telling_column(first), drawn, orders, headers)


class Judged(NamedTuple):
    """Answers to the questions about a table, and how odd it looks to a reader without a model."""

    tests: list[DataTest]
    odd: float


def still_open(judged: Judged) -> frozenset[str]:
    """Return the kinds of controls of which more could change what is decided of a table.

    Where five of the first nineteen are at least as probable as what is asked about, five of
    ninety-nine will be as well, and it is not familiar: the rest need not be scored. A question
    that a reader without a model confounds stays so.
    """
    return frozenset(
        one.beside
        for one in judged.tests
        if one.calibrated is not None and not one.why and one.calibrated.p < OPEN
    )


def judge_trial(
    trial: Trial, scores: Mapping[str, TokenScores], drawn: Trial | None = None
) -> Judged:
    """Hold the published table against its controls, question by question; q is yet to be filled.

    Parameters
    ----------
    scores : mapping of str to TokenScores
        By digest of the text.
    drawn : Trial or None
        The same with all controls, for the reader without a model: those that were not scored, too.
    """
    odd, confounded = _blind(drawn or trial)
    return Judged(
        [
            _header(trial, scores),
            *_beside_fresh(trial, scores, confounded),
            judge_order(trial, scores),
        ],
        odd,
    )


def _header(trial: Trial, scores: Mapping[str, TokenScores]) -> DataTest:
    if isinstance(trial.headers, str):
        return DataTest("header", OTHER_NAMES, why=trial.headers)
    values = [
        per_character(scores[one.text().sha256], [header_span(one)])
        for one in (trial.lines.with_rows(()), *trial.headers)
    ]
    return _test("header", OTHER_NAMES, values)


def order_trial(lines: Lines, n_orders: int, seed: int = 0) -> Trial:
    """Return a trial that asks for the order of all rows alone."""
    order = order_of(lines)
    orders: list[Lines] | str = order.refused
    if not order.refused:
        rng = np.random.default_rng(seed)
        orders = [with_order(lines, o) for o in other_orders(order.strata, n_orders, rng)]
    return Trial(lines, 0, [], orders, "only the order is asked for")


def judge_order(trial: Trial, scores: Mapping[str, TokenScores]) -> DataTest:
    """Hold the order of rows against other orders; q is yet to be filled."""
    if isinstance(trial.orders, str):
        return DataTest("order", OTHER_ORDERS, why=trial.orders)
    values = [
        per_character(scores[one.text().sha256], row_spans(one, len(one.rows)))
        for one in (trial.lines, *trial.orders)
    ]
    return _test("order", OTHER_ORDERS, values)


def _beside_fresh(
    trial: Trial, scores: Mapping[str, TokenScores], confounded: str
) -> Iterator[DataTest]:
    found = [
        measures(one, scores[one.text().sha256], len(one.rows), trial.column)
        for one in (trial.lines, *trial.fresh)
    ]
    for name in found[0]:
        yield _test(name, FRESH, [values[name] for values in found], confounded)


def _test(name: str, beside: str, values: list[float], confounded: str = "") -> DataTest:
    own, controls = values[0], np.array([v for v in values[1:] if np.isfinite(v)])
    if not np.isfinite(own):
        return DataTest(name, beside, why="the model gave no number for it")
    if len(controls) < least_controls(0):
        return DataTest(name, beside, len(controls), why=f"only {len(controls)} {beside}")
    one = calibrate(own, [], controls, np.zeros((len(controls), 0)))
    return DataTest(name, beside, len(controls), one, q=one.p, why=confounded)


def _blind(trial: Trial) -> tuple[float, str]:
    """Look at the table without a model: how odd it looks, and why that says too much."""
    theirs = [one.text() for one in trial.fresh]
    odd = blind([trial.lines.text()], theirs).odd[0]
    if odd <= LEVEL:
        return odd, "without any model it looks unlike the fresh tables"
    sizes = [-_packed(t) for t in (trial.lines.text(), *theirs)]
    if float(conformal_p(sizes[:1], sizes[1:])[0]) <= LEVEL:
        return odd, "it repeats itself more than the fresh tables do"
    return odd, ""


def _packed(text: Text) -> int:
    return len(zlib.compress(text.content.encode(), 9))
