"""Attempts written on the spot and the option of stored expectations, for every folder of tests."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from competitions.io import sha256_file, sha256_tree
from detectors.attempt import Attempt
from detectors.record import AttemptRecord, write_record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

GIB = 1 << 30

# How long one example takes depends on what else the machine does; tests of speed say so.
settings.register_profile("mle-audit", deadline=None)
settings.load_profile("mle-audit")


def record_of(name: str, **fields: object) -> AttemptRecord:
    """Make the record of an attempt that ended well; `fields` replace parts of it."""
    competition, _, _ = name.rpartition("_")
    return AttemptRecord.model_validate(
        {
            "attempt_id": name,
            "group": "g",
            "competition_id": competition,
            "variant": "v1",
            "data_source": "embedded",
            "data_digest": "0" * 64,
            "agent": {"id": "somebody", "digest": "0" * 64},
            "seed": 0,
            "budget": {"wall_clock_s": 60.0, "memory_bytes": GIB},
            "sandbox": {"kind": "bubblewrap", "network": False, "memory_limiter": "watchdog"},
            "hardware": {"cpu_model": "a", "cpu_count": 2, "memory_bytes": GIB},
            "tool_version": "0",
            "started_at": "2026-01-01T00:00:00Z",
            "ended_at": "2026-01-01T00:00:10Z",
            "exit_status": "finished",
        }
        | fields
    )


def write_attempt(
    path: Path,
    *,
    code: str | Mapping[str, str | bytes] = "print('fit')\n",
    logs: str | Mapping[str, str | bytes] = "fitted in 3 s\n",
    run_log: str | None = None,
    submission: str | None = "id,y\n1,0\n",
    record: Mapping[str, object] | None = None,
) -> Attempt:
    """Write an attempt's folder.

    Parameters
    ----------
    code, logs : str or mapping
        One file (``main.py``, ``agent.log``) or several by name.
    record : mapping or None
        Fields of ``attempt.json``; without it there is none, as in MLE-bench's runs. The digests
        are those of the files unless it says otherwise.
    """
    files: dict[str, str | bytes] = {}
    for folder, name, content in (("code", "main.py", code), ("logs", "agent.log", logs)):
        named = {name: content} if isinstance(content, str) else content
        files |= {f"{folder}/{n}": text for n, text in named.items()}
    if run_log is not None:
        files["run.log"] = run_log
    if submission is not None:
        files["submission/submission.csv"] = submission
    path.mkdir(parents=True)
    for name, text in files.items():
        target = path / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text.encode() if isinstance(text, str) else text)
    if record is not None:
        handed_in, written = path / "submission" / "submission.csv", path / "code"
        digests = {
            "submission_sha256": sha256_file(handed_in) if handed_in.is_file() else None,
            "code_sha256": sha256_tree(written) if written.is_dir() else None,
        }
        write_record(record_of(path.name, **{**digests, **record}), path)
    return Attempt(path)


def shared_by_workers(base: Path) -> Path:
    """Return the folder that the workers of one run have in common, of one worker's own."""
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden",
        action="store_true",
        help="Rewrite stored expectations instead of comparing with them; look at the diff.",
    )


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture
def make_attempt(tmp_path) -> Callable[..., Attempt]:
    """Write an attempt in a folder of this test's own; see `write_attempt`."""

    def make(name: str = "breast-cancer_0001", **parts) -> Attempt:
        return write_attempt(tmp_path / name, **parts)

    return make
