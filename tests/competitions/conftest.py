"""Prepared data of every task and variant, made once per session."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from competitions import spec
from competitions.prepare import prepare
from competitions.sources.embedded import EMBEDDED
from tests.conftest import shared_by_workers

if TYPE_CHECKING:
    from pathlib import Path

VARIANTS = [
    (i, variant)
    for i in spec.catalog_ids()
    for variant in (("v1", "fixed") if spec.load(i).has_fixed else ("v1",))
]


def prepare_all(data_dir: Path, *, backwards: bool = False) -> None:
    """Prepare the whole catalog; tasks whose files are not here as miniatures."""
    for competition_id, variant in reversed(VARIANTS) if backwards else VARIANTS:
        task = spec.load(competition_id, variant)
        source = "miniature" if task.source.kind != "embedded" else None
        prepare(task, data_dir, source)


def shared_data(base: Path) -> Path:
    """Return the prepared catalog that all workers of one run share; it is only to be read.

    Each worker goes through all of it, every other one from behind: whoever comes to a task that
    is being prepared waits for it, and what is prepared is only looked at.
    """
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    folder = shared_by_workers(base) / "catalog"
    prepare_all(folder, backwards=worker is not None and int(worker.removeprefix("gw")) % 2 == 1)
    return folder


@pytest.fixture(scope="session")
def data_dir(tmp_path_factory):
    return shared_data(tmp_path_factory.getbasetemp())


@pytest.fixture
def own_task(tmp_path, monkeypatch):
    """A catalog of one task whose raw file lies in a folder of the user's: its id, that folder."""
    catalog, raw = tmp_path / "catalog", tmp_path / "raw"
    catalog.mkdir()
    text = (spec.CATALOG / "breast-cancer.yaml").read_text()
    text = text.replace("id: breast-cancer", "id: my-task").replace("embedded\n", "local\n", 1)
    text = text.replace("  dataset: breast-cancer\n", "").replace("embedded\n", "other\n", 1)
    (catalog / "my-task.yaml").write_text(text.replace("complexity: other", "complexity: dev"))
    monkeypatch.setattr(spec, "CATALOG", catalog)
    spec.load.cache_clear()
    raw.mkdir()
    EMBEDDED["breast-cancer"].table().to_csv(raw / "data.csv", index=False)
    yield "my-task", raw
    spec.load.cache_clear()


@pytest.fixture
def submit(tmp_path):
    """Write a submission file of the given text or bytes."""

    def write(content: str | bytes, name: str = "submission.csv") -> Path:
        path: Path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write
