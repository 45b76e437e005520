"""Kaggle's zip, downloaded by hand, in place of unpacked raw files."""

from __future__ import annotations

import zipfile

import pytest

from competitions import spec
from competitions.errors import ArchiveError, DigestMismatchError, RawDataError, UnsafeArchiveError
from competitions.io import sha256_tree
from competitions.miniature import MARKER, write_miniature
from competitions.prepare import prepare
from competitions.prepared import verify
from competitions.sources import SOURCES, Request
from competitions.sources.mlebench import md5_file

TASK = spec.load("spaceship-titanic")


@pytest.fixture
def made(tmp_path):
    """Raw files that count as real, unpacked."""
    folder = tmp_path / "made"
    write_miniature(TASK, folder)
    (folder / MARKER).unlink()
    return folder


def pack(target, *files, inside=None):
    target.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(target, "w") as archive:
        for file in files:
            archive.write(file, inside or file.name)
    return target


def fetch(tmp_path, **arguments):
    scratch = tmp_path / "scratch"
    scratch.mkdir(exist_ok=True)
    return SOURCES["local"](Request(TASK, scratch, tmp_path / "data" / "raw", **arguments))


def test_a_zip_in_the_folder_is_unpacked_and_the_folder_stays_as_it_is(tmp_path, made):
    pack(tmp_path / "mine" / "spaceship-titanic.zip", made / "train.csv")
    before = sha256_tree(tmp_path / "mine")
    raw = fetch(tmp_path, raw=tmp_path / "mine")

    assert (raw.folder, raw.kind) == (tmp_path / "scratch", "local")
    assert (raw.folder / "train.csv").read_bytes() == (made / "train.csv").read_bytes()
    assert sha256_tree(tmp_path / "mine") == before


def test_the_zip_itself_may_be_named_whatever_it_is_called(tmp_path, made):
    archive = pack(tmp_path / "Downloads" / "archive (1).zip", made / "train.csv")
    by_zip = prepare(TASK, tmp_path / "a", raw=archive)
    by_folder = prepare(TASK, tmp_path / "b", raw=made)

    verify(by_zip)
    assert by_zip.source == "local"
    assert by_zip.public_sha256 == by_folder.public_sha256
    assert prepare(TASK, tmp_path / "a", raw=archive) == by_zip


def test_a_zip_that_was_placed_is_found_unasked(tmp_path, made):
    pack(tmp_path / "data" / TASK.id / "raw" / f"{TASK.id}.zip", made / "train.csv")

    assert prepare(TASK, tmp_path / "data").source == "local"


def test_unpacked_files_go_before_the_zip_beside_them(tmp_path, made):
    (made / f"{TASK.id}.zip").write_bytes(b"broken")

    assert fetch(tmp_path, raw=made).folder == made


def test_a_zip_of_a_zip_is_unpacked_as_far_as_the_task_asks(tmp_path, made):
    inner = pack(tmp_path / "train.csv.zip", made / "train.csv")
    pack(tmp_path / "mine" / f"{TASK.id}.zip", inner)

    assert (fetch(tmp_path, raw=tmp_path / "mine").folder / "train.csv").is_file()


def test_a_zip_of_a_miniature_is_still_one(tmp_path, made):
    write_miniature(TASK, tmp_path / "tiny")
    files = (tmp_path / "tiny").iterdir()
    archive = pack(tmp_path / "tiny.zip", *files)

    assert fetch(tmp_path, raw=archive).kind == "miniature"


def test_what_a_zip_lacks_is_named_with_the_zip(tmp_path, made):
    archive = pack(tmp_path / "mine.zip", made / "train.csv", inside="other.csv")

    with pytest.raises(RawDataError, match=r"Expected train\.csv in .*mine\.zip"):
        fetch(tmp_path, raw=archive)


def test_a_broken_or_unsafe_zip_is_told_and_left_alone(tmp_path, made):
    (tmp_path / "mine.zip").write_bytes(b"<html>")
    with pytest.raises(ArchiveError, match="web page"):
        prepare(TASK, tmp_path / "data", raw=tmp_path / "mine.zip")
    pack(tmp_path / "mine.zip", made / "train.csv", inside="../train.csv")
    with pytest.raises(UnsafeArchiveError):
        prepare(TASK, tmp_path / "data", raw=tmp_path / "mine.zip")

    assert (tmp_path / "mine.zip").is_file()
    assert [p.name for p in (tmp_path / "data" / TASK.id).iterdir()] == [".prepare.lock"]


def test_a_zip_by_hand_is_compared_with_mlebenchs_checksum(tmp_path, made):
    archive = pack(tmp_path / "mine.zip", made / "train.csv")
    checksums = tmp_path / "checksums.yaml"
    checksums.write_text(f"zip: {md5_file(archive)}\n")

    assert fetch(tmp_path, raw=archive, checksums=checksums).kind == "local"
    checksums.write_text(f"zip: {'f' * 32}\n")
    with pytest.raises(DigestMismatchError, match="expected md5 ffff"):
        fetch(tmp_path, raw=archive, checksums=checksums)
