"""Archives of strangers: members one by one, and every trick a clear outcome."""

from __future__ import annotations

import io
import stat
import struct
import zipfile

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from detectors.plagiarism.documents import read_documents
from tests.detectors.plagiarism.test_documents import read, write, zipped


def test_members_are_read_by_name_and_named_after_their_archive(tmp_path):
    path = tmp_path / "kernels.zip"
    path.write_bytes(zipped(("b.py", "y"), ("a/c.py", "x"), ("a/data.csv", "1")))

    assert list(read(path)[0]) == ["kernels.zip!a/c.py", "kernels.zip!b.py"]
    assert list(read(tmp_path)[0]) == ["kernels.zip!a/c.py", "kernels.zip!b.py"]


def test_a_zip_under_another_name_is_read_when_it_is_the_source(tmp_path):
    (tmp_path / "download").write_bytes(zipped(("b.py", "y")))

    assert list(read(tmp_path / "download")[0]) == ["download!b.py"]


def test_archives_within_archives_are_read_down_to_a_depth(tmp_path):
    content = zipped(("a.py", "x"))
    for _ in range(3):
        content = zipped(("in.zip", content), ("b.py", "y"))
    path = tmp_path / "out.zip"
    path.write_bytes(content)
    documents, unread = read(path)
    deepest = "out.zip!in.zip!in.zip!in.zip!a.py"
    assert deepest in documents
    assert len(documents) == 4
    assert unread == {}

    path.write_bytes(zipped(("in.zip", content)))
    assert list(read(path)[1].values()) == ["archives within archives too deep"]


@pytest.mark.parametrize(
    "name",
    ["../evil.py", "/etc/evil.py", "a/../../evil.py", "C:/evil.py", "..\\evil.py"],
)
def test_a_name_that_leads_outside_is_told_and_the_rest_comes(tmp_path, name):
    path = tmp_path / "k.zip"
    path.write_bytes(zipped((name, "x"), ("good.py", "y")))
    documents, unread = read(path)

    assert list(documents) == ["k.zip!good.py"]
    assert list(unread.values()) == ["its name leads outside the archive"]


def test_a_link_an_encrypted_and_a_doubled_entry_are_told(tmp_path):
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        link = zipfile.ZipInfo("link.py")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("locked.py", "x")
        archive.writestr("twice.py", "x")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("twice.py", "y")
    content = bytearray(buffer.getvalue())
    place = content.rfind(b"locked.py") - 46
    content[place + 8] |= 1  # the flag in the list of entries
    path = tmp_path / "k.zip"
    path.write_bytes(content)
    documents, unread = read(path)

    assert list(documents) == ["k.zip!twice.py"]
    assert unread == {
        "k.zip!link.py": "a link or a special file",
        "k.zip!locked.py": "encrypted",
        "k.zip!twice.py": "its name comes twice",
    }


def test_a_bomb_is_stopped_and_told(tmp_path, monkeypatch):
    monkeypatch.setattr("detectors.plagiarism.containers._RATIO_FROM", 1 << 20)
    path = tmp_path / "k.zip"
    path.write_bytes(zipped(*((f"{i}.py", b"#" * (4 << 20)) for i in range(9))))
    documents, unread = read(path)

    assert len(documents) < 3
    assert "the archive unpacks to more than is read from one" in unread.values()


def test_the_bytes_of_one_member_are_bounded_whatever_it_claims(tmp_path, monkeypatch):
    monkeypatch.setattr("detectors.plagiarism.containers.MAX_BYTES", 1 << 10)
    monkeypatch.setattr("detectors.plagiarism.decoding.MAX_BYTES", 1 << 10)
    path = tmp_path / "k.zip"
    path.write_bytes(zipped(("a.py", b"#" * (1 << 20)), ("b.zip", zipped(("c.py", bytes(4000))))))
    documents, _unread = read(path)

    assert len(documents["k.zip!a.py"].code) == 1 << 10


def test_a_list_of_entries_that_claims_too_much_is_refused(tmp_path):
    content = bytearray(zipped(("a.py", "x")))
    content += b"\0" * 0
    place = content.rfind(b"PK\x05\x06")
    struct.pack_into("<I", content, place + 12, 0xFFFFFFF0)
    path = tmp_path / "k.zip"
    path.write_bytes(content)
    documents, unread = read(path)

    assert documents == {}
    assert list(unread) == ["k.zip"]


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"PK\x03\x04", id="cut"),
        pytest.param(zipped(("a.py", "x" * 999))[:-30], id="end-missing"),
        pytest.param(b"<html>login</html>", id="a-page"),
    ],
)
def test_what_is_no_zip_is_told_and_the_rest_comes(tmp_path, content):
    write(tmp_path, k_DOT_zip=content, a_DOT_py="x")
    documents, unread = read(tmp_path)

    assert list(documents) == ["a.py"]
    assert "no zip that can be read" in unread["k.zip"]


def test_a_broken_member_is_told_and_the_rest_comes(tmp_path):
    content = bytearray(zipped(("a.py", "x" * 999), ("b.py", "y")))
    content[40] ^= 0xFF
    path = tmp_path / "k.zip"
    path.write_bytes(content)
    documents, unread = read(path)

    assert list(documents) == ["k.zip!b.py"]
    assert unread["k.zip!a.py"].startswith("broken")


@settings(max_examples=60)
@example(b"", 182, 0)  # a member without a name
@given(st.binary(max_size=40), st.integers(0, 300), st.integers(0, 255))
def test_no_damage_is_too_odd(tmp_path_factory, extra, place, value):
    content = bytearray(zipped(("a.py", "x"), ("b.zip", zipped(("c.py", "y")))) + extra)
    content[place % len(content)] = value
    path = tmp_path_factory.mktemp("zip") / "k.zip"
    path.write_bytes(content)

    for _ in read_documents(path):
        pass
