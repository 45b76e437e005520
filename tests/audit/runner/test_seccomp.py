"""System calls that reach past namespaces: refused inside, and nothing that learning needs."""

from __future__ import annotations

import errno
import json
import platform
import struct

import pytest

from audit.runner import seccomp
from audit.runner.sandbox import sandbox_record
from tests.audit.runner.tiny import make_agent, run_once

PROBE = r"""
import ctypes, json, os, socket
from pathlib import Path

libc = ctypes.CDLL(None, use_errno=True)
seen = {}

def call(name, number, *arguments):
    ctypes.set_errno(0)
    seen[name] = ctypes.get_errno() if libc.syscall(number, *arguments) < 0 else 0

def family(name, number, create=socket.socket):
    try:
        opened = create(number, socket.SOCK_STREAM)
    except OSError as error:
        seen[name] = error.errno
    else:
        [s.close() for s in (opened if isinstance(opened, tuple) else (opened,))]
        seen[name] = 0

call("keyctl", KEYCTL, 0, -3, 0)
call("add_key", ADD_KEY, b"user", b"name", b"x", ctypes.c_size_t(1), -3)
call("request_key", REQUEST_KEY, b"user", b"name", None, -3)
call("io_uring", 425, 1, None)
call("vsock with high bits set", SOCKET, ctypes.c_ulong((1 << 32) + 40), 1, 0)
call("x32", 0x40000000 + 39)
family("vsock", 40)
family("bluetooth", 31)
family("crypto", 38)
family("pair", 40, socket.socketpair)
family("unix pair", 1, socket.socketpair)
for number in (1, 2, 10):
    family(f"family {number}", number)
with socket.socket(16, socket.SOCK_RAW):
    seen["netlink"] = 0
Path("/home/logs/seen.json").write_text(json.dumps(seen))
"""
# int 0x80 enters by the 32-bit table, where 20 is getpid.
OTHER_TABLE = r"""
import ctypes, mmap
code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
code.write(bytes.fromhex("b814000000cd80c3"))
address = ctypes.addressof(ctypes.c_char.from_buffer(code))
print("told", ctypes.CFUNCTYPE(ctypes.c_int)(address)())
"""
WORK = r"""
import multiprocessing, socket

def square(n):
    return n * n

if __name__ == "__main__":
    import numpy as np
    from joblib import Parallel, delayed
    from sklearn.ensemble import RandomForestClassifier

    with multiprocessing.get_context("spawn").Pool(2) as pool:
        print("pool", pool.map(square, range(3)))
    print("loky", Parallel(n_jobs=2)(delayed(square)(n) for n in range(3)))
    x = np.random.default_rng(0).normal(size=(80, 3))
    forest = RandomForestClassifier(8, n_jobs=2).fit(x, x[:, 0] > 0)
    print("forest", round(forest.score(x, x[:, 0] > 0)))
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()
        print("own loopback works")
"""


@pytest.fixture(scope="module")
def seen(tmp_path_factory, interpreters, task) -> dict[str, int]:
    if seccomp.program() is None:
        pytest.skip("no filter is known for this machine")
    calls = seccomp.CALLS[platform.machine()]
    code = PROBE.replace("KEYCTL", str(calls["keyctl"])).replace("ADD_KEY", str(calls["add_key"]))
    code = code.replace("REQUEST_KEY", str(calls["request_key"]))
    code = code.replace("SOCKET,", f"{calls['socket']},")
    start = 'exec python "$AGENT_DIR/probe.py"\n'
    folder = tmp_path_factory.mktemp("agents") / "probe"
    agent = make_agent(folder, start, {"probe.py": code})
    ran = run_once(agent, task, tmp_path_factory.mktemp("runs"), interpreters)
    assert ran.record.exit_status == "finished", ran.log
    loaded: dict[str, int] = json.loads((ran.path / "logs" / "seen.json").read_text())
    return loaded


@pytest.mark.sandbox
@pytest.mark.parametrize("call", ["keyctl", "add_key", "request_key", "io_uring"])
def test_the_kernels_keyrings_and_side_doors_are_refused(seen, call):
    assert seen[call] == errno.EPERM


@pytest.mark.sandbox
@pytest.mark.parametrize(
    "family", ["vsock", "vsock with high bits set", "bluetooth", "crypto", "pair"]
)
def test_families_that_no_namespace_confines_do_not_exist(seen, family):
    assert seen[family] == errno.EAFNOSUPPORT


@pytest.mark.sandbox
@pytest.mark.parametrize("family", ["family 1", "family 2", "family 10", "netlink", "unix pair"])
def test_families_within_the_sandbox_work(seen, family):
    assert seen[family] == 0


@pytest.mark.sandbox
@pytest.mark.skipif(platform.machine() != "x86_64", reason="only x86_64 has further tables")
def test_calls_by_another_table_do_not_exist(seen, tmp_path, interpreters, task):
    assert seen["x32"] == errno.ENOSYS
    agent = make_agent(
        tmp_path / "agent", 'python "$AGENT_DIR/other.py"; exit 0', {"other.py": OTHER_TABLE}
    )
    ran = run_once(agent, task, tmp_path / "runs", interpreters)
    assert f"told {-errno.ENOSYS}" in ran.log or "told" not in ran.log


@pytest.mark.slow
@pytest.mark.sandbox
def test_work_in_many_processes_goes_on_as_before(tmp_path, interpreters, task):
    agent = make_agent(
        tmp_path / "agent",
        'unset LOKY_MAX_CPU_COUNT; cp "$AGENT_DIR/work.py" .; exec python work.py\n',
        {"work.py": WORK},
        requirements=["scikit-learn", "statsmodels"],
    )
    ran = run_once(agent, task, tmp_path / "runs", interpreters)
    assert ran.record.exit_status == "finished", ran.log
    for line in ("pool [0, 1, 4]", "loky [0, 1, 4]", "forest 1", "own loopback works"):
        assert line in ran.log


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_a_program_is_whole_instructions_whose_jumps_stay_inside(machine):
    program = seccomp.program(machine)
    assert program is not None
    instructions = list(struct.iter_unpack("=HBBI", program))
    assert len(program) == 8 * len(instructions)
    returns, jumps = 0x06, {0x15, 0x35}
    for place, (code, if_true, if_false, _) in enumerate(instructions):
        if code in jumps:
            assert place + 1 + max(if_true, if_false) < len(instructions)
    assert instructions[-1][0] == returns


def test_a_machine_without_a_filter_says_what_is_missing(monkeypatch):
    monkeypatch.setattr(platform, "machine", lambda: "riscv64")
    assert seccomp.program() is None
    (line,) = sandbox_record("bubblewrap", "cgroup-v2", "cgroup-v2").missing_protections
    assert "keyrings" in line
