"""A group that was cut short ends as one that ran through; what has ended is left as it is."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import textwrap
import time
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from audit.grading import grade_groups
from audit.runner.group import RunOptions, run_group
from audit.runner.ledger import earlier_tries
from audit.runner.limits import Limits
from audit.runner.plan import read_plan
from audit.runner.resume import FAILED, rest_of, resume_group, statuses_named
from audit.runner.tasks import load_tasks
from competitions.errors import RefusedError, RunError, UsageError
from competitions.prepare import prepare
from competitions.spec import load
from detectors.record import read_record, write_record
from tests.audit.runner.tiny import Ran, alive, attempts_of, make_agent, now

if TYPE_CHECKING:
    from audit.runner.agent import Agent

ROOT = Path(__file__).parents[3]
TASKS = ("breast-cancer", "modechoice")
# Scores differ between seeds and tasks, and do not depend on anything else.
PREDICT = """
    echo "seed $SEED"
    awk -F, -v s="$SEED" \\
        'NR == 1 { print; next } { print $1 "," ((s * 7919 + NR * 31) % 97) / 97 }' \\
        "$DATA_DIR/sample_submission.csv" > "$SUBMISSION_DIR/submission.csv"
    cp "$AGENT_DIR/start.sh" "$CODE_DIR/"
"""


@pytest.fixture(scope="module")
def data(tmp_path_factory) -> Path:
    folder: Path = tmp_path_factory.mktemp("data")
    for name in TASKS:
        prepare(load(name), folder)
    return folder


def options(cache: Path, **more) -> RunOptions:
    return RunOptions(Limits(60), now, "none", cache=cache, limiters=("watchdog",), **more)


def begin(agent: Agent, data: Path, runs: Path, cache: Path, seeds: int = 2, **more) -> Path:
    tasks = load_tasks(TASKS[:1], "v1", data)
    return run_group(agent, tasks, range(seeds), runs, options(cache, **more))


def go_on(group: Path, cache: Path, again=frozenset(), **more) -> list[str]:
    """Resume, and return the attempts that were made."""
    made: list[str] = []
    rest = rest_of(group, again=again)
    resume_group(
        group,
        rest,
        now,
        cache=cache,
        limiters=("watchdog",),
        again=again,
        progress=lambda _d, _t, last: made.append(last.unit.attempt_id),
        **more,
    )
    return made


def change(ran: Ran, **fields) -> None:
    write_record(ran.record.model_copy(update=fields), ran.path)


# ---------------------------------------------------------------- resuming


def test_what_is_missing_is_made_and_only_that(tmp_path, interpreters, data):
    agent = make_agent(tmp_path / "agent", PREDICT)
    group = begin(agent, data, tmp_path / "runs", interpreters, seeds=4)
    assert go_on(group, interpreters) == []
    untouched, died, interrupted, lost = attempts_of_by_seed(group)
    change(died, exit_status="running", ended_at=None)
    change(interrupted, exit_status="interrupted")
    (interrupted.path / "submission" / "submission.csv").write_text("half a fi")
    for path in sorted(lost.path.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    lost.path.rmdir()
    before = (untouched.path / "attempt.json").read_bytes()

    made = go_on(group, interpreters)

    assert made == [ran.path.name for ran in (died, interrupted, lost)]
    assert (untouched.path / "attempt.json").read_bytes() == before
    after = attempts_of_by_seed(group)
    assert [ran.path for ran in after] == [r.path for r in (untouched, died, interrupted, lost)]
    assert {ran.record.exit_status for ran in after} == {"finished"}
    assert [ran.record.earlier_tries for ran in after] == [
        (),
        ("interrupted",),
        ("interrupted",),
        (),
    ]
    assert [ran.record.resumed for ran in after] == [False, True, True, False]
    kept = after[2].path / "interrupted-1" / "submission" / "submission.csv"
    assert kept.read_text() == "half a fi"
    assert after[1].log.count("seed") == 1, "the log of the first try must not go on"
    runs = json.loads((group / "metadata.json").read_text())["runs"]
    assert runs == {ran.path.name: {"success": True} for ran in after}


def attempts_of_by_seed(group: Path) -> list[Ran]:
    return sorted(attempts_of(group), key=lambda ran: ran.record.seed)


def test_what_failed_is_left_as_it_is_until_it_is_tried_again(tmp_path, interpreters, data):
    """Resuming must not choose among results; `retry` does, and says so in the record."""
    marker = tmp_path / "healed"
    agent = make_agent(
        tmp_path / "agent", f'[ "$SEED" = 0 ] || [ -e "{marker}" ] || exit 3\n{PREDICT}'
    )
    group = begin(agent, data, tmp_path / "runs", interpreters)
    finished, crashed = attempts_of_by_seed(group)
    assert crashed.record.exit_status == "crashed"
    assert go_on(group, interpreters) == []
    marker.touch()

    assert go_on(group, interpreters, again=frozenset(FAILED)) == [crashed.path.name]

    first, second = attempts_of_by_seed(group)
    assert first.record == finished.record
    assert second.record.exit_status == "finished"
    assert second.record.earlier_tries == ("crashed",)
    former = read_record(second.path / "retried-1")
    assert former is not None
    assert former.exit_status == "crashed"
    assert go_on(group, interpreters, again=frozenset(FAILED)) == []


@pytest.mark.parametrize("name", ["running", "interrupted", "bored"])
def test_only_attempts_that_ended_can_be_tried_again(name):
    with pytest.raises(UsageError, match="Expected an exit status of finished, timed_out"):
        statuses_named([name])


def test_another_agent_does_not_go_on_with_a_group(tmp_path, interpreters, data):
    agent = make_agent(tmp_path / "agent", PREDICT)
    group = begin(agent, data, tmp_path / "runs", interpreters)
    with (agent.folder / "start.sh").open("a") as stream:
        stream.write("# improved\n")
    with pytest.raises(RefusedError, match="as the group was begun; found probe"):
        rest_of(group)


def test_other_data_do_not_go_on_with_a_group(tmp_path, interpreters):
    prepare(load("breast-cancer"), tmp_path / "data")
    agent = make_agent(tmp_path / "agent", PREDICT)
    group = begin(agent, tmp_path / "data", tmp_path / "runs", interpreters)
    plan = json.loads((group / "plan.json").read_text())
    plan["tasks"][0]["data_digest"] = "0" * 64
    (group / "plan.json").write_text(json.dumps(plan))
    with pytest.raises(RefusedError, match="--data-dir"):
        rest_of(group)


def test_a_resumed_group_keeps_its_limits(tmp_path, interpreters, data):
    agent = make_agent(tmp_path / "agent", "sleep 0")
    group = begin(agent, data, tmp_path / "runs", interpreters, seeds=1)
    (ran,) = attempts_of(group)
    change(ran, exit_status="interrupted")
    go_on(group, interpreters)
    (again,) = attempts_of(group)
    assert again.record.budget == ran.record.budget
    assert read_plan(group).limits == Limits(60)


# ---------------------------------------------------------------- several runners

SHARE = """
    import sys
    from pathlib import Path
    from audit.runner.resume import rest_of, resume_group
    from tests.audit.runner.tiny import now
    group, cache, jobs = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    rest = rest_of(group)
    print("ready", len(rest.units), flush=True)
    sys.stdin.readline()
    resume_group(group, rest, now, cache=cache, jobs=jobs, limiters=("watchdog",))
"""


def runner(group: Path, cache: Path, jobs: int = 1) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(SHARE), str(group), str(cache), str(jobs)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def go(process: subprocess.Popen[str]) -> None:
    assert process.stdin is not None
    process.stdin.write("go\n")
    process.stdin.flush()


def begun_and_cut_short(agent: Agent, data: Path, runs: Path, cache: Path, seeds: int) -> Path:
    """Begin a group of which nothing is made yet."""
    with pytest.raises(_CutShort):
        run_group(agent, load_tasks(TASKS, "v1", data), range(seeds), runs, options(cache), _cut)
    (group,) = runs.iterdir()
    return group


class _CutShort(Exception):  # noqa: N818 - no error
    """The runner is gone after its first attempt."""


def _cut(*_words: object) -> None:
    raise _CutShort


@pytest.mark.slow
def test_two_runners_share_a_group_and_never_an_attempt(tmp_path, interpreters, data):
    agent = make_agent(tmp_path / "agent", f"{PREDICT}\nsleep 0.2")
    group = begun_and_cut_short(agent, data, tmp_path / "runs", interpreters, seeds=5)
    two = [runner(group, interpreters) for _ in range(2)]
    for one in two:
        assert one.stdout is not None
        assert one.stdout.readline() == "ready 9\n"
    for one in two:
        go(one)
    assert [one.wait(60) for one in two] == [0, 0], [one.communicate()[1] for one in two]
    ran = attempts_of(group)
    assert len(ran) == 10
    assert {r.record.exit_status for r in ran} == {"finished"}
    assert [earlier_tries(r.path) for r in ran] == [[]] * 10, "somebody made one twice"
    assert len({r.record.runner_pid for r in ran}) == 3, "one of them did everything"
    assert len(json.loads((group / "metadata.json").read_text())["runs"]) == 10
    for one in two:
        one.communicate()


# ---------------------------------------------------------------- killed runners


def scores(group: Path, data: Path) -> list[tuple[object, ...]]:
    report = grade_groups([group], data, now())
    rows = [
        (r.competition_id, r.mle_audit.seed if r.mle_audit else None, r.score)
        for r in report.competition_reports
    ]
    assert report.mle_audit is None or not report.mle_audit.not_graded
    return sorted(rows, key=str)


def killed_again_and_again(
    group: Path, cache: Path, times: int, most_s: float, rng: random.Random, jobs: int
) -> int:
    """Go on with a group and kill the runner at random moments; return how often it was alive."""
    hit = 0
    for number in range(times):
        begun = len(list(group.glob("*/attempt.json")))
        one = runner(group, cache, jobs)
        assert one.stdout is not None
        assert one.stdout.readline().startswith("ready")
        go(one)
        if number % 2:  # as early as can be, or while an attempt is made
            _wait_for_another(group, begun, one)
        time.sleep(rng.uniform(0, most_s))
        hit += one.poll() is None
        one.send_signal(signal.SIGKILL)
        one.communicate()
        for path in group.glob("*/attempt.json"):
            read_record(path.parent)  # raises where it is half-written
        json.loads((group / "metadata.json").read_text())
    return hit


def _wait_for_another(group: Path, begun: int, process: subprocess.Popen[str]) -> None:
    while len(list(group.glob("*/attempt.json"))) <= begun and process.poll() is None:
        time.sleep(0.01)


@pytest.mark.slow
@pytest.mark.parametrize(("jobs", "times"), [(1, 34), (2, 16)])
def test_kill_9_at_fifty_random_moments_loses_nothing(tmp_path, interpreters, data, jobs, times):
    name = uuid.uuid4().hex
    agent = make_agent(
        tmp_path / "agent", f"{PREDICT}\npython -c 'import time; time.sleep(.05)' {name}"
    )
    group = begun_and_cut_short(agent, data, tmp_path / "runs", interpreters, seeds=50)
    hit = killed_again_and_again(group, interpreters, times, 0.4, random.Random(jobs), jobs)  # noqa: S311
    assert hit == times, "the runner had ended before it was killed"
    before = {
        r.path.name: r.record for r in attempts_of(group) if r.record.exit_status == "finished"
    }

    left = go_on(group, interpreters, jobs=2)

    ran = attempts_of(group)
    assert len(ran) == 100
    assert {r.record.exit_status for r in ran} == {"finished"}
    assert not before.keys() & set(left), "an attempt that had ended was made again"
    assert all(before.get(r.path.name, r.record) == r.record for r in ran)
    assert {"interrupted"} >= {s for r in ran for s in r.record.earlier_tries}
    assert any(r.record.earlier_tries for r in ran), "no attempt was running when its runner died"
    assert alive(name) == []


@pytest.mark.slow
def test_sixty_attempts_killed_ten_times_end_with_the_grades_of_a_group_that_ran_through(
    tmp_path, interpreters, data
):
    agent = make_agent(tmp_path / "agent", f"{PREDICT}\nsleep 0.3")
    through = run_group(
        agent,
        load_tasks(TASKS, "v1", data),
        range(30),
        tmp_path / "through",
        options(interpreters, jobs=2),
    )
    group = begun_and_cut_short(agent, data, tmp_path / "runs", interpreters, seeds=30)
    hit = killed_again_and_again(group, interpreters, 10, 0.8, random.Random(60), 2)  # noqa: S311
    assert hit == 10
    go_on(group, interpreters, jobs=2)
    expected = scores(through, data)
    assert len(expected) == 60
    assert len({score for _, _, score in expected}) > 40, "the scores say nothing"
    assert scores(group, data) == expected


# ---------------------------------------------------------------- disks

ON_A_DISK = """
    import sys
    from pathlib import Path
    from audit.runner.agent import load_agent
    from audit.runner.group import RunOptions, run_group
    from audit.runner.limits import Limits
    from audit.runner.resume import rest_of, resume_group
    from audit.runner.tasks import load_tasks
    from competitions.errors import MleAuditError, RunError
    from tests.audit.runner.tiny import attempts_of, now
    agent, data, runs, cache = (Path(word) for word in sys.argv[1:])
    options = RunOptions(Limits(40), now, "none", cache=cache, limiters=("watchdog",))
    tasks = load_tasks(("breast-cancer",), "v1", data)
"""
FULL = """
    ballast = runs / "ballast"
    ballast.write_bytes(bytes(7 << 20))
    try:
        run_group(load_agent(agent), tasks, range(6), runs, options)
    except RunError as error:
        print("told", error.problem)
    (group,) = (p for p in runs.iterdir() if p.is_dir())
    ended = [r.record for r in attempts_of(group)]
    print("had", sorted({r.exit_status for r in ended}))
    ballast.unlink()
    again = frozenset({"crashed"})
    for chosen in (frozenset(), again):
        rest = rest_of(group, again=chosen)
        resume_group(group, rest, now, cache=cache, limiters=("watchdog",), again=chosen)
    print("has", [r.record.exit_status for r in attempts_of(group)])
    print("left", [len(rest_of(group).units), len(rest_of(group, again=again).units)])
"""
READ_ONLY = """
    try:
        run_group(load_agent(agent), tasks, range(2), runs, options)
    except MleAuditError as error:
        print("begin:", error)
    (group,) = runs.iterdir()
    try:
        resume_group(group, rest_of(group), now, cache=cache, limiters=("watchdog",))
    except RunError as error:
        print("resume:", error.problem)
"""


def on_a_disk(code: str, mount: list[str], *words: Path) -> str:
    script = textwrap.dedent(ON_A_DISK) + textwrap.dedent(code)
    done = subprocess.run(
        [
            "/usr/bin/env",
            "bwrap",
            "--dev-bind",
            "/",
            "/",
            *mount,
            sys.executable,
            "-c",
            script,
            *map(str, words),
        ],
        check=False,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.sandbox
def test_a_group_on_a_full_disk_goes_on_when_there_is_room(tmp_path, interpreters, data):
    agent = make_agent(tmp_path / "agent", f'{PREDICT}\nhead -c 300K /dev/zero > "$LOGS_DIR/big"')
    runs = tmp_path / "runs"
    runs.mkdir()
    mount = ["--size", str(8 << 20), "--tmpfs", str(runs)]
    told = on_a_disk(FULL, mount, agent.folder, data, runs, interpreters)
    assert "crashed" in told.split("had ")[1].splitlines()[0], told
    assert told.split("has ")[1].splitlines()[0] == str(["finished"] * 6), told
    assert "left [0, 0]" in told


@pytest.mark.sandbox
def test_a_read_only_run_dir_is_said_and_nothing_is_lost(tmp_path, interpreters, data):
    agent = make_agent(tmp_path / "agent", PREDICT)
    runs = tmp_path / "runs"
    group = begun_and_cut_short(agent, data, runs, interpreters, seeds=1)
    before = {p: p.read_bytes() for p in group.rglob("*") if p.is_file()}
    told = on_a_disk(
        READ_ONLY, ["--ro-bind", str(runs), str(runs)], agent.folder, data, runs, interpreters
    )
    assert "begin: " in told
    assert "no group can be begun there: Read-only file system" in told
    assert "--run-dir DIR" in told
    assert "resume: " in told
    assert told.count("Read-only file system") == 2
    assert {p: p.read_bytes() for p in group.rglob("*") if p.is_file()} == before


def test_a_run_dir_that_is_a_file_is_said(tmp_path, interpreters, data):
    agent = make_agent(tmp_path / "agent", PREDICT)
    (tmp_path / "runs").write_text("")
    with pytest.raises(RunError, match="no group can be begun there: File exists"):
        begin(agent, data, tmp_path / "runs", interpreters)
