"""Copies of the submission while an attempt runs."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from audit.runner import snapshots
from audit.runner.group import RunOptions
from audit.runner.limits import Limits
from competitions.errors import UsageError
from competitions.io import sha256_file
from tests.audit.runner.tiny import make_agent, now, run_once

EVERY = 0.05


@pytest.fixture
def attempt(tmp_path):
    (tmp_path / "submission").mkdir()
    return tmp_path


def taken(attempt: Path, until: int):
    """Take snapshots until there are so many, or two seconds are over."""
    kept: list[object] = []
    with snapshots.snapshots_of(attempt, EVERY, kept.append):
        deadline = time.monotonic() + 2
        while len(kept) < until and time.monotonic() < deadline:
            time.sleep(EVERY / 5)
    return kept


def test_an_unchanged_submission_is_copied_once_and_told_each_time(attempt):
    (attempt / "submission" / "submission.csv").write_text("id,y\n1,2\n")
    first, second, *_ = taken(attempt, 2)
    assert first.path == second.path == "snapshots/00000000s.csv"
    assert first.after_s < second.after_s
    assert (attempt / first.path).read_text() == "id,y\n1,2\n"
    assert first.sha256 == sha256_file(attempt / first.path)


def test_a_new_submission_is_a_new_copy(attempt, monkeypatch):
    path = attempt / "submission" / "submission.csv"
    hours = iter(range(0, 10**9, 3600))
    path.write_text("one")
    kept = []

    def keep(snapshot) -> None:
        kept.append(snapshot)
        path.write_text(f"number {len(kept)}")

    with snapshots.snapshots_of(attempt, 3600, keep, clock=lambda: float(next(hours))):
        deadline = time.monotonic() + 5
        while len(kept) < 3 and time.monotonic() < deadline:
            time.sleep(0.01)
    assert [(attempt / s.path).read_text() for s in kept[:3]] == ["one", "number 1", "number 2"]
    assert len({s.path for s in kept[:3]}) == 3


@pytest.mark.parametrize(
    "make",
    [
        pytest.param(lambda _path: None, id="nothing"),
        pytest.param(lambda p: p.symlink_to("/etc/passwd"), id="a link"),
        pytest.param(os.mkfifo, id="a pipe nobody writes to"),
        pytest.param(Path.mkdir, id="a folder"),
        pytest.param(lambda p: p.symlink_to("/dev/zero"), id="a device"),
    ],
)
def test_what_is_no_file_is_not_copied_and_stops_nothing(attempt, make):
    make(attempt / "submission" / "submission.csv")
    with snapshots.snapshots_of(attempt, EVERY, lambda _s: pytest.fail("a copy was kept")):
        time.sleep(4 * EVERY)
    assert list((attempt / "snapshots").iterdir()) == []


def test_a_submission_folder_that_is_a_link_is_not_followed(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "submission.csv").write_text("secret")
    (tmp_path / "submission").symlink_to(elsewhere)
    assert taken(tmp_path, 1) == []


def test_without_an_interval_none_is_made(attempt):
    (attempt / "submission" / "submission.csv").write_text("x")
    with snapshots.snapshots_of(attempt, None, lambda _s: pytest.fail("a copy was kept")):
        time.sleep(2 * EVERY)
    assert not (attempt / "snapshots").exists()


def test_the_record_names_them_and_the_last_write_keeps_them(tmp_path, interpreters, task):
    agent = make_agent(
        tmp_path / "agent",
        'cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"; sleep 1.6',
    )
    ran = run_once(
        agent, task, tmp_path / "runs", interpreters, sandbox="none", snapshot_every_s=1.0
    )
    (snapshot,) = ran.record.snapshots
    assert snapshot.sha256 == ran.record.submission_sha256
    assert sha256_file(ran.path / snapshot.path) == snapshot.sha256
    assert ran.record.exit_status == "finished"


def test_an_interval_that_is_too_short_is_a_usage_error():
    with pytest.raises(UsageError, match="between snapshots"):
        RunOptions(Limits(1), now, snapshot_every_s=0.2)
