"""Without a sandbox a process can get away from all that ends it, as the record says."""

from __future__ import annotations

import os
import uuid

import psutil
import pytest

from tests.audit.runner.tiny import alive, make_agent, run_once
from tests.tamper.tamperings import OUTLIVE

# Leaves the control groups, the session and the environment by which it would be found.
ESCAPE = """
import glob, os, signal, sys

keeper = os.getppid()
while b"keeper.py" not in open(f"/proc/{keeper}/cmdline", "rb").read():
    keeper = int(open(f"/proc/{keeper}/stat").read().rpartition(")")[2].split()[1])
if os.fork() == 0:
    os.setsid()
    for path in glob.glob("/sys/fs/cgroup/**/cgroup.procs", recursive=True):
        if path.count("/") < 6:
            try:
                open(path, "w").write(str(os.getpid()))
            except OSError:
                pass
    null = os.open("/dev/null", os.O_RDWR)
    for number in range(3):  # nobody has to wait for its output
        os.dup2(null, number)
    os.kill(keeper, signal.SIGKILL)
    os.execve("/bin/sleep", ["sleep", "300.MARK"], {})
os.wait()
"""


@pytest.mark.parametrize("sandbox", ["none", pytest.param("bubblewrap", marks=pytest.mark.sandbox)])
def test_who_kills_the_keeper_gets_away_without_a_sandbox_alone(
    sandbox, tmp_path, interpreters, task
):
    if sandbox == "none" and os.geteuid():
        pytest.skip("only root can leave every control group")
    mark = str(uuid.uuid4().int)[:18]
    code = ESCAPE.replace("MARK", mark)
    if sandbox == "bubblewrap":  # there is no keeper: its place has the first process
        code = code.replace('b"keeper.py" not in', "keeper != 1 and not")
    agent = make_agent(tmp_path / "agent", 'python "$AGENT_DIR/e.py"', {"e.py": code})
    try:
        ran = run_once(agent, task, tmp_path / "runs", interpreters, 10, sandbox=sandbox)
        lives = bool(alive(f"300.{mark}"))
    finally:
        for process in psutil.process_iter(["cmdline"]):
            if f"300.{mark}" in (process.info["cmdline"] or []):
                process.kill()
    assert lives == (sandbox == "none"), ran.log
    assert (OUTLIVE in ran.record.sandbox.missing_protections) == lives
