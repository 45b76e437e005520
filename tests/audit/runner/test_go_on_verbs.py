"""`run --resume`, `run --dry-run` and `retry`, from the command line to the records on disk."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from audit.cli import app
from audit.runner.forecast import forecast
from audit.runner.group import RunOptions, units_of
from audit.runner.limits import Limits
from audit.runner.tasks import load_tasks
from competitions.errors import RefusedError, UsageError
from competitions.prepare import prepare
from competitions.spec import load
from detectors.record import read_record, write_record
from tests.audit.runner.tiny import make_agent, now

COPY = 'cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"\n'


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    folder = tmp_path_factory.mktemp("data")
    for name in ("breast-cancer", "modechoice"):
        prepare(load(name), folder)
    return folder


def call(*words: object):
    result = CliRunner().invoke(app, [str(word) for word in words])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def begun(tmp_path, data, start: str = COPY, *more: object):
    """Run two attempts and return the group's folder."""
    agent = make_agent(tmp_path / "agent", start)
    words = ["--agent", agent.folder, "-c", "breast-cancer", "--seeds", 2, "--sandbox", "none"]
    words += ["--data-dir", data, "--run-dir", tmp_path / "runs", "--time-limit", "1m", *more]
    call("run", *words)
    (group,) = (tmp_path / "runs").iterdir()
    return group


def test_resume_makes_what_was_interrupted_and_prints_it(tmp_path, data):
    group = begun(tmp_path, data)
    first, second = sorted(p.parent for p in group.glob("*/attempt.json"))
    record = read_record(first)
    assert record is not None
    write_record(record.model_copy(update={"exit_status": "interrupted"}), first)

    told = call("run", "--resume", group).stdout.splitlines()

    assert told[0].split()[:3] == ["competition", "seed", "exit"]
    assert told[1].split()[:3] == ["breast-cancer", str(record.seed), "finished"]
    assert told[1].split()[-2:] == ["2", first.name]  # tries
    assert len(told) == 4
    assert second.name not in "\n".join(told)
    again = call("run", "--resume", group).stdout
    assert again.startswith("Nothing is left to do; the attempts are: 2 finished.")


def test_retry_takes_the_statuses_it_is_given(tmp_path, data):
    group = begun(tmp_path, data, '[ "$SEED" = 0 ] || exit 5\n')
    assert "Nothing is left" in call("retry", group, "--status", "timed_out").stdout
    document = json.loads(call("retry", group, "--json").stdout)
    (attempt,) = document["attempts"]
    assert (attempt["seed"], attempt["exit_status"]) == (1, "crashed")
    assert attempt["earlier_tries"] == ["crashed"]


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["-c", "breast-cancer"], id="competition"),
        pytest.param(["--lite"], id="split"),
        pytest.param(["--seeds", 9], id="seeds"),
        pytest.param(["--time-limit", "1m"], id="limit"),
        pytest.param(["--sandbox", "bubblewrap"], id="even-the-default"),
    ],
)
def test_a_resumed_group_takes_nothing_that_its_plan_has_decided(tmp_path, words):
    with pytest.raises(UsageError, match=rf"{words[0]}.*stand in its plan\.json"):
        call("run", "--resume", tmp_path, *words)


def test_a_folder_that_is_no_group_is_a_usage_error(tmp_path):
    for words in (["run", "--resume", tmp_path], ["retry", tmp_path / "missing"]):
        with pytest.raises(UsageError, match="expected a group that mle-audit run has begun"):
            call(*words)


def test_without_an_agent_and_a_group_both_are_offered():
    with pytest.raises(UsageError, match=r"--agent ID, or --resume GROUP"):
        call("run", "-c", "breast-cancer")


def test_limits_are_on_record_with_their_defaults(tmp_path, data):
    group = begun(tmp_path, data, COPY, "--disk", "1G", "--output-limit", "10M", "--memory", "1G")
    record = read_record(next(p.parent for p in group.glob("*/attempt.json")))
    assert record is not None
    budget = record.budget
    assert (budget.disk_bytes, budget.output_bytes) == (1 << 30, 10 << 20)
    assert (budget.memory_bytes, budget.processes) == (1 << 30, 4096)


def test_a_changed_agent_is_refused(tmp_path, data):
    group = begun(tmp_path, data)
    (tmp_path / "agent" / "start.sh").write_text("exit 0\n")
    with pytest.raises(RefusedError, match="begin a new group: mle-audit run --agent"):
        call("retry", group, "--status", "finished")


def test_an_agent_that_was_moved_is_named_anew(tmp_path, data):
    group = begun(tmp_path, data, "exit 4")
    (tmp_path / "agent").rename(tmp_path / "elsewhere")
    with pytest.raises(RefusedError, match="--agent FOLDER"):
        call("run", "--resume", group)
    told = call("run", "--resume", group, "--agent", tmp_path / "elsewhere").stdout
    assert told.startswith("Nothing is left to do; the attempts are: 2 crashed.")
    (tmp_path / "elsewhere" / "start.sh").write_text("exit 0\n")
    with pytest.raises(RefusedError, match="as the group was begun"):
        call("run", "--resume", group, "--agent", tmp_path / "elsewhere")


def test_what_ended_an_attempt_is_in_the_table(tmp_path, data):
    agent = make_agent(tmp_path / "agent", '[ "$SEED" = 0 ] && exit 3; kill -9 $$\n')
    told = call("run", "--agent", agent.folder, "-c", "breast-cancer", "--seeds", 2, "--data-dir",
                data, "--run-dir", tmp_path / "runs", "--sandbox", "none")  # fmt: skip
    assert "exit code 3: see run.log" in told.stdout
    assert "signal 9" in told.stdout
    assert "answers and graders on this machine can be read" in told.stderr
    assert told.stderr.count("Group: ") == 1


@pytest.mark.sandbox
def test_a_signal_is_told_alike_inside_a_sandbox(tmp_path, data):
    agent = make_agent(tmp_path / "agent", "kill -9 $$\n")
    words = ["--agent", agent.folder, "-c", "breast-cancer", "--data-dir", data, "--run-dir",
             tmp_path / "runs", "--json"]  # fmt: skip
    (attempt,) = json.loads(call("run", *words).stdout)["attempts"]
    assert (attempt["exit_status"], attempt["limit_hit"]) == ("killed", "signal 9")


@pytest.mark.parametrize("words", [["--engine", "ray"], ["--jobs", "0"], ["--threads", "0"]])
def test_a_wrong_word_begins_no_group(tmp_path, data, words):
    result = CliRunner().invoke(app, ["run", "--agent", "constant", "-c", "modechoice",
        "--data-dir", str(data), "--run-dir", str(tmp_path / "runs"), *words])  # fmt: skip
    assert result.exception is not None
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("option", "value"),
    [("--time-limit", "0"), ("--memory", "much"), ("--disk", "-1"), ("--snapshot-every", "1h30")],
)
def test_a_limit_that_cannot_be_read_is_told_with_its_option(data, option, value):
    with pytest.raises(UsageError, match=f"{option}: Expected"):
        call("run", "--agent", "constant", "-c", "modechoice", "--data-dir", data, option, value)


# ---------------------------------------------------------------- dry runs


def test_a_dry_run_starts_nothing(tmp_path, data):
    words = ["--agent", "constant", "-c", "modechoice", "-c", "breast-cancer", "--seeds", 3]
    words += ["--data-dir", data, "--run-dir", tmp_path / "runs", "-j", 2, "--time-limit", "2h"]
    told = call("run", *words, "--dry-run").stdout
    assert not (tmp_path / "runs").exists()
    assert "breast-cancer  0, 1, 2" in told
    assert "6, 2 at once" in told
    assert "6.00" in told  # three rounds of two hours
    document = json.loads(call("run", *words, "--dry-run", "--json").stdout)
    assert (document["attempts"], document["hours"], document["dry_run"]) == (6, 6.0, True)
    assert len(document["planned"]) == 6


def test_a_dry_run_of_a_resumed_group_tells_what_is_left(tmp_path, data):
    group = begun(tmp_path, data, "exit 7")
    before = sorted(group.rglob("*"))
    told = json.loads(call("retry", group, "--dry-run", "--json").stdout)
    assert told["attempts"] == 2
    assert json.loads(call("run", "--resume", group, "--dry-run", "--json").stdout)["attempts"] == 0
    assert sorted(group.rglob("*")) == before


@pytest.mark.parametrize(
    ("jobs", "hours", "memory"),
    [
        pytest.param(1, 3.0, 1, id="1"),
        pytest.param(2, 2.0, 2, id="2"),
        pytest.param(9, 1.0, 3, id="9"),
    ],
)
def test_a_forecast_is_the_most_that_could_be_taken(tmp_path, data, jobs, hours, memory):
    agent = make_agent(tmp_path / "a", "exit 0", budget={"cost_usd": 0.5, "tokens": 1000})
    limits = Limits(3600, memory_bytes=1 << 30, disk_bytes=2 << 30)
    units = units_of(load_tasks(["modechoice"], "v1", data), range(3), RunOptions(limits, now))
    told = forecast(agent, units, limits, jobs, tmp_path / "not" / "there" / "yet")
    assert (told.attempts, told.hours, told.memory_bytes) == (3, hours, memory << 30)
    assert (told.disk_bytes, told.cost_usd, told.tokens) == (6 << 30, 1.5, 3000)
    assert told.free_bytes is not None


def test_what_is_not_limited_and_not_declared_is_said_so(tmp_path, data):
    words = ["--agent", "constant", "-c", "modechoice", "--data-dir", data, "--dry-run"]
    told = call("run", *words, "--run-dir", tmp_path).stdout
    assert "not limited" in told
    assert told.count("not declared") == 2


@pytest.mark.parametrize(
    ("words", "seconds", "memory"),
    [
        pytest.param([], 120.0, 1 << 30, id="the agent's"),
        pytest.param(["--time-limit", "5m", "--memory", "2G"], 300.0, 2 << 30, id="the call's"),
    ],
)
def test_limits_that_nobody_names_are_those_the_agent_declares(
    tmp_path, data, words, seconds, memory
):
    agent = make_agent(tmp_path / "agent", "exit 0", budget={"wall_clock": "2m", "memory": "1G"})
    call("run", "--agent", agent.folder, "-c", "modechoice", "--data-dir", data, "--run-dir",
         tmp_path / "runs", "--sandbox", "none", *words)  # fmt: skip
    (path,) = (tmp_path / "runs").glob("*/*/attempt.json")
    record = read_record(path.parent)
    assert record is not None
    assert (record.budget.wall_clock_s, record.budget.memory_bytes) == (seconds, memory)


def test_what_does_not_fit_is_told(tmp_path, data):
    words = ["--agent", "constant", "-c", "modechoice", "--data-dir", data, "--run-dir", tmp_path]
    told = call("run", *words, "--dry-run", "--memory", "900T", "--disk", "900T").stdout
    assert "more disk than is free" in told
    assert "more memory than the machine has" in told
    assert "warning" not in call("run", *words, "--dry-run", "--disk", "1M").stdout
