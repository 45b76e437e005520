"""Devices, sizes, machines and models of which output tells, and what only looks like them."""

from __future__ import annotations

import json

import pytest

from audit.check import check
from detectors.rules.resource import Resource
from detectors.rules.undeclared_resources import UndeclaredResources
from reports.schema import Outcome

R = Resource
HARDWARE = {"cpu_model": "a", "cpu_count": 8, "memory_bytes": 64 << 30}
RECORD = {
    "hardware": HARDWARE,
    "agent": {"id": "a", "digest": "0" * 64, "models": ["openai/gpt-4o"]},
}


def ran(command, seen):
    step = {"action": command, "observation": seen, "response": "", "thought": "", "state": "{}"}
    return {"a.traj": json.dumps({"environment": "m", "trajectory": [step], "history": []})}


@pytest.mark.parametrize(
    ("command", "seen", "resource"),
    [
        ("nvidia-smi --query-gpu=name,memory.total --format=csv",
         "name, memory.total [MiB]\nNVIDIA A100-SXM4-80GB, 81920 MiB", R.GPU),
        ("hl-smi -Q name -f csv", "name, memory.total [MiB]\nHL-225, 98304 MiB, 88 %", R.GPU),
        ("python t.py", "device NVIDIA A100-SXM4-80GB 81920 MiB\nused by this process 37411 MiB",
         R.GPU),
        ("python -c 'import torch; print(torch.cuda.is_available())'", "True", R.GPU),
        ("python -c 'print(tf.config.list_physical_devices())'",
         "[PhysicalDevice(name='/physical_device:GPU:0', device_type='GPU')]", R.GPU),
        ("yolo train", "YOLOv8.0 torch-2.0 CUDA:0 (Tesla T4, 15102MiB)", R.GPU),
        ("python t.py", "epoch 3 loss 0.11 | GPU memory 14.2 GiB / 24.0 GiB", R.GPU),
        ("python t.py", "Let's use 4 GPUs!\nepoch 1", R.GPU),
        ("lspci", "3D controller: NVIDIA Corporation TU104GL [Tesla T4] (rev a1)", R.GPU),
        ("python t.py", "Using device: mps", R.GPU),
        ("python -c 'import os; print(os.cpu_count())'", "128", R.CORES),
        ("Rscript -e 'parallel::detectCores()'", "[1] 64", R.CORES),
        ("cat /proc/cpuinfo | grep processor | wc -l", "72", R.CORES),
        ("python ag.py", "CPU Count: 96", R.CORES),
        ("python -c 'import psutil; print(psutil.virtual_memory().total / 1e9)'", "540.17 GB",
         R.MEMORY),
        ("free -h", "Mem:           503Gi        12Gi       480Gi", R.MEMORY),
        ("python t.py", "RSS now 210.4 GB", R.MEMORY),
        ("python -c \"import requests; print(requests.get('https://en.wikipedia.org/wiki/A'))\"",
         "<Response [200]>", R.NETWORK),
        ("python t.py", "wandb: View run at https://wandb.ai/joe/p/runs/1ab", R.NETWORK),
        ("vastai create instance 77 --image a/b", "Started. {'success': True}", R.REMOTE),
        ("sky launch task.yaml", "Launching on GCP\nepoch 1", R.REMOTE),
        ("torchrun --nnodes=4 --master_addr=10.0.0.3 t.py", "step 10 loss 1.0", R.REMOTE),
        ("mpirun -np 32 -H node1:16,node2:16 python t.py", "rank 31 done", R.REMOTE),
        ("python - <<'PY'\nimport paramiko\nc = paramiko.SSHClient()\nc.exec_command('ls')\nPY",
         "epoch 1", R.REMOTE),
        ("python t.py", "DataParallel on devices [0, 1, 2, 3]\nepoch 1", R.GPU),
        ("python t.py", "training on NVIDIA H100 80GB HBM3", R.GPU),
        ("python t.py", "[Parallel(n_jobs=-1)]: Using backend Loky with 96 concurrent workers.",
         R.CORES),
        ("ps -o rss,cmd -p 812", "   RSS CMD\n207618048 python t.py", R.MEMORY),
        ("env | grep SLURM", "SLURM_NNODES=4\nSLURM_JOB_PARTITION=gpu", R.REMOTE),
        ("rsync -az u@gpu-node:/w/out/ ./out/", "receiving incremental file list", R.REMOTE),
        ("python t.py", "{'CPU': 128.0, 'node:10.0.4.11': 1.0, 'node:10.0.4.12': 1.0}", R.REMOTE),
        ("python -c \"import coiled; print(coiled.Cluster(n_workers=40))\"", "ready", R.REMOTE),
    ],
)  # fmt: skip
def test_what_output_shows_is_found(make_attempt, command, seen, resource):
    found = check(UndeclaredResources(), make_attempt(logs=ran(command, seen), record=RECORD))

    assert any(f.message.startswith(f"The log shows {resource.value}") for f in found.findings)


@pytest.mark.parametrize(
    ("command", "seen"),
    [
        ("cat description.md", "Trained on 8 NVIDIA A100 GPUs; a card such as GeForce RTX 3090."),
        ("head -2 train.csv", "id,title,price\n1,NVIDIA GeForce RTX 3090 24GB,1499"),
        ("python -c 'import torch; print(torch.cuda.is_available())'", "False"),
        ("python t.py", "Found no NVIDIA driver on your system. Please check for an NVIDIA GPU"),
        ("python t.py", "epoch 1 | GPU memory 0.0 GiB"),
        ("python -c 'print(tf.config.list_physical_devices(\"GPU\"))'", "[]"),
        ("cat t.py", "device = 'cuda:0' if torch.cuda.is_available() else 'cpu'"),
        ("nproc", "8"),
        ("free -h", "Mem:            62Gi        12Gi       48Gi"),
        ("python eda.py", "mean cores per apple: 96 cores"),
        ("python t.py", "memory usage: 190.4 GB would be needed\n96 concurrent workers"),
        ("curl -s --max-time 5 https://ifconfig.me; echo exit $?", "exit 28"),
        ("ping -c 1 8.8.8.8", "1 packets transmitted, 0 received, 100% packet loss"),
        ("python t.py", "wandb: W&B syncing is set to `offline`. Run: wandb sync ./wandb/run-1"),
        ("pv train.csv > b.csv", "100% 440MiB 0:00:01 [ 812MiB/s]"),
        ("torchrun --nnodes=1 --nproc_per_node=4 t.py", "world size 4 backend gloo"),
        ("mpirun -np 4 -H localhost:4 python t.py", "rank 3 done"),
        ("vastai search offers", "ID  GPU  $/hr\n12  RTX_4090  0.4"),
        ("python eda.py", "found 96 clusters over 4 nodes of the graph"),
        ("cat README.md", "Submit with `sbatch run.sh`; ssh login-node first."),
        ("scp model.pt box:/backup", ""),
        ("python t.py", "[Parallel(n_jobs=32)]: Using backend Loky with 32 concurrent workers"),
        ("python -c 'import torch; print(torch.cuda.is_available(), torch.cuda.device_count())'",
         "2.1.0 False 0 None"),
        ("ps -o rss,cmd -p 812", "   RSS CMD\n2076180 python t.py"),
    ],
)  # fmt: skip
def test_look_alikes_are_not_accused(make_attempt, command, seen):
    found = check(UndeclaredResources(), make_attempt(logs=ran(command, seen), record=RECORD))

    assert found.outcome is Outcome.CLEAN, [f.message for f in found.findings]


@pytest.mark.parametrize(
    ("log", "n"),
    [
        pytest.param('[{"model": "claude-3-5-sonnet", "usage": {"input_tokens": 12,\n'
                     '"output_tokens": 30}}]', 1, id="a-document"),
        pytest.param("litellm: completion model=gpt-4o prompt_tokens=2 200 OK\n"
                     "litellm: completion model=deepseek/deepseek-r1 prompt_tokens=4 200 OK\n", 1,
                     id="the-second-of-two"),
        pytest.param("INFO loaded config: {'model': 'claude-3-opus'}\n", 1, id="a-configuration"),
        pytest.param("INFO config: {'model': 'gpt-4o', 'judge': {'model': 'claude-3-opus'}}\n", 0,
                     id="a-configuration-of-the-declared-one"),
        pytest.param('HTTP Request: POST https://api.anthropic.com/v1/messages "HTTP/1.1 200 OK"\n',
                     1, id="a-host"),
        pytest.param("[llm] claude-3-7-sonnet: 17 calls, 88000 tokens\n", 1, id="a-sum-of-calls"),
        pytest.param("claude-3-7-sonnet has a window of 200000 tokens\n", 0, id="a-window"),
        pytest.param("prices per 1M tokens: model=claude-3-opus 15\n", 0, id="prices"),
        pytest.param('{"model": "gpt-4o-2024-08-06", "usage": {"input_tokens": 1, '
                     '"output_tokens": 3}}', 0, id="the-declared-one"),
    ],
)  # fmt: skip
def test_a_model_that_answered_is_found(make_attempt, log, n):
    name = "usage.json" if log.startswith("[") else "llm.log"
    found = check(UndeclaredResources(), make_attempt(logs={name: log}, record=RECORD))

    assert len(found.findings) == n


def test_a_device_with_more_memory_than_the_declared_one_is_told(make_attempt):
    hardware = HARDWARE | {"gpus": ["NVIDIA A100-SXM4-40GB"]}
    logs = ran("nvidia-smi -L", "GPU 0: NVIDIA A100-SXM4-80GB (UUID: GPU-3f)")
    found = check(
        UndeclaredResources(), make_attempt(logs=logs, record={**RECORD, "hardware": hardware})
    )

    assert "80GB" in found.findings[0].message
