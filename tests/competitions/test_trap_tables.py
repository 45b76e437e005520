"""Tables that nothing can be built from are refused, each with one message that says all."""

from __future__ import annotations

import pandas as pd  # noqa: TID253
import pytest

from competitions.errors import MleAuditError, RawDataError, UnknownNameError, UsageError
from competitions.trap_tables import EMBEDDED, embedded_origin, read_origin

N = 80
GOOD = {"x": range(N), "who": [n // 4 for n in range(N)], "y": [n % 7 / 3 for n in range(N)]}


@pytest.fixture
def read(tmp_path):
    def of(content, target="y", **roles):
        path = tmp_path / "table.csv"
        if isinstance(content, dict):
            pd.DataFrame(content).to_csv(path, index=False)
        else:
            path.write_bytes(content)
        return read_origin(path, target, **roles)

    return of


@pytest.mark.parametrize(
    ("content", "roles", "said"),
    [
        pytest.param(b"a,y\n1,2\n3,4,5\n", {}, "expected 2 cells in line 3, found 3", id="ragged"),
        pytest.param(b"a,y\n1,2,3\n4,5,6\n", {}, "rows have 3 cells", id="longer-than-its-header"),
        pytest.param(b"a,a,y\n1,2,3\n", {}, "each column once, found a twice", id="two-of-a-name"),
        pytest.param(b"a," * 2_000_000 + b"y\n", {}, "a first line of at most", id="wide"),
        pytest.param(b"a,y\n", {}, "expected rows, found none", id="no-rows"),
        pytest.param(b"", {}, "found an empty file", id="empty"),
        pytest.param(b"PAR1\x15,y\n", {}, "a CSV file, found a Parquet file", id="parquet"),
        pytest.param(b"\0\1\2,y\n", {}, "a CSV file, found a binary file", id="binary"),
        pytest.param(b"a,y\n\xff\xfe,1\n", {}, "cannot be read", id="no-utf-8"),
        pytest.param(b"a,y\n1,2\n", {}, "at least 60 rows, found 1", id="one-row"),
        pytest.param(GOOD | {"y": [1] * N}, {}, "y is 1 in every row", id="constant-target"),
        pytest.param(GOOD | {"y": [None] * N}, {}, "y is empty in every row", id="no-target"),
        pytest.param(GOOD | {"y": [None, *range(1, N)]}, {}, "empty in 1 of 80", id="a-hole"),
        pytest.param(
            GOOD | {"y": [float("inf"), *range(1, N)]}, {}, "infinite in 1", id="infinite"
        ),
        pytest.param(
            GOOD | {"x": [float("inf"), *range(1, N)]}, {}, "larger ones in x", id="infinite-x"
        ),
        pytest.param(GOOD | {"y": [1e200, *range(1, N)]}, {}, "below 1e+30", id="huge-target"),
        pytest.param(GOOD, {"target": "z"}, "no column for --target z", id="another-target"),
        pytest.param(GOOD, {"group": "z"}, "no column for --group z", id="another-group"),
        pytest.param(GOOD, {"group": "x"}, "another one in every row", id="group-of-one"),
        pytest.param(GOOD | {"who": [1] * N}, {"group": "who"}, "20 groups", id="one-group"),
        pytest.param(
            GOOD | {"who": [None] * N}, {"group": "who"}, "who is empty in 80", id="no-group"
        ),
        pytest.param(
            GOOD | {"who": ["soon"] * N}, {"time": "who"}, "neither numbers nor", id="no-time"
        ),
        pytest.param({"y": GOOD["y"]}, {}, "no column to learn from", id="target-alone"),
        pytest.param(
            GOOD | {"y": [f"c{n}" for n in range(N)]}, {}, "30 classes, found 80", id="all-classes"
        ),
        pytest.param(GOOD | {"subject": 1}, {}, "subject are called as", id="a-name-of-ours"),
        pytest.param(GOOD | {"a`b": 1}, {}, "cannot name the columns a`b", id="no-name"),
        pytest.param(GOOD | {"y": ["a", "b"] * 40}, {"metric": "rmse"}, "found words", id="words"),
        pytest.param(GOOD, {"metric": "auc-roc"}, "target y of 0 and 1", id="no-probability"),
    ],
)
def test_a_table_that_nothing_can_be_built_from_is_refused(read, content, roles, said):
    with pytest.raises(RawDataError) as refused:
        read(content, **roles)
    assert said in str(refused.value)
    assert "\n" not in str(refused.value)


def test_all_that_is_wrong_is_told_at_once(read):
    with pytest.raises(RawDataError) as refused:
        read({"x": range(9), "y": [1] * 9, "who": range(9)}, group="who")
    assert all(w in str(refused.value) for w in ("every row", "at least 60", "--group out"))


@pytest.mark.parametrize(
    "call",
    [
        pytest.param(lambda read: read(GOOD, group="y"), id="one-column-for-two"),
        pytest.param(lambda read: read(GOOD, metric="dice"), id="metric-for-pictures"),
        pytest.param(lambda _read: embedded_origin("titanic"), id="no-such-table"),
    ],
)
def test_a_call_that_cannot_be_meant_is_refused(read, call):
    with pytest.raises((UsageError, UnknownNameError)) as refused:
        call(read)
    assert isinstance(refused.value, MleAuditError)


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        pytest.param([0, 1] * 40, "probability", id="zero-and-one"),
        pytest.param([True, False] * 40, "probability", id="truth-values"),
        pytest.param([1, 2] * 40, "label", id="one-and-two"),
        pytest.param(["a", "b"] * 40, "label", id="words"),
        pytest.param([n / 2 for n in range(N)], "number", id="halves"),
        pytest.param(list(range(N)), "number", id="counts"),
    ],
)
def test_what_a_target_is_shows_in_its_values(read, values, kind):
    assert read(GOOD | {"y": values}).table.kind == kind


def test_empty_columns_are_left_out_and_ids_keep_their_spelling(read):
    found = read(GOOD | {"empty": [None] * N, "code": ["1e6641000824bd20"] * N}).table.frame

    assert "empty" not in found
    assert set(found["code"]) == {"1e6641000824bd20"}


@pytest.mark.parametrize("name", EMBEDDED)
@pytest.mark.slow
def test_a_table_that_ships_has_no_holes_and_names_where_it_comes_from(name):
    origin = embedded_origin(name)

    assert origin.table.frame.notna().all(axis=None)
    assert origin.url
    assert origin.plants is (origin.table.group is None)
