"""Memory that is no process's: scratch folders and shared memory inside."""

from __future__ import annotations

import re
import subprocess
from typing import Any

import pytest

from audit.runner import limiters
from audit.runner.limits import Limits
from audit.runner.sandbox import sandbox_record
from tests.audit.runner.tiny import make_agent, run_once

pytestmark = pytest.mark.sandbox

LIMIT = 120 << 20
WATCHED: dict[str, Any] = {"limiters": ("watchdog",), "memory_bytes": LIMIT}


def test_all_scratch_folders_together_fit_into_the_limit(tmp_path, interpreters, task):
    look = r"""
        while read -r _ place kind _; do
            [ "$kind" = tmpfs ] && touch "$place/new" 2>/dev/null &&
                stat -f -c "$place %b %S" "$place"
        done < /proc/mounts
        touch /dev/new 2>/dev/null && echo "/dev can be written"
        echo x > /dev/null
        python -c 'import multiprocessing; multiprocessing.Lock()' && echo fine
    """
    ran = run_once(
        make_agent(tmp_path / "agent", look), task, tmp_path / "runs", interpreters, **WATCHED
    )
    sizes = {m[1]: int(m[2]) * int(m[3]) for m in re.finditer(r"(/\S+) (\d+) (\d+)", ran.log)}
    assert set(sizes) == {"/tmp", "/home", "/dev/shm"}  # noqa: S108 - inside
    assert sum(sizes.values()) <= LIMIT
    assert "/dev can be written" not in ran.log
    assert "fine" in ran.log


FILES = """
    head -c 50M /dev/zero > /tmp/a
    head -c 25M /dev/zero > /dev/shm/b
    head -c 25M /dev/zero > /home/user/c
    exec python -c 'held = bytearray(b"x") * (60 << 20); import time; time.sleep(20)'
"""
UNMAPPED = """
    import os, time
    held = []
    for _ in range(8):
        held.append(os.memfd_create("hidden"))
        os.write(held[-1], bytes(20 << 20))
        time.sleep(0.1)
    time.sleep(20)
"""
SHARED = """
    from multiprocessing.shared_memory import SharedMemory
    import time
    block = SharedMemory(create=True, size=28 << 20)
    block.buf[:] = bytes(28 << 20)
    held = bytearray(b"x") * (40 << 20)
    time.sleep(1)
    del held
    block.close()
    block.unlink()
    print("ended by itself")
"""


@pytest.mark.parametrize(
    ("start", "code"),
    [
        pytest.param(FILES, "", id="files in scratch folders"),
        pytest.param('exec python "$AGENT_DIR/main.py"', UNMAPPED, id="memory files nobody maps"),
    ],
)
def test_the_watchdog_counts_what_no_process_maps(tmp_path, interpreters, task, start, code):
    agent = make_agent(tmp_path / "agent", start, {"main.py": code})
    ran = run_once(agent, task, tmp_path / "runs", interpreters, 15, **WATCHED)
    assert ran.record.exit_status == "memory_limit"
    assert ran.record.peak_memory_bytes is not None
    assert ran.record.peak_memory_bytes > LIMIT


def test_shared_memory_that_is_mapped_counts_once(tmp_path, interpreters, task):
    agent = make_agent(tmp_path / "agent", 'exec python "$AGENT_DIR/main.py"', {"main.py": SHARED})
    ran = run_once(agent, task, tmp_path / "runs", interpreters, 15, **WATCHED)
    assert ran.record.exit_status == "finished", ran.log
    assert "ended by itself" in ran.log
    assert ran.record.peak_memory_bytes is not None
    assert 65 << 20 < ran.record.peak_memory_bytes < 100 << 20


def test_the_record_says_that_shared_memory_is_only_estimated():
    (line,) = sandbox_record("bubblewrap", "watchdog", "cgroup-v1").missing_protections
    assert "shared memory" in line
    assert sandbox_record("bubblewrap", "cgroup-v2", "cgroup-v2").missing_protections == ()


def test_scratch_of_the_host_is_never_counted(tmp_path):
    watchdog = limiters.choose(Limits(60, LIMIT), "NONE=0", ("watchdog",))
    assert watchdog.memory_kind == "watchdog"
    with subprocess.Popen(["/bin/sleep", "20"]) as process:
        watchdog.exceeded(process.pid)
        process.kill()
    assert watchdog.peak_bytes is not None
    assert watchdog.peak_bytes < 20 << 20
