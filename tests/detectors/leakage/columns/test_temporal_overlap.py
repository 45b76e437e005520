"""Train rows from within the test period of a forecast are told; honest splits are not accused."""

from __future__ import annotations

import numpy as np
import pandas as pd  # noqa: TID253 - these tests are about tables
import pytest

from detectors.leakage.temporal_overlap import TemporalOverlap, share_after
from reports.schema import Outcome, Severity

N = 300
RNG = np.random.default_rng(8)
DAYS = pd.Timestamp("2019-01-01") + pd.to_timedelta(np.arange(N), unit="D")


def parts(order, n_test=60, name="date", days=DAYS):
    table = pd.DataFrame({"x": RNG.normal(size=N), name: days, "y": RNG.normal(size=N)})
    table[name] = table[name].astype(str)
    test = table.iloc[order[-n_test:]].drop(columns="y")
    return table.iloc[order[:-n_test]], test


def leaking(n_late):
    """Cut by time, then move some rows of the last days to the train part."""
    late = RNG.choice(np.arange(N - 60, N), n_late, replace=False)
    rest = np.setdiff1d(np.arange(N), late)
    return np.r_[rest[: N - 60], late, rest[N - 60 :]]


def test_a_cut_by_time_is_clean(ask):
    train, test = parts(np.arange(N))

    assert ask(TemporalOverlap(), train, test).outcome is Outcome.CLEAN


@pytest.mark.parametrize("n_late", [pytest.param(20, id="some"), pytest.param(45, id="many")])
def test_train_rows_from_the_test_period_are_told(n_late, ask):
    order = leaking(n_late)
    train, test = parts(order, n_test=N - (N - 60) - n_late)

    (found,) = ask(TemporalOverlap(), train, test).findings

    assert found.severity is Severity.MEDIUM
    shown = next(e for e in found.evidence if e.kind == "row_overlap")
    assert train["date"].iloc[shown.pairs[0].left_row - 1] >= test["date"].min()


def test_a_random_split_over_times_is_a_note(ask):
    train, test = parts(RNG.permutation(N))

    (found,) = ask(TemporalOverlap(), train, test).findings

    assert found.severity is Severity.NOTE
    assert "no forecast" in found.message


@pytest.mark.parametrize("name", ["date_of_birth", "dob", "BirthDate"])
def test_a_birth_date_is_no_event_time(name, ask):
    train, test = parts(leaking(20), n_test=40, name=name)

    answer = ask(TemporalOverlap(), train, test)

    assert answer.outcome is Outcome.NOT_APPLICABLE


def test_where_the_call_says_that_no_column_is_a_time_none_is_guessed(ask):
    train, test = parts(leaking(20), n_test=40)

    answer = ask(TemporalOverlap(), train, test, times=())

    assert answer.outcome is Outcome.NOT_APPLICABLE


def test_rows_of_the_boundary_day_are_no_overlap(ask):
    days = pd.Timestamp("2019-01-01") + pd.to_timedelta(np.arange(N) // 20, unit="D")
    train, test = parts(np.arange(N), n_test=70, days=days)  # half of one day's rows on each side

    assert ask(TemporalOverlap(), train, test).outcome is Outcome.CLEAN


def test_the_chance_to_be_later_counts_ties_half():
    same = np.array([1.0, 1.0])

    assert share_after(same, same) == 0.5
    assert share_after(np.array([0.0]), np.array([1.0, np.nan])) == 1.0
