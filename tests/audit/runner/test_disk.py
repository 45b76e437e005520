"""How much hostile folders hold, and how much must stay free."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from audit.runner.disk import DiskWatch, deleted_but_open, measure, require_room
from audit.runner.limits import Limits
from audit.runner.remains import remove_tree

ROOT = Path(__file__).parents[3]
MIB = 1 << 20


def fill(path: Path, size: int = MIB) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(os.urandom(size))
    return path


def du(folder: Path) -> int:
    """Bytes below a folder as coreutils count them, the folder itself left out."""
    done = subprocess.run(
        ["/usr/bin/du", "-s", "--block-size=512", str(folder)], capture_output=True, check=True
    )
    return int(done.stdout.split()[0]) * 512 - folder.lstat().st_blocks * 512


@given(
    st.lists(
        st.tuples(
            st.lists(st.sampled_from("abc"), max_size=3),
            st.integers(0, 20_000),
            st.sampled_from(["file", "hole", "link", "hard link"]),
        ),
        max_size=12,
    )
)
def test_it_counts_as_coreutils_do(tmp_path_factory, tree):
    folder = tmp_path_factory.mktemp("tree")
    made: list[Path] = []
    for number, (parts, size, kind) in enumerate(tree):
        path = folder.joinpath(*parts, f"{number}-{kind}")
        path.parent.mkdir(parents=True, exist_ok=True)
        if kind == "link":
            path.symlink_to("/usr")
        elif kind == "hard link" and made:
            path.hardlink_to(made[-1])
        elif kind == "hole":
            with path.open("wb") as stream:
                stream.truncate(size << 10)
        else:
            made.append(fill(path, size))
    found = measure([folder])
    assert found.size == du(folder)
    assert found.entries == sum(1 for _ in folder.rglob("*"))
    assert found.is_whole


def test_folders_that_are_links_or_gone_hold_nothing(tmp_path):
    fill(tmp_path / "real" / "file")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    found = measure([tmp_path / "link", tmp_path / "gone"])
    assert (found.size, found.entries) == (0, 0)


def test_a_file_under_two_names_in_two_folders_counts_once(tmp_path):
    fill(tmp_path / "a" / "file")
    (tmp_path / "b").mkdir()
    (tmp_path / "b" / "same").hardlink_to(tmp_path / "a" / "file")
    assert measure([tmp_path / "a", tmp_path / "b"]).size < 2 * MIB


DIG = """
import os, sys
os.chdir(sys.argv[1])
for number in range(int(sys.argv[2])):
    os.mkdir(200 * "n")
    os.mkdir("other")
    os.chdir(200 * "n")
open("file", "wb").write(bytes(1 << 20))
"""


def dig(folder: Path, depth: int) -> None:
    """Nest folders, each beside another one, with a file of 1 MiB at the bottom."""
    folder.mkdir()
    subprocess.run([sys.executable, "-c", DIG, str(folder), str(depth)], check=True)


def test_a_file_beyond_the_longest_path_is_found(tmp_path):
    dig(tmp_path / "deep", 60)
    before = sorted(Path("/proc/self/fd").iterdir())
    try:
        found = measure([tmp_path / "deep"])
        assert (found.entries, found.is_whole) == (121, True)
        assert found.size >= MIB
        assert sorted(Path("/proc/self/fd").iterdir()) == before
    finally:
        remove_tree(tmp_path / "deep")


def test_what_is_too_deep_to_be_measured_is_a_limit(tmp_path, monkeypatch):
    monkeypatch.setattr("audit.runner.disk._MAX_HELD", 2)
    dig(tmp_path / "deep", 60)
    try:
        assert not measure([tmp_path / "deep"]).is_whole
        watch = DiskWatch({"work": tmp_path / "deep"}, 1 << 30)
        assert watch.finish() == "folders nested too deeply to be measured in work"
    finally:
        remove_tree(tmp_path / "deep")


def test_a_folder_that_became_a_link_meanwhile_is_not_followed(tmp_path):
    """The walk has seen a folder; before it enters, the agent puts a link in its path."""
    fill(tmp_path / "elsewhere" / "inner" / "file")
    work = tmp_path / "work"
    for name in ("a", "b"):
        (work / name / "inner").mkdir(parents=True)
    swapped: list[str] = []

    def swap(_size: int, _entries: int) -> bool:
        for name in ("a", "b"):
            if not swapped and (work / name / "inner").is_dir():
                swapped.append(name)
                for each in ("a", "b"):
                    (work / each).rename(tmp_path / f"old-{each}")
                    (work / each).symlink_to(tmp_path / "elsewhere")
        return False

    assert measure([work], swap).size < MIB
    assert swapped


LOCKED = """
import sys
from pathlib import Path
from audit.runner.disk import DiskWatch, measure
folder = Path(sys.argv[1])
print("seen", measure([folder]).size)
watch = DiskWatch({"work": folder, "gone": folder / "gone"}, 1 << 20)
print("hit", watch.finish())
"""


@pytest.mark.sandbox
@pytest.mark.parametrize("closed", [0o000, 0o400, 0o700])
def test_locked_folders_are_passed_over_first_and_measured_at_the_end(tmp_path, closed):
    fill(tmp_path / "work" / "locked" / "inner" / "file", 2 * MIB)
    (tmp_path / "work" / "locked" / "inner").chmod(0)
    (tmp_path / "work" / "locked").chmod(0o400)
    (tmp_path / "work" / "open").mkdir(0o755)
    (tmp_path / "work").chmod(closed)
    # Not even root may pass a closed door without the capability.
    command = ["bwrap", "--dev-bind", "/", "/", "--cap-drop", "ALL", sys.executable, "-c", LOCKED]
    done = subprocess.run(
        [*command, str(tmp_path / "work")], cwd=ROOT, capture_output=True, text=True, check=True
    )
    (seen, hit) = (line.split(" ", 1)[1] for line in done.stdout.splitlines())
    assert int(seen) < MIB
    assert hit == "disk of 1 MiB in work and gone"
    assert (tmp_path / "work" / "open").stat().st_mode & 0o777 == 0o755


def test_a_multitude_of_small_files_is_a_limit_of_its_own(tmp_path):
    for number in range(60):
        (tmp_path / str(number)).touch()
    assert DiskWatch({"a": tmp_path}, 1 << 30, most_entries=60).finish() is None
    watch = DiskWatch({"a": tmp_path, "b": tmp_path / "b"}, 1 << 30, most_entries=59)
    assert watch.finish() == "59 files and folders in a and b"


def test_nothing_is_watched_without_a_limit(tmp_path):
    fill(tmp_path / "file")
    assert DiskWatch({"work": tmp_path}, None).finish() is None


def test_files_without_a_name_count_while_they_are_open(tmp_path):
    devices = measure([tmp_path]).devices
    with fill(tmp_path / "file").open("rb") as first, (tmp_path / "file").open("rb"):
        assert deleted_but_open([os.getpid()], devices) == 0
        (tmp_path / "file").unlink()
        assert deleted_but_open([os.getpid(), os.getpid()], devices) >= MIB
        assert deleted_but_open([os.getpid()], frozenset()) == 0
        assert first.read(1)
    assert deleted_but_open([os.getpid(), 2**30], devices) == 0


# ---------------------------------------------------------------- what must stay free

# The disk is a file system in memory, so small that a hundredth of it is what must stay free.
LOW = """
    import sys
    from pathlib import Path
    from audit.runner.agent import load_agent
    from audit.runner.group import RunOptions, run_group
    from audit.runner.limits import Limits
    from competitions.errors import RunError
    from detectors.record import read_record
    from tests.audit.runner.tiny import make_task, now
    root, cache = Path(sys.argv[1]), Path(sys.argv[2])
    task = make_task(root / "data")
    for limit in (1 << 30, 1 << 30):
        options = RunOptions(Limits(20, disk_bytes=limit), now, "none", cache=cache)
        try:
            group = run_group(load_agent(root / "agent"), [task], [0], root / "small", options)
        except RunError as error:
            print("refused:", error)
            continue
        except OSError as error:
            print("told:", error)
        for path in sorted(group.glob("*/attempt.json")):
            record = read_record(path.parent)
            print(record.exit_status, record.limit_hit)
"""


@pytest.mark.sandbox
def test_a_disk_that_runs_low_ends_an_attempt_and_refuses_the_next(tmp_path, interpreters):
    from tests.audit.runner.tiny import make_agent

    make_agent(tmp_path / "agent", 'head -c 65000K /dev/zero > "$LOGS_DIR/big"; sleep 300')
    (tmp_path / "small").mkdir()
    inside = ["bwrap", "--dev-bind", "/", "/", "--size", str(64 * MIB), "--tmpfs"]
    command = [*inside, str(tmp_path / "small"), sys.executable, "-c", textwrap.dedent(LOW)]
    done = subprocess.run(
        [*command, str(tmp_path), str(interpreters)],
        check=False,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
    )
    first, second, remedy = done.stdout.splitlines()[:3]
    assert first == ("disk_limit free disk of 655.4 KiB, which must be left, whoever fills it"), (
        done.stdout + done.stderr
    )
    assert second.startswith("refused: Expected at least 655.4 KiB free on the disk of ")
    assert "--run-dir" in remedy


def test_where_there_is_room_nothing_is_refused(tmp_path):
    require_room(tmp_path / "not" / "yet" / "there", Limits(60, disk_bytes=1 << 30))
