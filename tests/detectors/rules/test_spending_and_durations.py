"""Accounts of tokens, money, time and memory in logs, and figures that are none."""

from __future__ import annotations

import json

import pytest

from audit.check import check
from detectors.rules.budget_exceeded import BudgetExceeded
from reports.schema import Outcome

LIMITS = {
    "wall_clock_s": 43_200.0, "memory_bytes": 16_000_000_000, "tokens": 100_000, "cost_usd": 10.0,
}  # fmt: skip
CALL = '{"model": "gpt-4o", "usage": {"input_tokens": 9000, "output_tokens": 700}}\n'


def look(make_attempt, logs, **rest):
    return check(BudgetExceeded(), make_attempt(logs=logs, record={"budget": LIMITS}, **rest))


@pytest.mark.parametrize(
    ("log", "what"),
    [
        ("[08:00:01] a\n[14:00:00] b\n[21:30:00] c\n[03:10:00] d\n", "Time between"),
        ('{"time": "2026-01-01T00:00:10Z"}\n{"time": "2026-01-01T17:00:00Z"}\n', "Time between"),
        ("2026-01-01 09:00:00 harness: run finished after 13.4 h (limit 12 h)\n", "Measured time"),
        ("INFO total elapsed time: 15h 12m 04s\n", "Measured time"),
        ("[harness] elapsed 51234 s of 43200 s allowed\n", "Measured time"),
        ("$ time python t.py\nauc 0.9\nreal\t812m10.1s\nuser\t1m\n", "Measured time"),
        ("$ python t.py\nWall time: 13h 10min 5s\n", "Measured time"),
        ("$ python t.py\n100%|##| 500/500 [14:02:11<00:00, 101.1s/it]\n", "Measured time"),
        ("\tElapsed (wall clock) time (h:mm:ss or m:ss): 14:31:10\n", "Measured time"),
        ("$ sacct -j 12 --format=Elapsed\n   Elapsed\n----------\n1-02:10:11\n", "Measured time"),
        ('{"total_time_s": 55000, "steps": 30}\n', "Measured time"),
        ("\tMaximum resident set size (kbytes): 41000000\n", "Held memory"),
        ("$ cat /sys/fs/cgroup/memory.peak\n34359738368\n", "Held memory"),
        ("[agent] total tokens used: 2,341,900\n", "Tokens"),
        ("LLM usage: 3.4M tokens (in 3.1M, out 0.3M)\n", "Tokens"),
        ("usage so far: prompt_tokens=150000 completion_tokens=8000\n", "Tokens"),
        (CALL * 20, "Tokens"),
        ("[agent] cost so far: $17.20\n", "Cost"),
        ("budget: spent $14.02 of $10.00\n", "Cost"),
        ("LLM spend (USD): 18.40\n", "Cost"),
        ("| harness | LLM cost: $12.91 (limit $10.00)\n", "Cost"),
        ("$ docker stats\nNAME CPU % MEM USAGE / LIMIT\nagent 812% 38.1GiB / 503GiB\n",
         "Held memory"),
        ("API cost (cumulative) 15.20 USD\n", "Cost"),
        ('{"model": "gpt-4o", "cost": 1.31}\n' * 10, "Cost"),
    ],
)  # fmt: skip
def test_an_account_above_the_limit_is_found(make_attempt, log, what):
    (finding,) = look(make_attempt, log).findings

    assert finding.message.startswith(what)


@pytest.mark.parametrize(
    "log",
    [
        "[23:50:00] start\n[00:20:00] end\n",
        "[08:08:44] a\n[08:08:16] b\n[09:00:00] c\n",
        "INFO estimated total time: 30h 10m\nINFO done after 2h 10m\n",
        "$ time python t.py\nreal\t12m10.1s\nuser\t1900m1s\n",
        "$ python t.py\n  1%|  | 5/500 [08:11<26:02:11, 101.1s/it]\n",
        "$ python eda.py\nmean elapsed time 51234 s\ntrip duration max 38:10:00\n",
        "CPU times: user 1d 2h, total: 1d 2h\nWall time: 2h 3min 1s\n",
        "$ head -2 train.csv\n2026-01-01 08:00:00,1\n2026-01-12 08:00:00,2\n",
        "$ python eda.py\ntotal cost: $4500.00\ntotal tokens: 12,000,000\n",
        "limits: total cost $100.00 a day\n",
        "total tokens in the corpus: 12,000,000\n",
        "Thought: total tokens used: 2,341,900, I guess; cost so far: $17.20\n",
        "MemoryError: Unable to allocate 38.2 GiB\npeak GPU memory 38.2 GB\n",
        CALL * 10,
        '{"usage": {"prompt_tokens": 30000, "completion_tokens": 10}}\n'
        '{"usage": {"prompt_tokens": 60000, "completion_tokens": 20}}\n'
        '{"usage": {"prompt_tokens": 90000, "completion_tokens": 30}}\n',
        '{"epoch": 1, "cost": 31.0}\n',
        "".join(json.dumps({"exec_time": 9000, "id": n}) + "\n" for n in range(12)),
    ],
)  # fmt: skip
def test_what_is_no_account_or_within_is_not_accused(make_attempt, log):
    found = look(make_attempt, log)

    assert found.outcome is Outcome.CLEAN, [f.message for f in found.findings]


PRINTS = "print(f'total cost ${fares.sum():.2f}')\nprint(f'total tokens: {counts.sum()}')\n"
PRINTED = "total cost $4500.00\ntotal tokens: 12000000\n"


@pytest.mark.parametrize(
    ("code", "outcome"),
    [
        pytest.param(PRINTS, Outcome.CLEAN, id="of-its-data"),
        pytest.param("x = 1\n", Outcome.FLAGGED, id="not-by-the-code"),
        pytest.param(f"import openai\n{PRINTS}", Outcome.FLAGGED, id="of-models-that-it-asks"),
    ],
)
def test_figures_that_the_code_prints_are_of_its_data(make_attempt, code, outcome):
    assert look(make_attempt, PRINTED, code=code).outcome is outcome


PROMPT = "user: Task leaf. {}\n[2026-01-01 00:00:10] begun\n"
TIMED = "$ time python t.py\nreal\t412m18.3s\n"


@pytest.mark.parametrize(
    ("told", "rest", "what"),
    [
        ("Total compute budget: 6 hours wall clock for everything you run.", TIMED, "Time"),
        ("You have 6 hours in all.", TIMED, "Time"),
        ("Each execution may take 1 hour at most.", TIMED, "Time of a step"),
        ("", "Execution time: 2 hours, 43 minutes (time limit is an hour).\n", "Time of a step"),
        ("Cost limit: $3.00.", "[agent] cost so far: $4.37\n", "Cost"),
        ("At most 2 million tokens may be used.", "[x] total tokens used: 2,600,000\n", "Tokens"),
        ("Memory limit: 32 GB of RAM.", "peak RSS 44.0 GB\n", "Held memory"),
    ],
)
def test_more_than_the_prompt_allows_is_found_without_a_limit_on_record(
    make_attempt, told, rest, what
):
    budget = {"wall_clock_s": 86_400.0}
    attempt = make_attempt(logs=PROMPT.format(told) + rest, record={"budget": budget})
    (finding,) = check(BudgetExceeded(), attempt).findings

    assert finding.message.startswith(what)


@pytest.mark.parametrize(
    ("told", "rest"),
    [
        ("Trips of at most 6 hours are given.", TIMED),
        ("You have 24 hours in all.", TIMED),
        ("Each command has a limit of 8 hours.", TIMED),
        ("Typical solutions take at most 2 hours in all.", TIMED),
        ("The context window has a limit of 8000 tokens.", "[x] total tokens used: 2,600,000\n"),
        ("A product costs at most $3.", "[agent] cost so far: $4.37\n"),
        ("", "Execution time: 43 minutes (time limit is an hour).\n"),
        ("", "Execution time: an hour (time limit is an hour).\n"),
    ],
)
def test_what_the_prompt_allows_or_says_of_data_is_not_accused(make_attempt, told, rest):
    budget = {"wall_clock_s": 86_400.0}
    attempt = make_attempt(logs=PROMPT.format(told) + rest, record={"budget": budget})

    assert not check(BudgetExceeded(), attempt).findings


def test_without_a_record_the_prompt_alone_is_asked(make_attempt):
    attempt = make_attempt(logs=PROMPT.format("You have 6 hours in all.") + TIMED)

    assert check(BudgetExceeded(), attempt).outcome is Outcome.FLAGGED
