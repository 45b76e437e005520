"""A task made from a folder of Kaggle's form: what is guessed, refused, and works afterwards."""

from __future__ import annotations

import pandas as pd  # noqa: TID253
import pytest

from competitions import contract
from competitions.errors import (
    InvalidDefinitionError,
    MleAuditError,
    RawDataError,
    RefusedError,
    UsageError,
)
from competitions.grade import grade
from competitions.kaggle_folder import FILES
from competitions.new_task import new_task
from competitions.outside import known, named
from competitions.prepare import prepare
from competitions.shake_up import shake_up
from tests.competitions.kaggle_folders import SQUARES, edit, kaggle_folder


@pytest.fixture
def folder(tmp_path):
    return kaggle_folder(tmp_path / "kaggle")


@pytest.fixture
def folder_with_metrics(folder, monkeypatch):
    """The folder, to work in, with a metric that is right and two that are not."""
    monkeypatch.chdir(folder)
    (folder / "m.py").write_text(SQUARES)
    (folder / "odd.py").write_text("scores = 1\n")
    (folder / "crash.py").write_text("def score(a, b, c):\n    return 1 / 0\n")
    return folder


@pytest.fixture
def made(folder, tmp_path):
    def make(metric="auc-roc", direction=None, task_id="my-task"):
        new_task(folder, task_id, metric, tmp_path / task_id, direction)
        return tmp_path / task_id / f"{task_id}.yaml"

    return make


def test_the_definition_loads_refers_to_the_folder_and_keeps_the_contract(made, folder, tmp_path):
    path = made()
    spec = named(str(path))
    prepare(spec, tmp_path / "data")
    grades = contract.standard_grades(spec, tmp_path / "data", tmp_path)

    assert spec.raw_folder is not None
    assert spec.raw_folder.resolve() == folder
    assert (spec.submission.key, spec.targets) == (("id",), ("target",))
    assert contract.naming_problems(spec) == []
    assert contract.board_problems(spec) == []
    assert contract.description_problems(spec) == []
    assert contract.proposed(spec, grades) == {
        "sample": 0.5,
        "perfect": "best",
        "random": "graded",
        "shuffled-perfect": "same-as-perfect",
        "with-nan": "none",
        "missing-rows": "none",
        "extra-rows": "none",
    }
    assert sorted(p.name for p in path.parent.iterdir()) == ["board.csv", "my-task.yaml"]
    assert "look:" in path.read_text()


def test_a_definition_whose_key_is_in_no_table_is_not_prepared(made, tmp_path):
    path = made()
    path.write_text(path.read_text().replace('key: ["id"]', 'key: ["nr"]'))
    with pytest.raises(InvalidDefinitionError) as caught:
        prepare(named(str(path)), tmp_path / "data")

    assert [p.name for p in (tmp_path / "data" / "my-task").iterdir()] == [".prepare.lock"]
    assert len(caught.value.problems) == 2
    assert "the columns nr in private/solution.csv, found id, target, Usage" in str(caught.value)


def test_it_moves_together_with_its_folder(made, tmp_path):
    made()
    (tmp_path / "elsewhere").mkdir()
    for name in ("kaggle", "my-task"):
        (tmp_path / name).rename(tmp_path / "elsewhere" / name)

    spec = named(str(tmp_path / "elsewhere" / "my-task" / "my-task.yaml"))
    assert prepare(spec, tmp_path / "data").source == "local"


@pytest.mark.parametrize(
    ("metric", "answers", "sample", "expected"),
    [
        pytest.param("auc-roc", [0, 1], 0.5, ("float", 0, 1, ()), id="probability"),
        pytest.param("accuracy", [0, 1, 2], 0, ("int", 0, 2, ()), id="class"),
        pytest.param("accuracy", [1, 2, 3], 0, ("int", 0, 3, ()), id="sample-widens"),
        pytest.param(
            "accuracy", ["ja", "nö"], "ja", ("label", None, None, ("ja", "nö")), id="label"
        ),
        pytest.param("accuracy", [True, False], False, ("bool", None, None, ()), id="bool"),
        pytest.param(
            "rmse", [20, 31], 25, ("float", None, None, ()), id="whole-answers-of-a-number"
        ),
        pytest.param("rmse", [2.5, -3.1], 0, ("float", None, None, ()), id="number"),
    ],
)
def test_types_and_ranges_are_read_off_answers_and_sample(
    made, folder, metric, answers, sample, expected
):
    values = (answers * 60)[:60]
    edit(folder / "solution.csv", lambda t: t.assign(target=values))
    edit(folder / "sample_submission.csv", lambda t: t.assign(target=sample))

    rule = named(str(made(metric))).submission.columns["target"]

    assert (rule.type, rule.low, rule.high, rule.labels) == expected


def test_texts_of_which_each_is_different_are_text(made, folder):
    edit(folder / "solution.csv", lambda t: t.assign(target=[f"text {n}" for n in range(60)]))
    edit(folder / "sample_submission.csv", lambda t: t.assign(target="a"))

    assert named(str(made("levenshtein"))).submission.columns["target"].type == "text"


@pytest.mark.parametrize(
    ("key", "target"),
    [
        pytest.param("名前", "größe", id="unicode"),
        pytest.param("no", "on", id="words-that-yaml-takes-for-others"),
        pytest.param("a: b", "#c, {d}", id="signs-of-yaml"),
        pytest.param('row "1"', "it's", id="quotes"),
    ],
)
def test_odd_names_of_columns_survive(tmp_path, key, target):
    new_task(kaggle_folder(tmp_path / "k", key, target), "t", "auc-roc", tmp_path / "t")
    spec = named(str(tmp_path / "t" / "t.yaml"))

    assert (spec.submission.key, spec.targets) == ((key,), (target,))
    assert contract.description_problems(spec) == []


def test_a_byte_order_mark_is_no_part_of_a_name(made, folder):
    for path in folder.glob("*.csv"):
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())

    assert named(str(made())).submission.key == ("id",)


def test_many_columns_and_long_numbers_are_taken(made, folder):
    wide = pd.DataFrame({f"f{n}": [0.5] * 120 for n in range(3000)})
    edit(folder / "train.csv", lambda t: pd.concat([t, wide], axis=1))
    for name in ("test.csv", "solution.csv", "sample_submission.csv"):
        edit(folder / name, lambda t: t.assign(id=t["id"] + 2**60))

    assert len(named(str(made())).columns) == 3003


def _drop_file(name):
    return lambda folder: (folder / name).unlink()


def _edited(name, change):
    return lambda folder: edit(folder / name, change)


def _head(name, line):
    def change(folder):
        text = (folder / name).read_text()
        (folder / name).write_text(line + text[text.index("\n") :])

    return change


BROKEN = [
    pytest.param(_drop_file("solution.csv"), "Expected solution.csv in", id="no-solution"),
    pytest.param(
        lambda f: [p.unlink() for p in f.iterdir()],
        "train.csv, test.csv, solution.csv, sample_submission.csv",
        id="empty-folder",
    ),
    pytest.param(
        _edited("solution.csv", lambda t: pd.concat([t, t[:3]])), "3 repeated", id="repeated-keys"
    ),
    pytest.param(
        _edited("test.csv", lambda t: t.assign(id=t["id"].where(t["id"] > 121))),
        "2 empty|1 repeated",
        id="empty-keys",
    ),
    pytest.param(
        _edited("solution.csv", lambda t: t[:-4]), "4 missing", id="answers-for-some-rows"
    ),
    pytest.param(
        _edited("sample_submission.csv", lambda t: t.assign(id=t["id"] + 1)),
        "1 others and 1 missing",
        id="sample-of-other-rows",
    ),
    pytest.param(
        _edited("solution.csv", lambda t: t.rename(columns={"target": "y"})),
        "lacks target of sample",
        id="no-common-target",
    ),
    pytest.param(
        _edited("sample_submission.csv", lambda t: t[["id"]]), "no target", id="sample-of-keys"
    ),
    pytest.param(
        _edited("test.csv", lambda t: t.rename(columns={"id": "nr"})), "found none", id="no-key"
    ),
    pytest.param(
        _edited("test.csv", lambda t: t.assign(target=1)), "found id, target", id="two-keys"
    ),
    pytest.param(_edited("test.csv", lambda t: t[:0]), "expected rows", id="no-rows"),
    pytest.param(
        _edited("solution.csv", lambda t: t.assign(Usage=["Ignored", *t["Usage"][1:]])),
        "found Ignored in 1 rows",
        id="usage-ignored",
    ),
    pytest.param(
        _edited("solution.csv", lambda t: t.assign(Usage=t["Usage"].str.lower())),
        "private in 40 rows",
        id="usage-small-letters",
    ),
    pytest.param(
        _edited("solution.csv", lambda t: t.assign(Usage=[None, *t["Usage"][1:]])),
        "found nothing in 1 rows",
        id="usage-empty",
    ),
    pytest.param(
        _edited("solution.csv", lambda t: t.assign(Usage="Public")), "found Public", id="usage-one"
    ),
    pytest.param(
        _edited("solution.csv", lambda t: t.assign(target=[None, *t["target"][1:]])),
        "found 1 empty and 0 infinite",
        id="answers-empty",
    ),
    pytest.param(
        _edited("solution.csv", lambda t: t.assign(target=[float("inf"), *t["target"][1:]])),
        "found 0 empty and 1 infinite",
        id="answers-infinite",
    ),
    pytest.param(
        _edited("train.csv", lambda t: t.rename(columns={"x": "x" * (2 << 20)})),
        "cannot name the columns x{40}: rename",
        id="header-of-two-megabytes",
    ),
    pytest.param(
        lambda f: (f / "solution.csv").write_bytes(b"\xff\xfe\x00"), "solution.csv", id="utf-16"
    ),
    pytest.param(
        lambda f: (f / "train.csv").write_bytes(b""), "train.csv cannot be read", id="empty-file"
    ),
    pytest.param(
        lambda f: (f / "test.csv").write_bytes(b'id,x\n1,"2\n'), "test.csv cannot be", id="cut-off"
    ),
    pytest.param(
        _edited("train.csv", lambda t: t.rename(columns={"x": "f_1..3"})),
        "cannot name the columns f_1..3",
        id="name-that-stands-for-many",
    ),
    pytest.param(
        _edited("train.csv", lambda t: t.rename(columns={"x": "x\x1b[31m"})),
        "cannot name the columns x.\\[31m",
        id="name-that-commands-a-terminal",
    ),
    pytest.param(
        _edited("train.csv", lambda t: t.rename(columns={"x": "two\nlines"})),
        "cannot name the columns two.lines",
        id="name-of-two-lines",
    ),
    pytest.param(
        _edited("train.csv", lambda t: t[:0]), "train.csv: expected rows", id="nothing-to-learn"
    ),
    pytest.param(
        lambda f: [_edited(name, lambda t: t[:0])(f) for name in FILES],
        "test.csv: expected rows, found none",
        id="only-heads",
    ),
    pytest.param(
        lambda f: (f / "train.csv").write_text("id,x,target\n1,2,0,\n2,3,1,\n"),
        "train.csv cannot be read: its rows have 4 cells and its first line names 3",
        id="comma-at-the-end-of-each-row",
    ),
    pytest.param(
        lambda f: (f / "train.csv").write_text("id,x,target\n0,2,0,\n1,3,1,\n"),
        "train.csv cannot be read: its rows have 4 cells and its first line names 3",
        id="comma-at-the-end-of-rows-named-from-0",
    ),
    pytest.param(
        _head("train.csv", "id,x,x"), "train.csv: expected each column once, found x", id="x-twice"
    ),
    pytest.param(
        _head("solution.csv", "id,target,target"),
        "solution.csv: expected each column once, found target",
        id="answers-twice",
    ),
    pytest.param(
        _edited("test.csv", lambda t: t.assign(id=["NA", *t["id"][1:].map(str)])),
        r"1 empty \(so are NA and null",
        id="key-called-na",
    ),
]


@pytest.mark.parametrize(("damage", "said"), BROKEN)
def test_a_folder_of_another_form_is_told_and_nothing_is_written(folder, tmp_path, damage, said):
    damage(folder)
    with pytest.raises(RawDataError, match=said):
        new_task(folder, "t", "auc-roc", tmp_path / "t")

    assert [p.name for p in tmp_path.iterdir()] == ["kaggle"]


def test_all_problems_are_told_at_once(folder, tmp_path):
    edit(folder / "solution.csv", lambda t: pd.concat([t[2:], t[3:4]]).assign(Usage="Both"))
    with pytest.raises(RawDataError, match=r"1 repeated.*2 missing.*found Both in 59 rows"):
        new_task(folder, "t", "auc-roc", tmp_path / "t")


@pytest.mark.parametrize(
    ("task_id", "metric", "direction", "said"),
    [
        pytest.param("../t", "auc-roc", None, "Expected an id", id="id-that-leads-out"),
        pytest.param("t", "auc-rock", None, "No metric is called", id="no-such-metric"),
        pytest.param("t", "auc-roc", "lower", "better when higher", id="other-direction"),
        pytest.param("t", "auc-roc", "up", "higher or lower", id="no-direction"),
        pytest.param("t", "m.py", None, "--direction higher", id="file-without-direction"),
        pytest.param("t", "none.py", "lower", "expected a Python file", id="no-such-file"),
        pytest.param("t", "odd.py", "lower", "found none", id="file-without-score"),
        pytest.param(
            "t",
            "crash.py",
            "lower",
            r"nor to values drawn at random: the metric failed: ZeroDivisionError",
            id="metric-that-crashes",
        ),
        pytest.param(
            "breast-cancer",
            "auc-roc",
            None,
            "^breast-cancer is the id of a task that ships",
            id="id-of-the-catalog",
        ),
        pytest.param("a" * 101, "auc-roc", None, "at most 100", id="id-longer-than-a-files-name"),
        pytest.param("t", "map-at-k", None, r"(?s)KeyError: 'k'.*arguments", id="needs-arguments"),
        pytest.param("t", "auc", None, r"(?s)auc-roc.*ends in \.py", id="nearly-a-metric"),
    ],
)
def test_a_wrong_call_is_told_and_nothing_is_written(
    folder_with_metrics, tmp_path, task_id, metric, direction, said
):
    folder = folder_with_metrics
    with pytest.raises(MleAuditError, match=said):
        new_task(folder, task_id, metric, tmp_path / "t", direction)

    assert [p.name for p in tmp_path.iterdir()] == ["kaggle"]


def test_a_folder_that_is_not_there_is_a_wrong_call(tmp_path):
    with pytest.raises(UsageError, match="found none"):
        new_task(tmp_path / "none", "t", "auc-roc", tmp_path / "t")


def test_what_exists_is_not_overwritten_but_an_empty_folder_is_used(made, folder, tmp_path):
    (tmp_path / "my-task").mkdir()
    text = made().read_text()
    with pytest.raises(RefusedError, match="not overwritten"):
        made()

    assert (tmp_path / "my-task" / "my-task.yaml").read_text() == text


@pytest.mark.slow
def test_a_metric_given_as_a_file_grades_and_its_crash_is_no_fault_of_the_submission(
    made, folder, tmp_path
):
    (tmp_path / "m.py").write_text(SQUARES)
    path = made(str(tmp_path / "m.py"), "lower")
    spec, data = named(str(path)), tmp_path / "data"
    prepare(spec, data)
    sample = folder / "sample_submission.csv"
    bad = tmp_path / "bad.csv"
    pd.read_csv(sample).assign(target=-1.0).to_csv(bad, index=False)

    assert grade(spec, sample, data).score == 0.25
    # the range of the target, 0 to 1, is checked before the metric sees anything
    assert grade(spec, bad, data).outcome == "invalid"

    (path.parent / "metric.py").write_text("def score(a, b, c):\n    return 1 / 0\n")
    crashed = grade(spec, sample, data)
    assert (crashed.outcome, crashed.problems) == ("grader_error", ())
    assert (crashed.error or "").endswith("ZeroDivisionError: division by zero\n")
    assert crashed.exit_code == 3
    assert shake_up(spec, [sample], data)[0].problem == (
        "the metric failed: ZeroDivisionError: division by zero"
    )


@pytest.mark.slow
def test_its_id_finds_what_was_prepared_and_later_changes_do_not_reach_it(made, folder, tmp_path):
    (tmp_path / "m.py").write_text(SQUARES)
    path, data = made(str(tmp_path / "m.py"), "lower"), tmp_path / "data"
    prepare(named(str(path)), data)
    (path.parent / "metric.py").write_text("def score(a, b, c):\n    return 7.0\n")
    sample = folder / "sample_submission.csv"

    assert grade(known("my-task", "v1", data), sample, data).score == 0.25

    prepare(named(str(path)), data)  # nothing is prepared anew, but the definition is kept anew
    assert grade(known("my-task", "v1", data), sample, data).score == 7.0


@pytest.mark.parametrize(
    "name", ["../my-task", "my-task/../my-task", "my-task/my-task.yaml", "", "my task"]
)
def test_an_id_from_a_record_names_no_path(made, tmp_path, name):
    prepare(named(str(made())), tmp_path / "data")
    with pytest.raises(MleAuditError, match="No competition is called"):
        known(name, "v1", tmp_path / "data" / "my-task")


def test_the_files_own_name_is_its_id(made, tmp_path):
    path = made()
    with pytest.raises(InvalidDefinitionError, match="expected 'other'"):
        named(str(path.rename(path.parent / "other.yaml")))


def test_places_are_compared_on_public_and_private_rows(made, folder, tmp_path):
    spec, data = named(str(made("rmse"))), tmp_path / "data"
    prepare(spec, data)
    solution = pd.read_csv(folder / "solution.csv")
    public = solution["Usage"] == "Public"
    for name, is_right in (("fits-public", public), ("fits-private", ~public)):
        values = solution["target"].where(is_right, 1 - solution["target"])
        solution[["id"]].assign(target=values).to_csv(tmp_path / f"{name}.csv", index=False)
    (tmp_path / "broken.csv").write_text("id\n1\n")
    names = ["fits-public", "broken", "fits-private"]

    found = shake_up(spec, [tmp_path / f"{name}.csv" for name in names], data)

    assert [(s.submission.stem, s.public, s.private, s.change) for s in found] == [
        ("fits-private", 1.0, 0.0, 1),
        ("fits-public", 0.0, 1.0, -1),
        ("broken", None, None, None),
    ]
    assert "missing columns: target" in (found[2].problem or "")


def test_without_usage_there_is_no_shake_up(made, folder, tmp_path):
    edit(folder / "solution.csv", lambda t: t.drop(columns="Usage"))
    spec = named(str(made()))
    prepare(spec, tmp_path / "data")
    with pytest.raises(MleAuditError, match="expected a column Usage"):
        shake_up(spec, [], tmp_path / "data")
