"""Which tasks a call is about."""

from __future__ import annotations

import pytest

from audit.selection import SPLITS, chosen_competitions, split_named
from competitions.errors import UnknownNameError, UsageError
from competitions.spec import catalog_ids, load


def test_names_come_in_their_order_and_once():
    assert chosen_competitions(["modechoice", "breast-cancer", "modechoice"]) == [
        "modechoice",
        "breast-cancer",
    ]


def test_a_file_may_hold_comments_and_empty_lines(tmp_path):
    path = tmp_path / "set.txt"
    path.write_text("# easy ones\nmodechoice\n\n  breast-cancer  # thirty columns\n")
    assert chosen_competitions(file=path) == ["modechoice", "breast-cancer"]


def test_a_file_written_on_windows_is_read(tmp_path):
    file = tmp_path / "set.txt"
    file.write_bytes(b"\xef\xbb\xbfmodechoice\r\nbreast-cancer\r\n")
    assert chosen_competitions(file=file) == ["modechoice", "breast-cancer"]


def test_names_file_and_split_add_up(tmp_path):
    path = tmp_path / "set.txt"
    path.write_text("spaceship-titanic\nmodechoice\n")
    found = chosen_competitions(["breast-cancer"], path, "embedded")
    assert found[:3] == ["breast-cancer", "spaceship-titanic", "modechoice"]
    assert len(found) == len(set(found))


def test_the_embedded_split_holds_what_needs_no_download():
    found = chosen_competitions(split="embedded")
    assert found == [n for n in catalog_ids() if load(n).source.kind == "embedded"]


def test_the_three_complexities_make_up_all():
    parts = [n for split in ("low", "medium", "high") for n in catalog_ids() if _is_in(n, split)]
    assert sorted(parts) == [n for n in catalog_ids() if _is_in(n, "all")]


def _is_in(name: str, split: str) -> bool:
    return SPLITS[split](load(name))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param({}, "Expected at least one competition", id="nothing"),
        pytest.param({"split": "tiny"}, "Expected a split of low, medium", id="no such split"),
        pytest.param({"file": "missing.txt"}, "expected a text file", id="no such file"),
        pytest.param({"file": "empty.txt"}, "one competition id per line", id="only comments"),
        pytest.param({"file": "binary.txt"}, "expected a text file", id="no text"),
    ],
)
def test_what_names_no_task_is_a_usage_error(tmp_path, arguments, said):
    (tmp_path / "empty.txt").write_text("# nothing\n\n")
    (tmp_path / "binary.txt").write_bytes(b"\xff\xfe\x00")
    if "file" in arguments:
        arguments = {"file": tmp_path / arguments["file"]}
    with pytest.raises(UsageError, match=said):
        chosen_competitions(**arguments)


def test_an_unknown_task_is_said_with_one_that_resembles_it():
    with pytest.raises(UnknownNameError, match="modechoice"):
        chosen_competitions(["modechois"])


@pytest.mark.parametrize(
    ("split", "lite", "everything", "expected"),
    [
        pytest.param(None, False, False, None, id="none"),
        pytest.param("dev", False, False, "dev", id="split"),
        pytest.param(None, True, False, "low", id="lite"),
        pytest.param(None, False, True, "kaggle", id="all"),
    ],
)
def test_three_options_name_one_split(split, lite, everything, expected):
    assert split_named(split, lite=lite, everything=everything) == expected


def test_two_of_them_are_a_usage_error():
    with pytest.raises(UsageError, match="one of --split, --lite and --all"):
        split_named("low", lite=False, everything=True)


def test_kaggle_is_the_75_and_the_development_tasks():
    names = [n for split in ("all", "dev") for n in catalog_ids() if _is_in(n, split)]
    assert sorted(names) == [n for n in catalog_ids() if _is_in(n, "kaggle")]
