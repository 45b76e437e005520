"""7z archives are looked at before they are unpacked, as zip archives are."""

from __future__ import annotations

import py7zr
import pytest

from competitions.archive import Limits, unpack
from competitions.errors import ArchiveError, UnsafeArchiveError
from competitions.miniature import write_miniature
from competitions.packs import pack, read_only_member
from competitions.spec import load


@pytest.fixture
def archive(tmp_path):
    for name, text in (("a.csv", "x\n1\n"), ("b.csv", "y\n2\n")):
        (tmp_path / name).write_text(text)
    target = tmp_path / "made.7z"
    pack(target, [("a.csv", tmp_path / "a.csv"), ("deep/b.csv", tmp_path / "b.csv")])
    return target


def test_its_files_lie_in_the_folder_afterwards(archive, tmp_path):
    unpack(archive, tmp_path / "out")

    assert (tmp_path / "out/a.csv").read_text() == "x\n1\n"
    assert (tmp_path / "out/deep/b.csv").read_text() == "y\n2\n"


def test_a_file_that_lies_there_is_not_replaced(archive, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out/a.csv").write_text("mine")

    with pytest.raises(UnsafeArchiveError, match="would replace"):
        unpack(archive, tmp_path / "out")
    assert (tmp_path / "out/a.csv").read_text() == "mine"


def test_a_link_is_refused_and_nothing_is_unpacked(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in/real.txt").write_text("text")
    (tmp_path / "in/link").symlink_to("/etc/passwd")
    with py7zr.SevenZipFile(tmp_path / "made.7z", "w") as target:
        target.writeall(tmp_path / "in", "in")

    with pytest.raises(UnsafeArchiveError, match="link or a special file"):
        unpack(tmp_path / "made.7z", tmp_path / "out")
    assert not any((tmp_path / "out").iterdir())


@pytest.mark.parametrize("kept", [0, 5, 40, -9])
def test_a_cut_archive_is_no_archive(archive, tmp_path, kept):
    archive.write_bytes(archive.read_bytes()[:kept])

    with pytest.raises(ArchiveError, match=r"made\.7z"):
        unpack(archive, tmp_path / "out")


def test_one_that_needs_a_password_is_said_to(tmp_path):
    (tmp_path / "a.csv").write_text("x")
    with py7zr.SevenZipFile(tmp_path / "made.7z", "w", password="p") as target:  # noqa: S106
        target.write(tmp_path / "a.csv", "a.csv")

    with pytest.raises(ArchiveError, match="encrypted"):
        unpack(tmp_path / "made.7z", tmp_path / "out")


def test_too_many_entries_are_refused(archive, tmp_path):
    with pytest.raises(UnsafeArchiveError, match="expected at most 1"):
        unpack(archive, tmp_path / "out", limits=Limits(max_entries=1))


def test_the_only_file_is_read_and_a_second_one_is_refused(archive, tmp_path):
    pack(tmp_path / "one.7z", [("a.csv", tmp_path / "a.csv")])

    assert read_only_member(tmp_path / "one.7z") == b"x\n1\n"
    with pytest.raises(ArchiveError, match="expected one file, found 2"):
        read_only_member(archive)


def test_a_miniature_that_comes_in_7z_has_the_same_bytes_each_time(tmp_path):
    task = load("statoil-iceberg-classifier-challenge")
    write_miniature(task, tmp_path / "one", 3)
    write_miniature(task, tmp_path / "two", 3)
    for path in (tmp_path / "one").glob("*.7z"):
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes()
        with py7zr.SevenZipFile(path) as archive:
            assert {e.creationtime.year for e in archive.list() if e.creationtime} == {1980}
