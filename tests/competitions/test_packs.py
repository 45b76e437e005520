"""Archives of the public part: the same files give the same bytes, whenever they are packed."""

from __future__ import annotations

import os
import time

import pytest

from competitions.packs import pack, read_only_member


@pytest.mark.parametrize("names", [("test.csv",), ()], ids=["one-file", "empty"])
@pytest.mark.parametrize("suffix", [".zip", ".7z", ".tar", ".tar.gz"])
def test_the_same_files_give_the_same_bytes_at_another_time(tmp_path, suffix, names):
    if suffix == ".7z":
        pytest.importorskip("py7zr")
    packed = []
    for day in (1, 400):
        folder = tmp_path / str(day)
        folder.mkdir()
        loose = folder / "test.csv"
        loose.write_text("id,y\n1,2\n")
        moment = time.time() - day * 86_400
        os.utime(loose, (moment, moment))
        pack(folder / f"a{suffix}", [(name, loose) for name in names])
        packed.append((folder / f"a{suffix}").read_bytes())

    assert packed[0] == packed[1]


def test_a_file_in_a_7z_archive_comes_out_as_it_was(tmp_path):
    pytest.importorskip("py7zr")
    loose = tmp_path / "test.csv"
    loose.write_bytes(b"id\n\xff\n")
    pack(tmp_path / "a.7z", [("test.csv", loose)])

    assert read_only_member(tmp_path / "a.7z") == loose.read_bytes()
