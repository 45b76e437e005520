"""Fixtures of the runner's tests; those marked `sandbox` are skipped where bubblewrap fails."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest

from audit.runner.bubblewrap import bubblewrap_problem
from tests.audit.runner.tiny import make_task
from tests.conftest import shared_by_workers

if TYPE_CHECKING:
    from pathlib import Path

    from audit.runner.attempt import TaskData

_problem = cache(bubblewrap_problem)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip before any fixture is made."""
    if item.get_closest_marker("sandbox") and (problem := _problem()):
        pytest.skip(f"bubblewrap does not work here: {problem}")


@pytest.fixture(scope="session")
def interpreters(tmp_path_factory) -> Path:
    """One cache for all tests of all workers, so that each interpreter is built once."""
    folder: Path = shared_by_workers(tmp_path_factory.getbasetemp()) / "interpreters"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="module")
def task(tmp_path_factory) -> TaskData:
    """A tiny prepared task with a canary among its answers."""
    return make_task(tmp_path_factory.mktemp("data"))
