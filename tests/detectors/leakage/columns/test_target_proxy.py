"""Columns that give the target away are told; strong and honest ones are not."""

from __future__ import annotations

import importlib
import pkgutil
import warnings

import numpy as np
import pandas as pd  # noqa: TID253 - these tests are about tables
import pytest

from detectors.leakage import proxy_scan
from detectors.leakage.column_exact import follows, is_mean_of_groups, stands_in_some_rows
from detectors.leakage.column_scores import _areas, binned, folds_of, rules_of, score, target_of
from detectors.leakage.column_views import Kind, decimals_of, views_of
from detectors.leakage.proxy_scan import scan
from detectors.leakage.target_proxy import TargetProxy
from reports.schema import Outcome, Severity
from tests.detectors.leakage.columns.labelled import columns
from tests.detectors.leakage.columns.labelled_second import second_columns

N = 900
RNG = np.random.default_rng(2)
SIGNAL = RNG.normal(size=N)
Y = (SIGNAL + RNG.normal(size=N) > 0).astype(int)
GROUP = RNG.permutation(N) // 20


def told(table, name="y"):
    """Return the columns that a scan tells of."""
    found = scan(table, None, [c for c in table if c != name], name, 0)
    assert found is not None
    return {c for leak in found.leaks for c in leak.columns}


LEAKS = {
    "a copy": Y,
    "labels in words": np.where(Y == 1, "yes", "no"),
    "empty for one class": np.where(Y == 1, np.nan, RNG.normal(size=N)),
    "filled for some of one class": np.where((Y == 1) & (RNG.random(N) < 0.3), "x1", "N/A"),
    "even for one class": RNG.permutation(N) * 2 + Y,
    "a prefix": [f"{'QZ'[y]}{n:06d}" for y, n in zip(Y, RNG.permutation(N), strict=True)],
    "decimals": np.where(Y == 1, RNG.gamma(4, 30, N).round(3), RNG.gamma(4, 30, N).round(1)),
    "counts of one class": np.where(Y == 1, RNG.poisson(1, N), 0),
    "a mean of twenty rows": (np.bincount(GROUP, Y) / 20)[GROUP],
}
HONEST = {
    "a strong feature": SIGNAL,
    "numbers of four digits": [float(f"{v:.4g}") for v in np.exp(2 * SIGNAL)],
    "a mean of other rows": (np.bincount(GROUP, RNG.permutation(Y)) / 20)[GROUP],
    "gaps by chance": np.where(RNG.random(N) < 0.3, np.nan, SIGNAL),
    "whole numbers": (40 + 9 * SIGNAL + RNG.normal(0, 9, N)).round(),
    "noughts by degrees": np.where(RNG.random(N) < 1 / (1 + np.exp(SIGNAL)), 0, RNG.poisson(3, N)),
    "ids": [f"{v:08x}" for v in RNG.integers(0, 2**32, N)],
}


@pytest.mark.parametrize("kind", list(LEAKS))
def test_a_leak_is_told(kind):
    assert told(pd.DataFrame({"c": LEAKS[kind], "y": Y})) == {"c"}


@pytest.mark.parametrize("kind", list(HONEST))
def test_an_honest_column_is_not(kind):
    assert not told(pd.DataFrame({"c": HONEST[kind], "y": Y}))


def pair_of(way):
    one = RNG.normal(2, 1, N)
    numbers = SIGNAL * 3 + 20
    return {
        "sum": (one, numbers - one, numbers),
        "ratio": (numbers * np.exp(one), np.exp(one), numbers),
        "xor": (b := RNG.integers(0, 2, N), b ^ Y, Y),
    }[way]


@pytest.mark.parametrize("way", ["sum", "ratio", "xor"])
def test_a_pair_is_told_where_neither_column_is(way):
    one, other, y = pair_of(way)

    assert told(pd.DataFrame({"a": one, "b": other, "z": SIGNAL**2, "y": y})) == {"a", "b"}


def test_a_finding_says_what_chance_and_a_small_model_reach(ask):
    table = pd.DataFrame({"c": LEAKS["even for one class"], "x": SIGNAL, "y": Y})
    train, test = table.iloc[:700], table.iloc[700:].drop(columns="y")

    (found,) = ask(TargetProxy(), train, test, key=(), targets=("y",), entities=()).findings

    assert found.severity is Severity.HIGH
    assert "even or odd" in found.message
    assert "A small model reaches" in found.message
    by = {e.compared_with: e for e in found.evidence}
    shuffled = by["the most extreme by chance in 99 shuffles"]
    assert shuffled.reference < 0.7 < shuffled.value
    assert by["the same model without it"].reference < 0.9 < by["the same model without it"].value


@pytest.mark.parametrize(
    "columns",
    [
        pytest.param({"c": [None] * N}, id="all empty"),
        pytest.param({"c": [np.inf, -np.inf, np.nan] * (N // 3)}, id="infinite"),
        pytest.param({"c": [1, "a", None, 2.5, True, b"x"] * (N // 6)}, id="mixed"),
        pytest.param({"c": [[1], {"a": 2}, "z"] * (N // 3)}, id="lists and objects"),
        pytest.param({"c": [f"1e{n}641000824bd20" for n in range(N)]}, id="ids like numbers"),
        pytest.param({"c": np.array([1e308, -1e308, 5e-324] * (N // 3))}, id="extreme numbers"),
        pytest.param({"c": ["é" * 5_000, ""] * (N // 2)}, id="long texts"),
    ],
)
@pytest.mark.parametrize("y", [pytest.param(Y, id="classes"), pytest.param(SIGNAL, id="numbers")])
def test_odd_columns_are_neither_told_nor_an_error(columns, y):
    assert not told(pd.DataFrame(columns | {"y": y}))


@pytest.mark.parametrize(
    ("y", "said"),
    [
        pytest.param(np.zeros(N), "y is 0.0 in every row", id="constant"),
        pytest.param([f"t{n}" for n in range(N)], "no target of numbers", id="texts"),
        pytest.param(
            [1.0] * 10 + [np.nan] * (N - 10), "in the 10 rows that have one", id="of few rows"
        ),
    ],
)
def test_a_target_that_nothing_can_be_asked_of_is_said_to_be_one(y, said, ask):
    table = pd.DataFrame({"c": SIGNAL, "y": y})

    answer = ask(TargetProxy(), table, table.drop(columns="y"), key=(), targets=("y",))

    assert answer.outcome is Outcome.NOT_AVAILABLE
    assert said in answer.reason


def test_decimals_are_those_that_are_written():
    assert decimals_of(np.array([1.5, 2.25, 3.0, np.nan, 0.1, 123456.789])).tolist() == [
        1,
        2,
        0,
        -1,
        1,
        3,
    ]


def test_views_of_a_constant_are_left_out():
    assert views_of("c", pd.Series(["EUR"] * 50)) == []
    assert {v.kind for v in views_of("c", pd.Series(np.arange(50) % 2))} == {Kind.VALUE}


def test_scores_are_out_of_fold():
    target = target_of("y", pd.Series(Y))
    assert target is not None
    names = binned(np.arange(N))  # a level per row tells nothing of others

    assert score(names, target, folds_of(N, 0)).strength == pytest.approx(0.5, abs=0.1)
    assert score(Y, target, folds_of(N, 0)).strength == 1.0


def test_a_rule_counts_its_exceptions():
    target = target_of("y", pd.Series(Y))
    assert target is not None

    assert {r.n_rows for r in rules_of(Y, target, 30)} == {int((Y == 0).sum()), int((Y == 1).sum())}
    assert not rules_of(RNG.permutation(Y), target, 30)


def test_two_honest_trends_do_not_follow_one_another():
    trend = np.linspace(0, 100, N)
    one, other = trend + RNG.normal(0, 0.02, N), trend + RNG.normal(0, 0.02, N)

    assert follows(one, other, RNG) is None
    assert follows(2 * other + 1, other, RNG) is not None


def test_a_last_price_that_is_exact_at_times_is_honest():
    price = RNG.gamma(9, 3, N)
    exact = RNG.random(N) < 0.1
    last = np.where(exact, price, price * RNG.normal(1, 0.05, N))
    noise = np.where(exact, price, RNG.gamma(9, 3, N))

    assert stands_in_some_rows(last, price, 30, RNG) is None
    assert stands_in_some_rows(noise, price, 30, RNG) is not None


@pytest.mark.parametrize("size", [3, 5, 30])
def test_means_of_groups_are_told_for_numbers_too(size):
    group = RNG.permutation(N) // size
    target = target_of("y", pd.Series(SIGNAL))
    assert target is not None
    mean = (np.bincount(group, SIGNAL) / size)[group]

    assert is_mean_of_groups(mean, target, RNG) is not None
    assert is_mean_of_groups(RNG.permutation(mean), target, RNG) is None


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["classification", "regression"])
@pytest.mark.parametrize(
    ("make", "least"),
    [pytest.param(columns, 21, id="first"), pytest.param(second_columns, 21, id="second")],
)
def test_most_labelled_leaks_are_told_and_no_clean_column(make, least, kind):
    labelled = make(kind, 4)
    table = labelled.table

    found = scan(table.iloc[:12_800], table.iloc[12_800:], table.columns[:-1], "y", 0)

    assert found is not None
    named = {c for leak in found.leaks for c in leak.columns}
    assert len(named & set(labelled.leaking)) >= least
    assert not named & set(labelled.clean)


def bundled():
    """Return the tables that scikit-learn and statsmodels ship, with their own targets."""
    import sklearn.datasets
    import statsmodels.datasets

    for name in ("breast_cancer", "diabetes", "digits", "iris", "wine"):
        loaded = getattr(sklearn.datasets, f"load_{name}")(as_frame=True)
        yield name, loaded.data.assign(answer=loaded.target), "answer"
    for module in pkgutil.iter_modules(statsmodels.datasets.__path__):
        if not module.ispkg:
            continue
        package = importlib.import_module(f"statsmodels.datasets.{module.name}")
        if hasattr(package, "load_pandas"):
            loaded = package.load_pandas()
            target = getattr(loaded, "endog_name", None)
            if isinstance(target, str) and target in loaded.data:
                yield module.name, loaded.data.reset_index(drop=True), target


@pytest.mark.slow
def test_bundled_tables_are_clean_shuffled_or_not():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some of them warn of their own making
        tables = list(bundled())
    accused = []
    for name, table, target in tables:
        for order in (np.arange(len(table)), np.random.default_rng(1).permutation(len(table))):
            shown = table.iloc[order].reset_index(drop=True)
            found = scan(shown, None, [c for c in shown if c != target], target, 0)
            accused += [f"{name}: {leak.message}" for leak in found.leaks] if found else []

    assert len(tables) > 20
    assert not accused


@pytest.mark.parametrize(("n_classes", "n_rows"), [(2, 300), (10, 60), (12, 50)])
def test_of_wide_tables_of_many_classes_fewer_rows_are_looked_at(monkeypatch, n_classes, n_rows):
    monkeypatch.setattr(proxy_scan, "MAX_CELLS", 900)
    monkeypatch.setattr(proxy_scan, "FEWEST_DRAWN", 20)
    table = pd.DataFrame({c: RNG.integers(0, 9, N) for c in "abc"})
    table["y"] = [f"class {n}" for n in np.arange(N) % n_classes]

    found = scan(table, None, list("abc"), "y", 0)

    assert found is not None
    assert len(found.rows) == n_rows


def test_areas_under_the_curve_are_those_of_scikit_learn():
    from sklearn.metrics import roc_auc_score

    said = RNG.integers(0, 7, (40, 3)) / 7
    right, wrong = (RNG.integers(0, 5, (40, 3)).astype(float) for _ in range(2))
    is_right = np.repeat([1, 0], 40)

    expected = [
        roc_auc_score(
            is_right, np.tile(said[:, k], 2), sample_weight=np.r_[right[:, k], wrong[:, k]]
        )
        for k in range(3)
    ]

    assert _areas(said, right, wrong) == pytest.approx(expected)
