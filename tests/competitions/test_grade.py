import pandas as pd  # noqa: TID253
import pytest

from competitions import spec
from competitions.errors import DigestMismatchError, NotPreparedError, UnknownNameError
from competitions.grade import grade
from competitions.io import sha256_file
from competitions.metrics import METRICS, Metric
from competitions.miniature import write_miniature
from competitions.prepare import load_prepared, prepare
from competitions.standard import standard_submissions
from competitions.submission import read_table

SHIP = spec.load("spaceship-titanic")
FIXED = spec.load("spaceship-titanic", "fixed")
CANCER = spec.load("breast-cancer")
TRAVEL = spec.load("modechoice")


def labelled(data_dir, values, task=SHIP):
    """Write the values, repeated, as a submission text."""
    keys = read_table(load_prepared(task, data_dir).answers)["PassengerId"]
    rows = [f"{key},{values[i % len(values)]}\n" for i, key in enumerate(keys)]
    return "PassengerId,Transported\n" + "".join(rows)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        pytest.param(None, "none was handed in", id="none"),
        pytest.param("gone.csv", "gone.csv", id="no-file"),
        pytest.param("", "no submission file", id="folder"),
        pytest.param("submission.txt", "ends in .csv", id="other-name"),
    ],
)
def test_what_is_not_there_is_missing_and_not_invalid(data_dir, tmp_path, name, said):
    (tmp_path / "submission.txt").write_text("id,malignant\n")
    found = grade(CANCER, None if name is None else tmp_path / name, data_dir)

    assert (found.outcome, found.score, found.medal) == ("missing", None, None)
    assert said in found.problems[0]


def test_an_invalid_submission_has_every_problem_and_no_score(data_dir, submit):
    found = grade(CANCER, submit("id,malignant\n0,2\n0,x\n"), data_dir)

    assert (found.outcome, found.score, found.error) == ("invalid", None, None)
    assert len(found.problems) == 6
    assert found.submission_sha256 is not None


def test_a_link_to_the_answers_is_invalid_and_not_read(data_dir, tmp_path):
    link = tmp_path / "submission.csv"
    link.symlink_to(load_prepared(CANCER, data_dir).answers)
    found = grade(CANCER, link, data_dir)

    assert (found.outcome, found.submission_sha256) == ("invalid", None)


@pytest.mark.parametrize(
    ("value", "outcome", "said"),
    [
        pytest.param(float("nan"), "nan", "nan", id="nan"),
        pytest.param(float("inf"), "infinite", "inf", id="infinite"),
        pytest.param(float("-inf"), "infinite", "-inf", id="minus-infinite"),
    ],
)
def test_a_score_that_is_no_number_is_told_apart(
    data_dir, tmp_path, monkeypatch, value, outcome, said
):
    monkeypatch.setitem(METRICS, "auc-roc", Metric("auc-roc", "higher", 1.0, lambda *_: value))
    sample = load_prepared(CANCER, data_dir).public / "sample_submission.csv"
    found = grade(CANCER, sample, data_dir)

    assert (found.outcome, found.score, found.score_repr) == (outcome, None, said)
    assert (found.medal, found.above_median, found.percentile) == (None, False, None)


@pytest.mark.parametrize(
    ("score", "rounded", "medal", "is_above"),
    [
        pytest.param(0.820655, 0.82066, "gold", True, id="rounds-up-to-gold"),
        pytest.param(0.820649, 0.82065, "silver", True, id="rounds-down-to-silver"),
        pytest.param(0.81388, 0.81388, "silver", True, id="silver-included"),
        pytest.param(0.80967, 0.80967, "bronze", True, id="bronze-included"),
        pytest.param(0.80966, 0.80966, None, True, id="below-bronze"),
        pytest.param(0.79565, 0.79565, None, False, id="the-median-is-not-above-it"),
        pytest.param(0.79566, 0.79566, None, True, id="above-the-median"),
    ],
)
def test_a_score_is_rounded_and_then_placed(data_dir, monkeypatch, score, rounded, medal, is_above):
    monkeypatch.setitem(METRICS, "accuracy", Metric("accuracy", "higher", 1.0, lambda *_: score))
    sample = load_prepared(SHIP, data_dir).public / "sample_submission.csv"
    found = grade(SHIP, sample, data_dir)

    assert (found.score, found.medal, found.above_median) == (rounded, medal, is_above)


@pytest.mark.parametrize(
    ("score", "is_most_common"),
    [
        pytest.param(0.0, True, id="60-teams-have-nought"),
        pytest.param(0.82815, False, id="the-best"),
        pytest.param(0.00001, False, id="no-teams"),
    ],
)
def test_a_grade_says_whether_it_is_the_boards_most_common_score(
    data_dir, monkeypatch, score, is_most_common
):
    monkeypatch.setitem(METRICS, "accuracy", Metric("accuracy", "higher", 1.0, lambda *_: score))
    sample = load_prepared(SHIP, data_dir).public / "sample_submission.csv"
    found = grade(SHIP, sample, data_dir)

    assert found.is_most_common is is_most_common
    assert (found.thresholds.most_common, found.thresholds.share_most_common) == (0.0, 60 / 2288)


# What the published grader gave for these, run on the same synthetic raw file.
LABELS = [
    pytest.param(["True", "False"], "graded", id="bool"),
    pytest.param(["TRUE", "false"], "graded", id="either-case"),
    pytest.param(["1", "0"], "graded", id="integers"),
    pytest.param(["1.0", "0.0"], "graded", id="whole-floats"),
    pytest.param(["7"], "graded", id="another-integer"),
    pytest.param(["0.3", "0.9"], "invalid", id="probabilities"),
    pytest.param(["True", ""], "invalid", id="empty-cell"),
    pytest.param(["True", "NA"], "invalid", id="na"),
    pytest.param(["inf", "1"], "invalid", id="infinity"),
    pytest.param(["yes"], "invalid", id="one-word"),
    pytest.param(["yes", "no"], "invalid", id="two-words"),
    pytest.param(["True", "1"], "invalid", id="two-kinds-of-yes"),
    pytest.param(["yes", "no", "x"], "graded", id="three-words"),
    pytest.param(["True", "False", "Tru"], "graded", id="one-typo"),
    pytest.param(["1e18", "1"], "graded", id="large-float"),
    pytest.param(["1e19", "1"], "invalid", id="too-large-float"),
    pytest.param(["99999999999999999999999"], "invalid", id="one-too-large-integer"),
]


@pytest.mark.parametrize(("values", "outcome"), LABELS)
def test_labels_are_taken_as_the_published_grader_takes_them(data_dir, submit, values, outcome):
    found = grade(SHIP, submit(labelled(data_dir, values)), data_dir)

    assert found.outcome == outcome


def test_words_score_a_valid_zero_under_v1_and_are_invalid_under_fixed(data_dir, submit):
    words = ["True", "False", "Tru"]
    v1 = grade(SHIP, submit(labelled(data_dir, words)), data_dir)
    fixed = grade(FIXED, submit(labelled(data_dir, words, FIXED), "fixed.csv"), data_dir)

    assert (v1.outcome, v1.score) == ("graded", 0.0)
    assert (fixed.outcome, fixed.score) == ("invalid", None)


def test_only_the_published_split_of_real_data_compares_with_the_board(tmp_path):
    write_miniature(SHIP, tmp_path / "raw")
    (tmp_path / "raw" / ".miniature.json").unlink()  # from here on these count as real data
    comparable = {}
    for name, task, source in (
        ("real", SHIP, "local"),
        ("fixed", FIXED, "local"),
        ("miniature", SHIP, "miniature"),
    ):
        data = tmp_path / name
        prepared = prepare(task, data, source, tmp_path / "raw" if source == "local" else None)
        sample = prepared.public / "sample_submission.csv"
        comparable[name] = grade(task, sample, data).comparable

    assert comparable == {"real": True, "fixed": False, "miniature": False}


def test_an_mlebench_folder_is_graded_and_comparable(tmp_path):
    folder = prepare(CANCER, tmp_path).folder
    (folder / "manifest.json").unlink()
    (folder / "submission-schema.json").unlink()
    found = grade(CANCER, folder / "public" / "sample_submission.csv", tmp_path)

    assert (found.outcome, found.comparable) == ("graded", True)


def test_a_grade_says_which_bytes_it_is_about(data_dir):
    sample = load_prepared(TRAVEL, data_dir).public / "sample_submission.csv"
    found = grade(TRAVEL, sample, data_dir)

    assert (found.submission_path, found.submission_sha256) == (sample, sha256_file(sample))
    assert (found.is_lower_better, found.thresholds.kind) == (True, "baselines")


def test_where_lower_is_better_the_best_is_above_the_median(data_dir, tmp_path):
    submissions = standard_submissions(load_prepared(TRAVEL, data_dir))
    for name, is_above in (("perfect", True), ("sample", False)):
        submissions[name].to_csv(tmp_path / f"{name}.csv", index=False)
        assert grade(TRAVEL, tmp_path / f"{name}.csv", data_dir).above_median is is_above


def test_data_that_are_not_there_or_changed_are_no_grade(tmp_path):
    with pytest.raises(NotPreparedError):
        grade(CANCER, None, tmp_path)
    prepare(CANCER, tmp_path).answers.write_text("id,malignant\n1,1\n")
    with pytest.raises(DigestMismatchError, match="private"):
        grade(CANCER, None, tmp_path)


def test_a_metric_that_does_not_exist_is_no_fault_of_the_grader(data_dir):
    metric = CANCER.metric.model_copy(update={"name": "auc"})
    sample = load_prepared(CANCER, data_dir).public / "sample_submission.csv"

    with pytest.raises(UnknownNameError, match="auc"):
        grade(CANCER.model_copy(update={"metric": metric}), sample, data_dir)


HOSTILE = [
    pytest.param(b"", id="empty"),
    pytest.param(b"\x00" * 5000, id="nul-bytes"),
    pytest.param(bytes(range(256)) * 100, id="binary"),
    pytest.param(b"id,malignant\n" + b"9" * 1_000_000, id="one-huge-number"),
    pytest.param(b"id,malignant\n" + b'"' * 99_999, id="many-quotes"),
    pytest.param(b"," * 20_000 + b"\n" + b"1\n" * 10, id="very-wide"),
    pytest.param(b"id,malignant\n" + b"1,2,3,4\n" * 3, id="index-of-two-levels"),
    pytest.param(b"id,malignant\n1,1e999\n2,-1e999\n", id="overflowing-floats"),
    pytest.param(b"id,malignant\n1,nan\n2,inf\n", id="nan-and-inf"),
    pytest.param(b"id,id,malignant\n1,1,0.5\n", id="key-column-twice"),
    pytest.param(b"=cmd()|x,malignant\n1,0.5\n", id="formula"),
    pytest.param("id,malignant\n\u202e1,0.5\n".encode(), id="right-to-left-mark"),
    pytest.param(b"id,malignant\n<script>,0.5\n", id="markup"),
    pytest.param(b"PK\x03\x04rest", id="zip"),
    pytest.param(b"id,malignant\n" + b"99999999999999999999999999,0.5\n" * 9, id="huge-keys"),
    pytest.param(b"id,malignant\n2020-01-01,0.5\n", id="dates"),
    pytest.param(b"id;malignant\n1;0,5\n", id="semicolons"),
]


@pytest.mark.parametrize("content", HOSTILE)
@pytest.mark.parametrize("task", [CANCER, SHIP], ids=lambda t: t.id)
def test_a_hostile_submission_is_invalid_with_a_short_reason(data_dir, submit, task, content):
    found = grade(task, submit(content), data_dir)

    assert (found.outcome, found.error) == ("invalid", None)
    assert found.problems
    assert all(len(p) < 1500 for p in found.problems)


def test_columns_of_mixed_types_are_told_and_do_not_warn(data_dir, submit):
    keys = read_table(load_prepared(CANCER, data_dir).answers)["id"]
    frame = pd.DataFrame({"id": keys, "malignant": ["x", *["0.5"] * (len(keys) - 1)]})
    found = grade(CANCER, submit(frame.to_csv(index=False)), data_dir)

    assert found.problems == (
        f"malignant: expected numbers, found 1 other value: 'x' at {keys[0]}",
    )
