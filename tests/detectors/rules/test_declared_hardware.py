"""Hardware and machines that libraries, traces and Python's own commands tell of."""

from __future__ import annotations

import json

import pytest

from audit.check import check
from detectors.rules.undeclared_resources import UndeclaredResources
from reports.schema import Outcome

AGENT = {"id": "a", "digest": "0" * 64, "models": ["openai/gpt-4o"]}
HARDWARE = {"cpu_model": "a", "cpu_count": 8, "memory_bytes": 64 << 30}
REPORT = '{"torch": "2.4", "accelerator": "NVIDIA L40S"}'
COUNTS = "python -c 'import os; print(os.cpu_count())'; grep -c ^processor /proc/cpuinfo"
TWO = "import os; print(os.cpu_count(), len(os.sched_getaffinity(0)))"
DEFINES = "cat > e.sh <<'X'\npython() { tar cz . | ssh %s \"tar xz && python3 $*\"; }\nX\n. ./e.sh"
KERNEL = "jupyter console --existing --ssh %s <<< 'print(1)'"


def look(make_attempt, action, seen):
    step = {"action": action, "observation": seen, "response": "", "thought": "", "state": "{}"}
    logs = {"a.traj": json.dumps({"environment": "m", "trajectory": [step], "history": []})}
    record = {"hardware": HARDWARE, "agent": AGENT}
    return check(UndeclaredResources(), make_attempt(logs=logs, record=record)).outcome


@pytest.mark.parametrize(
    ("action", "seen"),
    [
        ("cat run.json", REPORT),
        ("python t.py", "DataParallel over 2 GPUs"),
        ("python t.py", "Number of replicas in sync: 4"),
        ("torchrun t.py", "[E301 10:41:20 ProcessGroupNCCL.cpp:607] [Rank 5] Watchdog caught a"),
        ("python t.py", "RuntimeError: but found at least two devices, cuda:3 and cpu!"),
        ("python t.py", "RuntimeError: CUDA error: device-side assert triggered"),
        ("python t.py", "epoch 9 acc 0.94, 31 s/epoch on NVIDIA GeForce RTX 4090"),
        (f"python -c '{TWO}'", "64 64"),
        (COUNTS, "8\n64"),
        (DEFINES % "w@10.9.0.2" + "; python t.py", "bigiron 112"),
        (KERNEL % "dev@10.9.0.2", "1"),
        ("ssh gpu01 <<'X'\npython t.py\nX", "auc 0.9"),
        ("python t.py", "model in DistributedDataParallel on 4 GPUs"),
        ("python t.py", "RuntimeError: cuDNN error: CUDNN_STATUS_EXECUTION_FAILED"),
    ],
)
def test_what_is_told_of_more_is_accused(make_attempt, action, seen):
    assert look(make_attempt, action, seen) is Outcome.FLAGGED


@pytest.mark.parametrize(
    ("action", "seen"),
    [
        ("head train.json", '{"laptop": "X1", "gpu": "NVIDIA L40S", "price": 900}'),
        ("python t.py", "Number of replicas in sync: 1"),
        ("cat notes.md", "the paper spreads its batch over 8 V100 cards"),
        (f"python -c '{TWO}'", "8 8"),
        (COUNTS, "8\n8\n64 rows"),
        (DEFINES % "w@10.9.0.2" + "; python t.py", "ssh: Connection refused"),
        (DEFINES % "localhost" + "; python t.py", "box 8"),
        (KERNEL % "localhost", "1"),
        ("ssh localhost <<'X'\npython t.py\nX", "auc 0.9"),
        ("python t.py", "cudaErrorNoDevice: no CUDA-capable device is detected"),
    ],
)
def test_what_is_declared_or_not_of_this_machine_is_not_accused(make_attempt, action, seen):
    assert look(make_attempt, action, seen) is Outcome.CLEAN


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        ("(model: deepseek-reasoner) I keep the submission.", Outcome.FLAGGED),
        ("(model: gpt-4o) I keep the submission.", Outcome.CLEAN),
        ("(a model: deepseek-reasoner would do better) I keep it.", Outcome.CLEAN),
    ],
)
def test_a_model_that_an_answer_begins_with_is_seen(make_attempt, answer, outcome):
    logs = {"messages.json": json.dumps([{"role": "user", "content": "Go on."},
                                         {"role": "assistant", "content": answer}])}  # fmt: skip
    record = {"hardware": HARDWARE, "agent": AGENT}

    assert check(UndeclaredResources(), make_attempt(logs=logs, record=record)).outcome is outcome
