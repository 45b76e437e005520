"""Windows of one series on both sides of a split are found; at the edge of a part, as a note."""

from __future__ import annotations

import numpy as np
import pandas as pd  # noqa: TID253
import pytest

from detectors.leakage.near_lagged import lagged
from detectors.leakage.near_row_overlap import NearRowOverlap
from reports.schema import Finding, Severity
from tests.detectors.leakage.rows.tables import dataset


def windows(n: int, width: int, features: int = 1, seed: int = 0) -> pd.DataFrame:
    """Rows of `width` moments of a series, `features` numbers each, one moment apart."""
    series = np.random.default_rng(seed).normal(size=(n + width, features))
    rows = [series[i : i + width].ravel() for i in range(n)]
    return pd.DataFrame(rows, columns=[f"t{k}" for k in range(width * features)])


def found(folder, train, test) -> list[Finding]:
    rows = [t.assign(id=range(k, k + len(t))) for t, k in ((train, 0), (test, 9000))]
    return list(NearRowOverlap().detect(dataset(folder, *rows, key=("id",))))


@pytest.mark.parametrize(
    ("width", "features", "shift"),
    [pytest.param(12, 1, 1, id="lags"), pytest.param(11, 3, 3, id="frames-of-several-numbers")],
)
def test_windows_dealt_at_random_are_found(tmp_path, width, features, shift):
    rows = windows(400, width, features)
    is_test = np.random.default_rng(1).random(400) < 0.3
    (finding,) = found(tmp_path, rows[~is_test], rows[is_test])

    assert finding.severity is Severity.HIGH
    assert f"moved by {shift} columns" in finding.message


def test_windows_at_the_edge_of_a_part_are_a_note(tmp_path):
    rows = windows(400, 12)

    assert {f.severity for f in found(tmp_path, rows[:300], rows[300:])} == {Severity.NOTE}


@pytest.mark.parametrize(
    "rows",
    [
        pytest.param(pd.DataFrame(np.random.default_rng(2).normal(size=(200, 20))), id="apart"),
        pytest.param(pd.DataFrame(np.zeros((200, 20))), id="zeros"),
        pytest.param(pd.DataFrame(np.eye(200, 20)), id="one-number-each"),
        pytest.param(windows(200, 8), id="few-columns"),
        pytest.param(pd.DataFrame({f"c{i}": ["x", "y"] * 100 for i in range(20)}), id="texts"),
        pytest.param(pd.DataFrame(np.full((200, 20), np.nan)), id="nothing"),
    ],
)
def test_rows_that_share_no_moved_numbers_yield_nothing(rows):
    assert lagged(rows[:150], rows[150:]) is None


def test_every_pair_is_what_it_is_said_to_be():
    rows = windows(300, 12)
    train, test = rows[::2].reset_index(drop=True), rows[1::2].reset_index(drop=True)
    seen = lagged(train, test)

    assert seen is not None
    for a, b in zip(seen.train_rows, seen.test_rows, strict=True):
        one, other = train.iloc[a].to_numpy(), test.iloc[b].to_numpy()
        k = seen.shift
        assert np.array_equal(one[k:], other[:-k]) or np.array_equal(other[k:], one[:-k])
