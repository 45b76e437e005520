"""A task with a trap separates two agents or is refused; what the verbs say and end with."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pandas as pd  # noqa: TID253
import pytest
from typer.testing import CliRunner

from audit.cli import app
from audit.counterexample import build, recipe_for
from audit.counterexample import parts_of as parts_of_task
from audit.counterexample_agents import Attempted, Scoring, attempt
from audit.counterexample_check import check_task
from audit.counterexample_features import Roles, roles_of
from audit.counterexample_features import prepared as prepared_matrix
from audit.counterexample_folds import folds_of, shifted, things_of
from audit.counterexample_separation import Round, Separation, estimated, fewer
from competitions.errors import DigestMismatchError, UsageError
from competitions.io import sha256_tree
from competitions.outside import named
from competitions.prepared import load_prepared
from competitions.trap import KEY, PROXIES, Parts, Recipe, Table
from competitions.trap import build as planted
from competitions.trap_names import disguised, persons
from competitions.trap_tables import EMBEDDED, Origin, read_origin
from tests.competitions.trap_tasks import small_task

RMSE = Scoring("rmse", {}, is_lower_better=True)


def signal(n=90):
    """Return a table whose target follows one of its columns."""
    random = np.random.default_rng(3)
    frame = pd.DataFrame(random.normal(size=(n, 3)), columns=["a", "b", "c"])
    frame["y"] = 10 * frame["a"] + random.normal(size=n)
    return Table(frame, "y", "number")


def parts_of(trap="duplicated", **changed) -> Parts:
    return planted(signal(), Recipe(trap=trap, marks=3, **changed), np.random.default_rng(0))


def separation(naive, careful, line, sign=1):
    none = np.zeros(0)

    def side(name, scores):
        return [Attempted(name, "forest", "random rows", 1.0, s, none) for s in scores]

    rounds = zip(side("naive", naive), side("careful", careful), strict=True)
    own = tuple(Round(n, a, b) for n, (a, b) in enumerate(rounds))
    return Separation(sign, (), own, line)


@pytest.mark.parametrize(
    ("naive", "careful", "said"),
    [
        pytest.param((0.5, 0.51, 0.49), (0.8, 0.81, 0.79), [], id="apart"),
        pytest.param((0.5, 0.5, 0.5), (0.8, 0.8, 0.8), [], id="apart-without-any-spread"),
        pytest.param((0.8, 0.8, 0.8), (0.8, 0.8, 0.8), ["0 times", "0% of"], id="the-same"),
        pytest.param((0.8, 0.8, 0.8), (0.5, 0.5, 0.5), ["-0.3", "0% of"], id="the-wrong-way"),
        pytest.param((0.2, 0.6, 0.5), (0.9, 0.7, 0.71), [" times its"], id="too-much-spread"),
        pytest.param((0.66, 0.5, 0.5), (0.8, 0.8, 0.8), ["67% of"], id="one-over-the-line"),
    ],
)
def test_a_task_is_refused_unless_it_separates(naive, careful, said):
    problems = separation(naive, careful, 0.65).problems

    assert len(problems) == len(said)
    assert all(words in problem for words, problem in zip(said, problems, strict=True))


def test_where_lower_is_better_regret_gap_and_line_turn_round():
    found = separation((3.0, 3.1), (1.0, 1.1), 2.0, sign=-1)

    assert found.problems == ()
    assert found.regret.mean == pytest.approx(2.0)
    assert found.gap.mean == pytest.approx(2.05)
    assert found.passes(2.0)
    assert not found.passes(2.1)


def test_an_interval_is_students():
    found = estimated([1.0, 2.0, 3.0])

    assert found.mean == pytest.approx(2.0)
    assert found.se == pytest.approx(3**-0.5)
    assert found.high == pytest.approx(2 + 4.3027 * 3**-0.5, abs=1e-3)


# ---------------------------------------------------------------- how the two agents fold


def test_careful_folds_keep_things_whole_and_naive_ones_do_not():
    parts = parts_of()
    names = parts.train[parts.entity].to_numpy()

    def shared(careful):
        _, folds = folds_of(parts, 0, careful=careful)
        return [bool(set(names[seen]) & set(names[unseen])) for seen, unseen in folds]

    assert not any(shared(careful=True))
    assert all(shared(careful=False))


@pytest.mark.parametrize(
    ("column", "said"),
    [("subject", "whole subjects"), ("Patient Nr", "whole groups by Patient Nr")],
)
def test_what_stays_whole_is_called_as_the_column_is(column, said):
    parts = parts_of()
    names = [frame.rename(columns={"subject": column}) for frame in (parts.train, parts.test)]
    renamed = replace(parts, train=names[0], test=names[1], entity=column)

    assert folds_of(renamed, 0, careful=True)[0] == said


def test_careful_folds_learn_from_the_past_alone():
    parts = parts_of("temporal")
    when = parts.train[parts.time]
    _, folds = folds_of(parts, 0, careful=True)

    assert all(when.iloc[seen].max() <= when.iloc[unseen].min() for seen, unseen in folds)


def test_ways_to_write_a_person_are_put_together_and_persons_are_kept_apart():
    random = np.random.default_rng(0)
    who = np.repeat(np.arange(80), 5)
    written = [name for name, _, _ in disguised(persons(80, random), who, random)]
    found = things_of(pd.Series(written))
    pairs = pd.crosstab(found, who)

    assert (pairs > 0).sum(axis=1).max() == 1
    assert len(pairs) <= 1.3 * 80


@pytest.mark.parametrize(
    ("trap", "found"),
    [pytest.param("proxy", list(PROXIES), id="proxy"), pytest.param("duplicated", [], id="copies")],
)
def test_columns_that_look_otherwise_in_the_test_part_are_not_trusted(trap, found):
    parts = planted(signal(400), Recipe(trap=trap, marks=3), np.random.default_rng(0))

    assert shifted(parts, roles_of(parts)) == found


def test_a_run_learns_from_other_whole_things_each_time():
    parts = parts_of()
    one, other = fewer(parts, 0), fewer(parts, 1)

    assert set(one.train[parts.entity]) != set(other.train[parts.entity])
    assert one.train.groupby(parts.entity).size().isin([4, 5, 6]).all()
    assert one.test is parts.test


def test_a_temporal_trap_in_a_table_with_groups_needs_times():
    grouped = Origin(Table(signal().frame, "y", "number", group="a"), "t", "u", plants=False)
    with pytest.raises(UsageError, match="--time COLUMN"):
        recipe_for(grouped, "temporal")


# ---------------------------------------------------------------- anyone's task


def changed(path, old, new, *, count=1):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, count))


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        pytest.param("data/trapped/prepared/private/solution.csv", "\n", ",\n", id="answers"),
        pytest.param("data/trapped/prepared/public/train.csv", "\n", ",\n", id="train"),
        pytest.param("board.csv", "care,0.1", "care,0.01", id="board"),
    ],
)
def test_a_task_that_was_tampered_with_is_not_tried(tmp_path, name, old, new):
    task = small_task(tmp_path / "trapped")
    changed(task.parent / name, old, new)

    with pytest.raises(DigestMismatchError):
        check_task(task.parent)


@pytest.mark.parametrize(
    ("part", "old", "new", "said"),
    [
        pytest.param("public/train.csv", ",y,", ",z,", "train table has no column y", id="target"),
        pytest.param("public/test.csv", "id,", "ID,", "test table has no column id", id="key"),
        pytest.param("private/solution.csv", "id,y", "id,z", "answers table has no", id="answers"),
        pytest.param("private/solution.csv", "id,y\n", "id,y\nx1,word\n", "words", id="words"),
        pytest.param("public/test.csv", "\n", "\n99999,1,1,1,1,1\n", "one answer", id="a-row-more"),
    ],
)
def test_a_task_that_cannot_be_tried_is_told_in_a_sentence(tmp_path, part, old, new, said):
    task = small_task(tmp_path / "trapped")
    prepared = load_prepared(named(str(task)), task.parent / "data")
    changed(prepared.folder / part, old, new)

    with pytest.raises(UsageError, match=said):
        parts_of_task(prepared)


def test_infinities_and_numbers_too_large_to_square_are_nothing_to_learn_from():
    parts = parts_of()
    train = parts.train.assign(
        a=[float("inf"), 1e200, *[1.0, 2.0] * len(parts.train)][: len(parts.train)]
    )
    table = prepared_matrix(train, train["y"].to_numpy(), Roles(("a",)), "number", np.arange(9))

    assert np.isfinite(table).all()
    assert np.abs(table).max() < 10


# ---------------------------------------------------------------- the verbs


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        pytest.param(["build"], 2, "one of the two", id="nothing"),
        pytest.param(["build", "a.csv", "--embedded", "digits"], 2, "one of the two", id="both"),
        pytest.param(["build", "a.csv"], 2, "--target COLUMN", id="no-target"),
        pytest.param(["build", "a.csv", "--target", "y"], 2, "found none", id="no-file"),
        pytest.param(["build", "--embedded", "digit"], 2, "Did you mean digits?", id="a-typo"),
        pytest.param(
            ["build", "--embedded", "digits", "--target", "y"], 2, "go with a file", id="a-target"
        ),
        pytest.param(
            ["build", "--embedded", "digits", "--copies", "6-4"], 2, "LEAST-MOST", id="copies"
        ),
        pytest.param(["check", "nowhere.yaml"], 2, "found no file", id="no-task"),
        pytest.param(["check", "/nope"], 2, "or its id, found nothing", id="no-folder"),
        pytest.param(["check", "tr.csv"], 2, "or its id, found nothing", id="no-table"),
        pytest.param(
            ["check", __file__], 2, "(.yaml) or its id, found a file of another", id="no-definition"
        ),
    ],
)
def test_a_call_that_cannot_be_meant_is_told_in_a_sentence(
    tmp_path, monkeypatch, words, code, said
):
    monkeypatch.chdir(tmp_path)
    error = CliRunner().invoke(app, ["counterexample", *words]).exception

    assert isinstance(error, UsageError)
    assert error.exit_code == code
    assert said in str(error)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_a_table_that_cannot_separate_the_agents_is_refused_with_what_to_change(tmp_path):
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.normal(size=(120, 3)), columns=["a", "b", "y"])
    frame.assign(who=np.arange(120) // 4).to_csv(tmp_path / "noise.csv", index=False)
    words = [
        "build",
        str(tmp_path / "noise.csv"),
        "--target",
        "y",
        "--group",
        "who",
        "--seeds",
        "2",
    ]
    done = CliRunner().invoke(app, ["counterexample", *words, "-o", str(tmp_path / "task")])

    assert done.exit_code == 1
    assert "expected at least 3 times" in done.stderr
    assert "--plant" in done.stderr
    assert not (tmp_path / "task").exists()


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("built")
    signal(120).frame.to_csv(folder / "signal.csv", index=False)
    words = ["build", str(folder / "signal.csv"), "--target", "y", "--seeds", "2"]
    words += ["--canary", "answers", "-o", str(folder / "signal")]
    done = CliRunner().invoke(app, ["counterexample", *words])
    assert done.exit_code == 0, done.output
    return folder / "signal"


@pytest.mark.slow
def test_a_built_task_passes_its_own_check_and_is_the_same_again(built, tmp_path):
    found = check_task(built, seeds=2)
    origin = read_origin(built.parent / "signal.csv", "y")
    recipe = recipe_for(origin, "duplicated")
    build(origin, recipe, tmp_path / "again", "signal", canaries=["answers"], seeds=2)

    assert found.problems == ()
    assert sha256_tree(tmp_path / "again/raw") == sha256_tree(built / "raw")
    assert (tmp_path / "again/signal.yaml").read_bytes() == (built / "signal.yaml").read_bytes()


@pytest.mark.slow
def test_a_task_of_somebody_elses_is_checked_without_a_record(built, tmp_path):
    words = (built / "signal.yaml").read_text().partition("trap:")[0]
    other = tmp_path / "signal.yaml"
    other.write_text(words.replace("folder: raw", f"folder: {built / 'raw'}"))
    (tmp_path / "board.csv").write_bytes((built / "board.csv").read_bytes())
    found = check_task(other, seeds=2)

    assert found.problems == ()
    assert found.fresh == ()


@pytest.mark.parametrize("trap", ["fuzzy", "temporal", "proxy", "preprocessing"])
@pytest.mark.slow
def test_each_kind_of_trap_misleads_the_naive_agent_alone(trap):
    origin = EMBEDDED["diabetes"]()
    parts = planted(origin.table, Recipe(trap=trap), np.random.default_rng(0))
    naive, careful = (attempt(who, parts, RMSE, 0) for who in ("naive", "careful"))

    assert naive.local < careful.local
    assert naive.hidden > 1.05 * careful.hidden
    assert abs(careful.hidden / careful.local - 1) < 0.2
    assert KEY in parts.answers
