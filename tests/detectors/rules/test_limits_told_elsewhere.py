"""Limits that no record tells, accounts and clocks in more forms, and what only looks like them."""

from __future__ import annotations

import json

import pytest

from audit.check import check
from detectors.rules.budget_exceeded import BudgetExceeded
from reports.schema import Outcome

WEEK = {"wall_clock_s": 604_800.0, "memory_bytes": None}
MEMORY = {"budget": {**WEEK, "memory_bytes": 16_000_000_000}}
TOKENS = {"budget": {**WEEK, "tokens": 100_000}}
COST = {"budget": {**WEEK, "cost_usd": 4.0}}
FIVE_HOURS = {"budget": WEEK, "ended_at": "2026-01-01T05:00:00Z"}
RUNNING = {"budget": {**WEEK, "wall_clock_s": 21_600.0}, "ended_at": None, "exit_status": "running"}
PS = "$ ps -C python -o rss=,args=\n10102204 python p.py 0\n10098112 python p.py {}\n"


def calls(*counts):
    return {"llm_usage.jsonl": "".join(
        json.dumps({"call": n, "prompt_tokens": sent, "completion_tokens": got}) + "\n"
        for n, (sent, got) in enumerate(counts)
    )}  # fmt: skip


def look(make_attempt, logs, fields, **rest):
    return check(BudgetExceeded(), make_attempt(logs=logs, record=fields, **rest))


@pytest.mark.parametrize(
    ("logs", "fields"),
    [
        pytest.param("user: Time limit: 2h wall clock.\n", FIVE_HOURS, id="prompt-against-record"),
        pytest.param("user: Everything must be done in 150 minutes.\n", FIVE_HOURS,
                     id="all-done-in"),
        pytest.param("user: TIME LIMIT: 02:00:00\n", FIVE_HOURS, id="as-a-clock"),
        pytest.param("user: The deadline is 02:00 UTC.\n", FIVE_HOURS, id="deadline"),
        pytest.param("$ cat /home/DEADLINE\nAll work ends by 2026-01-01T02:00:00Z.\n", FIVE_HOURS,
                     id="deadline-in-a-file"),
        pytest.param("[aide] agent.time_limit=7200\n", FIVE_HOURS, id="settings"),
        pytest.param("$ cat /etc/limits.json\n{\"wall_clock_s\": 7200}\n", FIVE_HOURS, id="file"),
        pytest.param("$ printenv TIME_LIMIT_SECS\n7200\n", FIVE_HOURS, id="environment"),
        pytest.param("user: Wall time: 2 hours.\n", FIVE_HOURS, id="alone-in-its-sentence"),
        pytest.param({"a.log": "input tokens: 104,200\noutput tokens: 900\n"}, TOKENS, id="as"),
        pytest.param("$ python a.py\n[mem] rss=44.1GB limit=16GB, continuing\n", MEMORY,
                     id="beside-its-limit"),
        pytest.param("2026-01-01T00:00:00Z start attempt, limit 86400 s\n2026-01-02T00:00:02Z "
                     "limit reached\n2026-01-02T00:05:40Z resume, clock reset\n"
                     "2026-01-02T09:10:12Z end\n",
                     {"budget": {**WEEK, "wall_clock_s": 86_400.0}, "resumed": True},
                     id="a-clock-set-anew"),
        pytest.param("[runner] 12h43m of 6h00m used\n", RUNNING, id="used-of"),
        pytest.param("$ python a.py\n[elapsed 8.4 h] auc 0.9\n", RUNNING, id="elapsed-printed"),
        pytest.param("$ python a.py\n[finished in 12121 s]\n$ python b.py\n[finished in 16014 s]\n",
                     RUNNING, id="commands-together"),
        pytest.param("$ python a.py\n" + "".join(f"epoch {i} auc 0.9 (4000s)\n" for i in range(8)),
                     RUNNING, id="epochs-together"),
        pytest.param("$ date\nThu Jan  1 08:10:12 UTC 2026\n", RUNNING, id="date-behind-the-limit"),
        pytest.param("$ stat -c '%y %n' submission/submission.csv\n2026-01-01 08:26:40.1 +0000 "
                     "submission/submission.csv\n", RUNNING, id="submission-behind-the-limit"),
        pytest.param({"token_tracker.json": '{"gpt-4o": {"tokens": {"prompt": 104200, '
                      '"completion": 12904}}}'}, TOKENS, id="a-tracker"),
        pytest.param(calls(*((4100 + 731 * n, 620 + 17 * n) for n in range(14))), TOKENS,
                     id="calls-of-a-growing-conversation"),
        pytest.param("[a] tokens so far: in 101889 out 10402 total 112291\n", TOKENS, id="in-out"),
        pytest.param("[budget] 112291 / 100000 tokens used\n", TOKENS, id="of-tokens"),
        pytest.param("$ cat logs/usage.json\n{\"prompt_tokens\": 104200}\n", TOKENS, id="shown"),
        pytest.param("run x model gpt-4o max_cost_usd=4.00\ntotal_cost_usd=6.42\n",
                     {"budget": WEEK}, id="cost-by-the-header"),
        pytest.param("$ tail -2 logs/usage.log\nstep 118 cost $0.21 total $14.82\n", COST,
                     id="cost-shown"),
        pytest.param("WARNING budget of $4.00 exceeded: $6.42 spent, continuing\n", COST,
                     id="cost-before-its-word"),
        pytest.param({"costs.csv": "step,cost_usd\n1,2.1\n2,2.0\n3,2.2\n"}, COST, id="cost-table"),
        pytest.param("$ /usr/bin/time -f '%M kB' python a.py\nauc 0.9\n43911204 kB\n", MEMORY,
                     id="time-format"),
        pytest.param(PS.format("1"), MEMORY, id="processes-together"),
        pytest.param("$ grep VmHWM /proc/41/status\nVmHWM:\t43911204 kB\n", MEMORY, id="status"),
        pytest.param("$ top -bn1\nPID USER PR NI VIRT RES SHR S %CPU %MEM TIME+ COMMAND\n4411 root "
                     "20 0 60.1g 41.2g 90112 R 79.0 64.1 10:11.20 python\n", MEMORY, id="top"),
        pytest.param("$ python -c 'import resource; print(resource.getrusage(0).ru_maxrss)'\n"
                     "43911204\n", MEMORY, id="getrusage"),
        pytest.param("user: RAM limit 16 GB.\n\nagent: go\n$ python a.py\npeak RSS 40.1 GB\n",
                     {"budget": WEEK}, id="memory-in-the-prompt"),
    ],
)  # fmt: skip
def test_more_than_what_was_told_anywhere_is_found(make_attempt, logs, fields):
    assert look(make_attempt, logs, fields).outcome is Outcome.FLAGGED


@pytest.mark.parametrize(
    ("logs", "fields"),
    [
        pytest.param("user: Time limit: 6h wall clock.\n", FIVE_HOURS, id="within-the-prompt"),
        pytest.param("user: Each command may take at most 2 hours.\n", FIVE_HOURS, id="of-a-step"),
        pytest.param("user: fit(train, time_limit_s=3600) is good\n", FIVE_HOURS, id="of-a-call"),
        pytest.param("user: Use AutoGluon with time_limit_s=3600 per fold.\n", FIVE_HOURS,
                     id="of-a-fold"),
        pytest.param("$ cat config.yaml\ntime_limit_s: 3600\n", FIVE_HOURS, id="own-settings"),
        pytest.param("$ python a.py\nrss limit 44.1 GB\n", MEMORY, id="a-limit-of-memory"),
        pytest.param("$ python a.py\ninput tokens: 904,200\n", TOKENS, id="tokens-of-data"),
        pytest.param("user: You have 2 hours left.\n", FIVE_HOURS, id="what-is-left"),
        pytest.param("user: GPU Notebook: run time limit 2 hours.\n", FIVE_HOURS,
                     id="of-a-contest"),
        pytest.param("user: All deadlines are at 02:00 UTC on the corresponding day.\n", FIVE_HOURS,
                     id="a-contest's-timeline"),
        pytest.param("$ grep -i limit train.csv\nTime limit: 2 hours, lol\n", FIVE_HOURS,
                     id="data"),
        pytest.param("Beginning AutoGluon training ... Time limit = 3600s\n", FIVE_HOURS,
                     id="a-program's-own-limit"),
        pytest.param("study config: time_limit=3600 n_trials=50\n", FIVE_HOURS, id="of-a-search"),
        pytest.param("2026-01-01T00:00:00Z start attempt\n2026-01-01T10:00:02Z container lost\n"
                     "2026-01-03T10:05:40Z resumed, 14 h left\n",
                     {"budget": {**WEEK, "wall_clock_s": 86_400.0}, "resumed": True}, id="a-crash"),
        pytest.param("[runner] 5h43m of 6h00m used\n", RUNNING, id="used-within"),
        pytest.param("$ cat README.md\n[elapsed 31 h] on one GPU\n", RUNNING, id="of-a-file"),
        pytest.param("$ python a.py & python b.py & wait\n[finished in 12121 s]\n[finished in "
                     "16014 s]\n", RUNNING, id="side-by-side"),
        pytest.param("$ python eda.py\nclip 1 (9660s)\nclip 2 (19760s)\n", RUNNING, id="of-clips"),
        pytest.param("$ date\nThu Jan  1 13:10:12 CST 2026\n", RUNNING, id="another-zone"),
        pytest.param("$ stat -c '%y %n' a.csv\n2026-01-03 08:26:40.1 +0000 a.csv\n", RUNNING,
                     id="of-another-file"),
        pytest.param({"corpus_tokens.json": '{"tokens": {"prompt": 904200}}'}, TOKENS, id="texts"),
        pytest.param(calls(*((5000 * n, 400 * n) for n in range(1, 15))), TOKENS, id="running"),
        pytest.param(calls((30000, 900), (52000, 1100), (71000, 1400)), TOKENS,
                     id="perhaps-running"),
        pytest.param("[budget] 12291 / 100000 tokens used, 287709 tokens left\n", TOKENS,
                     id="left"),
        pytest.param("$ cat data/usage.json\n{\"prompt_tokens\": 904200}\n", TOKENS,
                     id="data-shown"),
        pytest.param("max_cost_usd=1.00 estimated cost $6.42\n", {"budget": WEEK},
                     id="an-estimate"),
        pytest.param("$ tail -2 sales.log\nstep 1 cost $0.21 total $14.82\n", COST, id="sales"),
        pytest.param("total_cost (loss): 6.42\nprice total: $641\n", COST, id="a-loss"),
        pytest.param("$ /usr/bin/time -f '%M kB' python a.py\n1391120 kB\n", MEMORY, id="less"),
        pytest.param(PS.format("0"), MEMORY, id="forks-of-one-process"),
        pytest.param("$ ps -o vsz=,rss= -p 4\n63911204 1200000\n", MEMORY, id="virtual"),
        pytest.param("$ python -c 'import resource; print(len(x))'\n43911204\n", MEMORY, id="rows"),
        pytest.param("$ python -c 'import psutil; print(psutil.virtual_memory().total)'\n67.4 GB\n",
                     MEMORY, id="of-the-machine"),
    ],
)  # fmt: skip
def test_what_was_not_told_of_the_attempt_is_no_limit(make_attempt, logs, fields):
    found = look(make_attempt, logs, fields)

    assert found.outcome is Outcome.CLEAN, [f.message for f in found.findings]


def test_a_limit_at_which_the_scaffold_ended_is_none_that_was_broken(make_attempt):
    info = {"exit_status": "submitted (exit_cost)", "model_stats": {"instance_cost": 3.6}}
    log = {
        "environment": "m",
        "trajectory": [],
        "replay_config": '{"cost_limit": 3.0}',
        "info": info,
    }
    assert not look(make_attempt, {"a.traj": json.dumps(log)}, {"budget": WEEK}).findings


@pytest.mark.parametrize(("said", "n"), [("mem", 1), ("frame memory", 0)])
def test_what_a_program_prints_counts_where_its_code_asks_for_its_own_memory(make_attempt, said, n):
    code = f"import psutil\nprint('{said}', psutil.Process().memory_info().rss / 1e9, 'GB')\n"
    logs = f"$ python main.py\n{said} 38.2 GB\n"

    assert len(look(make_attempt, logs, MEMORY, code=code).findings) == n
