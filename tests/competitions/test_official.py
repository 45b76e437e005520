"""The official text, where the user has it, is handed out in the place of ours."""

from __future__ import annotations

import pytest

from competitions.errors import RefusedError, UsageError
from competitions.official import official_description
from competitions.prepare import prepare
from competitions.prepared import load_prepared, verify
from competitions.spec import load

TASK = load("modechoice")
TEXT = "# How people travel\n\nThe official words.\n"


@pytest.mark.parametrize(
    "place", ["mlebench/competitions/modechoice/description.md", "modechoice/description.md",
              "modechoice.md", "description.md"],
)  # fmt: skip
def test_a_folder_is_searched_for_the_tasks_own_text(tmp_path, place):
    (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / place).write_text(TEXT)
    assert official_description("modechoice", tmp_path) == TEXT


def test_windows_line_ends_and_a_byte_order_mark_are_taken_off(tmp_path):
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbf# A\r\n\r\nb")
    assert official_description("modechoice", tmp_path / "a.txt") == "# A\n\nb\n"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"", "found an empty file", id="empty"),
        pytest.param(b"\xff\xfe\x00", "UTF-8", id="no-text"),
        pytest.param(b"version https://git-lfs.github.com/spec/v1\n", "git lfs pull", id="pointer"),
        pytest.param(b"x" * (5 << 20), "at most 4 MiB", id="too-large"),
    ],
)
def test_what_is_no_description_is_told(tmp_path, content, said):
    (tmp_path / "a.md").write_bytes(content)
    with pytest.raises(UsageError, match=said):
        official_description("modechoice", tmp_path / "a.md")


@pytest.mark.parametrize("name", ["missing.md", ".", "mlebench"])
def test_where_there_is_none_it_is_told(tmp_path, name):
    with pytest.raises(UsageError, match=r"(?s)(modechoice|missing\.md|mlebench).*a checkout of"):
        official_description("modechoice", tmp_path / name)


def test_the_given_text_is_in_the_public_part_and_the_manifest_says_so(tmp_path):
    (tmp_path / "a.md").write_text(TEXT)
    prepared = prepare(TASK, tmp_path / "data", description=tmp_path / "a.md")
    assert (prepared.public / "description.md").read_text() == TEXT
    assert prepared.manifest is not None
    assert prepared.manifest.description == "given"
    verify(prepared)
    again = prepare(TASK, tmp_path / "data", description=tmp_path / "a.md")
    assert again.public_sha256 == prepared.public_sha256


def test_data_with_another_text_are_not_passed_off_as_the_wanted(tmp_path):
    (tmp_path / "a.md").write_text(TEXT)
    ours = prepare(TASK, tmp_path / "data")
    with pytest.raises(RefusedError, match="-c modechoice --description FILE --force"):
        prepare(TASK, tmp_path / "data", description=tmp_path / "a.md")
    with pytest.raises(RefusedError, match="--source embedded --description FILE --force"):
        prepare(TASK, tmp_path / "data", "embedded", description=tmp_path / "a.md")
    assert load_prepared(TASK, tmp_path / "data").public_sha256 == ours.public_sha256
    prepare(TASK, tmp_path / "data", description=tmp_path / "a.md", force=True)
    assert (ours.public / "description.md").read_text() == TEXT
