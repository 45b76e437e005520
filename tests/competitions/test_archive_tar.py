"""Tar archives are looked at before they are unpacked, as zip archives are."""

from __future__ import annotations

import contextlib
import gzip
import io
import tarfile
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from competitions.archive import Limits, unpack
from competitions.errors import ArchiveError, DiskFullError, UnsafeArchiveError

FILES = {"train/a.csv": b"x\n1\n", "train/deep/ü.jpg": bytes(range(256)) * 9, "empty": b""}


def entry(name, kind=tarfile.REGTYPE, size=0, **facts):
    made = tarfile.TarInfo(name)
    made.type, made.size = kind, size
    for fact, value in facts.items():
        setattr(made, fact, value)
    return made


def tar(*entries, **files):
    """Write a tar of prepared entries without content, and of files."""
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w") as target:
        for made in entries:
            target.addfile(made, io.BytesIO(bytes(made.size)))
        for name, content in files.items():
            target.addfile(entry(name, size=len(content)), io.BytesIO(content))
    return whole.getvalue()


@pytest.fixture
def put(tmp_path):
    def write(content, name="made.tar.gz"):
        (tmp_path / name).write_bytes(content)
        return tmp_path / name

    return write


def written(folder):
    files = (p for p in folder.rglob("*") if p.is_file())
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in files}


@pytest.mark.parametrize("name", ["made.tar", "made.tar.gz", "made.tgz"])
@pytest.mark.parametrize("wrap", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_files_come_out_as_they_went_in_whatever_the_name_says_of_gzip(put, tmp_path, wrap, name):
    content = tar(entry("train", tarfile.DIRTYPE), entry("bare", tarfile.DIRTYPE), **FILES)
    unpack(put(wrap(content), name), tmp_path / "out")

    assert written(tmp_path / "out") == FILES
    assert (tmp_path / "out/bare").is_dir()


@pytest.mark.parametrize(
    "kind",
    [
        *(tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE, tarfile.BLKTYPE),
        tarfile.GNUTYPE_SPARSE,
    ],
)
def test_links_and_special_files_are_refused_and_nothing_is_unpacked(put, tmp_path, kind):
    archive = put(tar(entry("fine"), entry("odd", kind, linkname="/etc/passwd")))

    with pytest.raises(UnsafeArchiveError, match="'odd' is a link or a special file"):
        unpack(archive, tmp_path / "out")
    assert not written(tmp_path / "out")


@pytest.mark.parametrize("name", ["../evil", "a/../../evil", "/evil", "a\\..\\evil", ".."])
def test_a_name_that_leads_outside_is_refused_and_nothing_is_unpacked(put, tmp_path, name):
    with pytest.raises(UnsafeArchiveError, match="leads outside"):
        unpack(put(tar(entry("fine"), entry(name))), tmp_path / "out")
    assert not written(tmp_path / "out")


@pytest.mark.parametrize("names", [("a", "a"), ("a", "./a"), ("a", "a/b"), ("a/b", "a")])
def test_a_name_that_comes_twice_or_is_also_a_folder_is_refused(put, tmp_path, names):
    with pytest.raises(UnsafeArchiveError, match=r"comes twice|lies below a file"):
        unpack(put(tar(*map(entry, names))), tmp_path / "out")


def test_a_file_that_lies_there_is_not_replaced(put, tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out/a").write_text("mine")

    with pytest.raises(UnsafeArchiveError, match="would replace"):
        unpack(put(tar(a=b"x")), tmp_path / "out")
    assert (tmp_path / "out/a").read_text() == "mine"


def test_too_many_entries_and_bytes_and_a_bomb_are_refused(put, tmp_path):
    archive = put(gzip.compress(tar(a=bytes(3 << 20), b=b"")))
    bomb = Limits(ratio_from_bytes=1 << 20)

    with pytest.raises(UnsafeArchiveError, match="would unpack to 3 MiB"):
        unpack(archive, tmp_path / "out", limits=bomb)
    with pytest.raises(UnsafeArchiveError, match="at most 3 B"):
        unpack(archive, tmp_path / "out", limits=Limits(max_bytes=3))
    with pytest.raises(UnsafeArchiveError, match="2 entries, expected at most 1"):
        unpack(archive, tmp_path / "out", limits=Limits(max_entries=1))
    assert not written(tmp_path / "out")


def test_a_size_that_is_only_told_is_refused_before_it_is_read(put, tmp_path):
    content = tar(entry("huge", size=512))
    huge = entry("huge", size=5 << 40).tobuf()
    archive = put(huge + content[512:])

    with pytest.raises(UnsafeArchiveError, match="would unpack to 5 TiB"):
        unpack(archive, tmp_path / "out")


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.GNUTYPE_LONGNAME])
def test_what_describes_an_entry_is_not_read_when_it_is_large(put, tmp_path, kind):
    archive = put(gzip.compress(tar(entry("much", kind, 2 << 20), entry("a"))))

    with pytest.raises(UnsafeArchiveError, match="takes 2 MiB"):
        unpack(archive, tmp_path / "out")


def test_long_names_are_read(put, tmp_path):
    name = "/".join(["d" * 90] * 3)
    for form in (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT):
        whole = io.BytesIO()
        with tarfile.open(fileobj=whole, mode="w", format=form) as target:
            target.addfile(entry(name, size=1), io.BytesIO(b"x"))
        unpack(put(whole.getvalue()), tmp_path / f"out{form}")

        assert written(tmp_path / f"out{form}") == {name: b"x"}


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param(lambda _: b"", id="empty"),
        pytest.param(lambda _: b"id,y\n1,0\n", id="a-table"),
        pytest.param(lambda raw: raw[:700], id="within-a-file"),
        pytest.param(lambda raw: raw[:1024], id="behind-the-first-file"),
        pytest.param(lambda raw: raw[:1030], id="within-a-header"),
        pytest.param(lambda raw: raw[:1024] + b"?" + raw[1025:], id="a-header-that-is-none"),
        pytest.param(lambda raw: gzip.compress(raw)[:-9], id="cut-gzip"),
        pytest.param(lambda raw: gzip.compress(raw)[:-8] + bytes(8), id="another-crc"),
        pytest.param(lambda raw: raw + bytes(2 << 20), id="no-end-of-zeros"),
    ],
)
def test_one_that_is_cut_or_broken_is_told_and_nothing_is_unpacked(put, tmp_path, damage):
    raw = tar(a=bytes(range(200)), b=b"x")

    with pytest.raises(ArchiveError, match=r"made\.tar\.gz cannot be read as a tar archive"):
        unpack(put(damage(raw)), tmp_path / "out")
    assert not written(tmp_path / "out")


@given(st.data())
@settings(max_examples=60, deadline=None)
def test_damage_is_an_archive_error_or_goes_unseen_and_never_anything_else(tmp_path_factory, data):
    here = tmp_path_factory.mktemp("damaged")
    raw = bytearray(data.draw(st.sampled_from([bytes, gzip.compress]))(tar(**FILES)))
    for _ in range(data.draw(st.integers(1, 3))):
        raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    (here / "a.tar").write_bytes(bytes(raw[: data.draw(st.integers(0, len(raw)))]))
    with contextlib.suppress(ArchiveError, DiskFullError):
        unpack(here / "a.tar", here / "out")
    assert all(p == here / "a.tar" or p.is_relative_to(here / "out") for p in here.rglob("*"))


def test_a_disk_without_room_is_told_before_a_byte_is_written(put, tmp_path, monkeypatch):
    monkeypatch.setattr("competitions.disk.shutil.disk_usage", lambda _: SimpleNamespace(free=9))
    with pytest.raises(DiskFullError):
        unpack(put(tar(a=bytes(5000))), tmp_path / "out")
    assert not written(tmp_path / "out")
