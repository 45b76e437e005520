import fcntl
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from competitions import spec
from competitions.data import layout_of
from competitions.errors import NotPreparedError, RefusedError
from competitions.prepare import load_prepared, prepare
from competitions.prepared import verify

TASK = spec.load("modechoice")
ROOT = Path(__file__).parents[2]


def leftovers(data_dir):
    return sorted(p.name for p in layout_of(TASK, data_dir).root.iterdir())


SLOW_PREPARE = """
import sys, time
from pathlib import Path
from competitions import prepare, spec, streamed

stage, data_dir, force = sys.argv[1], Path(sys.argv[2]), sys.argv[3] == "force"
stage, _, call = stage.partition(" ")
calls_left = int(call or 1)
in_pieces = stage.startswith("streamed.")
module, stage = streamed if in_pieces else prepare, stage.removeprefix("streamed.")
if in_pieces:
    streamed.LEAST, streamed.CHUNK = 0, 1 << 12
def stop(*_):
    print("here", flush=True)
    time.sleep(60)
target = getattr(module, stage, None)
def before(*arguments):
    global calls_left
    calls_left -= 1
    if calls_left == 0:
        stop()
    return target(*arguments)
def renamed(self, other):
    moved = rename(self, other)
    stop()
    return moved
rename = Path.rename
if stage == "rename":
    Path.rename = renamed
else:
    setattr(module, stage, before)
prepare.prepare(spec.load("modechoice"), data_dir, force=force)
"""


def killed_at(stage, data_dir, *, force=False):
    """Run a preparation in a process of its own and kill it at a named moment."""
    arguments = [
        sys.executable,
        "-c",
        SLOW_PREPARE,
        stage,
        str(data_dir),
        "force" if force else "no",
    ]
    with subprocess.Popen(
        arguments, cwd=ROOT, stdout=subprocess.PIPE, env=os.environ | {"PYTHONPATH": str(ROOT)}
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"here\n"
        process.send_signal(signal.SIGKILL)
        process.wait(10)


@pytest.mark.slow
@pytest.mark.parametrize(
    "stage",
    [
        *("_clear_remains", "_build", "describe", "tree_digests", "_publish"),
        # a large table in pieces: before and while rows are laid out, within a file, after all
        *("streamed._lay", "streamed._append 3", "streamed.finished 3", "streamed.copy_row_files"),
    ],
)
def test_a_killed_preparation_leaves_nothing_and_the_next_one_cleans_up(tmp_path, stage):
    killed_at(stage, tmp_path)

    assert not layout_of(TASK, tmp_path).prepared.exists()
    verify(prepare(TASK, tmp_path))
    assert leftovers(tmp_path) == [".prepare.lock", "prepared"]


def test_killed_between_the_two_renames_of_force_the_old_data_come_back(tmp_path):
    before = prepare(TASK, tmp_path)
    killed_at("rename", tmp_path, force=True)

    assert not before.folder.exists()
    assert prepare(TASK, tmp_path).public_sha256 == before.public_sha256
    assert leftovers(tmp_path) == [".prepare.lock", "prepared"]


def test_remains_of_a_killed_force_go_at_the_next_call_unless_somebody_builds(tmp_path):
    before = prepare(TASK, tmp_path)
    killed_at("_publish", tmp_path, force=True)
    with layout_of(TASK, tmp_path).lock.open() as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        assert prepare(TASK, tmp_path) == before
        assert len(leftovers(tmp_path)) == 3

    assert prepare(TASK, tmp_path) == before
    assert leftovers(tmp_path) == [".prepare.lock", "prepared"]


@pytest.mark.parametrize(
    "put",
    [
        pytest.param(os.mkfifo, id="pipe"),
        pytest.param(lambda path: path.mkdir(), id="folder"),
        pytest.param(lambda path: path.symlink_to(path.parent.parent / "else"), id="link"),
    ],
)
def test_what_is_no_lock_file_in_its_place_is_told_and_neither_waited_for_nor_followed(
    tmp_path, put
):
    lock = layout_of(TASK, tmp_path).lock
    lock.parent.mkdir()
    put(lock)
    with pytest.raises(RefusedError, match=r"\.prepare\.lock: expected a lock file, found a link"):
        prepare(TASK, tmp_path)

    assert leftovers(tmp_path) == [".prepare.lock"]
    assert not (tmp_path / "else").exists()


def test_two_processes_at_once_prepare_one_whole(tmp_path):
    script = (
        "import sys; from pathlib import Path; from competitions import spec\n"
        "from competitions.prepare import prepare\n"
        "print(prepare(spec.load('modechoice'), Path(sys.argv[1])).public_sha256)"
    )
    started = [
        subprocess.Popen(
            [sys.executable, "-c", script, str(tmp_path)],
            cwd=ROOT,
            stdout=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
        )
        for _ in range(3)
    ]
    said = [process.communicate(timeout=60)[0] for process in started]

    assert [process.returncode for process in started] == [0, 0, 0]
    assert len(set(said)) == 1
    verify(load_prepared(TASK, tmp_path))
    assert leftovers(tmp_path) == [".prepare.lock", "prepared"]


def test_a_reader_never_sees_half_of_it(tmp_path):
    """Whoever looks while a task is prepared finds no folder or the whole one."""
    killed_at("_publish", tmp_path)
    with pytest.raises(NotPreparedError):
        load_prepared(TASK, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("delay_s", [0.2, 0.6, 0.9, 1.0, 1.1, 1.2, 1.4, 2.0])
def test_killed_at_any_moment_there_is_nothing_or_the_whole(tmp_path, delay_s):
    script = "import sys; from pathlib import Path; from competitions import prepare, spec\n" + (
        "while True: prepare.prepare(spec.load('modechoice'), Path(sys.argv[1]), force=True)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script, str(tmp_path)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    ) as process:
        time.sleep(delay_s)
        process.kill()

    folder = layout_of(TASK, tmp_path).prepared
    if folder.exists():
        verify(load_prepared(TASK, tmp_path))
    verify(prepare(TASK, tmp_path))
    assert leftovers(tmp_path) == [".prepare.lock", "prepared"]
