"""Calls of leakage that say something wrong, or that name data with nothing to judge."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from audit.cli import app
from audit.leakage_data import Places, dataset_at, roles_asked
from competitions.errors import MleAuditError, UnreadableFileError, UsageError
from reports.schema import Conclusion, read_audit

N = 60


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Return a folder with two honest tables and their answers, and work there."""
    import pandas as pd

    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    rows = pd.DataFrame({"id": range(2 * N), "a": rng.normal(size=2 * N), "y": rng.random(2 * N)})
    rows[:N].to_csv("train.csv", index=False)
    rows[N:].drop(columns="y").to_csv("test.csv", index=False)
    rows[N:][["id", "y"]].to_csv("hidden.csv", index=False)
    return tmp_path


TABLES = ("--train", "train.csv", "--test", "test.csv", "--target", "y")
QUICK = ("--select", "exact-row-overlap", "--json", "out.json")


def call(*words):
    return CliRunner().invoke(app, ["leakage", *map(str, words)])


def refused(done):
    """Return what a call was refused with, as misuse; everything in one line."""
    assert isinstance(done.exception, MleAuditError), done.output
    assert done.exception.exit_code == 2, done.exception
    return " ".join(str(done.exception).split())


def head(path, n):
    lines = path.read_text().splitlines()
    path.write_text("\n".join(lines[: n + 1]) + "\n")


@pytest.mark.parametrize(
    ("table", "n", "said"),
    [
        pytest.param("train.csv", 0, "0 rows in the train table train.csv", id="no train row"),
        pytest.param("test.csv", 0, "0 rows in the test table test.csv", id="no test row"),
        pytest.param("train.csv", 2, "2 rows in the train table train.csv", id="two train rows"),
    ],
)
def test_data_without_rows_to_judge_are_undetermined_and_say_why(place, table, n, said):
    head(place / table, n)
    done = call(*TABLES, "--select", "target-proxy", *QUICK)

    assert done.exit_code == 3
    assert said in done.stdout
    assert said in read_audit(place / "out.json").verdicts[0].because[0]


def test_a_target_that_is_the_same_in_every_row_leaves_it_undetermined(place):
    import pandas as pd

    pd.read_csv("train.csv").assign(y=1).to_csv("train.csv", index=False)
    done = call(*TABLES, "--select", "target-proxy", *QUICK)

    assert done.exit_code == 3
    assert "the target y is 1 in every row (train.csv)" in done.stdout


@pytest.mark.slow
def test_enough_rows_are_judged(place):
    assert call(*TABLES, "--select", "target-proxy", *QUICK).exit_code == 0


def test_a_question_that_makes_no_sense_of_the_data_clears_nothing(place):
    done = call(*TABLES, "--time", "none", "--select", "temporal-overlap", "--json", "out.json")

    assert done.exit_code == 3
    assert read_audit(place / "out.json").verdicts[0].conclusion is Conclusion.UNDETERMINED
    assert "no column of both tables says when" in done.stdout


def data_of(columns=None, **places):
    """Name data as the verb does; the tables are those of `place` unless others are named."""
    named = {"train": "train.csv", "test": "test.csv"} | places
    given = {"target": ["y"]} | (columns or {})
    asked = [given.get(o) for o in ("key", "target", "entity", "time", "join", "media")]
    paths = {option: Path(path) for option, path in named.items() if path}
    return dataset_at(Places(**paths), roles_asked(asked))


@pytest.mark.parametrize(
    ("columns", "places", "said"),
    [
        pytest.param({"key": ["id", "none"]}, {}, "found id beside it", id="none-and-a-key"),
        pytest.param({"key": ["y"]}, {}, "found it as --key", id="key-and-target"),
        pytest.param({"time": ["y"]}, {}, "found it as --time", id="time-and-target"),
        pytest.param({}, {"answers": "train.csv"}, "name the same file", id="train-as-answers"),
        pytest.param({}, {"answers": "copy.csv"}, "none of its id: 60, 61", id="a-copy-of-train"),
        pytest.param({}, {"answers": "other.csv"}, "id, y, found id, label", id="other-task"),
        pytest.param({}, {"answers": "rows.csv"}, "found none of its id", id="other-rows"),
        pytest.param({}, {"sample": "rows.csv"}, "found none of its id", id="sample-of-others"),
        pytest.param({}, {"sample": "odd.csv"}, "names rows of test.csv", id="sample-without-key"),
        pytest.param({}, {"public": "elsewhere"}, "one elsewhere", id="tables-outside-the-folder"),
        pytest.param({}, {"schema": "/nope"}, "--submission-schema: expected", id="no-schema"),
    ],
)
def test_options_that_contradict_each_other_or_the_tables_are_refused(place, columns, places, said):
    (place / "elsewhere").mkdir()
    (place / "copy.csv").write_bytes((place / "train.csv").read_bytes())
    (place / "other.csv").write_text("id,label\n60,1\n")
    (place / "rows.csv").write_text("id,y\n900,1\n901,0\n")
    (place / "odd.csv").write_text("name,y\na,1\nb,2\n")

    with pytest.raises(UsageError, match=said):
        data_of(columns, **places)


def test_answers_with_a_column_for_each_class_are_taken_as_their_sample_is(place):
    for name in ("hidden.csv", "sample.csv"):
        (place / name).write_text("id,low,high\n60,0,1\n61,1,0\n")

    assert data_of(answers="hidden.csv", sample="sample.csv").answers == Path("hidden.csv")


def test_a_twin_that_is_not_there_is_refused(place):
    assert "--twin: expected a folder" in refused(call(*TABLES, *QUICK, "--twin", "/nope"))
    assert not (place / "out.json").exists()


def test_answers_are_called_as_the_call_names_them(place):
    done = call(*TABLES, *QUICK, "--answers", "hidden.csv")

    assert done.exit_code == 0
    assert "answers: hidden.csv: 60 rows" in done.stdout


def test_tables_of_one_name_are_told_apart_by_their_folders(place):
    for part in ("train", "test"):
        (place / part).mkdir()
        (place / f"{part}.csv").rename(place / part / "rows.csv")
    tables = ("--train", "train/rows.csv", "--test", "test/rows.csv", "--target", "y")

    assert "train: train/rows.csv: 60 rows" in call(*tables, *QUICK).stdout


def test_a_table_in_the_public_folder_may_be_said_to_be_a_part(place):
    words = ("--public", ".", "--train", "train.csv", "--test", "test.csv", "--target", "y")

    assert call(*words, *QUICK).exit_code == 0


@pytest.mark.parametrize(
    ("public", "private"),
    [
        pytest.param("a", "a", id="the same"),
        pytest.param("a", "a/b", id="hidden in public"),
        pytest.param("a/b", "a", id="public in hidden"),
        pytest.param("a", "a/b/..", id="by another path"),
    ],
)
def test_folders_that_are_not_apart_are_refused(place, public, private):
    (place / "a" / "b").mkdir(parents=True)

    with pytest.raises(UsageError, match="expected two folders"):
        data_of(train="", test="", public=public, private=private)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"", "found an empty file", id="empty"),
        pytest.param(b"id,a,y\n1,2,3\n1,2,3,4\n", "expected 3 cells in line 3", id="ragged"),
        pytest.param(b"\0\1\2\n\0", "found a binary file", id="binary"),
    ],
)
def test_a_table_that_cannot_be_read_ends_the_call_with_one_sentence(place, content, said):
    (place / "train.csv").write_bytes(content)
    with pytest.raises(UnreadableFileError, match=said) as told:
        data_of()

    assert str(told.value).startswith("--train train.csv: train.csv cannot be read as a table: exp")
    assert told.value.exit_code == 3


def test_names_that_a_table_has_twice_are_told(place):
    text = (place / "train.csv").read_text()
    (place / "train.csv").write_text(text.replace("id,a,y", "id,y,y", 1))

    assert "several of them called y: further ones are taken as y.1" in call(*TABLES, *QUICK).stdout


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(("--twin", "."), id="twin"),
        pytest.param(("--lite",), id="tasks"),
        pytest.param(("--variant", "fixed"), id="variant"),
        pytest.param(("--reveal-private",), id="reveal"),
    ],
)
def test_options_about_data_are_refused_beside_code(place, words):
    assert "--code" in refused(call("--code", ".", *words))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        pytest.param(("--json", "z.json", "--html", "z.json"), "its own for each", id="one file"),
        pytest.param(("--json", "z.json", "--html", "./z.json"), "its own for each", id="by dots"),
        pytest.param(
            ("--json", "d/index.html", "--html", "d"), "its own for each", id="in the folder"
        ),
        pytest.param(("--json", "train.csv"), "what this call reads", id="over a table"),
        pytest.param(("--json", "elsewhere"), "found elsewhere, a folder", id="a folder"),
        pytest.param(("--html", "train.csv"), "a name that ends in", id="no page"),
    ],
)
def test_results_that_would_lose_something_are_refused_before_the_work(place, words, said):
    (place / "elsewhere").mkdir()
    table = (place / "train.csv").read_bytes()

    assert said in refused(call(*TABLES, *words))
    assert (place / "train.csv").read_bytes() == table
    assert not (place / "z.json").exists()


@pytest.mark.parametrize("verb", ["rules", "plagiarism", "familiarity", "familiarity data"])
def test_every_verb_refuses_one_file_for_two_results(place, verb):
    (place / "code").mkdir()
    about = {"familiarity": ("--text", "code/a.txt"), "familiarity data": ("--table", "train.csv")}
    (place / "code" / "a.txt").write_text("x")
    words = (*verb.split(), *about.get(verb, ("code",)), "--json", "z.json", "--html", "z.json")

    assert "its own for each output" in refused(CliRunner().invoke(app, words))


def test_folders_of_results_are_made_where_there_are_none(place):
    assert call(*TABLES, *QUICK[:2], "--json", "new/deep/out.json", "--html", "site").exit_code == 0
    assert (place / "new" / "deep" / "out.json").is_file()
    assert sorted(p.name for p in (place / "site").iterdir()) == ["index.html", "summary.md"]
