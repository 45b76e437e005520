"""The Kaggle boards that ship: pinned, in order, and with the thresholds that were published."""

from __future__ import annotations

import csv
from datetime import date

import pytest

from competitions import spec
from competitions.board_facts import INDEX, all_facts, facts_of, load_kaggle_board
from competitions.errors import DigestMismatchError, UnknownNameError, UnreadableFileError
from competitions.medals import BOARDS, thresholds

FACTS = all_facts()
HERE = [name for name in spec.catalog_ids() if spec.load(name).board.kind == "kaggle"]


def test_the_benchmarks_82_boards_are_here():
    complexities = [facts.complexity for facts in FACTS.values()]

    assert {c: complexities.count(c) for c in sorted(set(complexities))} == {
        "dev": 7,
        "high": 15,
        "low": 22,
        "medium": 38,
    }
    assert sum(facts.split75 for facts in FACTS.values()) == 75
    assert list(FACTS) == sorted(FACTS)


@pytest.mark.parametrize("name", FACTS)
def test_the_medal_rule_gives_the_published_thresholds(name):
    facts, board = FACTS[name], load_kaggle_board(name)
    found = thresholds(board)

    assert (found.gold, found.silver, found.bronze) == (facts.gold, facts.silver, facts.bronze)
    assert (found.median, found.n_teams) == (facts.median, facts.n_teams)
    assert list(board.scores) == sorted(board.scores, reverse=facts.direction == "higher")


@pytest.mark.parametrize("name", FACTS)
def test_a_board_numbers_its_teams_and_names_none(name):
    with (BOARDS / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
        head, *rows = csv.reader(stream)

    assert head == ["rank", "score"]
    assert [row[0] for row in rows] == [str(n) for n in range(1, len(rows) + 1)]


@pytest.mark.parametrize("name", FACTS)
def test_dates_and_sizes_are_known_for_the_75_tasks_and_possible(name):
    facts = FACTS[name]
    known = (facts.enabled, facts.deadline, facts.dataset_gb)

    assert all(value is None for value in known) or facts.split75
    if facts.split75:
        assert facts.enabled
        assert facts.deadline
        assert date(2010, 4, 7) < facts.enabled < facts.deadline
        assert facts.enabled <= facts.last_submission
        assert facts.dataset_gb
        assert facts.dataset_gb > 0


@pytest.mark.parametrize("name", HERE)
def test_a_definition_and_the_index_agree(name):
    task, facts = spec.load(name), facts_of(name)

    assert (task.board.sha256, task.board.official_sha256) == (facts.sha256, facts.official_sha256)
    assert task.metric.direction == facts.direction
    assert (task.complexity, task.split75, task.category) == (
        facts.complexity,
        facts.split75,
        facts.category,
    )


def test_every_board_file_belongs_to_a_row_or_to_a_task():
    files = {path.stem for path in BOARDS.glob("*.csv")} - {"index"}

    assert set(FACTS) <= files
    assert files - set(FACTS) <= set(spec.catalog_ids())


@pytest.fixture
def folder(tmp_path):
    """A folder of boards with one in it, to be spoiled."""
    head, *rows = (BOARDS / INDEX).read_text().splitlines()
    row = next(row for row in rows if row.startswith("multi-modal-gesture-recognition,"))
    (tmp_path / INDEX).write_text(f"{head}\n{row}\n")
    board = BOARDS / "multi-modal-gesture-recognition.csv"
    (tmp_path / board.name).write_bytes(board.read_bytes())
    return tmp_path


def test_a_board_that_was_edited_is_refused(folder):
    path = folder / "multi-modal-gesture-recognition.csv"
    assert load_kaggle_board(path.stem, folder).scores[0] == 0.13304

    path.write_text(path.read_text().replace("0.13304", "0.13305"))
    with pytest.raises(DigestMismatchError, match="expected sha256"):
        load_kaggle_board(path.stem, folder)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(",medium,", ",hard,", id="complexity"),
        pytest.param(",lower,", ",down,", id="direction"),
        pytest.param(",19,", ",many,", id="size"),
        pytest.param("2013-", "13-", id="date"),
        pytest.param("id,complexity", "id,difficulty", id="column"),
    ],
)
def test_an_index_that_cannot_be_read_is_told_with_its_path(folder, old, new):
    text = (folder / INDEX).read_text()
    assert old in text
    (folder / INDEX).write_text(text.replace(old, new))

    with pytest.raises(UnreadableFileError, match=rf"{INDEX} is no index of boards"):
        all_facts(folder)


def test_a_board_that_is_not_here_is_told_with_near_names():
    with pytest.raises(UnknownNameError, match="Did you mean leaf-classification"):
        facts_of("leaf-clasification")


def test_a_folder_without_an_index_is_told(tmp_path):
    with pytest.raises(UnreadableFileError, match="no index"):
        all_facts(tmp_path)
