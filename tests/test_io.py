"""Files are whole or not there, and digests say what is in them."""

from __future__ import annotations

import hashlib
import json
import math
import os

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from competitions.io import (
    atomic_path,
    sha256_bytes,
    sha256_file,
    sha256_tree,
    walk_files,
    write_json,
    write_text,
)


def test_a_block_that_fails_leaves_the_file_as_it_was(tmp_path):
    target = tmp_path / "a.txt"
    target.write_text("old")

    def fail_halfway() -> None:
        with atomic_path(target) as temporary:
            temporary.write_text("half")
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_halfway()
    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_block_that_ends_well_replaces_the_file(tmp_path):
    target = tmp_path / "deep" / "a.txt"
    for text in ("one", "two"):
        with atomic_path(target) as temporary:
            assert temporary.parent == target.parent
            temporary.write_text(text)
        assert target.read_text() == text
    assert list(target.parent.iterdir()) == [target]
    assert target.stat().st_mode & 0o777 == 0o644


def test_a_link_is_replaced_and_what_it_led_to_stays(tmp_path):
    (tmp_path / "real").write_text("keep")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    write_text(tmp_path / "link", "new")

    assert (tmp_path / "real").read_text() == "keep"
    assert (tmp_path / "link").read_text() == "new"


def test_text_is_written_as_utf_8_with_its_line_ends(tmp_path):
    write_text(tmp_path / "a", "é\r\n\u2028")

    assert (tmp_path / "a").read_bytes() == "é\r\n\u2028".encode()


def test_text_that_no_file_can_hold_leaves_nothing(tmp_path):
    with pytest.raises(UnicodeEncodeError):
        write_text(tmp_path / "a", "\ud800")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, [math.nan], {"a": math.inf}])
def test_json_without_a_number_is_refused(tmp_path, value):
    with pytest.raises(ValueError, match="JSON"):
        write_json(tmp_path / "a", value)
    assert list(tmp_path.iterdir()) == []


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8")),
    lambda v: st.lists(v) | st.dictionaries(st.text(st.characters(codec="utf-8")), v),
)  # fmt: skip


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=30)
@given(JSON)
def test_json_reads_back_as_it_was(tmp_path, value):
    write_json(tmp_path / "a", value)

    assert json.loads((tmp_path / "a").read_text(encoding="utf-8")) == value


@pytest.mark.parametrize("content", [b"", b"a", b"\x00" * (1 << 20), b"x" * ((1 << 20) + 1)])
def test_digests_are_sha256(tmp_path, content):
    (tmp_path / "a").write_bytes(content)

    assert sha256_file(tmp_path / "a") == hashlib.sha256(content).hexdigest()
    assert sha256_bytes(content) == sha256_file(tmp_path / "a")


@pytest.fixture
def folder(tmp_path):
    for name in ("b", "a/z", "a.txt", "a/deep/x"):
        path = tmp_path / "f" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)
    return tmp_path / "f"


def names(folder) -> list[str]:
    return [p.relative_to(folder).as_posix() for p in walk_files(folder)]


def test_files_come_sorted_by_their_path(folder):
    assert names(folder) == ["a.txt", "a/deep/x", "a/z", "b"]


def test_links_pipes_and_folders_are_no_files(folder, tmp_path):
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret").write_text("x")
    (folder / "link").symlink_to(tmp_path / "outside" / "secret")
    (folder / "linked").symlink_to(tmp_path / "outside")
    (folder / "empty").mkdir()
    os.mkfifo(folder / "pipe")

    assert names(folder) == ["a.txt", "a/deep/x", "a/z", "b"]


def test_a_folder_that_cannot_be_listed_is_told_when_asked_for(tmp_path):
    told: list[OSError] = []

    assert list(walk_files(tmp_path / "nothing", told.append)) == []
    assert [error.filename for error in told] == [str(tmp_path / "nothing")]
    assert list(walk_files(tmp_path / "nothing")) == []


def test_a_trees_digest_is_that_of_its_listing(folder):
    lines = [f"{sha256_bytes(n.encode())}  {n}\n" for n in names(folder)]

    assert sha256_tree(folder) == sha256_bytes("".join(lines).encode())


@pytest.mark.parametrize("change", ["content", "name", "more", "less"])
def test_a_trees_digest_changes_with_every_file(folder, change):
    before = sha256_tree(folder)
    if change == "content":
        (folder / "b").write_text("c")
    elif change == "name":
        (folder / "b").rename(folder / "c")
    elif change == "more":
        (folder / "c").write_text("")
    else:
        (folder / "b").unlink()

    assert sha256_tree(folder) != before


def test_no_name_stands_for_the_lines_of_two_files(tmp_path):
    two, one = tmp_path / "two", tmp_path / "one"
    two.mkdir()
    for name in "ab":
        (two / name).write_text(name)
    one.mkdir()
    (one / f"a\n{sha256_bytes(b'b')}  b").write_text("a")

    assert sha256_tree(one) != sha256_tree(two)


def test_a_tree_with_names_that_are_no_utf_8_has_a_digest(folder):
    (folder / os.fsdecode(b"\xff")).write_text("x")

    assert len(sha256_tree(folder)) == 64


def test_an_empty_folder_has_the_digest_of_nothing(tmp_path):
    assert sha256_tree(tmp_path) == sha256_bytes(b"")
