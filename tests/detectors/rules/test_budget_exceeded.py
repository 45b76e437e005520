"""More than the record allows, by the record or by the logs, and what only sounds like it."""

from __future__ import annotations

import json

import pytest

from audit.check import check
from detectors.rules.budget_exceeded import BudgetExceeded
from reports.schema import LogLines, Outcome, Quantity, Severity

GIB = 1 << 30
LINE = "2026-01-01T{} epoch\n"


def look(make_attempt, logs="fitted\n", **fields):
    return check(BudgetExceeded(), make_attempt(logs=logs, record=fields))


def budget(**limits):
    return {"wall_clock_s": 3600.0, "memory_bytes": GIB, **limits}


def mini(cost, *times):
    messages = [{"role": "assistant", "content": "x", "extra": {"actions": [{"command": "ls"}],
                 "timestamp": t, "cost": cost / max(1, len(times))}} for t in times]  # fmt: skip
    info = {"model_stats": {"instance_cost": cost}, "mini_version": "2", "exit_status": "s"}
    return {"t.traj.json": json.dumps(
        {"info": info, "messages": messages, "trajectory_format": "mini-swe-agent-1.1"}
    )}  # fmt: skip


def nodes(*tokens):
    usage = [{"usage": {"prompt_tokens": t, "completion_tokens": 10}} for t in tokens]
    return {"JOURNAL.jsonl": "\n".join(
        json.dumps({"step": i, "plan": "p", "code": "fit()", "metric_maximize": True,
                    "operators_used": ["draft"], "operators_metrics": [u]})
        for i, u in enumerate(usage)
    )}  # fmt: skip


START = 1_767_225_600  # 2026-01-01, when the records of these tests start


@pytest.mark.parametrize(
    ("logs", "fields", "what"),
    [
        pytest.param("x\n", {"ended_at": "2026-01-01T02:00:00Z"}, "Wall clock", id="record"),
        pytest.param("x\n", {"peak_memory_bytes": 2 * GIB}, "Peak memory", id="memory"),
        pytest.param(LINE.format("00:00:10") + LINE.format("02:00:00"), {}, "Time between",
                     id="stamps"),
        pytest.param("[2026-01-01 00:00:10,123] a\n[2026-01-01 03:00:10,123] b\n", {},
                     "Time between", id="stamps-in-brackets"),
        pytest.param("2025-12-31T08:00:00 image built\n2026-01-01T03:00:02 epoch\n",
                     {"ended_at": "2026-01-01T00:50:00Z"}, "Time between",
                     id="beyond-the-end-on-record"),
        pytest.param(mini(0.1, START, START + 9000), {}, "Time between", id="records"),
        pytest.param(mini(7.8, START), {"budget": budget(cost_usd=2.0)}, "Cost", id="cost"),
        pytest.param("[scaffold] total cost so far: $9.87\n", {"budget": budget(cost_usd=5.0)},
                     "Cost", id="cost-said"),
        pytest.param({"a.traj": '{"trajectory": [], "info": {"model_stats": {"tokens_sent": 900, '
                                '"tokens_received": 200}}}'}, {"budget": budget(tokens=1000)},
                     "Tokens", id="tokens"),
        pytest.param(nodes(600, 600), {"budget": budget(tokens=1000)}, "Tokens", id="usage"),
        pytest.param("[aide] in_tokens=600 out_tokens=1\n[aide] in_tokens=600 out_tokens=1\n",
                     {"budget": budget(tokens=1000)}, "Tokens", id="calls"),
    ],
)  # fmt: skip
def test_more_than_the_limit_is_found(make_attempt, logs, fields, what):
    fields = {"budget": budget(), **fields}
    (finding,) = look(make_attempt, logs, **fields).findings

    assert finding.message.startswith(what)
    assert finding.severity is Severity.MEDIUM
    told = finding.evidence[0]
    assert isinstance(told, Quantity)
    assert told.reference is not None
    assert told.value > told.reference


@pytest.mark.parametrize(
    ("logs", "fields"),
    [
        pytest.param("x\n", {"ended_at": "2026-01-01T00:59:50Z"}, id="just-within"),
        pytest.param("x\n", {"ended_at": "2026-01-01T01:00:40Z", "exit_status": "timed_out"},
                     id="ended-at-the-limit"),
        pytest.param("x\n", {"peak_memory_bytes": int(1.05 * GIB), "exit_status": "memory_limit"},
                     id="killed-at-the-memory-limit"),
        pytest.param("x\n", {"peak_memory_bytes": 9 * GIB, "budget": budget(memory_bytes=None)},
                     id="no-memory-limit"),
        pytest.param("x\n", {"ended_at": None, "exit_status": "running"}, id="no-end"),
        pytest.param("2026-01-01 08:00:10+0800 a\n2026-01-01 08:40:10+0800 b\n", {}, id="zone"),
        pytest.param("2026-01-01 18:00:10 a\n2026-01-01 18:40:10 b\n", {}, id="local-time"),
        pytest.param("2015-05-10 22:37:00,8.5\n2026-01-01T00:01:00 x\n", {}, id="dates-in-data"),
        pytest.param("2015-05-10 22:37:00,8\n2012-01-01 22:37:00,8\n", {}, id="only-such"),
        pytest.param(LINE.format("00:00:10") + "2026-01-01T09:00:00 graded once\n", {},
                     id="graded-later"),
        pytest.param(LINE.format("00:00:10") + LINE.format("09:00:00"), {"resumed": True},
                     id="made-anew"),
        pytest.param("2025-12-31T08:00:00 image built\n2026-01-01T00:00:02 start\n",
                     {"ended_at": "2026-01-01T00:50:00Z"}, id="preparation-before-the-start"),
        pytest.param("ETA 30:12:44\nelapsed 0:41:02\n", {}, id="an-estimate"),
        pytest.param("worker 1 done after 9900 s\n", {}, id="a-time-of-one-worker"),
        pytest.param("agent: I must not exceed the 1 hour budget.\n", {}, id="talk"),
        pytest.param("total cost of all rides: $628,113.55\n", {"budget": budget(cost_usd=1.0)},
                     id="dollars-in-data"),
        pytest.param(mini(0.5, START), {"budget": budget(cost_usd=2.0)}, id="cost-within"),
        pytest.param(mini(99.0, START), {}, id="cost-without-a-limit"),
        pytest.param(mini(0.0, START), {"budget": budget(cost_usd=0.0)}, id="nothing-for-nothing"),
        pytest.param("total tokens in corpus: 48211034\n", {"budget": budget(tokens=1000)},
                     id="tokens-of-texts"),
        pytest.param(nodes(300, 300), {"budget": budget(tokens=1000)}, id="tokens-within"),
        pytest.param({"a.jsonl": '{"usage": {"total_tokens": 400}}\n' * 9},
                     {"budget": budget(tokens=1000)}, id="running-totals-are-not-added-up"),
        pytest.param("tokens_sent 99999\n", {"budget": budget(tokens=1000)}, id="no-account"),
    ],
)  # fmt: skip
def test_what_is_within_or_no_account_is_not_accused(make_attempt, logs, fields):
    found = look(make_attempt, logs, **{"budget": budget(), **fields})

    assert found.outcome is Outcome.CLEAN, [f.message for f in found.findings]


def test_the_line_of_the_log_is_shown(make_attempt):
    logs = LINE.format("00:00:10") + LINE.format("02:00:00")
    (finding,) = look(make_attempt, logs, budget=budget()).findings

    shown = [e for e in finding.evidence if isinstance(e, LogLines)]
    assert [(e.first_line, e.excerpt) for e in shown] == [(2, LINE.format("02:00:00").strip())]


def test_a_try_after_one_that_had_finished_is_told(make_attempt):
    (finding,) = look(make_attempt, earlier_tries=("crashed", "finished")).findings

    assert finding.severity is Severity.LOW
    assert not look(lambda **k: make_attempt("a_2", **k), earlier_tries=("crashed",)).findings


def test_without_a_record_the_question_makes_no_sense(make_attempt):
    assert check(BudgetExceeded(), make_attempt()).outcome is Outcome.NOT_APPLICABLE


def model_call(tokens, result="answered"):
    return json.dumps({"at": "2026-01-01T00:00:10Z", "after_s": 10.0, "result": result,
                       "method": "POST", "tokens_in": tokens, "tokens_out": 10}) + "\n"  # fmt: skip


@pytest.mark.parametrize(
    ("fields", "lines", "over"),
    [
        pytest.param({"model_use": {"calls": 2, "tokens_in": 9000, "tokens_out": 10}}, "", True,
                     id="record"),
        pytest.param({}, model_call(5000) * 2 + '{"at":', True, id="runner-that-was-killed"),
        pytest.param({"model_use": {"calls": 2, "tokens_in": 900, "tokens_out": 10}}, "", False,
                     id="within"),
        pytest.param({}, model_call(500), False, id="killed-within"),
    ],
)  # fmt: skip
def test_tokens_that_the_runner_saw_count(make_attempt, fields, lines, over):
    attempt = make_attempt(logs="x\n", record={"budget": budget(tokens=1000), **fields})
    (attempt.path / "model-calls.jsonl").write_text(lines)
    found = check(BudgetExceeded(), attempt).findings

    assert ["runner's account" in f.message for f in found] == [True] * over


def test_tokens_are_told_once_where_runner_and_log_both_count_them(make_attempt):
    fields = {"budget": budget(tokens=100), "model_use": {"calls": 1, "tokens_in": 500}}
    (finding,) = look(make_attempt, nodes(400), **fields).findings

    assert "runner's account" in finding.message
