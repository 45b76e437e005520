"""Limits, whole trees, and runners that die."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import textwrap
import time
import uuid
from pathlib import Path

import pytest

from audit.runner import limiters, stop
from audit.runner.limiters import choose
from audit.runner.limits import Limits
from detectors.record import read_record
from tests.audit.runner.tiny import alive, attempts_of, make_agent, make_task, run_once

# Children that leave the group, the session and their parent.
DETACH = textwrap.dedent("""
    setsid sleep 300.{mark} &
    (sleep 300.{mark} &)
    python - <<'END'
    import os, time
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execvp("sleep", ["sleep", "300.{mark}"])
        os._exit(0)
    os.wait()
    END
    echo all started
""")
EAT = """
    import time
    held = []
    for _ in range(50):
        held.append(bytearray(b"x" * (20 << 20)))
        time.sleep(0.02)
    print("ate everything")
"""
SANDBOXES = ["none", pytest.param("bubblewrap", marks=pytest.mark.sandbox)]
LIMITERS = [pytest.param(limiters.KINDS, id="best"), pytest.param(("watchdog",), id="watchdog")]


def mark() -> str:
    return str(uuid.uuid4().int)[:18]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sandbox", "limiters"),
    [
        pytest.param("none", limiters.KINDS, id="none-best"),
        pytest.param("none", ("watchdog",), id="none-watchdog"),
        pytest.param("bubblewrap", ("watchdog",), id="bubblewrap", marks=pytest.mark.sandbox),
    ],
)
def test_the_time_limit_ends_the_whole_tree(tmp_path, interpreters, task, sandbox, limiters):
    name = mark()
    agent = make_agent(tmp_path / "agent", DETACH.format(mark=name) + "\nsleep 300\n")
    ran = run_once(
        agent, task, tmp_path / "runs", interpreters, 1, sandbox=sandbox, limiters=limiters
    )
    assert "all started" in ran.log
    assert ran.record.exit_status == "timed_out"
    assert ran.record.limit_hit == "wall clock of 1 s"
    assert alive(f"300.{name}") == []


@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_what_a_finished_agent_leaves_running_is_ended_too(tmp_path, interpreters, task, sandbox):
    name = mark()
    agent = make_agent(tmp_path / "agent", DETACH.format(mark=name))
    ran = run_once(agent, task, tmp_path / "runs", interpreters, 30, sandbox=sandbox)
    assert ran.record.exit_status == "finished"
    assert alive(f"300.{name}") == []


@pytest.mark.parametrize("sandbox", SANDBOXES)
@pytest.mark.parametrize("limiters", LIMITERS)
def test_the_memory_limit_ends_a_glutton(tmp_path, interpreters, task, sandbox, limiters):
    agent = make_agent(tmp_path / "agent", 'python "$AGENT_DIR/eat.py"', {"eat.py": EAT})
    ran = run_once(
        agent,
        task,
        tmp_path / "runs",
        interpreters,
        memory_bytes=200 << 20,
        sandbox=sandbox,
        limiters=limiters,
    )
    assert ran.record.exit_status == "memory_limit"
    assert ran.record.limit_hit == "memory of 200 MiB"
    assert "ate everything" not in ran.log
    assert ran.record.peak_memory_bytes is not None
    assert 150 << 20 < ran.record.peak_memory_bytes < 400 << 20


def test_the_limit_counts_the_tree_and_not_each_process(tmp_path, interpreters, task):
    eater = "python -c 'import time; held = b\"x\" * (120 << 20); time.sleep(20)' &\n"
    agent = make_agent(tmp_path / "agent", eater * 3 + "wait\n")
    ran = run_once(
        agent, task, tmp_path / "runs", interpreters, memory_bytes=200 << 20, sandbox="none"
    )
    assert ran.record.exit_status == "memory_limit"


def test_an_agent_below_the_limit_is_left_alone(tmp_path, interpreters, task):
    agent = make_agent(tmp_path / "agent", "python -c 'x = bytearray(50 << 20)'\n")
    ran = run_once(
        agent, task, tmp_path / "runs", interpreters, memory_bytes=200 << 20, sandbox="none"
    )
    assert (ran.record.exit_status, ran.record.limit_hit) == ("finished", None)


@pytest.mark.parametrize(
    ("start", "status", "code"),
    [
        pytest.param("exit 0", "finished", 0, id="zero"),
        pytest.param("exit 3", "crashed", 3, id="code"),
        pytest.param("kill -9 $$", "killed", -9, id="signal"),
        pytest.param("no-such-program", "crashed", 127, id="missing program"),
    ],
)
def test_the_exit_is_recorded(tmp_path, interpreters, task, start, status, code):
    agent = make_agent(tmp_path / "agent", start)
    ran = run_once(agent, task, tmp_path / "runs", interpreters, sandbox="none")
    assert (ran.record.exit_status, ran.record.exit_code) == (status, code)


def test_no_group_is_left_behind():
    limiter = choose(Limits(60, 64 << 20), "NONE=0")
    if limiter.memory_kind == "watchdog":
        pytest.skip("no control group can be made here")
    folders = [group.folder for group in limiter.groups]
    assert all(folder.is_dir() for folder in folders)
    process = subprocess.Popen(limiter.wrap(["sleep", "60"]))
    while not limiter.pids():
        time.sleep(0.01)
    limiter.kill()
    process.wait()
    limiter.close()
    limiter.close()  # twice does no harm
    assert not any(folder.exists() for folder in folders)
    assert limiter.peak_bytes
    # What a killed runner left is swept by the next one.
    dead = subprocess.Popen(["/bin/true"])
    dead.wait()
    left = [folder.parent / f"mle-audit-{dead.pid}-abc" for folder in folders]
    for folder in left:
        folder.mkdir()
    choose(Limits(60), "NONE=0").close()
    assert not any(folder.exists() for folder in left)


RUNNER = """
    import sys
    from pathlib import Path
    from tests.audit.runner.tiny import make_task, now
    from audit.runner.agent import load_agent
    from audit.runner.group import RunOptions, run_group
    from audit.runner.limits import Limits
    root, cache, jobs = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    options = RunOptions(Limits(100), now, cache=cache, jobs=jobs)
    tasks = [make_task(root / "data")]
    run_group(load_agent(root / "agent"), tasks, range(2), root / "runs", options)
"""


@pytest.mark.slow
@pytest.mark.sandbox
@pytest.mark.parametrize("jobs", [1, 2])
def test_kill_9_of_the_runner_leaves_readable_records_and_no_process(tmp_path, interpreters, jobs):
    name = mark()
    make_agent(tmp_path / "agent", DETACH.format(mark=name) + f"\nsleep 300.{name}\n")
    command = [sys.executable, "-c", textwrap.dedent(RUNNER), str(tmp_path), str(interpreters)]
    root = Path(__file__).parents[3]
    runner = subprocess.Popen([*command, str(jobs)], cwd=root)
    wait_until(lambda: len(alive(f"300.{name}")) >= 4 * jobs)
    runner.send_signal(signal.SIGKILL)
    runner.wait()
    wait_until(lambda: not alive(f"300.{name}"))
    (group,) = (tmp_path / "runs").iterdir()
    metadata = json.loads((group / "metadata.json").read_text())
    assert metadata["run_group"] == group.name
    assert metadata["runs"] == {}
    records = [ran.record for ran in attempts_of(group)]
    assert len(records) == jobs
    for record in records:
        assert record.exit_status == "running"
        assert record.runner_pid is not None
        assert (record.runner_pid == runner.pid) == (jobs == 1)


def wait_until(condition, seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.05)


@pytest.mark.sandbox
def test_two_attempts_do_not_see_each_other(tmp_path, interpreters, task):
    from audit.runner.group import RunOptions, run_group
    from audit.runner.limits import Limits
    from tests.audit.runner.tiny import now

    look = """
        for place in /tmp /home/user /dev/shm "$CODE_DIR"; do touch "$place/trace-$SEED"; done
        sleep 1
        find /tmp /home /dev /opt -name 'trace-*'
        cat /proc/[0-9]*/environ | tr '\\0' '\\n' | grep ^SEED= | sort -u
    """
    agent = make_agent(tmp_path / "agent", look)
    options = RunOptions(Limits(30), now, cache=interpreters, jobs=2, engine="threading")
    group = run_group(agent, [task], [0, 1], tmp_path / "runs", options)
    first, second = sorted(attempts_of(group), key=lambda ran: ran.record.seed)
    assert first.record.ended_at is not None
    assert second.record.started_at < first.record.ended_at, "they did not run at once"
    for own, other, ran in (("0", "1", first), ("1", "0", second)):
        assert ran.log.count(f"trace-{own}") == 4
        assert f"trace-{other}" not in ran.log
        assert f"SEED={own}" in ran.log
        assert f"SEED={other}" not in ran.log


@pytest.mark.slow
@pytest.mark.parametrize(
    ("number", "said"),
    [
        pytest.param(signal.SIGINT, "interrupted by the user", id="SIGINT"),
        pytest.param(signal.SIGTERM, "the runner was told to end (SIGTERM)", id="SIGTERM"),
    ],
)
@pytest.mark.parametrize(
    ("jobs", "more"),
    [
        pytest.param(1, "", id="here"),
        pytest.param(2, "", id="loky"),
        pytest.param(2, ", engine='threading'", id="threading"),
    ],
)
def test_a_signal_to_the_runner_is_recorded_and_ends_all(
    tmp_path, interpreters, number, said, jobs, more
):
    name = mark()
    make_agent(tmp_path / "agent", DETACH.format(mark=name) + f"\nsleep 300.{name}\n")
    code = textwrap.dedent(RUNNER).replace("jobs=jobs", f"jobs=jobs, sandbox='none'{more}")
    code = code.replace("range(2)", "range(3)")
    command = [sys.executable, "-c", code, str(tmp_path), str(interpreters), str(jobs)]
    runner = subprocess.Popen(
        command, cwd=Path(__file__).parents[3], stderr=subprocess.PIPE, text=True
    )
    wait_until(lambda: len(alive(f"300.{name}")) >= 4 * jobs)
    runner.send_signal(number)
    runner.send_signal(number)  # as timeout(1) does
    _, complaint = runner.communicate(timeout=20)
    assert complaint.rstrip().endswith(f"KeyboardInterrupt: {said}")
    assert alive(f"300.{name}") == []
    records = [read_record(p.parent) for p in (tmp_path / "runs").glob("*/*/attempt.json")]
    assert [(r and r.exit_status, r and r.limit_hit) for r in records] == [
        ("interrupted", said)
    ] * jobs
    wait_until(lambda: not alive(str(tmp_path)))
    (metadata,) = (tmp_path / "runs").glob("*/metadata.json")
    assert len(json.loads(metadata.read_text())["runs"]) == jobs


def test_folders_of_killed_runners_are_swept_and_those_of_live_ones_are_not(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    left, young, elsewhere = (tmp_path / f"mle-audit-stop-{n}" for n in ("left", "young", "link"))
    for folder in (left, young):
        (folder / "deep" / "er").mkdir(parents=True)
    elsewhere.symlink_to(young)
    with stop.stoppable() as living:
        for path in (left, living.path.parent):
            os.utime(path, (0, 0))
        os.utime(elsewhere, (0, 0), follow_symlinks=False)
        with stop.stoppable() as other:
            found = {living.path.parent, other.path.parent, young, elsewhere}
            assert set(tmp_path.iterdir()) == found
            other.request(signal.SIGTERM)
            assert other.reason() == "the runner was told to end (SIGTERM)"
            assert living.reason() is None
    assert set(tmp_path.iterdir()) == {young, elsewhere}
    assert (young / "deep" / "er").is_dir()


# A daemon as textbooks have it, with nothing in its environment to be found by.
DAEMON = """
import os, sys
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.execve("/bin/sleep", ["sleep", "300.{mark}"], {{}})
    os._exit(0)
os.wait()
"""


@pytest.mark.parametrize("limiters", LIMITERS)
@pytest.mark.parametrize("end", ["exit 3", "kill -9 $$", "kill 0", "sleep 300"])
def test_a_daemon_without_environment_is_ended_too(tmp_path, interpreters, task, limiters, end):
    name = mark()
    agent = make_agent(
        tmp_path / "agent",
        f'exec 1>&- 2>&-\npython "$AGENT_DIR/daemon.py"\n{end}\n',
        {"daemon.py": DAEMON.format(mark=name)},
    )
    seconds = 1 if end == "sleep 300" else 30
    ran = run_once(
        agent, task, tmp_path / "runs", interpreters, seconds, sandbox="none", limiters=limiters
    )
    expected = {"exit 3": 3, "kill -9 $$": -9, "kill 0": -15, "sleep 300": None}
    assert ran.record.exit_code == expected[end]
    assert alive(f"300.{name}") == []


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_kill_9_of_the_runner_ends_agents_without_a_sandbox(tmp_path, interpreters, jobs):
    name = mark()
    make_agent(tmp_path / "agent", DETACH.format(mark=name) + f"\nsleep 300.{name}\n")
    code = textwrap.dedent(RUNNER).replace("jobs=jobs", "jobs=jobs, sandbox='none'")
    command = [sys.executable, "-c", code, str(tmp_path), str(interpreters), str(jobs)]
    runner = subprocess.Popen(command, cwd=Path(__file__).parents[3], stderr=subprocess.DEVNULL)
    wait_until(lambda: len(alive(f"300.{name}")) >= 4 * jobs)
    runner.send_signal(signal.SIGKILL)
    runner.wait()
    wait_until(lambda: not alive(f"300.{name}"))


@pytest.mark.sandbox
def test_data_that_vanished_is_a_recorded_crash(tmp_path, interpreters):
    import shutil

    task = make_task(tmp_path / "data")
    shutil.rmtree(task.public)
    agent = make_agent(tmp_path / "agent", "exit 0")
    ran = run_once(agent, task, tmp_path / "runs", interpreters)
    assert ran.record.exit_status == "crashed"
    assert "public" in ran.log


def test_the_runners_own_pid_is_in_the_record(tmp_path, interpreters, task):
    agent = make_agent(tmp_path / "agent", "exit 0")
    ran = run_once(agent, task, tmp_path / "runs", interpreters, sandbox="none")
    assert ran.record.runner_pid == os.getpid()
