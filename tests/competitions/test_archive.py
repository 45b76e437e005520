"""Archives as strangers make them."""

from __future__ import annotations

import contextlib
import stat
import struct
import zipfile
from types import SimpleNamespace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from competitions.archive import Limits, unpack, unpack_inner
from competitions.disk import size_text
from competitions.errors import ArchiveError, DiskFullError, UnsafeArchiveError


def entry(name, mode=stat.S_IFREG | 0o644, flags=0):
    made = zipfile.ZipInfo(name)
    made.external_attr = mode << 16
    made.flag_bits |= flags
    return made


def write(path, *entries, compression=zipfile.ZIP_DEFLATED):
    """Write a zip of names or prepared entries, each with its content."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", compression) as archive:
        for name, content in entries:
            archive.writestr(name, content)
    return path


def written(folder):
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def test_files_and_folders_come_out_as_they_went_in(tmp_path):
    archive = write(
        tmp_path / "a.zip", ("train.csv", "id\n1\n"), ("images/", ""), ("images/0 ü.png", b"\x89")
    )
    told = []
    unpack(archive, tmp_path / "out", show=lambda *said: told.append(said))

    assert written(tmp_path / "out") == ["images/0 ü.png", "train.csv"]
    assert (tmp_path / "out" / "train.csv").read_text() == "id\n1\n"
    assert told[-1] == (0, 0, "a.zip: MiB unpacked")


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_every_compression_of_zip_is_read(tmp_path, method):
    unpack(write(tmp_path / "a.zip", ("x", "y" * 999), compression=method), tmp_path / "out")

    assert (tmp_path / "out" / "x").read_text() == "y" * 999


@pytest.mark.parametrize(
    "name",
    [
        "../evil",
        "a/../../evil",
        "/tmp/evil",  # noqa: S108 - the attack itself
        "//host/evil",
        "a\\..\\evil",
        "C:/evil",
        "C:evil",
        "..",
        ".",
        "",
    ],
)
def test_a_name_that_leads_outside_is_refused_before_anything_is_written(tmp_path, name):
    archive = write(tmp_path / "a.zip", ("good", "x"), (entry(name), "evil"))

    with pytest.raises(UnsafeArchiveError, match="leads outside"):
        unpack(archive, tmp_path / "out")
    assert written(tmp_path) == ["a.zip"]


@pytest.mark.parametrize("name", ["a..b", "..a/b", "a/...", ".hidden", "c:d/e"[2:], "a b/c'\".csv"])
def test_a_name_that_only_looks_so_is_taken(tmp_path, name):
    unpack(write(tmp_path / "a.zip", (name, "x")), tmp_path / "out")

    assert written(tmp_path / "out") == [name]


@pytest.mark.parametrize("kind", [stat.S_IFLNK, stat.S_IFIFO, stat.S_IFCHR, stat.S_IFSOCK])
def test_links_and_special_files_are_refused(tmp_path, kind):
    archive = write(tmp_path / "a.zip", (entry("link", kind | 0o777), "/etc/passwd"))

    with pytest.raises(UnsafeArchiveError, match="a link or a special file"):
        unpack(archive, tmp_path / "out")
    assert written(tmp_path) == ["a.zip"]


def test_a_name_with_a_zero_byte_is_refused(tmp_path):
    archive = write(tmp_path / "a.zip", ("train_csv", "x"))
    archive.write_bytes(archive.read_bytes().replace(b"train_csv", b"train\0csv"))

    with pytest.raises(UnsafeArchiveError, match="leads outside"):
        unpack(archive, tmp_path / "out")


@pytest.mark.filterwarnings("ignore:Duplicate name")
@pytest.mark.parametrize("names", [("a", "a"), ("a", "./a"), ("d/a", "d//a")])
def test_a_name_that_comes_twice_is_refused(tmp_path, names):
    archive = write(tmp_path / "a.zip", *((entry(n), "x") for n in names))

    with pytest.raises(UnsafeArchiveError, match="comes twice"):
        unpack(archive, tmp_path / "out")


def test_a_file_that_is_also_a_folder_is_refused(tmp_path):
    archive = write(tmp_path / "a.zip", ("a", "x"), ("a/b/c", "y"))

    with pytest.raises(UnsafeArchiveError, match="below a file"):
        unpack(archive, tmp_path / "out")


def test_what_lies_there_is_never_replaced(tmp_path):
    archive = write(tmp_path / "a.zip", ("train.csv", "new"))
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "train.csv").write_text("old")

    with pytest.raises(UnsafeArchiveError, match="would replace"):
        unpack(archive, tmp_path / "out")
    assert (tmp_path / "out" / "train.csv").read_text() == "old"


def test_a_bomb_is_refused_by_its_ratio(tmp_path):
    archive = write(tmp_path / "a.zip", ("zeros", bytes(3 << 20)))
    limits = Limits(ratio_from_bytes=1 << 20)

    with pytest.raises(UnsafeArchiveError, match=r"would unpack to 3 MiB"):
        unpack(archive, tmp_path / "out", limits=limits)
    unpack(archive, tmp_path / "small", limits=Limits(ratio_from_bytes=4 << 20))


def test_a_bomb_whose_entries_share_their_bytes_is_refused(tmp_path):
    """Many entries in the list at the end, one body: 100 MiB from a few KiB."""
    archive = write(tmp_path / "a.zip", ("0000", bytes(1 << 20)))
    raw = archive.read_bytes()
    end = raw.rindex(b"PK\x05\x06")
    listed = raw.index(b"PK\x01\x02")
    one = raw[listed:end]
    many = b"".join(one.replace(b"0000", b"%04d" % n) for n in range(100))
    tail = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 100, 100, len(many), listed, 0)
    archive.write_bytes(raw[:listed] + many + tail)

    with pytest.raises(UnsafeArchiveError, match="would unpack to 100 MiB"):
        unpack(archive, tmp_path / "out", limits=Limits(ratio_from_bytes=1 << 20))


def test_too_many_bytes_and_too_many_entries_are_refused(tmp_path):
    archive = write(tmp_path / "a.zip", ("a", "xx"), ("b", "xx"))

    with pytest.raises(UnsafeArchiveError, match="at most 3 B"):
        unpack(archive, tmp_path / "out", limits=Limits(max_bytes=3))
    with pytest.raises(UnsafeArchiveError, match="2 entries, expected at most 1"):
        unpack(archive, tmp_path / "out", limits=Limits(max_entries=1))


def test_an_entry_that_holds_more_than_it_says_is_cut_off_by_its_crc(tmp_path):
    archive = write(tmp_path / "a.zip", ("a", bytes(1000)))
    raw = bytearray(archive.read_bytes())
    listed = raw.index(b"PK\x01\x02")
    raw[listed + 24 : listed + 28] = struct.pack("<L", 10)  # the size that is told
    archive.write_bytes(bytes(raw))

    with pytest.raises(ArchiveError, match="is broken"):
        unpack(archive, tmp_path / "out")
    assert (tmp_path / "out" / "a").stat().st_size <= 10


def test_an_encrypted_entry_is_told(tmp_path):
    archive = write(tmp_path / "a.zip", ("a", "x"))
    raw = bytearray(archive.read_bytes())
    raw[6] |= 1
    raw[raw.index(b"PK\x01\x02") + 8] |= 1
    archive.write_bytes(bytes(raw))

    with pytest.raises(ArchiveError, match="encrypted"):
        unpack(archive, tmp_path / "out")


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"", "it is empty", id="empty"),
        pytest.param(b"id,y\n1,0\n", "it is none", id="a-table"),
        pytest.param(b"<!DOCTYPE html>", "a web page", id="a-page"),
        pytest.param(b"\x1f\x8b\x08" + bytes(20), "a gzip file", id="gzip"),
        pytest.param(b"7z\xbc\xaf\x27\x1c" + bytes(20), "a 7z archive", id="7z"),
        pytest.param(b"Rar!\x1a\x07" + bytes(20), "a rar archive", id="rar"),
        pytest.param(b"PK\x03\x04" + bytes(60), "its end is missing", id="cut"),
    ],
)
def test_what_is_no_zip_is_told_for_what_it_looks_like(tmp_path, content, said):
    (tmp_path / "a.zip").write_bytes(content)

    with pytest.raises(ArchiveError, match=said):
        unpack(tmp_path / "a.zip", tmp_path / "out")


@given(st.data())
def test_damage_is_an_archive_error_or_goes_unseen_and_never_anything_else(tmp_path_factory, data):
    """Whatever byte of a zip is changed or missing, no other error comes and nothing gets out."""
    here = tmp_path_factory.mktemp("damaged")
    raw = bytearray(write(here / "a.zip", ("dir/a.csv", "id\n1\n" * 50), ("b", "x")).read_bytes())
    if data.draw(st.booleans()):
        raw = raw[: data.draw(st.integers(0, len(raw) - 1))]
    else:
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    (here / "a.zip").write_bytes(bytes(raw))
    with contextlib.suppress(ArchiveError, DiskFullError):
        unpack(here / "a.zip", here / "out")
    assert all(p == here / "a.zip" or p.is_relative_to(here / "out") for p in here.rglob("*"))


def test_a_disk_without_room_is_told_before_a_byte_is_written(tmp_path, monkeypatch):
    archive = write(tmp_path / "a.zip", ("a", bytes(5000)))
    monkeypatch.setattr("competitions.disk.shutil.disk_usage", lambda _: SimpleNamespace(free=9))

    with pytest.raises(DiskFullError, match=r"4\.883 KiB needed, 9 B free"):
        unpack(archive, tmp_path / "out")
    assert written(tmp_path) == ["a.zip"]


@pytest.mark.parametrize(
    ("inner", "entries", "wanted"),
    [
        pytest.param("train.csv.zip", ["train.csv"], "train.csv", id="one-file"),
        pytest.param("train.zip", ["train/1.jpg"], "train/1.jpg", id="a-folder"),
        pytest.param("train.zip", ["1.jpg"], "train/1.jpg", id="a-folders-content"),
        pytest.param("a/b.zip", ["b/c/1.jpg"], "a/b/c/1.jpg", id="deeper"),
        pytest.param("train.zip", ["train/1.jpg"], "train", id="a-folder-by-name"),
        pytest.param(
            "train.csv.zip", ["__MACOSX/._train.csv", "train.csv"], "train.csv", id="from-a-mac"
        ),
    ],
)
def test_archives_within_are_unpacked_where_their_files_are_wanted(
    tmp_path, inner, entries, wanted
):
    write(tmp_path / inner, *((name, "x") for name in entries))
    unpack_inner(tmp_path, [wanted])

    assert (tmp_path / wanted).exists()


def test_archives_within_stay_packed_when_nobody_needs_them(tmp_path):
    write(tmp_path / "train.csv.zip", ("train.csv", "packed"))
    write(tmp_path / "test.zip", ("test/1.jpg", "x"))
    (tmp_path / "train.csv").write_text("there")
    unpack_inner(tmp_path, ["train.csv", "labels.csv"])

    assert written(tmp_path) == ["test.zip", "train.csv", "train.csv.zip"]
    assert (tmp_path / "train.csv").read_text() == "there"


def test_an_unsafe_archive_within_is_refused(tmp_path):
    write(tmp_path / "train.csv.zip", (entry("train.csv/../../evil"), "x"))

    with pytest.raises(UnsafeArchiveError):
        unpack_inner(tmp_path, ["train.csv"])
    assert not (tmp_path.parent / "evil").exists()


@given(st.integers(0, 1 << 60))
@example(1_073_217_536)
def test_a_size_has_at_most_four_digits_before_its_unit(size):
    number, unit = size_text(size).split()

    assert unit in {"B", "KiB", "MiB", "GiB", "TiB"}
    assert float(number) < 1024 or unit == "TiB"
