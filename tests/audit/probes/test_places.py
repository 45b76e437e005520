"""Folders that can be written, that cannot, and that are full."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from audit.probes import places


def test_a_folder_that_is_to_be_made_is_tried_where_it_would_stand(around):
    found = places.data_folder(around)

    assert found.status in {"ok", "limited"}
    assert f"{around.data_dir} (to be made" in found.means
    assert not around.data_dir.exists()


def test_a_folder_that_is_there_is_left_as_it_was(around):
    around.cache_dir.mkdir()

    assert places.cache_folder(around).means.startswith(f"{around.cache_dir}: writable, ")
    assert list(around.cache_dir.iterdir()) == []


@pytest.mark.parametrize(
    ("folder", "said"),
    [
        pytest.param("/proc/nowhere/runs", "cannot be written", id="a-place-nobody-writes-to"),
        pytest.param("/etc/passwd/runs", "/etc/passwd is a file", id="below-a-file"),
    ],
)
def test_a_folder_that_cannot_be_written_is_missing_and_another_can_be_named(around, folder, said):
    found = places.run_folder(replace(around, run_dir=Path(folder)))

    assert found.status == "missing"
    assert said in found.means
    assert "--run-dir" in str(found.remedy)


@pytest.mark.parametrize(
    ("free", "status"),
    [
        pytest.param(100 << 30, "ok", id="much"),
        pytest.param(1 << 30, "limited", id="scarce"),
        pytest.param(1 << 20, "missing", id="full"),
    ],
)
def test_room_decides_how_good_a_folder_is(around, monkeypatch, free, status):
    usage = shutil.disk_usage("/")._replace(free=free)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage)

    assert places.data_folder(around).status == status


def test_a_file_system_that_tells_what_files_take_can_be_bounded(around, monkeypatch):
    assert places.disk_limit(around).status == "ok"
    assert not around.run_dir.exists()

    monkeypatch.setattr(places, "_BLOCK", 0)  # as where st_blocks is always nought
    assert places.disk_limit(around).status == "limited"
