"""Several runners may share a group: claims, what is done, and what earlier tries left behind."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from audit.runner.ledger import claimed, earlier_tries, has_ended, record_of, set_aside
from audit.runner.limits import MAX_ATTEMPTS, Limits
from audit.runner.plan import (
    MAX_PLAN_BYTES,
    PLAN_NAME,
    Plan,
    PlannedAttempt,
    PlannedTask,
    read_plan,
    write_plan,
)
from competitions.errors import UnreadableFileError, UsageError
from detectors.record import AgentIdentity, AttemptRecord, Budget, Hardware, SandboxRecord
from detectors.record import write_record as write

STARTED = datetime(2026, 1, 2, tzinfo=UTC)


def record(**fields) -> AttemptRecord:
    return AttemptRecord(
        attempt_id="a_1",
        group="g",
        competition_id="a",
        variant="v1",
        data_source="local",
        data_digest="0" * 64,
        agent=AgentIdentity(id="probe", digest="0" * 64),
        seed=0,
        budget=Budget(wall_clock_s=1),
        sandbox=SandboxRecord(kind="none", network=True, memory_limiter="none"),
        hardware=Hardware(cpu_model="x", cpu_count=1, memory_bytes=1),
        tool_version="0",
        started_at=STARTED,
        **fields,
    )


def ended(status: str) -> AttemptRecord:
    return record(exit_status=status, ended_at=STARTED + timedelta(seconds=1))


# ---------------------------------------------------------------- claims

HOLD = """
import sys, time
from pathlib import Path
from audit.runner.ledger import claimed
with claimed(Path(sys.argv[1]), "a_1") as ours:
    print(ours, flush=True)
    time.sleep(60)
"""


def test_an_attempt_is_held_by_one_runner_until_it_ends_or_dies(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "True\n"
        with claimed(tmp_path, "a_1") as is_ours, claimed(tmp_path, "a_2") as is_other_ours:
            assert (is_ours, is_other_ours) == (False, True)
        other.kill()
        other.wait()
        with claimed(tmp_path, "a_1") as is_ours:
            assert is_ours


def test_a_pipe_in_the_place_of_a_lock_stops_nobody(tmp_path):
    (tmp_path / ".locks").mkdir()
    os.mkfifo(tmp_path / ".locks" / "a_1")
    with claimed(tmp_path, "a_1") as is_ours, claimed(tmp_path, "a_1") as is_ours_again:
        assert (is_ours, is_ours_again) == (True, False)


def test_a_link_in_the_place_of_a_lock_makes_no_file_elsewhere(tmp_path):
    (tmp_path / ".locks").mkdir()
    (tmp_path / ".locks" / "a_1").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="symbolic links"), claimed(tmp_path, "a_1"):
        pass
    assert not (tmp_path / "elsewhere").exists()


# ---------------------------------------------------------------- what is done


@pytest.mark.parametrize(
    ("found", "is_done"),
    [
        pytest.param(None, False, id="none"),
        pytest.param(record(), False, id="the runner died"),
        pytest.param(ended("interrupted"), False, id="interrupted"),
        *(
            pytest.param(ended(status), True, id=status)
            for status in ("finished", "crashed", "killed", "timed_out", "disk_limit")
        ),
    ],
)
def test_what_was_interrupted_is_not_done_and_what_failed_is(found, is_done):
    assert has_ended(found) is is_done


@pytest.mark.parametrize("text", ["", "{", "[]", '{"schema_version": 1}', "\x00" * 50])
def test_half_a_record_is_none(tmp_path, text):
    (tmp_path / "attempt.json").write_text(text)
    assert record_of(tmp_path) is None


# ---------------------------------------------------------------- setting aside


def remains(attempt: Path, words: str) -> None:
    for name in ("submission", "code", "logs"):
        (attempt / name).mkdir(parents=True, exist_ok=True)
        (attempt / name / "file").write_text(words)
    (attempt / "run.log").write_text(words)


def test_tries_are_set_aside_one_after_the_other_with_how_they_ended(tmp_path):
    assert set_aside(tmp_path / "a_1", "interrupted") == ()
    remains(tmp_path, "first")
    write(record(), tmp_path)
    assert set_aside(tmp_path, "interrupted") == ("interrupted",)  # its runner died
    remains(tmp_path, "second")
    write(ended("crashed"), tmp_path)
    assert set_aside(tmp_path, "retried") == ("interrupted", "crashed")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["interrupted-1", "retried-2"]
    assert (tmp_path / "retried-2" / "logs" / "file").read_text() == "second"
    assert set_aside(tmp_path, "interrupted") == ("interrupted", "crashed")


def test_links_and_files_with_such_a_name_are_remains_and_no_tries(tmp_path):
    attempt, elsewhere = tmp_path / "a_1", tmp_path / "elsewhere"
    elsewhere.mkdir()
    remains(attempt, "x")
    (attempt / "interrupted-7").symlink_to(elsewhere)
    (attempt / "interrupted-x").mkdir()
    write(ended("crashed"), attempt)
    assert earlier_tries(attempt) == []
    assert set_aside(attempt, "interrupted") == ("crashed",)
    assert list(elsewhere.iterdir()) == []
    assert (attempt / "interrupted-1" / "interrupted-7").is_symlink()


@pytest.mark.parametrize("left", ["link", "file"])
def test_a_link_or_file_that_bears_the_next_name_is_moved_as_well(tmp_path, left):
    remains(tmp_path, "x")
    if left == "link":
        (tmp_path / "interrupted-1").symlink_to("/nowhere")
    else:
        (tmp_path / "interrupted-1").write_text("x")
    write(ended("crashed"), tmp_path)
    assert set_aside(tmp_path, "interrupted") == ("crashed",)
    (folder,) = tmp_path.iterdir()
    assert folder.name == "interrupted-2"
    assert (folder / "interrupted-1").is_symlink() == (left == "link")


def test_a_try_without_a_record_is_not_mixed_with_the_next_one(tmp_path):
    remains(tmp_path, "first")
    assert set_aside(tmp_path, "interrupted") == ("interrupted",)
    remains(tmp_path, "second")
    write(ended("crashed"), tmp_path)
    assert set_aside(tmp_path, "interrupted") == ("interrupted", "crashed")
    logs = [tmp_path / f"interrupted-{n}" / "run.log" for n in (1, 2)]
    assert [log.read_text() for log in logs] == ["first", "second"]


def test_a_folder_whose_number_no_runner_reaches_is_no_try(tmp_path):
    (tmp_path / f"interrupted-{'9' * 230}").mkdir()
    assert set_aside(tmp_path, "interrupted") == ("interrupted",)
    assert [p.name for p in tmp_path.iterdir()] == ["interrupted-1"]


def test_nothing_is_moved_through_a_link_in_the_place_of_an_attempt(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    remains(elsewhere, "x")
    (tmp_path / "a_1").symlink_to(elsewhere)
    with pytest.raises(NotADirectoryError, match="found a link"):
        set_aside(tmp_path / "a_1", "interrupted")
    assert (elsewhere / "run.log").is_file()


def test_a_record_that_is_a_link_is_none(tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    write(ended("finished"), other)
    (tmp_path / "attempt.json").symlink_to(other / "attempt.json")
    assert record_of(tmp_path) is None


class _Killed(BaseException):
    """As a runner that dies between two renames."""


@settings(max_examples=60)
@given(st.lists(st.integers(0, 4), max_size=4))
def test_however_often_it_is_cut_short_nothing_is_lost_and_one_folder_holds_all(
    tmp_path_factory, deaths
):
    attempt = tmp_path_factory.mktemp("attempt")
    remains(attempt, "words")
    write(ended("crashed"), attempt)
    before = sorted(p.name for p in attempt.iterdir())
    for moves in deaths:
        _set_aside_dying_after(attempt, moves)
    assert set_aside(attempt, "interrupted") == ("crashed",)
    (folder,) = attempt.iterdir()
    assert sorted(p.name for p in folder.iterdir()) == before


def _set_aside_dying_after(attempt: Path, moves: int) -> None:
    left = moves
    original = Path.rename

    def rename(self: Path, target: Path) -> Path:
        nonlocal left
        if left == 0:
            raise _Killed
        left -= 1
        return original(self, target)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Path, "rename", rename)
        with contextlib.suppress(_Killed):
            set_aside(attempt, "interrupted")


# ---------------------------------------------------------------- the plan


def plan(**fields) -> Plan:
    return Plan(
        group="g",
        created_at=STARTED,
        tool_version="0",
        agent_id="probe",
        agent_digest="0" * 64,
        agent_folder="/agents/probe",
        data_dir="/data",
        limits=Limits(60, memory_bytes=1 << 30),
        sandbox="none",
        tasks=(
            PlannedTask(
                competition_id="a", variant="v1", data_digest="1" * 64, data_source="local"
            ),
        ),
        attempts=(PlannedAttempt(attempt_id="a_1", competition_id="a", seed=0),),
        **fields,
    )


def test_a_plan_is_read_as_it_was_written(tmp_path):
    write_plan(plan(snapshot_every_s=3600.0), tmp_path)
    assert read_plan(tmp_path) == plan(snapshot_every_s=3600.0)


def test_a_folder_without_a_plan_is_no_group_of_ours(tmp_path):
    with pytest.raises(UsageError, match=r"holds no plan\.json"):
        read_plan(tmp_path)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(
            {"attempts": [{"attempt_id": "../x", "competition_id": "a", "seed": 0}]}, id="a path"
        ),
        pytest.param(
            {"attempts": [{"attempt_id": "x" * 201, "competition_id": "a", "seed": 0}]},
            id="a name that no file system takes",
        ),
        pytest.param(
            {"attempts": [{"attempt_id": "a_1", "competition_id": "a", "seed": s} for s in (0, 1)]},
            id="two attempts in one folder",
        ),
        pytest.param({"limits": {"wall_clock_s": "soon"}}, id="a limit in words"),
        pytest.param({"surprise": 1}, id="an unknown field"),
    ],
)
def test_a_plan_that_is_none_is_refused_with_its_field(tmp_path, change):
    content = json.loads(plan().model_dump_json()) | change
    (tmp_path / PLAN_NAME).write_text(json.dumps(content))
    with pytest.raises(UnreadableFileError, match=next(iter(change))):
        read_plan(tmp_path)


@pytest.mark.parametrize(
    ("tasks", "said"),
    [
        pytest.param(0, "a_1: a is none of the tasks", id="none"),
        pytest.param(2, "tasks: a is named twice", id="twice"),
    ],
)
def test_a_plan_whose_attempts_and_tasks_do_not_fit_is_refused(tmp_path, tasks, said):
    content = json.loads(plan().model_dump_json())
    (tmp_path / PLAN_NAME).write_text(json.dumps(content | {"tasks": content["tasks"] * tasks}))
    with pytest.raises(UnreadableFileError, match=said):
        read_plan(tmp_path)


def test_the_largest_plan_can_be_read_again():
    one = PlannedAttempt(attempt_id="x" * 200, competition_id="c" * 100, seed=MAX_ATTEMPTS)
    written = json.dumps({"attempts": [json.loads(one.model_dump_json())]}, indent=2)
    assert len(written) * MAX_ATTEMPTS < MAX_PLAN_BYTES


def test_a_plan_that_is_no_json_is_refused(tmp_path):
    (tmp_path / PLAN_NAME).write_bytes(b"\xff{")
    with pytest.raises(UnreadableFileError, match="expected the plan of a group"):
        read_plan(tmp_path)
