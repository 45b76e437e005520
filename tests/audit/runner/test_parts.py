"""Sizes and times, what is hidden, the engine, and a group's bookkeeping."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import uuid
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.console import table
from audit.engine import completed
from audit.outcomes import document, rows
from audit.runner.group import RunOptions, run_group
from audit.runner.hidden import Bind, Mask, masks, own_folders
from audit.runner.limits import Limits, parse_duration, parse_size
from competitions.disk import size_text
from competitions.errors import InterpreterError, RunError, UsageError
from tests.audit.runner.tiny import attempts_of, make_agent, make_task, now, run_once

# ---------------------------------------------------------------- sizes and times


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        *(("600", 600), ("90s", 90), ("10m", 600), ("24h", 86400), ("2d", 172800)),
        *((" 1.5 H ", 5400), ("1h30m", 5400), ("1d 2h", 93600)),
    ],
)
def test_durations_are_read(text, seconds):
    assert parse_duration(text) == seconds


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("500M", 500 << 20),
        ("2G", 2 << 30),
        ("2GiB", 2 << 30),
        ("2gb", 2 << 30),
        ("100000000", 10**8),
    ],
)
def test_sizes_are_read(text, size):
    assert parse_size(text) == size


@pytest.mark.parametrize(
    "text", ["", "0", "-1", "ten", "10x", "1e3", "inf", "nan", "10 m m", "m", "1h30", "5m5m"]
)
@pytest.mark.parametrize("parse", [parse_duration, parse_size])
def test_what_is_no_quantity_is_refused(parse, text):
    with pytest.raises(UsageError, match="Expected a"):
        parse(text)


@pytest.mark.parametrize("text", ["99999999999T", "1025T", "9" * 400])
def test_a_limit_no_machine_has_is_refused(text):
    with pytest.raises(UsageError, match=r"at most 1024 TiB|Expected a size"):
        Limits(60, parse_size(text))


@pytest.mark.parametrize("text", ["9" * 400, "99999999d"])
def test_a_time_beyond_all_sense_is_refused(text):
    with pytest.raises(UsageError, match=r"at most 3650 days|Expected a time"):
        Limits(parse_duration(text))


@pytest.mark.parametrize(
    ("field", "value", "told"),
    [
        pytest.param("disk_bytes", 1000, "disk limit must be at least 1M", id="little disk"),
        pytest.param("disk_bytes", 1 << 51, "disk limit must be at most 1024 TiB", id="much disk"),
        pytest.param("output_bytes", 0, "output limit must be at least 1K", id="no output"),
        pytest.param("output_bytes", 1 << 51, "output limit must be at most", id="much output"),
        pytest.param("processes", 15, "at least 16 and at most 4194304, found 15", id="one short"),
        pytest.param("processes", 1 << 23, "at most 4194304, found 8388608", id="many processes"),
        pytest.param("processes", -1, "found -1", id="negative"),
    ],
)
def test_a_limit_that_makes_no_sense_is_refused_with_an_example(field, value, told):
    with pytest.raises(UsageError, match=told) as refused:
        Limits(60, **{field: value})
    assert refused.value.remedy
    assert "--" + field.removesuffix("_bytes") in refused.value.remedy


@given(st.integers(1, 1 << 50))
def test_a_shown_size_is_short_and_close(size):
    number, unit = size_text(size).split()
    scale = {"B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}[unit]
    assert float(number) * scale == pytest.approx(size, rel=1e-3)


# ---------------------------------------------------------------- what is hidden


def test_packages_and_answers_below_a_bound_folder_are_covered(tmp_path):
    source = tmp_path / "system"
    for path in (
        "lib/python3/dist-packages/sklearn/datasets/data/d.csv",
        "share/old/sklearn/datasets/data/d.csv",
        "share/old/babel/locale-data/de.dat",
        "share/locale/de/LC_MESSAGES/iso_3166.mo",
        "lib/locale/C.utf8/LC_CTYPE",
        "share/wheels/scikit_learn-1.7.whl",
        "share/wheels/babel-2.19.0-py3-none-any.whl",
        "share/wheels/pip-25.whl",
        "data/private/answers.csv",
        "data/public/train.csv",
    ):
        (source / path).parent.mkdir(parents=True, exist_ok=True)
        (source / path).touch()
    away = [source / "data" / "private", tmp_path, source / "not there"]
    found = masks([Bind(source, Path("/sys"), is_system=True)], away)
    assert found == [
        Mask(Path("/sys/data/private"), is_folder=True),
        Mask(Path("/sys/lib/python3/dist-packages"), is_folder=True),
        Mask(Path("/sys/share/locale"), is_folder=True),
        Mask(Path("/sys/share/old/babel/locale-data"), is_folder=True),
        Mask(Path("/sys/share/old/sklearn/datasets"), is_folder=True),
        Mask(Path("/sys/share/wheels/babel-2.19.0-py3-none-any.whl"), is_folder=False),
        Mask(Path("/sys/share/wheels/scikit_learn-1.7.whl"), is_folder=False),
    ]


def test_the_agents_own_packages_are_its_own(tmp_path):
    (tmp_path / "site-packages").mkdir()
    assert masks([Bind(tmp_path, Path("/home/agent"))], []) == []


def test_a_hidden_folder_is_found_through_a_link(tmp_path):
    (tmp_path / "real" / "private").mkdir(parents=True)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    binds = [Bind(tmp_path / "link", Path("/data"))]
    assert masks(binds, [tmp_path / "link" / "private"]) == [Mask(Path("/data/private"), True)]


def test_our_own_folders_are_known():
    import audit

    root = Path(audit.__path__[0]).resolve().parent
    for name in ("audit", "detectors", "competitions", "reports"):
        assert root / name in own_folders()


# ---------------------------------------------------------------- the engine


def _square(number: int) -> int:
    return number * number


def _pid(_: int) -> int:
    return os.getpid()


@pytest.mark.parametrize(("jobs", "engine"), [(1, "loky"), (2, "loky"), (2, "threading")])
def test_every_item_is_done_once(jobs, engine):
    assert sorted(completed(_square, range(5), jobs=jobs, engine=engine)) == [0, 1, 4, 9, 16]


def test_loky_works_in_other_processes_and_one_job_does_not():
    assert set(completed(_pid, range(2), jobs=1)) == {os.getpid()}
    assert os.getpid() not in set(completed(_pid, range(2), jobs=2, engine="loky"))


ORPHANS = """
import os, sys, time
from audit.engine import completed
def show(item):
    print(os.getpid(), flush=True)
    time.sleep(item)
if __name__ == "__main__":
    list(completed(show, [0, 60], jobs=2))
"""


def test_workers_busy_and_idle_end_when_their_parent_is_killed(tmp_path):
    (tmp_path / "orphans.py").write_text(ORPHANS)
    with subprocess.Popen(
        [sys.executable, str(tmp_path / "orphans.py")],
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[3])},
        stdout=subprocess.PIPE,
        text=True,
    ) as parent:
        assert parent.stdout is not None
        assert {parent.stdout.readline(), parent.stdout.readline()} != {""}
        parent.kill()
        # The pipe ends when the last of them is gone.
        assert parent.communicate(timeout=20)[0] is not None


def _killing_its_worker_once(item: tuple[int, Path]) -> int:
    number, flag = item
    if number == 1 and not flag.exists():
        flag.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def _killing_its_worker(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def test_a_killed_worker_costs_no_result(tmp_path):
    items = [(number, tmp_path / "flag") for number in range(4)]
    assert sorted(completed(_killing_its_worker_once, items, jobs=2)) == [0, 1, 2, 3]


@pytest.mark.slow
def test_workers_that_are_killed_again_and_again_end_the_loop_with_what_helps():
    found: list[object] = []
    with pytest.raises(RunError, match="killed 3 times") as caught:
        found.extend(completed(_killing_its_worker, range(4), jobs=2))
    assert "--jobs 1" in str(caught.value)


def test_an_attempt_whose_worker_is_killed_is_made_anew_and_the_others_go_on(
    tmp_path, interpreters, task
):
    start = f"""
        [ "$SEED" = 1 ] && [ ! -e {tmp_path}/flag ] || exit 0
        touch {tmp_path}/flag
        kill -9 $(grep -o '"runner_pid": [0-9]*' "$SUBMISSION_DIR/../attempt.json" | cut -d' ' -f2)
        sleep 60
    """
    agent = make_agent(tmp_path / "agent", start)
    options = RunOptions(Limits(30), now, "none", jobs=2, cache=interpreters)
    group = run_group(agent, [task], range(3), tmp_path / "runs", options)
    records = sorted((ran.record for ran in attempts_of(group)), key=lambda r: r.seed)
    assert [r.exit_status for r in records] == ["finished"] * 3
    assert records[1].earlier_tries == ("interrupted",)
    assert len(json.loads((group / "metadata.json").read_text())["runs"]) == 3


@pytest.mark.parametrize(("jobs", "engine"), [(0, "loky"), (2, "carrier-pigeon")])
def test_a_wrong_engine_is_a_usage_error(jobs, engine):
    with pytest.raises(UsageError, match="Expected"):
        list(completed(_square, range(2), jobs=jobs, engine=engine))


# ---------------------------------------------------------------- groups


def fixed_clock() -> datetime:
    return datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)


def test_a_group_has_mle_benchs_shape_and_is_written_as_it_goes(tmp_path, interpreters):
    tasks = [make_task(tmp_path / "data", name=name) for name in ("tiny-a", "tiny-b")]
    agent = make_agent(tmp_path / "agent", '[ "$COMPETITION_ID" = tiny-a ] && exit 0; exit 4\n')
    seen = []

    def progress(done, total, last):
        (group,) = (tmp_path / "runs").iterdir()
        runs = json.loads((group / "metadata.json").read_text())["runs"]
        assert len(runs) == done
        seen.append((done, total, last.unit.task.spec.id, last.unit.seed, last.success))

    ids = iter(uuid.UUID(int=i) for i in range(9))
    options = RunOptions(
        Limits(30), fixed_clock, "none", new_id=lambda: next(ids), cache=interpreters
    )
    group = run_group(agent, tasks, [0, 1], tmp_path / "runs", options, progress)
    assert group.name == "2026-01-02T03-04-05-GMT_run-group_probe"
    assert json.loads((group / "metadata.json").read_text()) == {
        "run_group": group.name,
        "created_at": "2026-01-02T03-04-05-GMT",
        "runs": {
            f"tiny-a_{uuid.UUID(int=0)}": {"success": True},
            f"tiny-b_{uuid.UUID(int=1)}": {"success": False},
            f"tiny-a_{uuid.UUID(int=2)}": {"success": True},
            f"tiny-b_{uuid.UUID(int=3)}": {"success": False},
        },
    }
    assert [s[2:] for s in seen] == [
        ("tiny-a", 0, True),
        ("tiny-b", 0, False),
        ("tiny-a", 1, True),
        ("tiny-b", 1, False),
    ]
    # A second group in the same second has a folder of its own.
    again = run_group(agent, tasks[:1], [0], tmp_path / "runs", options)
    assert again.name == f"{group.name}-2"


def test_a_fault_of_the_runner_is_one_crashed_attempt(tmp_path, interpreters):
    """Something lies in the second attempt's way; the third runs all the same."""
    task = make_task(tmp_path / "data")
    agent = make_agent(tmp_path / "agent", "exit 0")
    ids = [uuid.UUID(int=i) for i in (1, 2, 3)]
    waiting = iter(ids)
    options = RunOptions(Limits(30), now, "none", new_id=lambda: next(waiting), cache=interpreters)
    done = []

    def progress(_done, _total, last):
        done.append(last)
        (group,) = (tmp_path / "runs").iterdir()
        if len(done) == 1:
            (group / f"tiny-task_{ids[1]}").touch()

    group = run_group(agent, [task], [0, 1, 2], tmp_path / "runs", options, progress)
    assert [d.success for d in done] == [True, False, True]
    (row,) = (r for r in rows(done) if done[1].unit.attempt_id in r)
    assert any("NotADirectoryError" in cell for cell in row)
    assert "NotADirectoryError" in str(document(group, done)["attempts"])


def test_attempts_run_in_worker_processes(tmp_path, interpreters, task):
    agent = make_agent(tmp_path / "agent", "exit 0")
    options = RunOptions(Limits(30), now, "none", jobs=2, cache=interpreters)
    group = run_group(agent, [task], range(3), tmp_path / "runs", options)
    pids = {ran.record.runner_pid for ran in attempts_of(group)}
    assert os.getpid() not in pids
    assert sorted(ran.record.seed for ran in attempts_of(group)) == [0, 1, 2]


def test_nothing_to_run_is_a_usage_error(tmp_path, task):
    agent = make_agent(tmp_path / "agent", "exit 0")
    with pytest.raises(UsageError, match="at least one"):
        run_group(agent, [task], [], tmp_path / "runs", RunOptions(Limits(30), now, "none"))


def test_an_interpreter_that_cannot_be_built_stops_before_anything_starts(tmp_path, task):
    agent = make_agent(tmp_path / "agent", "exit 0", python="/nowhere/python")
    with pytest.raises(InterpreterError):
        run_group(agent, [task], [0], tmp_path / "runs", RunOptions(Limits(30), now, "none"))
    assert not (tmp_path / "runs").exists()


def test_the_instructions_name_task_places_limits_and_rules(tmp_path, interpreters, task):
    agent = make_agent(tmp_path / "agent", 'cat "$INSTRUCTIONS"')
    ran = run_once(
        agent,
        task,
        tmp_path / "runs",
        interpreters,
        memory_bytes=1 << 30,
        processes=100,
        disk_bytes=5 << 30,
        sandbox="none",
    )
    for words in (
        "A tiny task",
        "Predict y for every row",
        f"{ran.path}/submission/submission.csv",
        "log-loss (lower is better)",
        "Wall clock: 60 seconds",
        "Memory: 1 GiB. Processes and threads at once: 100.",
        "write to: 5 GiB. What you print: not limited.",
        "Seed: 0",
        "Do not look for the test answers",
        "There is no network",
    ):
        assert words in ran.log


def test_the_record_tells_machine_budget_and_data(tmp_path, interpreters, task):
    agent = make_agent(tmp_path / "agent", 'echo "id,y" > "$SUBMISSION_DIR/submission.csv"')
    ran = run_once(agent, task, tmp_path / "runs", interpreters, sandbox="none")
    record = ran.record
    assert (record.data_source, record.data_digest) == ("local", task.digest)
    assert record.budget.wall_clock_s == 60
    assert record.hardware.cpu_count >= 1
    assert record.hardware.memory_bytes > 1 << 20
    assert record.ended_at is not None
    assert record.ended_at >= record.started_at
    assert record.submission_sha256
    assert record.code_sha256 is None, "the runner fills no folder for the agent"


def test_a_table_is_plain_and_aligned():
    assert table(["a", "bb"], [["ccc", "d"]]) == "a    bb\nccc  d"
