"""Processors, machines, network and models that the record does not declare, and talk of them."""

from __future__ import annotations

import json

import pytest

from audit.check import check
from detectors.rules.resource import Resource
from detectors.rules.undeclared_resources import UndeclaredResources
from reports.schema import Outcome, Quantity

SMI = (
    "+------------------------------------+\n| NVIDIA-SMI 535.129.03  CUDA 12.2  |\n"
    "|   0  NVIDIA A100-SXM4-80GB          On   | 00000000:07:00.0 Off |        0 |\n"
)
LIST = "GPU 0: NVIDIA A10G (UUID: GPU-0a)\nGPU 1: NVIDIA A10G (UUID: GPU-1a)\n"
AGENT = {"id": "a", "digest": "0" * 64, "models": ["openai/gpt-4o"]}
HARDWARE = {"cpu_model": "a", "cpu_count": 8, "memory_bytes": 64 << 30}


def look(make_attempt, logs, **fields):
    record = {"hardware": HARDWARE, "agent": AGENT, **fields}
    return check(UndeclaredResources(), make_attempt(logs=logs, record=record))


def traj(action, seen):
    step = {"action": action, "observation": seen, "response": "", "thought": "", "state": "{}"}
    return {"a.traj": json.dumps({"environment": "m", "trajectory": [step], "history": []})}


@pytest.mark.parametrize(
    ("logs", "resource"),
    [
        pytest.param(f"$ nvidia-smi\n{SMI}", Resource.GPU, id="nvidia-smi"),
        pytest.param(traj("nvidia-smi", SMI), Resource.GPU, id="in-a-traj"),
        pytest.param(traj("nvidia-smi -L", LIST), Resource.GPU, id="a-list"),
        pytest.param("Created device /job:localhost/device:GPU:0 with 38370 MB memory:  -> "
                     "device: 0, name: NVIDIA A100\n", Resource.GPU, id="tensorflow"),
        pytest.param(traj('python -c "import torch; print(torch.cuda.get_device_name(0))"',
                          "NVIDIA H100 80GB HBM3"), Resource.GPU, id="torch"),
        pytest.param("GPU available: True (cuda), used: True\n", Resource.GPU, id="lightning"),
        pytest.param("Using device: cuda\nepoch 1\n", Resource.GPU, id="printed"),
        pytest.param(traj("nproc", "64"), Resource.CORES, id="nproc"),
        pytest.param("$ free -g; nproc\nMem: 62 3 55\n64\n", Resource.CORES, id="nproc-second"),
        pytest.param(traj("wget -q https://x.org/w.bin", "HTTP/2 200\nw.bin"), Resource.NETWORK,
                     id="a-download-arrived"),
        pytest.param(traj("git clone https://github.com/a/b", "Receiving objects: 100%"),
                     Resource.NETWORK, id="a-clone-arrived"),
        pytest.param(traj("scp m.py box:/tmp && ssh -p 22 box 'python /tmp/m.py'", "auc 0.9"),
                     Resource.REMOTE, id="ssh"),
        pytest.param(traj("sbatch train.sh", "Submitted job 12"), Resource.REMOTE, id="queue"),
        pytest.param(traj("modal run m.py", "done in 400 s"), Resource.REMOTE, id="cloud"),
        pytest.param(traj("python -c 'import ray; ray.init(address=\"auto\")'",
                          "node:10.0.0.4 node:10.0.0.5"), Resource.REMOTE, id="ray"),
        pytest.param("[aide] model=o1-preview in_tokens=12 out_tokens=7\n", Resource.MODEL,
                     id="another-model"),
        pytest.param({"c.jsonl": '{"model": "claude-3-opus", "in": 12, "out": 7}\n' * 2},
                     Resource.MODEL, id="an-account-of-answers"),
        pytest.param("$ gpustat\nbox  Mon  535.1\n[0] NVIDIA L40S | 61'C,  98 % | 3 / 46 MB |\n",
                     Resource.GPU, id="gpustat"),
        pytest.param(traj("python -c 'import jax; print(jax.devices())'",
                          "[TpuDevice(id=0, process_index=0)]"), Resource.GPU, id="jax"),
        pytest.param(traj("lscpu | grep CPU", "CPU(s):              192"), Resource.CORES,
                     id="lscpu"),
        pytest.param(traj("python -c 'from dask.distributed import Client; "
                          "print(Client(\"tcp://10.2.0.7:8786\"))'", "24 workers"),
                     Resource.REMOTE, id="dask"),
        pytest.param(traj("apt-get install -y libomp-dev", "Get:1 http://deb.debian.org/debian "
                          "bookworm\nFetched 8938 kB in 2s (4410 kB/s)"), Resource.NETWORK,
                     id="apt"),
        pytest.param(traj("pip install lightgbm", "Collecting lightgbm\n  Downloading "
                          "lightgbm-4.3.0-py3-none-manylinux.whl (3.1 MB)"), Resource.NETWORK,
                     id="pip-downloads"),
        pytest.param('Downloading: "https://download.pytorch.org/m.pth" to /root/m.pth 100%\n',
                     Resource.NETWORK, id="weights-arrived"),
        pytest.param("2026-05-11 08:12:59 | exec> gcloud compute instances create trainer\n"
                     "trainer us-central1-a a2-highgpu-1g RUNNING\n", Resource.REMOTE,
                     id="a-machine-of-a-cloud"),
        pytest.param(traj("aws ec2 run-instances --count 1", "i-0abc pending"), Resource.REMOTE,
                     id="another-cloud"),
        pytest.param(traj("kubectl apply -f job.yaml && kubectl logs job/fit",
                          "job.batch/fit created\nepoch 39"), Resource.REMOTE, id="kubernetes"),
        pytest.param("Starting - Preparing the instances for training (ml.p3.2xlarge)\n"
                     "Billable seconds: 2711\n", Resource.REMOTE, id="sagemaker"),
        pytest.param(traj("python p.py", "INFO Connecting to master spark://10.20.4.11:7077...\n"
                          "Granted executor ID app-1/11 on hostPort 10.20.4.19:40121"),
                     Resource.REMOTE, id="spark"),
        pytest.param(traj("python t.py", "distributed_backend=nccl\nAll distributed processes "
                          "registered. Starting with 4 processes"), Resource.GPU, id="nccl"),
        pytest.param("LOCAL_RANK: 0 - CUDA_VISIBLE_DEVICES: [0,1,2,3]\n", Resource.GPU,
                     id="ranks"),
        pytest.param(traj("rocm-smi --showproductname", "GPU[0]\t\t: Card Series: \t\tAMD "
                          "Instinct MI250X"), Resource.GPU, id="rocm-smi"),
        pytest.param("Marketing Name:          AMD Instinct MI300X\n", Resource.GPU,
                     id="rocminfo"),
        pytest.param(traj("/usr/bin/time -v python p.py", "\tMaximum resident set size (kbytes): "
                          "212331044"), Resource.MEMORY, id="held-memory"),
        pytest.param(traj("sacct -j 1 --format=MaxRSS", "MaxRSS\n----\n212331044K"),
                     Resource.MEMORY, id="a-queue's-account"),
        pytest.param(traj("accelerate launch t.py", "Distributed environment: MULTI_GPU  Backend: "
                          "nccl\nNum processes: 4"), Resource.GPU, id="accelerate"),
        pytest.param("peak RSS: 212.3 GB\n", Resource.MEMORY, id="peak-rss"),
        pytest.param(traj("docker -H ssh://root@34.1.2.3 run t python t.py", "epoch 1"),
                     Resource.REMOTE, id="a-docker-engine-elsewhere"),
        pytest.param(traj("conda install -y lightgbm", "Downloading and Extracting Packages:\n"
                          "lightgbm-4.3.0 | 1.4 MB | ### | 100%"), Resource.NETWORK, id="conda"),
        pytest.param(traj("python t.py", "model.safetensors: 100%|##| 440M/440M [00:10, 41MB/s]"),
                     Resource.NETWORK, id="a-file-of-a-hub"),
        pytest.param("Finished initializing TPU system.\n", Resource.GPU, id="a-tpu"),
        pytest.param("CUDA out of memory. Tried to allocate 2 GiB (GPU 0; 79.15 GiB total capacity)"
                     "\n", Resource.GPU, id="a-device-without-room"),
        pytest.param(traj("grep -c ^processor /proc/cpuinfo", "192"), Resource.CORES,
                     id="cpuinfo"),
    ],
)  # fmt: skip
def test_what_is_not_declared_is_found(make_attempt, logs, resource):
    found = look(make_attempt, logs)

    assert found.outcome is Outcome.FLAGGED
    assert [f.message.startswith(f"The log shows {resource.value}") for f in found.findings] == [
        True
    ]


@pytest.mark.parametrize(
    ("logs", "fields"),
    [
        pytest.param(f"$ nvidia-smi\n{SMI}", {"hardware": HARDWARE | {"gpus": ["A100"]}},
                     id="a-gpu-that-is-declared"),
        pytest.param(traj("nvidia-smi", "bash: nvidia-smi: command not found"), {}, id="no-smi"),
        pytest.param(traj("nvidia-smi", "NVIDIA-SMI has failed because it couldn't communicate "
                                        "with the NVIDIA driver."), {}, id="no-driver"),
        pytest.param("agent: With an A100, device: cuda, a ViT is feasible.\n", {}, id="wish"),
        pytest.param("user: Machine: GPU 0: NVIDIA A10G (UUID: x), using cuda\n", {}, id="told"),
        pytest.param("Could not find cuda drivers on your machine, GPU will not be used.\n", {},
                     id="tensorflow-without"),
        pytest.param("XGBoost is not compiled with CUDA support; falling back to hist\n", {},
                     id="xgboost-without"),
        pytest.param("$ cat t.py\ndevice = 'cuda' if torch.cuda.is_available() else 'cpu'\n"
                     "model.to(device='cuda')\n", {}, id="code-printed"),
        pytest.param("Using device: cpu\n", {}, id="cpu"),
        pytest.param(traj("nvidia-smi", SMI), {"hardware": HARDWARE | {
            "gpus": ["NVIDIA A100 80GB"]}}, id="the-declared-kind"),
        pytest.param(traj("nvidia-smi", SMI), {"hardware": HARDWARE | {"gpus": ["unknown"]}},
                     id="a-kind-that-is-not-declared"),
        pytest.param(traj("lscpu", "CPU(s):              8"), {}, id="lscpu-as-declared"),
        pytest.param("[CpuDevice(id=0)]\n", {}, id="jax-on-cpu"),
        pytest.param(traj("python -c 'from dask.distributed import Client; "
                          "Client(\"tcp://127.0.0.1:8786\")'", "4 workers"), {}, id="dask-here"),
        pytest.param(traj("python -c 'import ray; ray.init(num_cpus=8)'", "node:172.17.0.2 1.0"),
                     {}, id="ray-here"),
        pytest.param({"c.jsonl": '{"model": "gpt-4o-2024-08-06", "in": 12, "out": 7}\n'}, {},
                     id="an-account-of-the-declared-model"),
        pytest.param({"c.jsonl": '{"model": "claude-3-opus", "text": "in a paper"}\n'}, {},
                     id="a-model-in-data"),
        pytest.param(traj("python -c 'import torch; print(torch.cuda.device_count())'", "0"), {},
                     id="none-counted"),
        pytest.param("nvidia-cublas-cu12 12.1\ntorch 2.3.0+cu121\n", {}, id="packages"),
        pytest.param(traj("nproc", "4"), {}, id="fewer-cores"),
        pytest.param(traj("ls /data | wc -l", "64"), {}, id="a-count-of-files"),
        pytest.param(traj("nproc; wc -l < a.csv", "8\n7744"), {}, id="a-count-beside-cores"),
        pytest.param("This DataLoader will create 32 worker processes\n", {}, id="workers"),
        pytest.param(traj("curl -sI https://pypi.org || echo failed", "failed"), {}, id="offline"),
        pytest.param(traj("wget https://x.org/a", "HTTP/1.1 200 OK"),
                     {"sandbox": {"kind": "docker", "network": True, "memory_limiter": "none"}},
                     id="network-is-declared"),
        pytest.param(traj("curl -s http://localhost:5000/health", "HTTP/1.1 200 OK"), {},
                     id="loopback"),
        pytest.param(traj("pip install lightgbm", "Requirement already satisfied"), {}, id="pip"),
        pytest.param(traj("ssh box 'python m.py'", "ssh: Could not resolve hostname box"), {},
                     id="ssh-failed"),
        pytest.param(traj("ssh -V", "OpenSSH_9.2"), {}, id="ssh-version"),
        pytest.param(traj("which sbatch", ""), {}, id="no-queue"),
        pytest.param(traj("sbatch t.sh", "bash: sbatch: command not found"), {}, id="no-sbatch"),
        pytest.param("[aide] model=gpt-4o-2024-08-06 in_tokens=3 out_tokens=8\n", {},
                     id="the-declared-model"),
        pytest.param("model: gpt-4-turbo\nfeedback: none\n", {}, id="a-model-in-settings"),
        pytest.param("agent: model=o1-preview would answer the query better\n", {},
                     id="a-model-in-talk"),
        pytest.param("[x] model=o1-preview in_tokens=3\n", {"agent": AGENT | {"models": []}},
                     id="no-model-is-declared"),
        pytest.param("model=llama_cpp tokenizer tokens 3\n", {"agent": AGENT | {
            "models": ["llama_cpp"]}}, id="its-own-name"),
        pytest.param("The paper trained on 8x V100 for 3 days.\n", {}, id="a-paper"),
        pytest.param(traj("python t.py", "fold 0 auc 0.9"), {}, id="ordinary"),
        pytest.param(traj("docker -H tcp://127.0.0.1:2375 ps", "no containers"), {},
                     id="a-docker-engine-here"),
        pytest.param("Loading checkpoint shards: 100%|####| 4/4 [00:02<00:00, 1.9it/s]\n", {},
                     id="a-file-of-the-disk"),
        pytest.param("GPU available: False, used: False\nTPU available: False\n", {}, id="no-tpu"),
        pytest.param(traj("apt-get update", "Err:1 http://deb.debian.org/debian bookworm\n"
                          "Temporary failure resolving 'deb.debian.org'"), {}, id="apt-failed"),
        pytest.param(traj("apt-get install -y a", "Get:1 file:/mirror a\nFetched 3 kB in 0s"),
                     {}, id="apt-from-a-folder"),
        pytest.param(traj("pip install --no-index -f /w lightgbm", "Looking in links: /w\n"
                          "Processing /w/lightgbm.whl\nSuccessfully installed lightgbm"), {},
                     id="wheels-of-the-image"),
        pytest.param(traj("pip install a", "Looking in indexes: http://localhost:3141/simple\n"
                          "  Downloading a-1-py3-none-any.whl (3 kB)"), {}, id="an-index-here"),
        pytest.param(traj("kubectl get nodes", "bash: kubectl: command not found"), {},
                     id="no-kubernetes"),
        pytest.param(traj("gcloud compute instances list", "ERROR: not authenticated"), {},
                     id="no-cloud"),
        pytest.param(traj("gcloud compute instances list", "Listed 0 items."), {},
                     id="a-list-of-machines"),
        pytest.param(traj("python p.py", "master=local[4]\nRegistered executor driver"), {},
                     id="spark-here"),
        pytest.param(traj("python p.py", "Connecting to master spark://localhost:7077\n"
                          "Granted executor ID app-1/0"), {}, id="a-spark-master-here"),
        pytest.param(traj("python t.py", "distributed_backend=gloo\nStarting with 4 processes"),
                     {}, id="gloo"),
        pytest.param("LOCAL_RANK: 0 - CUDA_VISIBLE_DEVICES: [0,1]\n",
                     {"hardware": HARDWARE | {"gpus": ["A10G", "A10G"]}}, id="declared-ranks"),
        pytest.param("Marketing Name:          AMD EPYC 7763 64-Core Processor\n", {},
                     id="a-processor-among-the-agents"),
        pytest.param(traj("rocm-smi", "bash: rocm-smi: command not found"), {}, id="no-rocm"),
        pytest.param(traj("/usr/bin/time -v python p.py", "\tMaximum resident set size (kbytes): "
                          "812044"), {}, id="less-memory"),
        pytest.param("peak RSS on GPU 0: 38.0 GB\npeak memory: 71 GB\n", {}, id="of-a-device"),
        pytest.param("agent: kubectl apply would need a cluster; peak RAM 212 GB is too much\n", {},
                     id="talk-of-machines"),
    ],
)  # fmt: skip
def test_what_is_declared_or_only_spoken_of_is_not_accused(make_attempt, logs, fields):
    found = look(make_attempt, logs, **fields)

    assert found.outcome is Outcome.CLEAN, [f.message for f in found.findings]


def test_how_many_are_shown_stands_beside_how_many_are_declared(make_attempt):
    hardware = HARDWARE | {"gpus": ["A10G"]}
    (finding,) = look(make_attempt, traj("nvidia-smi -L", LIST), hardware=hardware).findings

    figures = [e for e in finding.evidence if isinstance(e, Quantity)]
    assert [(e.value, e.reference) for e in figures] == [(2, 1)]


def test_a_device_of_another_model_than_declared_is_told(make_attempt):
    seen = "_CudaDeviceProperties(name='NVIDIA H100 80GB HBM3', major=9)"
    logs = traj("python -c 'print(torch.cuda.get_device_properties(0))'", seen)
    (finding,) = look(make_attempt, logs, hardware=HARDWARE | {"gpus": ["Tesla T4"]}).findings

    assert "H100" in finding.message
    assert finding.message.endswith("the record declares Tesla T4.")


def test_without_a_record_the_question_makes_no_sense(make_attempt):
    assert check(UndeclaredResources(), make_attempt()).outcome is Outcome.NOT_APPLICABLE
