"""What holds for every task of the catalog, every split recipe and every metric."""

from __future__ import annotations

import contextlib
import json
import math
import re
from dataclasses import replace
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

import pandas as pd  # noqa: TID253
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from audit.definition import overlap_problems
from competitions import contract, spec
from competitions.errors import InvalidSubmissionError
from competitions.grade import grade, score_tables
from competitions.io import sha256_bytes, walk_files, write_json
from competitions.metrics import METRICS
from competitions.prepare import load_prepared
from competitions.prepared import verify
from competitions.row_files import file_names
from competitions.spec import GroupKey, Split
from competitions.splits import SPLITS, group_names, split_frame
from competitions.standard import standard_submissions
from competitions.submission import (
    key_index,
    read_submission,
    read_table,
    schema_of,
    validate_file,
)
from competitions.work import read_raw
from tests.competitions.conftest import VARIANTS, shared_data
from tests.competitions.metrics.examples import example
from tests.contract.fingerprints import fingerprints

TASKS = [pytest.param(i, v, id=f"{i}-{v}") for i, v in VARIANTS]


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory):
    return shared_data(tmp_path_factory.getbasetemp())


@pytest.mark.parametrize("competition_id", spec.catalog_ids())
def test_a_definition_names_what_exists(competition_id):
    task = spec.load(competition_id)

    assert contract.naming_problems(task) == []
    assert contract.expect_problems(task) == []
    assert task.metric.file is None  # a metric of the catalog is one of ours


@pytest.mark.parametrize("competition_id", spec.catalog_ids())
def test_a_board_is_the_pinned_one_and_stands_best_first(competition_id):
    assert contract.board_problems(spec.load(competition_id)) == []


@pytest.mark.parametrize(("competition_id", "variant"), TASKS)
def test_the_seven_submissions_score_what_the_definition_expects_and_validate_alike(
    data_dir, tmp_path, competition_id, variant
):
    task = spec.load(competition_id, variant)
    grades = contract.standard_grades(task, data_dir, tmp_path)

    assert contract.score_problems(task, grades) == []
    prepared = load_prepared(task, data_dir)
    for name, graded in grades.items():
        told, problems = validate_file(tmp_path / f"{name}.csv", prepared.folder), graded.problems
        rules = prepared.schema.columns.values()
        free = any(rule.may_be_empty or rule.by_metric or rule.type == "text" for rule in rules)
        if free or prepared.schema.pairing == "as-read":
            assert told in {problems, ()}  # which cells and keys count, only the answers say
        else:
            assert told == problems


@pytest.mark.slow
@pytest.mark.parametrize(("competition_id", "variant"), TASKS)
def test_a_score_does_not_depend_on_the_order_of_rows(data_dir, tmp_path, competition_id, variant):
    task = spec.load(competition_id, variant)
    if schema_of(task).pairing in {"position", "as-read"}:
        pytest.skip("the published grader takes rows in the order of the file")
    prepared = load_prepared(task, data_dir)
    random = standard_submissions(prepared)["random"]
    if random.duplicated(list(task.submission.key)).any():
        pytest.skip("rows of one key are paired in no particular order")
    random.to_csv(tmp_path / "a.csv", index=False)
    answers, read = read_raw(prepared.answers), read_submission(tmp_path / "a.csv")

    def score(table: pd.DataFrame) -> float | None:
        with contextlib.suppress(InvalidSubmissionError):
            return round(score_tables(prepared, answers, table.reset_index(drop=True)), 5)
        return None

    expected = score(read)
    for seed in range(8):
        assert score(read.sample(frac=1, random_state=seed)) == expected


@pytest.mark.parametrize(("competition_id", "variant"), TASKS)
def test_both_parts_together_hold_every_row_once(data_dir, competition_id, variant):
    task = spec.load(competition_id, variant)
    prepared = load_prepared(task, data_dir)
    test = read_table(prepared.public / task.keys_in)
    train = test[:0]  # where no table holds the train part, its files do
    if task.file_of("train") is not None:
        train = read_table(prepared.public / str(task.file_of("train")))
        if not set(task.submission.key) <= set(train.columns):  # its rows have another key
            train = test[:0]
    keys = key_index(pd.concat([train, test]), task.submission.key)

    repeats = schema_of(task).pairing is not None  # as the published grader lets them
    if not repeats and (task.renumber is None or task.renumber.continues):
        assert not keys.has_duplicates
    if schema_of(task).pairing != "as-read":  # else answers may be by other keys, or for some only
        assert set(key_index(read_table(prepared.answers), task.submission.key)) == set(
            key_index(test, task.submission.key)
        )


@pytest.mark.parametrize(("competition_id", "variant"), TASKS)
def test_no_target_and_no_private_file_is_public(data_dir, competition_id, variant):
    task = spec.load(competition_id, variant)
    prepared = load_prepared(task, data_dir)

    assert contract.secrecy_problems(prepared) == []


@pytest.mark.parametrize(("competition_id", "variant"), TASKS)
def test_groups_never_straddle_where_the_split_keeps_them(data_dir, competition_id, variant):
    task = spec.load(competition_id, variant)
    if task.split.group is None:
        assert task.split.method != "random_groups"
        return
    if task.renumber is not None and task.renumber.column == task.split.group.column:
        pytest.skip("the groups of each part have numbers of their own")
    if task.file_of("train") is None:
        pytest.skip("no table names the train part's files; tests of the task's hook look at them")
    prepared = load_prepared(task, data_dir)
    tests = task.file_of("test")
    paths = (
        prepared.public / str(task.file_of("train")),
        prepared.answers if tests is None else prepared.public / tests,
    )
    train, test = (set(group_names(read_table(path), task.split.group)) for path in paths)
    assert train
    assert test
    assert not train & test


@pytest.mark.parametrize(("competition_id", "variant"), TASKS)
def test_the_future_is_the_test_part_where_the_split_is_by_time(data_dir, competition_id, variant):
    task = spec.load(competition_id, variant)
    if task.split.time is None:
        assert task.split.method != "time_tail"
        return
    prepared = load_prepared(task, data_dir)
    train, test = (
        read_table(prepared.public / str(task.file_of(part)))[task.split.time]
        for part in ("train", "test")
    )
    assert train.max() < test.min()


@pytest.mark.parametrize(("competition_id", "variant"), TASKS)
def test_each_row_has_its_files_and_no_file_is_without_a_row(data_dir, competition_id, variant):
    task = spec.load(competition_id, variant)
    prepared = load_prepared(task, data_dir)
    found = {p.relative_to(prepared.public).as_posix() for p in walk_files(prepared.public)}
    places = found | {str(folder) for name in found for folder in PurePosixPath(name).parents}
    expected = {"description.md", *(f.lies_at for f in task.public)}
    for rule in task.files:
        rows = task.file_of(rule.part)
        if rows is None and rule.part == "test":
            rows = task.file_of("sample")
        table = pd.DataFrame()
        if rows is not None and rule.pack is None:
            path = prepared.public / rows
            is_parquet = path.suffix == ".parquet"
            table = (
                pd.read_parquet(path)
                if is_parquet
                else pd.read_csv(path, dtype=str, keep_default_na=False)
            )
        if rule.pack is not None:
            expected.add(rule.pack)
        elif not set(re.findall(r"{(\w+)", rule.to)) <= set(table.columns):  # no table names them
            named = {name for name in found if fnmatch(name, re.sub(r"{[^}]*}", "*", rule.to))}
            assert named
            expected |= named
        else:
            names = set(file_names(rule.to, table))
            expected |= names & places if rule.may_lack else names

    assert expected <= places
    assert all({name, *map(str, PurePosixPath(name).parents)} & expected for name in found)


@pytest.mark.parametrize(("competition_id", "variant"), TASKS)
def test_no_detector_of_the_tables_accuses_a_task_that_ships(data_dir, competition_id, variant):
    task = spec.load(competition_id, variant)

    assert overlap_problems(load_prepared(task, data_dir)) == []


@pytest.mark.parametrize(("competition_id", "variant"), TASKS)
def test_prepared_data_agree_with_their_manifest(data_dir, competition_id, variant):
    task = spec.load(competition_id, variant)
    prepared = load_prepared(task, data_dir)
    verify(prepared)

    assert prepared.schema == schema_of(task)
    assert prepared.manifest is not None
    assert {"public/description.md", f"private/{task.answers}"} <= set(prepared.manifest.files)


@pytest.mark.parametrize(("competition_id", "variant"), TASKS)
def test_the_description_names_files_columns_metric_and_format(competition_id, variant):
    task = spec.load(competition_id, variant)

    assert contract.description_problems(task) == []


# Digests of the sorted keys of the test part: the same seed gives the same split, for ever.
SPLIT_DIGESTS = Path(__file__).parents[1] / "competitions" / "split-digests.json"


# Digests of every prepared file's place and, of text, its bytes: whoever drops a clause of a task's
# YAML sees it here.
TREE_DIGESTS = SPLIT_DIGESTS.with_name("tree-digests.json")


def stored_digests(path: Path = SPLIT_DIGESTS) -> dict[str, str]:
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else {}


@pytest.mark.parametrize(("competition_id", "variant"), TASKS)
def test_the_same_seed_gives_the_stored_split(data_dir, competition_id, variant, update_golden):
    task = spec.load(competition_id, variant)
    answers = read_table(load_prepared(task, data_dir).answers)
    keys = "\n".join(sorted(key_index(answers, task.submission.key)))
    name, found = f"{competition_id}-{variant}", sha256_bytes(keys.encode())[:16]

    if update_golden:
        write_json(SPLIT_DIGESTS, dict(sorted((stored_digests() | {name: found}).items())))
    stored = stored_digests()

    assert name in stored, f"{name} has no stored split yet: make golden, then look at the diff"
    assert found == stored[name], "the split changed; if it was meant: make golden"


@pytest.mark.parametrize(("competition_id", "variant"), TASKS)
def test_the_same_files_are_prepared_as_are_stored(
    data_dir, competition_id, variant, update_golden
):
    prepared = load_prepared(spec.load(competition_id, variant), data_dir)
    lines = [f"{place} {digest}" for place, digest in fingerprints(prepared.folder)]
    name, found = f"{competition_id}-{variant}", sha256_bytes("\n".join(lines).encode())[:16]

    if update_golden:
        kept = stored_digests(TREE_DIGESTS) | {name: found}
        write_json(TREE_DIGESTS, dict(sorted(kept.items())))
    stored = stored_digests(TREE_DIGESTS)

    assert name in stored, f"{name} has no stored files yet: make golden, then look at the diff"
    assert found == stored[name], "other files are prepared; if it was meant: make golden"


@pytest.mark.parametrize("path", [SPLIT_DIGESTS, TREE_DIGESTS], ids=lambda path: path.stem)
def test_no_digest_of_a_task_that_is_gone_is_stored(path, update_golden):
    names = {f"{competition_id}-{variant}" for competition_id, variant in VARIANTS}
    if update_golden:
        write_json(path, {n: d for n, d in stored_digests(path).items() if n in names})

    assert set(stored_digests(path)) <= names, "make golden, then look at the diff"


@pytest.mark.parametrize("method", sorted(SPLITS))
@given(
    groups=st.lists(st.integers(0, 30), min_size=8, max_size=60).filter(lambda g: len(set(g)) > 3),
    seed=st.integers(0, 1000),
    share=st.floats(0.1, 0.6),
)
@settings(max_examples=30, deadline=None)
def test_a_recipe_partitions_the_rows_and_repeats_itself(method, groups, seed, share):
    frame = pd.DataFrame({"row": range(len(groups)), "group": groups})
    split = Split(
        method=method,
        on="raw.csv",
        test_size=share,
        seed=seed,
        group=GroupKey(column="group"),
        time="group",
    )
    earliest = groups.count(min(groups))  # rows of one time cannot be parted
    assume(method != "time_tail" or math.ceil(share * len(groups)) <= len(groups) - earliest)
    before = frame.copy()
    first, second = split_frame(frame, split), split_frame(frame, split)

    assert sorted([*first.train["row"], *first.test["row"]]) == list(range(len(groups)))
    assert len(first.train)
    assert len(first.test)
    pd.testing.assert_frame_equal(first.test, second.test)
    pd.testing.assert_frame_equal(frame, before)


@pytest.mark.parametrize("name", sorted(METRICS))
@given(
    labels=st.lists(st.integers(0, 1), min_size=4, max_size=40).filter(lambda v: len(set(v)) == 2)
)
@settings(max_examples=25, deadline=None)
def test_a_metric_is_best_for_the_answers_and_no_better_for_others(name, labels):
    metric, case = METRICS[name], example(name, labels)
    perfect = metric.score(case.answers, case.perfect, case.context)
    worst = metric.score(case.answers, case.wrong, case.context)

    assert round(perfect, 5) == metric.best
    assert math.isfinite(worst)
    assert (worst > perfect) if metric.direction == "lower" else (worst < perfect)


@pytest.mark.parametrize("name", sorted(METRICS))
def test_a_metric_says_its_formula_and_its_source(name):
    text = METRICS[name].score.__doc__ or ""

    assert "Notes" in text
    assert "Σ" in text or "P(" in text
    assert "https://" in text


@pytest.mark.parametrize(("competition_id", "variant"), TASKS)
def test_a_crash_in_the_metric_is_never_the_submissions_fault(
    data_dir, tmp_path, competition_id, variant, monkeypatch
):
    task = spec.load(competition_id, variant)
    standard_submissions(load_prepared(task, data_dir))["perfect"].to_csv(
        tmp_path / "s.csv", index=False
    )

    def crash(*_: object) -> float:
        raise ZeroDivisionError("our own fault")

    metric = METRICS[task.metric.name]
    monkeypatch.setitem(METRICS, metric.name, replace(metric, score=crash))
    found = grade(task, tmp_path / "s.csv", data_dir)

    assert (found.outcome, found.score, found.problems) == ("grader_error", None, ())
    assert found.error is not None
    assert "ZeroDivisionError: our own fault" in found.error
    assert "in crash" in found.error
