"""Which limit counts, and what else may happen at the same moment: one command, by itself."""

from __future__ import annotations

import datetime as dt
import itertools
from pathlib import Path

import pytest

from audit.runner import limiters
from audit.runner.disk import DiskWatch
from audit.runner.limiters import choose
from audit.runner.limits import Limits
from audit.runner.supervise import Command, Ending, supervise
from tests.audit.runner import tiny
from tests.audit.runner.test_supervision import mark
from tests.audit.runner.tiny import make_agent, run_once


class Endings:
    """Runs shell lines under `supervise`, with nothing around them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "run.log"

    def run(self, lines: str, limits: Limits, **options) -> Ending:
        limiter = choose(limits, f"NONE={mark()}", options.pop("limiters", limiters.KINDS))
        command = Command(("/bin/bash", "-c", lines), {"PATH": "/usr/bin:/bin"}, self.folder)
        return supervise(command, self.log, limits, limiter, **options)


@pytest.fixture
def endings(tmp_path) -> Endings:
    return Endings(tmp_path)


def test_of_all_limits_at_once_the_first_one_counts(endings):
    limits = Limits(30, 200 << 20, processes=64, disk_bytes=20 << 20, output_bytes=1 << 20)
    ending = endings.run(
        f"head -c 30M /dev/zero > {endings.folder}/big; sleep 2; yes",
        limits,
        folders={"work": endings.folder},
    )
    assert (ending.status, ending.limit_hit) == ("disk_limit", "disk of 20 MiB in work")
    assert endings.log.stat().st_size == 0


def test_a_limit_that_was_hit_before_an_interruption_stays_on_record(endings):
    asked = iter([None] * 20)
    ending = endings.run(
        "yes", Limits(30, output_bytes=1 << 20), must_end=lambda: next(asked, "the user")
    )
    assert (ending.status, ending.limit_hit) == ("output_limit", "output of 1 MiB")


def test_an_interruption_comes_before_what_is_found_afterwards(endings):
    ending = endings.run(
        f"head -c 30M /dev/zero > {endings.folder}/big & sleep 30",
        Limits(30, disk_bytes=20 << 20),
        must_end=lambda: "the user",
        folders={"work": endings.folder},
    )
    assert (ending.status, ending.limit_hit) == ("interrupted", "the user")


@pytest.mark.parametrize(
    ("log", "problem"),
    [
        pytest.param("/dev/full", "No space left on device", id="full disk"),
        pytest.param("/proc/self/run.log", "No such file", id="read-only"),
        pytest.param("/tmp", "Is a directory", id="folder"),  # noqa: S108 - it is there
    ],
)
def test_a_log_that_cannot_be_written_hides_no_limit_and_is_told(endings, log, problem):
    endings.log = Path(log)
    ending = endings.run("yes", Limits(30, output_bytes=1 << 20))
    assert (ending.status, ending.limit_hit) == ("output_limit", "output of 1 MiB")
    ending = endings.run("echo told", Limits(30, output_bytes=1 << 20))
    assert ending.status == "finished"
    assert ending.limit_hit is not None
    assert ending.limit_hit.startswith(f"output was lost: {problem}")


@pytest.mark.parametrize(
    ("ticks", "status"),
    [
        pytest.param([0.0, 1e6], "timed_out", id="forward"),
        pytest.param([1e6, 0.0], "finished", id="back"),
    ],
)
def test_only_the_clock_that_was_given_counts(endings, ticks, status):
    times = iter(ticks)
    last = ticks[-1]
    ending = endings.run("sleep 0.3", Limits(60), clock=lambda: next(times, last))
    assert ending.status == status


def test_a_step_of_the_wall_clock_ends_nothing(tmp_path, interpreters, task, monkeypatch):
    """Records bear the wall clock; limits do not hear it."""
    days = itertools.count(0, -1)
    start = dt.datetime(2026, 1, 2, tzinfo=dt.UTC)
    monkeypatch.setattr(tiny, "now", lambda: start + dt.timedelta(days=next(days)))
    agent = make_agent(tmp_path / "agent", "sleep 0.2")
    ran = run_once(agent, task, tmp_path / "runs", interpreters, 30, sandbox="none")
    assert ran.record.exit_status == "finished"


def test_a_watch_that_ended_twice_is_no_harm(tmp_path):
    watch = DiskWatch({"work": tmp_path}, 1 << 20)
    assert watch.finish() is None
    watch.close()
