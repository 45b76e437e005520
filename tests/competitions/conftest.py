"""Prepared data of every task and variant, made once per session."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from competitions import spec
from competitions.prepare import Prepared, prepare

if TYPE_CHECKING:
    from pathlib import Path

VARIANTS = [
    (i, variant)
    for i in spec.catalog_ids()
    for variant in (("v1", "fixed") if spec.load(i).has_fixed else ("v1",))
]


def prepare_all(data_dir: Path) -> dict[tuple[str, str], Prepared]:
    """Prepare the whole catalog; tasks from Kaggle as miniatures."""
    prepared = {}
    for competition_id, variant in VARIANTS:
        task = spec.load(competition_id, variant)
        source = "miniature" if task.source.kind == "kaggle" else None
        prepared[competition_id, variant] = prepare(task, data_dir, source)
    return prepared


@pytest.fixture(scope="session")
def data_dir(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    prepare_all(folder)
    return folder


@pytest.fixture
def submit(tmp_path):
    """Write a submission file of the given text or bytes."""

    def write(content: str | bytes, name: str = "submission.csv") -> Path:
        path: Path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write
