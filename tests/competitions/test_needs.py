"""What a task needs is known before anything is fetched."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from pydantic import ValidationError

from competitions import spec
from competitions.errors import DiskFullError
from competitions.needs import (
    gb_text,
    machine_memory,
    memory_warning,
    needs_of,
    require_disk,
)
from competitions.sources import Request, kaggle
from competitions.spec import Needs

GB = 10**9
TAXI = spec.load("new-york-city-taxi-fare-prediction")


def with_needs(task, **said):
    return task.model_copy(update={"needs": Needs(**said)})


def free(monkeypatch, size):
    monkeypatch.setattr("shutil.disk_usage", lambda _: SimpleNamespace(free=size))


@pytest.mark.parametrize(
    ("name", "disk_gb"),
    [
        pytest.param("AI4Code", 3 * 2.16, id="files-as-they-are"),
        pytest.param("leaf-classification", 4 * 0.036, id="archives-in-the-archive"),
        pytest.param("spaceship-titanic", None, id="no-size-is-published"),
        pytest.param("breast-cancer", None, id="nothing-is-downloaded"),
    ],
)
def test_the_disk_that_is_needed_follows_from_the_published_size(name, disk_gb):
    found = needs_of(spec.load(name)).figures["disk_gb"]

    assert found == (None if disk_gb is None else pytest.approx(disk_gb))


def test_what_the_definition_says_goes_before_what_is_derived():
    told = needs_of(with_needs(TAXI, disk_gb=40, memory_gb=2.5))

    assert (told.disk, told.memory) == (40 * GB, 2.5 * GB)
    assert told.words == "40 GB on disk, 2.5 GB of memory"


@pytest.mark.parametrize("size", [0, -1, float("inf"), "much"])
def test_needs_are_numbers_above_zero(size):
    with pytest.raises(ValidationError):
        Needs(disk_gb=size)


def test_every_task_of_a_published_size_states_its_disk():
    stated = {i: needs_of(spec.load(i)).disk for i in spec.catalog_ids()}

    assert all(size is None or size > 0 for size in stated.values())
    assert sum(size is not None for size in stated.values()) >= 74


@pytest.mark.parametrize(
    ("there", "held", "is_enough"),
    [
        pytest.param(10 * GB, 0, True, id="just-enough"),
        pytest.param(10 * GB - 1, 0, False, id="a-byte-less"),
        pytest.param(4 * GB, 6 * GB, True, id="the-rest-of-a-download"),
        pytest.param(4 * GB, 6 * GB - 1, False, id="less-than-the-rest"),
    ],
)
def test_the_disk_must_have_room_for_what_is_not_there_yet(
    tmp_path, monkeypatch, there, held, is_enough
):
    free(monkeypatch, there)
    task = with_needs(TAXI, disk_gb=10)
    if is_enough:
        require_disk(task, tmp_path / "none" / "yet", held)
        return
    with pytest.raises(DiskFullError, match=rf"needed.*{gb_text(there)} free") as caught:
        require_disk(task, tmp_path / "none" / "yet", held)
    assert "--data-dir" in str(caught.value.remedy)


def test_a_download_that_cannot_fit_is_refused_before_kaggle_is_asked(tmp_path, monkeypatch):
    free(monkeypatch, 17 * GB)
    monkeypatch.setattr(kaggle, "find_credentials", lambda: pytest.fail("Kaggle was asked"))
    request = Request(TAXI, tmp_path / "scratch", tmp_path / "data" / TAXI.id / "raw")

    with pytest.raises(DiskFullError, match=r"17\.1 GB to download and prepare new-york.* 17 GB f"):
        kaggle.fetch(request)
    assert list(tmp_path.iterdir()) == []


def test_bytes_of_a_broken_download_count_as_there(tmp_path, monkeypatch):
    free(monkeypatch, 17 * GB)
    part = tmp_path / ".download" / f"{TAXI.id}.zip.part"
    part.parent.mkdir()
    with part.open("wb") as stream:
        stream.truncate(GB)

    def asked() -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(kaggle, "find_credentials", asked)
    with pytest.raises(ZeroDivisionError):
        kaggle.fetch(Request(TAXI, tmp_path / "scratch", tmp_path / "raw"))


def test_too_little_memory_is_told_and_enough_is_not():
    task = with_needs(TAXI, memory_gb=20)

    assert memory_warning(task, 20 * GB) is None
    said = memory_warning(task, 16 * GB)
    assert said is not None
    assert "about 20 GB of memory, this machine has 16 GB" in said
    assert memory_warning(spec.load("breast-cancer"), 1) is None


def test_a_limit_of_the_control_group_is_the_machines_memory(tmp_path):
    whole = machine_memory(tmp_path / "none")
    assert whole is not None
    (tmp_path / "limit").write_text("4096\n")
    (tmp_path / "unlimited").write_text("max\n")

    assert machine_memory(tmp_path / "limit") == 4096
    assert machine_memory(tmp_path / "unlimited") == whole
