"""Labels of a folder of notebooks follow from the files alone."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from detectors.plagiarism.documents import document_from
from tests.quality.plagiarism.labels import (
    NEAR_RUN,
    half,
    labelled,
    near_pairs,
)
from tests.quality.plagiarism.placing import task_of, tasks
from tests.quality.plagiarism.written_set import written_tasks

TITANIC = 'frame[["SibSp", "Parch"]].sum()\nframe["Parch"] = frame["SibSp"] + 1\n'


def notebook(cells, ids=()):
    marks = [*ids, *[None] * len(cells)]
    found = [
        {
            "cell_type": "code",
            "metadata": {"_cell_guid": m} if m else {},
            "source": c,
            "outputs": [],
        }
        for c, m in zip(cells, marks, strict=False)
    ]
    return json.dumps({"cells": found, "metadata": {}, "nbformat": 4, "nbformat_minor": 0})


def body(name, n=24):
    return TITANIC + "".join(f"{name}_{i} = work_on({name}_{i - 1}, {i})\n" for i in range(n))


@pytest.fixture
def folder(tmp_path):
    for name in "abcdefgh":
        (tmp_path / f"{name}.py").write_text(body(name), encoding="utf-8")
    return tmp_path


def test_a_kernel_kept_as_script_and_notebook_counts_once(folder):
    (folder / "a.ipynb").write_text(notebook([body("a")]), encoding="utf-8")
    account: Counter[str] = Counter()
    (task,) = labelled(folder, seed=0, account=account)

    assert task.name == "titanic"
    assert len(task.references) + len(task.honest) == 8
    assert account["script and notebook of one kernel"] == 1


def test_equal_texts_count_once_whatever_their_comments(folder):
    (folder / "z.py").write_text("# mine\n" + body("a").replace(" = ", "  =  "), encoding="utf-8")
    account: Counter[str] = Counter()
    labelled(folder, seed=0, account=account)

    assert account["the same text again"] == 1


def test_shared_cell_ids_make_a_fork_and_no_honest_file(folder):
    guid = "11111111-2222-4333-8444-555555555555"
    for name in "xy":
        (folder / f"{name}.ipynb").write_text(notebook([body(name)], [guid]), encoding="utf-8")
    (task,) = labelled(folder, seed=0)

    ((source, copy),) = task.forks
    assert {source, copy} == {"x", "y"}
    assert copy not in {i.name for i in task.honest}
    assert source in {i.name for i in task.references}


def test_a_run_of_equal_characters_makes_a_pair_near_and_a_shorter_one_does_not(folder):
    line = "helper = [compute(value, other) for value in range(10)]\n"
    times = NEAR_RUN // len("".join(line.split())) + 1
    (folder / "u.py").write_text(body("u") + line * times, encoding="utf-8")
    (folder / "v.py").write_text(body("v") + line * times, encoding="utf-8")
    (folder / "w.py").write_text(body("w") + line, encoding="utf-8")
    (task,) = labelled(folder, seed=0)

    assert task.is_near("u", "v")
    assert not task.is_near("u", "w")
    assert not task.is_near("a", "b")


def test_the_halves_part_the_tasks():
    found = written_tasks()
    opened, sealed = half(found, sealed=False, seed=5), half(found, sealed=True, seed=5)

    assert {t.name for t in opened} | {t.name for t in sealed} == {t.name for t in found}
    assert len(opened) + len(sealed) == len(found)


@pytest.mark.parametrize(
    ("code", "task"),
    [
        pytest.param(TITANIC, "titanic", id="columns"),
        pytest.param("x['Parch']\n", None, id="one-word-is-too-few"),
        pytest.param(TITANIC + "is_duplicate, question1 = 1, 2\n", None, id="two-tasks"),
        pytest.param("read('../input/my-task-2018/a.csv')", "my-task-2018", id="folder"),
        pytest.param("read('../input/train/a.png')", None, id="a-folder-that-says-nothing"),
    ],
)
def test_tasks_are_told_by_their_own_words(code, task):
    assert task_of(document_from("a.py", code.encode())) == task


@pytest.mark.parametrize("task", written_tasks(), ids=lambda t: t.name)
def test_files_of_the_written_set_share_no_copies(task):
    assert not near_pairs((*task.references, *task.honest))


def test_each_task_is_listed_once():
    names = [name for name, _ in tasks()]

    assert len(names) == len(set(names))
