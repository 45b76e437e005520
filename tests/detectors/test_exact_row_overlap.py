"""Rows of the test part that stand in the train part: found, judged, never more told than known."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pandas as pd  # noqa: TID253
import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.errors import EvidenceUnavailableError
from competitions.spec import Competition, Entity
from detectors.leakage.exact_row_overlap import ExactRowOverlap, find_overlap
from detectors.task import Task
from reports.schema import HIDDEN, Confidence, Finding, RowOverlap, Severity, redact
from tests.audit.runner.tiny import SPEC

if TYPE_CHECKING:
    from pathlib import Path

# Ten measurements of a row, so that equal rows are no coincidence.
MEASURED = [f"m{i}" for i in range(5)]


def rows(start: int, count: int) -> pd.DataFrame:
    """Rows that differ from one another in every column."""
    frame = pd.DataFrame({m: [i * 7.25 + k for i in range(start, start + count)]
                          for k, m in enumerate(MEASURED)})  # fmt: skip
    frame.insert(0, "id", [f"r{i}" for i in range(start, start + count)])
    return frame.assign(y=[i % 2 for i in range(start, start + count)])


def make_task(
    folder: Path,
    train: pd.DataFrame | str,
    test: pd.DataFrame | str,
    answers: pd.DataFrame | None = None,
    **spec: object,
) -> Task:
    (folder / "public").mkdir(parents=True)
    (folder / "private").mkdir()
    for name, table in (("train", train), ("test", test)):
        path = folder / "public" / f"{name}.csv"
        path.write_text(table if isinstance(table, str) else table.to_csv(index=False))
    if answers is not None:
        answers.to_csv(folder / "private" / "answers.csv", index=False)
    return Task(Competition.model_validate(SPEC | spec), folder)


def found(task: Task, **parameters: float) -> list[Finding]:
    return list(ExactRowOverlap(**parameters).detect(task))


def overlap(finding: Finding) -> RowOverlap:
    (evidence,) = finding.evidence
    assert isinstance(evidence, RowOverlap)
    return evidence


@pytest.fixture
def planted(tmp_path):
    """A task whose test rows 2 and 4 are the train rows 10 and 3; one has another answer."""
    train, fresh = rows(0, 200), rows(1000, 6)
    test = fresh.copy()
    test.loc[1, MEASURED] = train.loc[9, MEASURED]
    test.loc[3, MEASURED] = train.loc[2, MEASURED]
    test.loc[[1, 3], "y"] = [1, 1]  # the train rows have 1 and 0
    return make_task(tmp_path / "p", train, test.drop(columns="y"), test[["id", "y"]])


def test_planted_copies_are_found_with_their_row_numbers(planted):
    (finding,) = found(planted)
    evidence = overlap(finding)

    assert [(p.left_row, p.right_row) for p in evidence.pairs] == [(10, 2), (3, 4)]
    assert (evidence.n_shared, evidence.n_left, evidence.n_right) == (2, 200, 6)
    assert (evidence.left_table, evidence.right_table) == ("public/train.csv", "public/test.csv")
    assert (evidence.compared_columns, evidence.ignored_columns) == (tuple(MEASURED), ("id",))
    assert finding.confidence is Confidence.HIGH


def test_answers_that_agree_are_counted_and_hidden_unless_asked_for(planted):
    (finding,) = found(planted)

    assert overlap(finding).answers_agree == 1
    assert overlap(redact(finding)).answers_agree == HIDDEN
    assert redact(finding).id == finding.id


@pytest.mark.parametrize(
    ("parameters", "severity"),
    [
        pytest.param({}, Severity.HIGH, id="a-third-of-the-rows"),
        pytest.param({"high_share": 0.5}, Severity.MEDIUM, id="medium"),
        pytest.param({"high_share": 0.9, "medium_share": 0.5}, Severity.LOW, id="low"),
    ],
)
def test_severity_grows_with_the_share_of_copied_rows(planted, parameters, severity):
    assert [f.severity for f in found(planted, **parameters)] == [severity]


def test_one_copied_row_among_a_thousand_is_a_finding(tmp_path):
    train, test = rows(0, 500), rows(5000, 1000)
    test.loc[999, MEASURED] = train.loc[0, MEASURED]
    (finding,) = found(make_task(tmp_path / "t", train, test.drop(columns="y")))

    assert finding.severity is Severity.LOW
    assert [(p.left_row, p.right_row) for p in overlap(finding).pairs] == [(1, 1000)]


def test_clean_tables_yield_nothing(tmp_path):
    task = make_task(tmp_path / "t", rows(0, 50), rows(100, 50).drop(columns="y"))

    assert found(task) == []


def test_equal_rows_of_a_table_of_few_values_are_a_note(tmp_path):
    grid = pd.DataFrame([(a, b, c) for a in "xyz" for b in (0, 1) for c in (0, 1)] * 4,
                        columns=["a", "b", "c"])  # fmt: skip
    train = grid.assign(id=range(len(grid)), y=0)
    test = grid.head(5).assign(id=range(900, 905))
    (finding,) = found(make_task(tmp_path / "t", train, test))

    assert (finding.severity, finding.confidence) == (Severity.NOTE, Confidence.LOW)


@pytest.mark.parametrize(
    ("train", "test", "n"),
    [
        pytest.param("id,a,b\n1,1,2\n2,5,6\n", "id,a,b\n9,1.0,2.0\n", 1, id="int-is-float"),
        pytest.param("id,a,b\n1,,2\n2,5,6\n", "id,a,b\n9,,2\n", 1, id="missing-is-missing"),
        pytest.param("id,a,b\n1,0.0,2\n", "id,a,b\n9,-0.0,2\n", 1, id="minus-zero-is-zero"),
        pytest.param("id,a,b\n1,x,\n2,y,z\n", "id,a,b\n9,x,\n", 1, id="missing-text"),
        pytest.param("id,a,b\n1,True,2\n", "id,a,b\n9,True,2\n", 1, id="bool"),
        pytest.param("id,a,b\n1,True,2\n2,x,3\n", "id,a,b\n9,True,2\n", 1, id="bool-is-its-text"),
        pytest.param("id,a,b\n1,a b,2\n", "id,a,b\n9,a  b,2\n", 0, id="other-spaces"),
        pytest.param("id,a,b\n1,1,2\n", "id,a,b\n1,3,4\n", 0, id="only-the-key-is-equal"),
        pytest.param("id,a,b\n1,1,2\n", "id,b,a\n9,2,1\n", 1, id="columns-in-another-order"),
        pytest.param("id,a,b\n1,2,1\n", "id,a,b\n9,1,2\n", 0, id="values-swapped"),
        pytest.param("id,a,b,y\n1,1,2,0\n", "id,a,b,z\n9,1,2,7\n", 1, id="only-shared-columns"),
        pytest.param("id,a,b\n1,é,2\n", "id,a,b\n9,é,2\n", 1, id="unicode"),
        pytest.param("id,a\n1,7\n", "id,a\n9,7\n", 1, id="one-column"),
        pytest.param("id,a,b\n1,1,2\n", "id,a,b\n8,1,2\n9,1,2\n", 2, id="two-copies-of-one"),
    ],
)  # fmt: skip
def test_rows_are_equal_when_their_values_are(tmp_path, train, test, n):
    shared = [overlap(f).n_shared for f in found(make_task(tmp_path / "t", train, test))]

    assert sum(shared) == n


@pytest.mark.parametrize(
    ("value", "severity"),
    [
        pytest.param("a long and winding sentence", Severity.HIGH, id="a-sentence-is-a-copy"),
        pytest.param("yes", Severity.NOTE, id="a-word-is-a-coincidence"),
        pytest.param("7", Severity.NOTE, id="a-number-is-a-coincidence"),
    ],
)
def test_a_single_column_identifies_a_row_only_when_it_is_rich(tmp_path, value, severity):
    task = make_task(tmp_path / "t", f"id,a\n1,{value}\n", f"id,a\n9,{value}\n")

    assert [f.severity for f in found(task)] == [severity]


def test_entity_columns_are_left_out_when_nothing_is_equal_with_them(tmp_path):
    train, test = rows(0, 100).assign(who=1), rows(1000, 10).assign(who=2)
    test.loc[0, MEASURED] = train.loc[0, MEASURED]
    entity = Entity(name="person", column="who").model_dump()
    (finding,) = found(make_task(tmp_path / "t", train, test, entities=[entity]))

    assert overlap(finding).ignored_columns == ("id", "who")


@pytest.mark.parametrize(
    "answers",
    [
        pytest.param(None, id="no-file"),
        pytest.param(pd.DataFrame({"id": ["r1000"], "z": [1]}), id="no-target"),
        pytest.param(pd.DataFrame({"id": ["r1000", "r1000"], "y": [1, 0]}), id="repeated-key"),
    ],
)
def test_without_usable_answers_their_agreement_is_not_known(tmp_path, answers):
    train, test = rows(0, 100), rows(1000, 10)
    test.loc[0, MEASURED] = train.loc[0, MEASURED]
    (finding,) = found(make_task(tmp_path / "t", train, test.drop(columns="y"), answers))

    assert overlap(finding).answers_agree is None


@pytest.mark.parametrize(
    ("train", "test"),
    [
        pytest.param("id,a,b\n1,1,2\n1,2,3,4,5\n", "id,a,b\n9,1,2\n", id="ragged"),
        pytest.param("", "id,a,b\n9,1,2\n", id="empty-file"),
        pytest.param("id,a,b\n", "id,a,b\n9,1,2\n", id="no-train-rows"),
        pytest.param("id,a,b\n1,1,2\n", "id,a,b\n", id="no-test-rows"),
        pytest.param('id,a\n1,"open\n', "id,a\n9,1\n", id="open-quote"),
        pytest.param("id,a\n1,1\n", "id,b\n9,1\n", id="no-shared-column"),
        pytest.param("id\n1\n", "id\n9\n", id="key-alone"),
    ],
)
def test_tables_that_cannot_be_compared_are_not_called_clean(tmp_path, train, test):
    with pytest.raises(EvidenceUnavailableError):
        found(make_task(tmp_path / "t", train, test))


def test_broken_utf8_is_not_called_clean(tmp_path):
    task = make_task(tmp_path / "t", "id,a\n1,x\n", "id,a\n9,x\n")
    (tmp_path / "t/public/train.csv").write_bytes(b"id,a\n1,\xff\xfe\n")

    with pytest.raises(EvidenceUnavailableError):
        found(task)


def test_a_missing_table_is_not_called_clean(tmp_path):
    task = make_task(tmp_path / "t", "id,a\n1,x\n", "id,a\n9,x\n")
    (tmp_path / "t/public/test.csv").unlink()

    with pytest.raises(EvidenceUnavailableError, match=r"public/test\.csv"):
        found(task)


def test_a_task_of_other_files_is_not_asked():
    public = [f | {"path": f["path"].replace("csv", "zip")} for f in SPEC["public"]]
    spec = Competition.model_validate(SPEC | {"public": public})

    assert "CSV" in (ExactRowOverlap().applies(Task(spec, None)) or "")  # type: ignore[arg-type]


VALUES = st.sampled_from([0.0, -0.0, 1.5, float("nan"), 1e300])
TEXTS = st.text(st.characters(codec="utf-8", exclude_characters="\r\x00"), max_size=3)


@st.composite
def planted_copies(draw):
    """A train table, a test table of other rows, and copies at known places of both."""
    n_train, n_test = draw(st.integers(1, 12)), draw(st.integers(1, 8))
    train = pd.DataFrame({
        "number": [draw(VALUES) for _ in range(n_train)],
        "text": [draw(TEXTS) for _ in range(n_train)],
        "serial": range(n_train),
    })  # fmt: skip
    test = pd.DataFrame({"number": 7.0, "text": "new", "serial": range(100, 100 + n_test)})
    copies = draw(st.dictionaries(st.integers(0, n_test - 1), st.integers(0, n_train - 1)))
    for to, of in copies.items():
        for column in test.columns:
            test.loc[to, column] = train.loc[of, column]
    return train, test, copies


@given(planted_copies())
def test_every_planted_copy_is_found_at_its_rows_and_nothing_else(case):
    train, test, copies = case
    seen = find_overlap(train, test)

    assert dict(zip(seen.test_rows.tolist(), seen.train_rows.tolist(), strict=True)) == copies


@given(planted_copies(), st.randoms(use_true_random=False))
def test_the_order_of_rows_does_not_matter(case, random):
    train, test, copies = case
    order = random.sample(range(len(test)), len(test))
    seen = find_overlap(train.iloc[::-1], test.iloc[order])

    assert {order[row] for row in seen.test_rows.tolist()} == set(copies)
    assert sorted(seen.is_coincidence) == sorted(find_overlap(train, test).is_coincidence)
