"""Listed devices, cores that worked, clusters and asked models, and what only looks like them."""

from __future__ import annotations

import json

import pytest

from audit.check import check
from detectors.rules.undeclared_resources import UndeclaredResources
from reports.schema import Outcome

AGENT = {"id": "a", "digest": "0" * 64, "models": ["gpt-4o-2024-08-06"]}
HARDWARE = {"cpu_model": "a", "cpu_count": 8, "memory_bytes": 64 << 30}
TWO = {"hardware": HARDWARE | {"gpus": ["NVIDIA RTX A6000"] * 2}}
ONLINE = {"sandbox": {"kind": "docker", "network": True, "memory_limiter": "none"}}
SPARK = "from pyspark.sql import SparkSession\nspark = SparkSession.builder.master('{}').{}\n"
GENAI = "import google.generativeai as g\nprint(g.GenerativeModel('gemini-1.5-pro').{}.text)"
CLIENT = "<Client: 'tcp://{}:8786' processes=4 threads=8, memory=62.60 GiB>"


def ran(command, output):
    step = {"action": command, "observation": output, "response": "", "thought": "", "state": "{}"}
    return {"a.traj": json.dumps({"environment": "m", "trajectory": [step], "history": []})}


def node(code, output):
    step = {"step": 0, "plan": "p", "code": code, "metric_maximize": True, "term_out": output,
            "operators_used": ["draft"], "operators_metrics": []}  # fmt: skip
    return {"JOURNAL.jsonl": json.dumps(step)}


def look(make_attempt, logs, fields, **rest):
    record = {"hardware": HARDWARE, "agent": AGENT, **fields}
    return check(UndeclaredResources(), make_attempt(logs=logs, record=record, **rest))


def printed(output):
    return ran("python main.py", output)


@pytest.mark.parametrize(
    ("logs", "fields"),
    [
        pytest.param(printed("on ['0:NVIDIA RTX A6000', '1:NVIDIA RTX A6000', '2:RTX A6000']"),
                     TWO, id="by-index-in-a-line"),
        pytest.param(printed("on ['RTX A6000', 'RTX A6000', 'RTX A6000']"), TWO,
                     id="by-name-in-a-line"),
        pytest.param(printed("rank 0 cuda:0\nrank 3 cuda:3"), TWO, id="a-high-index"),
        pytest.param(printed("MirroredStrategy with devices ('/device:GPU:0', '/device:GPU:1', "
                             "'/device:GPU:2')"), TWO, id="replicas"),
        pytest.param(printed("LocalCUDACluster(workers=4, threads=4)"), TWO, id="dask-cuda"),
        pytest.param(printed("GPU 0: 41.2 GB\nGPU 1: 40.9 GB\nGPU 2: 40.9 GB"), TWO,
                     id="memory-each"),
        pytest.param(printed("tensor([0.31, 0.22], device='cuda:0')"), {}, id="a-tensor"),
        pytest.param(printed("StreamExecutor device (0): NVIDIA L4, Compute Capability 8.9"), {},
                     id="xla"),
        pytest.param(ran("nvidia-smi pmon -c 1", "    0      41021     C    98    41     - py"),
                     {}, id="pmon"),
        pytest.param(ran("time python m.py", "real\t10m2.0s\nuser\t402m40.0s\nsys\t3m1.2s"), {},
                     id="processor-time"),
        pytest.param(printed("\tPercent of CPU this job got: 4012%"), {}, id="percent"),
        pytest.param(printed("CPU times: user 6h, total: 6h 3min\nWall time: 10min 2s"), {},
                     id="jupyter"),
        pytest.param(node("import ray\nprint(ray.cluster_resources())", "{'CPU': 96.0}"),
                     {}, id="ray-counts"),
        pytest.param(printed("vocab.json: 100%|##| 899k/899k [00:00<00:00, 8.12MB/s]"), {},
                     id="a-small-file-of-a-hub"),
        pytest.param(printed("started tunnel url=https://1a2b.ngrok-free.app"), {}, id="a-tunnel"),
        pytest.param(node("import requests\nprint(requests.get('https://a.org/b').text)", "x,y\n1"),
                     {}, id="unguarded-and-printed"),
        pytest.param(printed("INFO yarn.Client: Submitted application application_177230_0141"), {},
                     id="yarn"),
        pytest.param(ran("spark-submit --master k8s://https://k8s.lab:6443 m.py", "rmse 3"), {},
                     id="spark-submit"),
        pytest.param(node(SPARK.format("spark://n1:7077", "getOrCreate()"), "rmse 3"), {},
                     id="a-master-elsewhere"),
        pytest.param(printed(CLIENT.format("192.168.30.5")), {}, id="a-dask-client"),
        pytest.param(node("import ray\nray.init(address='10.0.0.7:6379')", "12 trials"), {},
                     id="ray"),
        pytest.param(printed("H2O_cluster_total_nodes:    5"), {}, id="h2o"),
        pytest.param(printed("Starting task 0.0 (TID 4) (worker-17, executor 12)"), {}, id="task"),
        pytest.param(ran("parallel --sshlogin n1,n2 python f.py ::: 1 2", "0.8"), {}, id="logins"),
        pytest.param(ran("ls /dev/nvidia*", "/dev/nvidia0"), {}, id="a-device-file"),
        pytest.param(ran("curl -x http://10.0.0.9:3128 -s https://pypi.org/pypi/timm/json",
                         '{"info":{"author":null,"author_email":"R"}}'), {}, id="a-page"),
        pytest.param(printed("trying URL 'https://cran.r-project.org/r.tar.gz'\ndownloaded 293 KB"),
                     {}, id="a-package-of-r"),
        pytest.param(printed("Local rank: 0, total number of machines: 4"), {}, id="lightgbm"),
        pytest.param(ran('ollama run qwen2.5-coder:32b "Write" > m.py && grep -c i m.py', "5"), {},
                     id="ollama"),
        pytest.param(node(GENAI.format("generate_content('x')"), "1. n-grams"), ONLINE, id="genai"),
        pytest.param(ran("llm -m gemini-2.0-flash 'Which features?'", "- ratios"), ONLINE,
                     id="llm"),
        pytest.param(ran("curl -s http://gpu7:8000/v1/chat/completions -d '{\"model\": \"qwen2\"}'",
                         '{"choices": []}'), ONLINE, id="a-model-elsewhere"),
        pytest.param("WARNING gpt-4o limited, falling back to o3-mini\n2026-01-01 10:41:44 INFO "
                     "response: 812 tokens\n", {}, id="a-fallback"),
        pytest.param({"usage.json": '{"anthropic/claude-3-opus": {"input_tokens": 104200}}'}, {},
                     id="an-account-by-models"),
        pytest.param("[aide] model=gpt-4o-mini in_tokens=12 out_tokens=7\n", {},
                     id="a-smaller-one"),
    ],
)  # fmt: skip
def test_what_the_record_does_not_declare_is_found(make_attempt, logs, fields):
    assert look(make_attempt, logs, fields).outcome is Outcome.FLAGGED


@pytest.mark.parametrize(
    ("logs", "fields"),
    [
        pytest.param(printed("on ['0:NVIDIA RTX A6000', '1:NVIDIA RTX A6000']"), TWO,
                     id="declared"),
        pytest.param(printed("Supported: ['NVIDIA A100', 'NVIDIA H100', 'Tesla T4']"), TWO,
                     id="kinds"),
        pytest.param(printed("GPU 2: 0 GB"), TWO, id="nothing-held"),
        pytest.param(printed("tensor([0.31], device='cpu')"), {}, id="a-tensor-here"),
        pytest.param(printed("x = torch.tensor([1], device='cuda:0')"), {}, id="code-shown"),
        pytest.param(printed("StreamExecutor device (0): Host, Default Version"), {},
                     id="xla-host"),
        pytest.param(node("print('Number of devices:', s.num_replicas_in_sync)",
                          "Number of devices: 1"), {}, id="one-replica"),
        pytest.param(ran("time python m.py", "real\t10m2.0s\nuser\t79m40.0s\nsys\t0m1.2s"), {},
                     id="all-declared-cores"),
        pytest.param(ran("time python m.py", "real\t0m0.1s\nuser\t0m2.9s\nsys\t0m1.2s"), {},
                     id="too-short"),
        pytest.param(printed("\tPercent of CPU this job got: 799%"), {}, id="percent-within"),
        pytest.param(node("import ray\nray.init(num_cpus=96)\nprint(ray.cluster_resources())",
                          "{'CPU': 96.0}"), {}, id="ray-was-told"),
        pytest.param(printed("Extracting a.zip: 100%|##| 8M/8M [00:03<00:00, 270MB/s]\n"
                             "vocab.json: 100%|##| 200/200 [00:00<00:00, 812it/s]"), {},
                     id="unpacked"),
        pytest.param(node("import requests\ntry:\n    print(requests.get('https://a.org/b').text)\n"
                          "except OSError:\n    print('offline')", "offline"), {}, id="guarded"),
        pytest.param(ran("yarn install", "yarn install v1.22\nDone in 3s"), {}, id="another-yarn"),
        pytest.param(node(SPARK.format("local[8]", "getOrCreate()"), "master local[8]"), {},
                     id="spark-here"),
        pytest.param(node(SPARK.format("yarn", "getOrCreate()"), "Error: no YARN_CONF_DIR"), {},
                     id="spark-failed"),
        pytest.param(printed(CLIENT.format("127.0.0.1")), {}, id="dask-here"),
        pytest.param(ran("dask scheduler & dask worker tcp://172.17.0.2:8786 & python m.py",
                         CLIENT.format("172.17.0.2")), {}, id="dask-started-here"),
        pytest.param(printed("H2O_cluster_total_nodes:    1"), {}, id="one-node"),
        pytest.param(printed("Starting task 0.0 (TID 4) (10.0.2.4, executor driver)"), {},
                     id="a-task-here"),
        pytest.param(ran("parallel python f.py ::: 1 2", "0.8"), {}, id="parallel-here"),
        pytest.param(ran("ls /dev/nvidia*", "ls: cannot access"), {}, id="no-device"),
        pytest.param(ran("curl -s https://pypi.org/simple || echo there is no network here",
                         "there is no network here"), {}, id="something-else-printed"),
        pytest.param(printed("trying URL 'https://cran.r-project.org/r.tar.gz'\nWarning: cannot "
                             "open URL"), {}, id="a-package-that-did-not-come"),
        pytest.param("INFO o3 supports 200000 tokens; o1 responded 401 unauthorized\n", {},
                     id="models-that-did-not-answer"),
        pytest.param(printed("total number of machines: 1"), {}, id="one-machine"),
        pytest.param(ran("ollama run qwen2.5-coder:32b x", "Error: could not connect"), {},
                     id="ollama-failed"),
        pytest.param(ran("ollama run qwen2.5-coder:32b x", "import lightgbm"),
                     {"agent": AGENT | {"models": ["ollama/qwen2.5-coder:32b"]}},
                     id="ollama-declared"),
        pytest.param(node(GENAI.format("generate_content('x')"), "503 failed to connect to all "
                          "addresses: ServiceUnavailable"), ONLINE, id="genai-failed"),
        pytest.param(node("def ask():\n    " + GENAI.format("generate_content('x')").split("\n")[1],
                          "auc 0.9"), ONLINE, id="not-called"),
        pytest.param(printed("model: gpt-4 412 rows, claude-2 300 rows, tokens 90"), ONLINE,
                     id="models-in-data"),
        pytest.param("[aide] model=openai/gpt-4o in_tokens=12 out_tokens=7\n", {},
                     id="without-its-day"),
    ],
)  # fmt: skip
def test_what_is_declared_or_is_none_is_not_accused(make_attempt, logs, fields):
    found = look(make_attempt, logs, fields)

    assert found.outcome is Outcome.CLEAN, [f.message for f in found.findings]


@pytest.mark.parametrize(("code", "n"), [("import openai\n", 1), ("import pandas\n", 0)])
def test_a_model_that_the_output_names_counts_where_the_code_asks_one(make_attempt, code, n):
    run_log = "advice by Qwen2.5-72B-Instruct 411 tokens\n"
    assert len(look(make_attempt, "x\n", ONLINE, code=code, run_log=run_log).findings) == n
