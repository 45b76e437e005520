"""Memory and disk that are hidden where nobody looks count all the same."""

from __future__ import annotations

import pytest

from audit.runner.limiters import choose
from audit.runner.limits import Limits
from audit.runner.sandbox import sandbox_record
from tests.audit.runner.tiny import make_agent, run_once

MIB = 1 << 20
LIMIT = 96 * MIB
START = 'python "$AGENT_DIR/hide.py" && echo hidden'
# Each keeps 160 MiB, says so and waits to be seen.
HIDE = """
import array, ctypes, mmap, os, resource, socket, time

AMOUNT, BLOCK = 160 << 20, b"x" * (1 << 16)
libc = ctypes.CDLL(None, use_errno=True)
_, most = resource.getrlimit(resource.RLIMIT_NOFILE)
resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
kept = []

def fill(descriptor, amount):
    left = amount
    while left > 0:
        left -= os.write(descriptor, BLOCK[:left])

def in_a_memory_file():
    kept.append(os.memfd_create("x"))
    fill(kept[-1], AMOUNT)

def in_a_memory_file_on_its_way():
    ours, theirs = socket.socketpair()
    memory = os.memfd_create("x")
    fill(memory, AMOUNT)
    rights = array.array("i", [memory])
    ours.sendmsg([b"x"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, rights)])
    os.close(memory)
    kept.extend([ours, theirs])

def in_a_segment_that_nobody_has_attached():
    libc.shmat.restype = ctypes.c_void_p
    number = libc.shmget(0, ctypes.c_size_t(AMOUNT), 0o600)
    assert number >= 0
    address = libc.shmat(number, None, 0)
    ctypes.memset(address, 1, AMOUNT)
    libc.shmdt(ctypes.c_void_p(address))

def in_buffers_of_sockets():
    held = 0
    while held < AMOUNT:
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        try:
            while True:
                held += ours.send(BLOCK)
        except BlockingIOError:
            pass
        kept.extend([ours, theirs])

def in_pipes():
    held = 0
    while held < AMOUNT:
        ours, theirs = os.pipe()
        os.set_blocking(theirs, False)
        try:
            while True:
                held += os.write(theirs, BLOCK)
        except BlockingIOError:
            pass

def in_a_mapping_without_a_file():
    space = mmap.mmap(-1, AMOUNT)
    space.write(b"x" * AMOUNT)
    kept.append(space)

def in_a_file_without_a_name():
    path = "/dev/shm/x"
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT)
    os.unlink(path)
    os.ftruncate(descriptor, AMOUNT)
    kept.append(mmap.mmap(descriptor, AMOUNT))
    os.close(descriptor)
    kept[-1].write(b"x" * AMOUNT)

NAME()
time.sleep(2)
"""
WAYS = (
    pytest.param("in_a_memory_file", marks=pytest.mark.slow),
    "in_a_memory_file_on_its_way",
    "in_a_segment_that_nobody_has_attached",
    "in_buffers_of_sockets",
    pytest.param("in_pipes", marks=pytest.mark.slow),
    pytest.param("in_a_mapping_without_a_file", marks=pytest.mark.slow),
    pytest.param("in_a_file_without_a_name", marks=pytest.mark.slow),
)


@pytest.mark.sandbox
@pytest.mark.parametrize("way", WAYS)
def test_memory_is_counted_wherever_it_is_kept(way, tmp_path, interpreters, task):
    limiter = choose(Limits(60, LIMIT), "NONE=0")
    limiter.close()
    if limiter.memory_kind == "watchdog":
        pytest.skip("no control group can be made here, which every record says")
    agent = make_agent(tmp_path / "agent", START, {"hide.py": HIDE.replace("NAME", way)})
    ran = run_once(agent, task, tmp_path / "runs", interpreters, 40, memory_bytes=LIMIT)
    assert "hidden" not in ran.log
    # The kernel itself may allow less in pipes than the limit: then there is nothing to end.
    allowed = {"memory_limit", "crashed"} if way == "in_pipes" else {"memory_limit"}
    assert ran.record.exit_status in allowed, ran.log


def test_where_nobody_counts_the_kernels_memory_the_record_says_so():
    (line,) = sandbox_record("bubblewrap", "watchdog", "cgroup-v1").missing_protections
    assert "buffers of pipes and sockets" in line


NAMELESS = """
import mmap, os, sys, time
path = os.path.join(os.environ["CODE_DIR"], "x")
descriptor = os.open(path, os.O_RDWR | os.O_CREAT)
os.unlink(path)
os.ftruncate(descriptor, SIZE)
kept = mmap.mmap(descriptor, SIZE)
os.closerange(3, 1000)  # Python keeps one of its own for the mapping
kept.write(b"x" * SIZE)
time.sleep(TIME)
"""


@pytest.mark.parametrize("sandbox", ["none", pytest.param("bubblewrap", marks=pytest.mark.sandbox)])
def test_a_file_that_is_only_mapped_counts_as_disk(sandbox, tmp_path, interpreters, task):
    code = NAMELESS.replace("SIZE", str(60 * MIB)).replace("TIME", "20")
    agent = make_agent(tmp_path / "agent", START, {"hide.py": code})
    ran = run_once(
        agent, task, tmp_path / "runs", interpreters, 15, disk_bytes=30 * MIB, sandbox=sandbox
    )
    assert ran.record.exit_status == "disk_limit", ran.log


def test_what_is_mapped_below_the_limit_is_left_alone(tmp_path, interpreters, task):
    """Libraries and data are mapped as well, and count where they have a name."""
    code = NAMELESS.replace("SIZE", str(20 * MIB)).replace("TIME", "1")
    agent = make_agent(tmp_path / "agent", START, {"hide.py": code})
    ran = run_once(
        agent, task, tmp_path / "runs", interpreters, 15, disk_bytes=30 * MIB, sandbox="none"
    )
    assert ran.record.exit_status == "finished", ran.log
