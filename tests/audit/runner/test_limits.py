"""Processes, disk and output: what is too much ends an attempt, and nothing else does."""

from __future__ import annotations

import math
import os
import signal
import subprocess
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from audit.runner import keeper
from audit.runner.limiters import choose
from audit.runner.limiters.control_group import ControlGroup
from audit.runner.limits import Limits
from audit.runner.sandbox import sandbox_record
from tests.audit.runner.test_supervision import LIMITERS, SANDBOXES, mark, wait_until
from tests.audit.runner.tiny import alive, make_agent, run_once

if TYPE_CHECKING:
    from _pytest.mark import ParameterSet


SANDBOXES_SLOW = [
    "none",
    pytest.param("bubblewrap", marks=[pytest.mark.sandbox, pytest.mark.slow]),
]


def slow(value: str) -> ParameterSet:
    return pytest.param(value, marks=pytest.mark.slow)


# ---------------------------------------------------------------- processes and threads

# With a fuse of 512, since to look on and to refuse are two things: these meet a watchdog, too.
BOMBS = {
    "shell": """
        bomb() { if [ $1 -gt 0 ]; then bomb $(($1 - 1)) | bomb $(($1 - 1)) & else sleep MARK; fi; }
        bomb 9
        sleep MARK
    """,
    "daemons": """
        python - <<'END'
        import os
        for _ in range(9):
            if os.fork() == 0:
                os.setsid()
                if os.fork() > 0:
                    os._exit(0)
        os.execve("/bin/sleep", ["sleep", "MARK"], {})
        END
    """,
    "threads": """
        python - <<'END' MARK
        import threading, time
        for _ in range(400):
            threading.Thread(target=time.sleep, args=(300,), daemon=True).start()
        time.sleep(300)
        END
    """,
    "processes": "for _ in $(seq 400); do sleep MARK & done; wait",
}
ENDLESS = {
    "shell": ":(){ :|:& };:\nsleep MARK",
    "daemons": """
        python - <<'END'
        import os, signal, time
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        os.environ.clear()
        while True:
            try:
                if os.fork() == 0:
                    os.setsid()
                    if os.fork() > 0:
                        os._exit(0)
            except OSError:
                os.execve("/bin/sleep", ["sleep", "MARK"], {})
        END
    """,
}


def run_bomb(text: str, name: str, tmp_path: Path, interpreters, task, **options):
    start = textwrap.dedent(text).replace("MARK", f"300.{name}")
    agent = make_agent(tmp_path / "agent", start)
    return run_once(agent, task, tmp_path / "runs", interpreters, **options)


@pytest.mark.parametrize("sandbox", SANDBOXES)
@pytest.mark.parametrize("limiters", LIMITERS)
@pytest.mark.parametrize("bomb", ["shell", "threads", *map(slow, ("daemons", "processes"))])
def test_too_many_processes_end_an_attempt_and_none_is_left(
    tmp_path, interpreters, task, sandbox, limiters, bomb
):
    name = mark()
    options = {"processes": 128, "sandbox": sandbox, "limiters": limiters}
    ran = run_bomb(BOMBS[bomb], name, tmp_path, interpreters, task, **options)
    assert ran.record.exit_status == "process_limit", ran.log
    assert ran.record.limit_hit == "128 processes and threads"
    assert ran.record.exit_code is None
    assert alive(name) == []


@pytest.mark.parametrize("sandbox", SANDBOXES)
@pytest.mark.parametrize("bomb", ENDLESS)
def test_an_endless_bomb_is_refused_ended_and_nothing_of_it_is_left(
    tmp_path, interpreters, task, sandbox, bomb
):
    trial = choose(Limits(60, processes=128), "NONE=0")
    trial.close()
    if trial.process_kind == "watchdog":
        pytest.skip("no control group can be made here, and this bomb has no fuse")
    name = mark()
    options = {"processes": 128, "sandbox": sandbox}
    ran = run_bomb(ENDLESS[bomb], name, tmp_path, interpreters, task, **options)
    assert (ran.record.exit_status, ran.record.limit_hit) == (
        "process_limit",
        "128 processes and threads",
    )
    assert ran.record.sandbox.process_limiter == trial.process_kind
    assert alive(name) == []


@pytest.mark.slow
@pytest.mark.parametrize("limiters", LIMITERS)
@pytest.mark.parametrize("sandbox", SANDBOXES)
def test_work_in_eight_processes_and_many_threads_is_left_alone(
    tmp_path, interpreters, task, sandbox, limiters
):
    work = """
        import numpy, joblib
        def one(i):
            return float((numpy.ones((64, 64)) @ numpy.ones((64, 64))).sum())
        print(sum(joblib.Parallel(n_jobs=8)(joblib.delayed(one)(i) for i in range(16))))
    """
    agent = make_agent(
        tmp_path / "agent",
        'export OPENBLAS_NUM_THREADS=8; python "$AGENT_DIR/work.py"',
        {"work.py": work},
        requirements=["numpy", "joblib"],
    )
    options = {"processes": 4096, "disk_bytes": 20 << 30, "output_bytes": 1 << 30}
    ran = run_once(
        agent,
        task,
        tmp_path / "runs",
        interpreters,
        sandbox=sandbox,
        limiters=limiters,
        **options,
    )
    assert (ran.record.exit_status, ran.record.limit_hit) == ("finished", None), ran.log
    assert "4194304.0" in ran.log
    budget = ran.record.budget
    assert (budget.processes, budget.disk_bytes, budget.output_bytes) == tuple(options.values())


def test_what_the_runner_refuses_while_it_kills_is_no_limit(tmp_path, interpreters, task):
    """The agent ends well and leaves something behind that goes on forking."""
    left = "(while :; do /bin/true; done) & sleep 0.3"
    ran = run_bomb(left, mark(), tmp_path, interpreters, task, processes=64, sandbox="none")
    assert (ran.record.exit_status, ran.record.limit_hit) == ("finished", None)


def test_who_is_stopped_is_all_below_and_not_the_one_spared(tmp_path):
    lines = f"(sleep 300.{(name := mark())} & sleep 300.{name} & wait) & sleep 300.{name}"
    with subprocess.Popen(["/bin/bash", "-c", lines]) as shell:
        try:
            wait_until(lambda: len(alive(name)) >= 4)
            told = keeper.stop_all({shell.pid}, shell.pid)
            states = {pid: process.state for pid in told if (process := keeper.look_at(pid))}
            assert list(states.values()) == [b"T"] * 4
            assert shell.pid not in told
            assert keeper.stop_all({shell.pid}) == told | {shell.pid}
        finally:
            for pid in keeper.stop_all({shell.pid}):
                os.kill(pid, signal.SIGKILL)


def test_numbers_that_begin_anew_are_looked_at_too(monkeypatch):
    end = int(Path("/proc/sys/kernel/pid_max").read_text())
    lasts = iter([end - 2, 301, 302, 302])
    monkeypatch.setattr(keeper, "_last_number", lambda: next(lasts))
    found = list(keeper._newborn(end - 4, math.inf))
    assert found == [end - 3, end - 2, end - 1, 300, 301, 302]


@pytest.mark.parametrize("name", ["a b", "a) R 1 (b", "))", "\n"])
def test_the_name_of_a_process_confuses_nobody(tmp_path, name):
    program = tmp_path / name
    program.symlink_to("/bin/sleep")
    with subprocess.Popen([program, "60"]) as process:
        seen = keeper.look_at(process.pid)
        process.kill()
    assert seen is not None
    assert (seen.parent, seen.threads) == (os.getpid(), 1)
    assert keeper.look_at(process.pid) is None


def test_the_record_says_where_processes_are_only_counted():
    (line,) = set(sandbox_record("none", "cgroup-v2", "watchdog").missing_protections) - set(
        sandbox_record("none", "cgroup-v2", "cgroup-v2").missing_protections
    )
    assert "processes and threads" in line


@pytest.mark.parametrize(
    ("kind", "resource"), [("memory_kind", "memory"), ("process_kind", "pids")]
)
def test_without_control_groups_a_watchdog_watches(kind, resource):
    limiter = choose(Limits(60), "NONE=0", ("watchdog",))
    assert getattr(limiter, kind) == "watchdog"
    assert limiter.groups == []
    limiter.close()


# What kernels write; version 2 with both controllers is not to be had on every machine.
OOM_V2, OOM_V1 = "low 0\nhigh 0\nmax 9\noom 1\noom_kill {}\n", "under_oom 0\noom_kill {}\n"


@pytest.mark.parametrize(
    ("version", "files", "found"),
    [
        ("cgroup-v2", {"memory.events": OOM_V2.format(0), "pids.events": "max 0\n"}, set()),
        ("cgroup-v2", {"memory.events": OOM_V2.format(2), "pids.events": "max 0\n"}, {"memory"}),
        ("cgroup-v2", {"memory.events": OOM_V2.format(0), "pids.events": "max 3\n"}, {"pids"}),
        ("cgroup-v1", {"memory.oom_control": OOM_V1.format(1)}, {"memory"}),
        ("cgroup-v1", {"pids.events": "max 12\n"}, {"pids"}),
        ("cgroup-v1", {}, set()),
    ],
)
def test_what_a_control_group_tells_is_understood(tmp_path, version, files, found):
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    group = ControlGroup(version, tmp_path, frozenset({"memory", "pids"}))
    assert group.exceeded() == found


# ---------------------------------------------------------------- disk

FILL = {
    "and waits": 'head -c 200M /dev/zero > "$LOGS_DIR/big"; sleep 300',
    "and ends": 'head -c 200M /dev/zero > "$CODE_DIR/big"; exit 0',
    "in pieces": """
        for i in $(seq 100); do head -c 1M /dev/zero > "$SUBMISSION_DIR/$i"; done; sleep 300
    """,
    "locked": """
        mkdir "$CODE_DIR/d"; head -c 60M /dev/zero > "$CODE_DIR/d/big"; chmod 0 "$CODE_DIR/d"
    """,
    "without a name": """
        exec 7> "$LOGS_DIR/big"; rm "$LOGS_DIR/big"; head -c 60M /dev/zero >&7; sleep 300
    """,
}


@pytest.mark.parametrize("fill", FILL)
@pytest.mark.parametrize("sandbox", SANDBOXES_SLOW)
def test_too_much_on_disk_ends_an_attempt(tmp_path, interpreters, task, sandbox, fill):
    agent = make_agent(tmp_path / "agent", FILL[fill])
    ran = run_once(
        agent, task, tmp_path / "runs", interpreters, disk_bytes=50 << 20, sandbox=sandbox
    )
    assert ran.record.exit_status == "disk_limit", ran.log
    assert ran.record.limit_hit is not None
    assert ran.record.limit_hit.startswith("disk of 50 MiB in submission, code")
    assert ran.record.exit_code is None


@pytest.mark.parametrize(
    ("write", "places"),
    [
        pytest.param('head -c 60M /dev/zero > "$HOME/big"', "code, logs and HOME", id="home"),
        pytest.param('head -c 60M /dev/zero > "$TMPDIR/big"', "code, logs and HOME", id="tmp"),
    ],
)
def test_without_a_sandbox_the_home_folder_is_on_disk_too(
    tmp_path, interpreters, task, write, places
):
    agent = make_agent(tmp_path / "agent", write)
    ran = run_once(
        agent, task, tmp_path / "runs", interpreters, disk_bytes=50 << 20, sandbox="none"
    )
    assert ran.record.exit_status == "disk_limit"
    assert ran.record.limit_hit == f"disk of 50 MiB in submission, {places}"


@pytest.mark.parametrize("sandbox", SANDBOXES_SLOW)
@pytest.mark.parametrize(
    "write",
    [
        pytest.param('head -c 40M /dev/zero > "$LOGS_DIR/big"', id="less"),
        pytest.param('truncate -s 2T "$LOGS_DIR/hole"', id="a hole"),
        pytest.param(
            'head -c 30M /dev/zero > "$LOGS_DIR/a"; for i in b c d; do ln "$LOGS_DIR/a" '
            '"$LOGS_DIR/$i"; done',
            id="hard links",
        ),
        pytest.param('ln -s / "$CODE_DIR/root"; ln -s /usr "$LOGS_DIR/usr"', id="links"),
        pytest.param('rm -rf "$CODE_DIR" "$LOGS_DIR" 2>/dev/null; true', id="nothing left"),
        pytest.param('head -c 60M /dev/zero > "$LOGS_DIR/a"; rm "$LOGS_DIR/a"', id="deleted"),
    ],
)
def test_what_fills_no_disk_is_left_alone(tmp_path, interpreters, task, sandbox, write):
    agent = make_agent(tmp_path / "agent", f"{write}\nexit 0")
    ran = run_once(
        agent, task, tmp_path / "runs", interpreters, disk_bytes=100 << 20, sandbox=sandbox
    )
    assert (ran.record.exit_status, ran.record.limit_hit) == ("finished", None), ran.log


# ---------------------------------------------------------------- output

FLOODS = {
    "lines": "yes 'a line of the log'",
    "garbage": "cat /dev/urandom",
    "one giant line": "tr '\\0' x < /dev/zero",
    "standard error": "yes >&2",
}


@pytest.mark.parametrize("flood", FLOODS)
@pytest.mark.parametrize("sandbox", SANDBOXES_SLOW)
def test_a_flood_of_output_ends_an_attempt(tmp_path, interpreters, task, sandbox, flood):
    agent = make_agent(tmp_path / "agent", f"echo first\n{FLOODS[flood]}")
    ran = run_once(
        agent,
        task,
        tmp_path / "runs",
        interpreters,
        log_bytes=1 << 20,
        output_bytes=20 << 20,
        sandbox=sandbox,
    )
    assert ran.record.exit_status == "output_limit"
    assert ran.record.limit_hit == "output of 20 MiB"
    assert (ran.path / "run.log").stat().st_size < (1 << 20) + 300
    assert ran.log.startswith("first\n")
    assert "[mle-audit] Output beyond 1 MiB was not kept" in ran.log
    assert ran.log.rstrip().endswith("bytes; 20 MiB were allowed.")


def test_what_was_printed_before_a_quick_end_counts_too(tmp_path, interpreters, task):
    agent = make_agent(tmp_path / "agent", "head -c 3M /dev/zero")
    ran = run_once(
        agent, task, tmp_path / "runs", interpreters, output_bytes=2 << 20, sandbox="none"
    )
    assert (ran.record.exit_status, ran.record.limit_hit) == ("output_limit", "output of 2 MiB")
    assert "It printed 3145728 bytes; 2 MiB were allowed." in ran.log


def test_output_up_to_the_limit_is_left_alone(tmp_path, interpreters, task):
    agent = make_agent(tmp_path / "agent", "head -c 2M /dev/zero | tr '\\0' x")
    ran = run_once(
        agent, task, tmp_path / "runs", interpreters, output_bytes=2 << 20, sandbox="none"
    )
    assert (ran.record.exit_status, ran.record.limit_hit) == ("finished", None)
    assert len(ran.log) == 2 << 20
