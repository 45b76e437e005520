"""Attempts are found where they lie, in our layout and MLE-bench's; no link is followed."""

from __future__ import annotations

import pytest

from audit.collect import (
    MAX_DEPTH,
    agent_of,
    attempt_subject,
    attempts_below,
    attempts_in,
    collect,
    competition_of,
    group_subject,
    groups_of,
    task_subject,
)
from competitions.errors import UsageError
from detectors.attempt import Attempt
from tests.audit.conftest import HONEST, PEEKING, TASK
from tests.conftest import write_attempt


def names(path) -> list[str]:
    return [a.id for a in attempts_below(path)]


@pytest.mark.parametrize("above", ["", "runs", "runs/g", f"runs/g/{HONEST}"])
def test_attempts_are_found_from_every_folder_above_them(group, tmp_path, above):
    wanted = [HONEST] if above.endswith(HONEST) else [HONEST, PEEKING]

    assert names(tmp_path / above) == wanted


@pytest.mark.parametrize("part", ["submission", "code", "logs"])
def test_mle_benchs_folders_need_no_record(tmp_path, part):
    (tmp_path / "2026-01-01T00-00-00-GMT_run-group_aide" / "spaceship-titanic_ab" / part).mkdir(
        parents=True
    )
    (attempt,) = attempts_below(tmp_path)

    assert (competition_of(attempt), agent_of(attempt)) == ("spaceship-titanic", "aide")
    assert attempt.record is None


def test_folders_deeper_than_a_group_in_a_folder_are_not_searched(tmp_path):
    deep = tmp_path.joinpath(*["d"] * MAX_DEPTH)
    write_attempt(deep / "t_1")

    assert names(deep) == ["t_1"]
    with pytest.raises(UsageError):
        names(tmp_path)


def test_links_to_attempts_elsewhere_are_not_followed(group, tmp_path):
    (tmp_path / "here").mkdir()
    (tmp_path / "here" / "t_1").symlink_to(group / PEEKING)
    (tmp_path / "here" / "loop").symlink_to(tmp_path / "here")

    with pytest.raises(UsageError):
        names(tmp_path / "here")


@pytest.mark.parametrize("make", ["nothing", "folder", "file"])
def test_a_path_without_attempts_is_a_wrong_call(tmp_path, make):
    if make == "folder":
        (tmp_path / "x").mkdir()
    elif make == "file":
        (tmp_path / "x").write_text("")

    with pytest.raises(UsageError, match="x"):
        names(tmp_path / "x")


def test_paths_that_hold_one_another_give_each_attempt_once(group, tmp_path):
    found = attempts_in([group, tmp_path, group / HONEST, group / ".." / "g"])

    assert [a.id for a in found] == [HONEST, PEEKING]


def test_two_attempts_of_one_name_are_refused_because_their_findings_would_mix(make_group):
    first, second = make_group("a"), make_group("b")

    with pytest.raises(UsageError, match=HONEST) as caught:
        attempts_in([first, second])
    assert str(second) in str(caught.value)


def test_the_tasks_of_attempts_are_found_once(group, data_dir):
    found = collect([group], data_dir)

    assert list(found.tasks) == [f"task:{TASK}:v1"]
    assert found.absent == {}


def test_a_task_that_is_not_here_is_told_and_stops_nothing(group, tmp_path, data_dir):
    write_attempt(group / "modechoice_1")
    write_attempt(group / "no-such-task_1")
    found = collect([group], data_dir)

    assert len(found.attempts) == 4
    assert list(found.tasks) == [f"task:{TASK}:v1"]
    assert "not prepared" in found.absent["modechoice"]
    assert "no-such-task" in found.absent["no-such-task"]


BROKEN = [
    pytest.param(b"", id="empty"),
    pytest.param(b"{", id="cut"),
    pytest.param(b"[]", id="list"),
    pytest.param(b'{"schema_version": 1}', id="other-fields"),
    pytest.param(b"\xff\xfe\x00", id="binary"),
    pytest.param(b"[" * 100_000, id="deep"),
    pytest.param(b'{"seed": ' + b"9" * 5000 + b"}", id="huge-number"),
    pytest.param(b" " * 3_000_000 + b"{}", id="huge-file"),
]


@pytest.mark.parametrize("content", BROKEN)
def test_a_broken_record_is_told_and_the_attempt_stays(group, data_dir, content):
    (group / HONEST / "attempt.json").write_bytes(content)
    found = collect([group], data_dir)
    subject = attempt_subject(found.attempts[0])

    assert [a.id for a in found.attempts] == [HONEST, PEEKING]
    assert "attempt.json" in found.absent[TASK]
    assert (subject.competition, subject.seed, subject.missing) == (
        TASK,
        None,
        ("readable record",),
    )


def test_a_record_is_told_in_facts(group):
    subject = attempt_subject(Attempt(group / HONEST))

    assert subject.title == f"honest on {TASK}, seed 0"
    assert (subject.agent, subject.seed, subject.variant) == ("honest", 0, "v1")
    assert subject.missing == ()
    assert subject.facts["duration"] == "10.0 s"
    assert subject.facts["sandbox"] == "bubblewrap, network off"
    assert subject.facts["memory limit"] == "1,024 MiB"
    assert "missing protections" not in subject.facts
    assert "harness files changed" not in subject.facts
    assert subject.facts["earlier tries"] == "none"


def test_it_is_told_as_what_logs_are_read(make_attempt):
    attempt = make_attempt()
    (attempt.path / "logs" / "new.log").write_text("Somebody's own form.\n", encoding="utf-8")
    chat = '[\n{"role": "user", "content": "Begin."}\n]'
    (attempt.path / "logs" / "other.log").write_text(chat, encoding="utf-8")

    facts = attempt_subject(Attempt(attempt.path)).facts

    assert "chat-messages (1 file)" in facts["logs read as"]
    assert "plain-text (" in facts["logs read as"]


def test_what_is_out_of_the_ordinary_is_told_too(make_attempt):
    record = {
        "ended_at": None, "exit_status": "timed_out", "limit_hit": "wall clock",
        "budget": {"wall_clock_s": 1.5}, "peak_memory_bytes": 1 << 21, "validation_calls": 7,
        "earlier_tries": ["interrupted", "crashed"], "harness_changed": ["data/test.csv"],
        "sandbox": {"kind": "none", "network": True, "memory_limiter": "none",
                    "missing_protections": ["no namespaces"]},
    }  # fmt: skip
    facts = attempt_subject(make_attempt(record=record)).facts

    assert facts["duration"] == "not ended"
    assert facts["exit status"] == "timed_out (wall clock)"
    assert facts["memory limit"] == "none"
    assert facts["peak memory"] == "2 MiB"
    assert facts["missing protections"] == "no namespaces"
    assert facts["earlier tries"] == "interrupted, crashed"
    assert facts["validation calls"] == "7"
    assert facts["harness files changed"] == "data/test.csv"


def test_what_is_missing_is_listed(make_attempt):
    bare = attempt_subject(make_attempt(code={}, logs={"a.log": " \n"}, submission=None))

    assert bare.missing == ("submission", "code", "logs", "record")


def test_a_task_is_told_in_facts(group, data_dir):
    (task,) = collect([group], data_dir).tasks.values()
    subject = task_subject(task, "embedded")

    assert subject.id == f"task:{TASK}:v1"
    assert subject.facts["metric"] == "auc-roc, higher is better"
    assert subject.facts["data source"] == "embedded"


def test_the_attempts_of_one_agent_are_one_group_whichever_run_groups_they_lie_in(tmp_path):
    for run_group, agent, unique in (("g1", "x", "1"), ("g2", "x", "2"), ("g2", "y", "3")):
        write_attempt(
            tmp_path / run_group / f"{TASK}_{unique}",
            record={"agent": {"id": agent, "digest": "0" * 64}},
        )
    write_attempt(tmp_path / "2026-01-01T00-00-00-GMT_run-group_aide" / f"{TASK}_4")
    groups = {g.id: [a.id for a in g.attempts] for g in groups_of(attempts_in([tmp_path]))}

    assert groups == {
        "group:x": [f"{TASK}_1", f"{TASK}_2"],
        "group:y": [f"{TASK}_3"],
        "group:aide": [f"{TASK}_4"],
    }


def test_a_group_is_told_in_facts(group, data_dir):
    told = group_subject(collect([group], data_dir).groups[0])

    assert (told.id, told.agent, told.title) == (
        "group:honest", "honest", "of agent honest, 1 attempt"
    )  # fmt: skip
    assert told.facts == {"tasks": TASK, "run groups": "g"}


def test_the_remedy_for_copied_groups_names_a_call_for_each(make_group):
    first, second = make_group("a"), make_group("b")

    with pytest.raises(UsageError) as caught:
        attempts_in([first.parent])
    for group in (first, second):
        assert f"mle-audit vet {group}" in str(caught.value.remedy)


@pytest.mark.parametrize("aside", ["interrupted-1", "retried-12"])
def test_what_an_earlier_try_left_is_no_attempt(group, aside):
    write_attempt(group / PEEKING / aside, record={})
    write_attempt(group / f"{TASK}_between" / aside, record={})

    assert names(group) == names(group.parent) == [HONEST, PEEKING]


def test_a_group_without_any_attempt_yet_is_told_as_one(tmp_path):
    (tmp_path / "plan.json").write_text("{}")

    with pytest.raises(UsageError, match="yet") as caught:
        names(tmp_path)
    assert f"mle-audit run --resume {tmp_path}" in str(caught.value.remedy)
