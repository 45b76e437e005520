"""Rows with a value or two changed, or with numbers a little off, are found; neighbours are not."""

from __future__ import annotations

import numpy as np
import pandas as pd  # noqa: TID253
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from competitions.errors import EvidenceUnavailableError
from detectors.leakage.near_row_overlap import NearRowOverlap
from detectors.leakage.near_rows import near, prepared
from reports.schema import Confidence, Finding, RowOverlap, Severity
from tests.detectors.leakage.rows.tables import dataset, measured

KEY = {"key": ("id",)}


def found(folder, train, test, **parameters) -> list[Finding]:
    return list(NearRowOverlap(**parameters).detect(dataset(folder, train, test, **KEY)))


def overlap(finding: Finding) -> RowOverlap:
    evidence = finding.evidence[0]
    assert isinstance(evidence, RowOverlap)
    return evidence


def copied(train: pd.DataFrame, test: pd.DataFrame, to: int, of: int) -> pd.DataFrame:
    """Put a train row in the place of a test row, which keeps its id."""
    row = train.iloc[[of]].assign(id=test["id"].iloc[to])
    return pd.concat([test.iloc[:to], row, test.iloc[to + 1 :]], ignore_index=True)


def jittered(table: pd.DataFrame, rows, rng: np.random.Generator) -> pd.DataFrame:
    """Move the measurements of some rows by thousandths."""
    made = table.copy()
    for n in range(8):
        factor = np.ones(len(table))
        factor[list(rows)] += 1e-3 * rng.normal(size=len(rows))
        made[f"m{n}"] = table[f"m{n}"].to_numpy() * factor
    return made


TRAIN, TEST = measured(400, 0), measured(100, 1)


@pytest.mark.parametrize(
    ("changes", "differs"),
    [
        pytest.param({"m3": 1.5}, ("m3",), id="a-number"),
        pytest.param({"m3": 1.5, "ward": "z"}, ("m3", "ward"), id="a-number-and-a-category"),
        pytest.param({"m0": -9.0, "m7": 0.0}, ("m0", "m7"), id="two-numbers"),
        pytest.param({"m0": np.nan}, ("m0",), id="now-missing"),
    ],
)
def test_a_row_with_one_or_two_changed_values_is_found_and_they_are_named(
    tmp_path, changes, differs
):
    test = copied(TRAIN, TEST, 7, 30)
    for column, value in changes.items():
        test.loc[7, column] = value
    (finding,) = found(tmp_path, TRAIN, test)
    (pair,) = overlap(finding).pairs

    assert (pair.left_row, pair.right_row, pair.differs_in) == (31, 8, differs)
    assert (pair.left_key, pair.right_key, pair.score) == ("30", "100007", len(differs))
    assert finding.confidence is Confidence.HIGH
    assert finding.severity > Severity.NOTE


def test_numbers_a_little_off_are_found_whatever_else_is_equal(tmp_path):
    test = copied(TRAIN, TEST, 7, 30)
    rng = np.random.default_rng(3)
    test = jittered(test, [7], rng)
    (finding,) = found(tmp_path, TRAIN, test)

    assert [(p.left_row, p.right_row, p.score) for p in overlap(finding).pairs] == [(31, 8, 0.0)]


def test_tables_of_numbers_alone_need_no_equal_column(tmp_path):
    train, test = (t.drop(columns=["ward", "kind"]) for t in (TRAIN, TEST))
    rng = np.random.default_rng(4)
    for to in range(20):
        test = copied(train, test, to, to * 3)
    test = jittered(test, range(20), rng)
    (finding,) = found(tmp_path, train, test)

    assert overlap(finding).n_shared == 20


@pytest.mark.parametrize(
    "test",
    [
        pytest.param(TEST, id="other-rows"),
        pytest.param(copied(TRAIN, TEST, 7, 30), id="an-equal-row-is-left-to-the-other-detector"),
        pytest.param(
            copied(TRAIN, TEST, 7, 30).assign(m0=0.0, m1=0.0, m2=0.0), id="three-values-changed"
        ),
    ],
)
def test_rows_that_are_not_near_yield_nothing(tmp_path, test):
    assert found(tmp_path, TRAIN, test) == []


def test_near_rows_of_a_table_that_is_full_of_them_are_a_note(tmp_path):
    rng = np.random.default_rng(5)
    people = rng.integers(0, 9, (250, 10))[rng.integers(0, 250, 1000)]
    rows = pd.DataFrame(people, columns=[f"q{i}" for i in range(10)])
    rows["q0"] = rng.integers(0, 9, 1000)  # what was asked of them each time
    rows["id"] = range(1000)

    severities = {f.severity for f in found(tmp_path, rows.head(700), rows.tail(300))}

    assert severities == {Severity.NOTE}


def test_near_rows_by_chance_are_a_note(tmp_path):
    rng = np.random.default_rng(6)
    rows = pd.DataFrame(rng.integers(0, 3, (900, 9)), columns=[f"q{i}" for i in range(9)])
    rows["id"] = range(900)

    severities = {f.severity for f in found(tmp_path, rows.head(600), rows.tail(300))}

    assert severities <= {Severity.NOTE}


@pytest.mark.parametrize(
    ("n", "severities"),
    [
        pytest.param(1, [], id="one"),
        pytest.param(2, [Severity.NOTE], id="two"),
        pytest.param(8, [Severity.LOW], id="eight"),
    ],
)
def test_of_a_large_part_a_few_rows_may_be_chance_and_one_is_no_finding(tmp_path, n, severities):
    rng = np.random.default_rng(7)
    rows = pd.DataFrame(rng.normal(size=(4000, 6)).round(6), columns=list("abcdef"))
    rows["id"] = range(4000)
    train, test = rows.head(2000), rows.tail(2000).copy()
    test.iloc[:n, :5] = train.iloc[:n, :5].to_numpy()

    assert [f.severity for f in found(tmp_path, train, test)] == severities


def test_too_few_columns_are_not_called_clean(tmp_path):
    with pytest.raises(EvidenceUnavailableError, match="found 2"):
        found(tmp_path, TRAIN[["id", "m0", "m1"]], TEST[["id", "m0", "m1"]])


def test_a_part_without_rows_is_not_called_clean(tmp_path):
    with pytest.raises(EvidenceUnavailableError, match="0 rows"):
        found(tmp_path, TRAIN, TEST.head(0))


@settings(max_examples=8)
@given(
    st.lists(
        st.tuples(st.integers(0, 99), st.integers(0, 399)), max_size=6, unique_by=lambda t: t[0]
    ),
    st.integers(0, 2**32 - 1),
)
def test_every_planted_change_is_found_at_its_rows_and_nothing_else(plants, seed):
    rng = np.random.default_rng(seed)
    train, test = TRAIN.drop(columns="id"), TEST.drop(columns="id")
    for to, of in plants:
        test.iloc[to] = train.iloc[of]
        for column in rng.permutation(8)[: rng.integers(1, 3)].tolist():
            test.iloc[to, column] = -100.0
    seen = near(prepared(train, test))

    assert dict(zip(seen.right.tolist(), seen.left.tolist(), strict=True)) == dict(plants)
