"""What logs show of the machine of an attempt, of other machines, and of models that answered."""

from __future__ import annotations

import re
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from detectors.rules.prompts import said
from detectors.shell import pipelines
from detectors.trajectories.events import Event, EventKind, events, recognised
from detectors.trajectories.source import numbered_lines, pieces

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.attempt import Attempt

MAX_TEXT = 20_000  # characters of one text that are looked at
_SMI_ROW = re.compile(
    r"^\|?\s+(?P<index>\d{1,2})\s+(?P<name>(?:NVIDIA|Tesla|GeForce|Quadro|RTX|AMD)[ \w-]*?)"
    r"\s{2,}(?:On|Off|N/A)\b",
    re.MULTILINE,
)
_SMI_LIST = re.compile(r"^GPU (?P<index>\d{1,2}): (?P<name>[^\n(]+?) \(UUID", re.MULTILINE)
_GPUSTAT = re.compile(
    r"^\[(?P<index>\d{1,2})\]\s+(?P<name>(?:NVIDIA|Tesla|GeForce|Quadro|RTX)[ \w-]*?)\s*\|",
    re.MULTILINE,
)
_JAX_DEVICE = re.compile(r"\b(?P<name>TpuDevice|CudaDevice)\(id=(?P<index>\d{1,4})\b")
_TF_DEVICE = re.compile(
    r"Created (?:TensorFlow )?device\b.{0,120}device:GPU:(?P<index>\d{1,2}) with \d+ MB memory"
    r".{0,40}name: (?P<name>[^,\n]+)"
)
_ROCM_CARD = re.compile(
    r"^GPU\[(?P<index>\d{1,2})\]\s*:\s*Card (?:Series|Model):\s*(?P<name>[^\n]*[A-Za-z][^\n]*)",
    re.MULTILINE | re.IGNORECASE,
)
_ROCM_AGENT = re.compile(  # the processor is an agent, too
    r"\bMarketing Name:\s*(?P<name>AMD (?:Instinct|Radeon)[ \w]*)(?P<index>)"
)
_GPU_LISTS = (_SMI_ROW, _SMI_LIST, _GPUSTAT, _JAX_DEVICE, _TF_DEVICE, _ROCM_CARD, _ROCM_AGENT)
_ASKS_NAME = re.compile(
    r"get_device_name|get_device_properties|nvidia-smi|rocm-smi|amd-smi|rocminfo|xpu-smi"
)
_NAMED_GPU = re.compile(
    r"\b(?P<name>(?:NVIDIA|Tesla|GeForce|Quadro|RTX|AMD (?:Instinct|Radeon))[ \w-]{2,40}|"
    r"(?:MI|[AHVLTP])\d{2,3}X?(?:-\w+)*\b)"
)
_RANKS = re.compile(  # of processes that share one list of devices
    r"\bLOCAL_RANK: \d+ - CUDA_VISIBLE_DEVICES: \[(?P<listed>\d+(?:, ?\d+)+)\]|"
    r"backend[=: '\"]{1,3}nccl\b[\s\S]{0,200}?\b(?:[Ss]tarting with (?P<n>\d{1,3}) processes|"
    r"world_?size[=: ]{1,2}(?P<world>\d{1,3}))|"
    r"\bMULTI_GPU\b[\s\S]{0,80}?\bNum processes: (?P<launched>\d{1,3})|"
    r"\bNCCL INFO\b.{0,120}\bnranks (?P<ranks>\d{1,3})\b"
)
_ONE_PER_GPU = 64  # devices that one machine may have; more is a word of something else
_USES_GPU = re.compile(
    r"GPU available: True|\bUsing GPU Device:|This is the GPU trainer|"
    # As a program prints it; a line of code has brackets and quotes.
    r"^[^()'\"#{}]{0,60}\b(?:using(?: device)?|running on|training on|device)\b[ :=]{1,3}"
    r"cuda(?::\d)?\b(?! if)[^()'\"#{}]{0,80}$",
    re.IGNORECASE | re.MULTILINE,
)
_COUNTS_CORES = re.compile(
    r"\bnproc\b|\bcpu_count\(\)|\blscpu\b|\bsched_getaffinity\b|\bgrep -c\b.{0,20}/proc/cpuinfo"
)
_HELD = re.compile(
    r"\bMaximum resident set size \(kbytes\): (?P<kb>\d+)|"
    r"\b(?:max(?:imum)?|peak)[ _]?(?:rss|resident(?: set)?(?: size)?|ram)\b[^\d]{0,12}"
    r"(?P<n>\d+(?:\.\d+)?) ?(?P<unit>[KMGT])(?:i?B)?\b",
    re.IGNORECASE,
)
_OF_DEVICE = re.compile(r"cuda|gpu|vram|\bdevice\b|hbm", re.IGNORECASE)
_UNITS = {"k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}
_LSCPU = re.compile(r"^CPU\(s\):\s+(\d{1,4})\s*$", re.MULTILINE)
_DASK = re.compile(
    r"\bdask\b[\s\S]*\bClient\(\s*[frb]?[\"'](?:tcp|tls|ucx)://(?!localhost|127\.|0\.0\.0\.0|\[?::1)(?P<host>[\w.-]+)"
)
_SMALL = frozenset(
    {"nproc", "free", "ls", "df", "head", "pwd", "uname", "nvidia-smi", "lscpu", "wc", "export"}
)
_INTEGER = re.compile(r"^\s*(\d{1,4})\s*$", re.MULTILINE)
_FAILED = re.compile(
    r"Could not resolve|Connection (?:refused|timed out|closed)|timed? ?out|No route|unreachable|"
    r"Permission denied|not found|Failed|failed|[Ee]rror|ERROR|Traceback|refused|"
    r"[Nn]ot authenticated|[Uu]nable to locate credentials|not logged in",
)
_LOCAL = re.compile(
    r"^(?:localhost|127\.|0\.0\.0\.0|::1|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|[\w-]+$)"
)
_URL = re.compile(r"\b(?:https?|ftp|git)://(?:[^/\s@\"']+@)?(?P<host>[\w.-]+)")
_ARRIVED = re.compile(
    r"HTTP/[\d.]+ 200|['‘’\"] saved \[|Receiving objects: 100%|Resolving deltas: 100%|"
    r"^\s*100\s+\d+[kMG]?\s+100\b|\b100%\[=+>?\]|Successfully installed",
    re.MULTILINE,
)
_PACKAGES = frozenset(
    {"apt", "apt-get", "aptitude", "apk", "dnf", "yum", "zypper", "conda", "mamba", "micromamba",
     "pip", "pip3", "uv", "npm", "cargo", "go", "brew"}
)  # fmt: skip
_PACKAGE_CAME = re.compile(  # over the network: what a folder holds is only processed
    r"^Get:\d+ (?:https?|ftp)://(?P<host>[\w.-]+)|^fetch https?://(?P<apk>[\w.-]+)\S+|"
    r"^Fetched [\d.]+ ?[kMG]?B in\b|^\s*Downloading (?:https?://(?P<pip>[\w.-]+)|\S+\.(?:whl|tar\.gz)\b)|"
    r"\bDownloading and Extracting Packages\b[\s\S]{0,300}?\b100 ?%",
    re.MULTILINE,
)
_INDEX_HERE = re.compile(
    r"https?://(?:localhost|127\.|host\.docker\.internal|10\.|192\.168\.)[^\s]*|"
    r"^Get:\d+ (?:file|copy|cdrom):",
    re.MULTILINE,
)
_BAR_CAME = re.compile(  # of a file with its speed, as libraries of hubs show it
    r"^[^\n]{0,80}\b[\w-]+\.(?:safetensors|bin|pth?|h5|gguf|onnx|zip|tar\.gz|tgz|parquet):\s+100%\|"
    r"[^\n]{0,80}[kMG]i?B/s",
    re.MULTILINE,
)
_HAS_DEVICE = re.compile(  # said of one that is there, also where something failed on it
    r"\bGPU \d+; [\d.]+ [MG]iB total capacity|\bGPU \d+ has a total capacity of|"
    r"\bFinished initializing TPU system|\bFound TPU system|\(TPU v\d|"
    r"\bTPU available: True\b(?!, used: False)"
)
_FILE_CAME = re.compile(
    r"\bDownloading:? \"?(?:https?|ftp)://(?P<host>[\w.-]+)\S*[\s\S]{0,300}?\b100(?:\.0)?%"
)
_FETCHES = frozenset(
    {"curl", "wget", "git", "pip", "pip3", "uv", "aria2c", "huggingface-cli", "kaggle"}
)
_REMOTE_PROGRAMS = {
    ("modal", "run"): "a function is run at a cloud provider",
    ("sky", "launch"): "a job is started at a cloud provider",
    ("gcloud", "compute"): "a machine of a cloud provider is used",
    ("aws", "sagemaker"): "a job is started at a cloud provider",
    ("runpodctl", "create"): "a machine of a cloud provider is used",
    ("gcloud", "ai"): "a job is started at a cloud provider",
    ("gcloud", "beta"): "a machine of a cloud provider is used",
    ("gcloud", "alpha"): "a machine of a cloud provider is used",
    ("aws", "ec2"): "a machine of a cloud provider is used",
    ("aws", "batch"): "a job is started at a cloud provider",
    ("az", "ml"): "a job is started at a cloud provider",
    ("az", "vm"): "a machine of a cloud provider is used",
    ("oci", "compute"): "a machine of a cloud provider is used",
    ("doctl", "compute"): "a machine of a cloud provider is used",
    ("vastai", "create"): "a machine of a cloud provider is used",
    ("hf", "jobs"): "a job is started at a cloud provider",
    ("kubectl", "apply"): "a job is sent to a cluster",
    ("kubectl", "create"): "a job is sent to a cluster",
    ("kubectl", "run"): "a job is sent to a cluster",
    ("kubectl", "exec"): "a command is run on a cluster",
    ("oc", "apply"): "a job is sent to a cluster",
    ("argo", "submit"): "a job is sent to a cluster",
    ("ray", "submit"): "a job is sent to a cluster",
    ("databricks", "jobs"): "a job is started at a cloud provider",
    ("dstack", "apply"): "a job is started at a cloud provider",
    ("kaggle", "kernels"): "a notebook is run elsewhere",
}
_ONLY_ASKS = frozenset(
    {
        "list",
        "describe",
        "describe-instances",
        "get",
        "info",
        "version",
        "--help",
        "-h",
        "--dry-run",
    }
)
_QUEUES = frozenset({"sbatch", "srun", "salloc", "qsub", "bsub", "condor_submit"})
_CLOUD = re.compile(
    r"https://modal\.com/apps/|\bView run at https://(?!wandb)|Launching .{0,30}\bon AWS\b|"
    r"\bPreparing the instances for training\b|^Billable seconds: \d|"
    r"\bCustomJob projects/\S+ (?:created|current state)|https://ml\.azure\.com/(?:runs|experiments)|"
    r"\bJob state changed to JOB_STATE_SUCCEEDED\b",
    re.MULTILINE,
)
_SPARK = re.compile(  # a cluster; local[4] is this machine
    r"\b(?:[Cc]onnecting to master|master[=(: \"']{1,4})\s?[\"']?"
    r"(?:spark|mesos|k8s)://(?!localhost|127\.|0\.0\.0\.0|\[?::1)(?P<host>[\w./:-]{0,12}[\w.-]+)"
)
_EXECUTOR = re.compile(
    r"\bConnected to Spark cluster\b|\b[Gg]ranted executor ID\b|\bRegistered executor\b"
)
_SHELL_OF_SSH = frozenset({"ssh", "sshpass", "mosh", "autossh"})
_NODES = re.compile(r"\bnode:(?P<host>\d+\.\d+\.\d+\.\d+)")
_CLUSTER = re.compile(r"\bray\.init\([^)]*(?:address\s*=|ray://)")
_MODEL = re.compile(
    r"\bmodel(?:_name)?[\"']?\s*[:=]\s*[\"']?(?P<name>(?:[\w-]+/)?(?:gpt-|o[1-9](?:-|\b)|chatgpt|claude|gemini|"
    r"deepseek|llama|qwen|mi[sx]tral|grok|kimi|glm-)[\w.:-]*)",
    re.IGNORECASE,
)
_ANSWERED = re.compile(
    r"token|query|usage|latency|\bcost|request|completion|response", re.IGNORECASE
)
_COUNTED = re.compile(  # tokens of an answer
    r"\"(?:in|prompt_tokens|input_tokens|tokens_in)\"\s*:\s*\d+.{0,40}"
    r"\"(?:out|completion_tokens|output_tokens|tokens_out)\"\s*:\s*\d"
)


class Resource(StrEnum):
    """What was seen."""

    GPU = "graphics processors"
    CORES = "processor cores"
    NETWORK = "the network"
    REMOTE = "another machine"
    MODEL = "a language model"
    MEMORY = "memory"


class SeenResource(NamedTuple):
    """One resource at one place of a log.

    Parameters
    ----------
    name : str
        A device's index, a host, a model.
    value : int
        Of cores, how many; of memory, how many bytes.
    """

    resource: Resource
    name: str
    shows: str
    event: Event
    value: int = 0


def resources_in(attempt: Attempt) -> Iterator[SeenResource]:
    """Yield what logs show; what the agent only says, plans or was told is left out."""
    yield from _of_accounts(attempt)
    for one in said(events(attempt.logs)):
        event = one.event
        if event.kind in {EventKind.COMMAND, EventKind.CODE}:
            yield from _of_run(event)
        elif event.kind in {EventKind.TEXT, EventKind.OUTPUT} and not (one.told or one.own):
            yield from _of_line(event)


def _of_accounts(attempt: Attempt) -> Iterator[SeenResource]:
    """Read lines of JSON, one for each answer of a model, as scaffolds keep their accounts."""
    for log in attempt.logs:
        if recognised(log) not in {"plain-text", "json-document"}:
            continue
        for number, line in numbered_lines(pieces(log)):
            model = _MODEL.search(line[:MAX_TEXT]) if line.startswith('{"') else None
            if model and _COUNTED.search(line[:MAX_TEXT]):
                event = Event(EventKind.TEXT, line[:400], log.name, number, number)
                shows = f"tells of an answer by {model['name']}"
                yield SeenResource(Resource.MODEL, model["name"].lower(), shows, event)


def _of_run(event: Event) -> Iterator[SeenResource]:
    output = event.output[:MAX_TEXT]
    if _ASKS_NAME.search(event.text) and not _gpus(output):
        named = _NAMED_GPU.search(output)
        if named and not _FAILED.search(output) and "failed" not in output:
            yield SeenResource(Resource.GPU, "0", f"names {named['name'].strip()}", event)
    yield from _printed(event, output)
    if _COUNTS_CORES.search(event.text) and (cores := _cores(event)):
        yield SeenResource(Resource.CORES, "cores", f"counts {cores} cores", event, cores)
    if event.kind is EventKind.COMMAND:
        yield from _of_command(event)
    dask = _DASK.search(event.text)
    if dask and output.strip() and not _bad(output):
        yield SeenResource(Resource.REMOTE, dask["host"], f"asks {dask['host']} to compute", event)
    spark = _SPARK.search(f"{event.text}\n{output}")
    if spark and _EXECUTOR.search(output):
        shows = f"works on a cluster at {spark['host']}"
        yield SeenResource(Resource.REMOTE, spark["host"], shows, event)
    nodes = {n["host"] for n in _NODES.finditer(output)}
    # One node alone is this machine, whatever its address, unless a cluster was asked for.
    if len(nodes) > 1 or (nodes and _CLUSTER.search(event.text)):
        yield SeenResource(Resource.REMOTE, "cluster", f"lists {len(nodes)} nodes", event)


def _printed(event: Event, text: str) -> Iterator[SeenResource]:
    """Read what programs print of devices, memory, clouds and downloads."""
    for index, name in _gpus(text):
        yield SeenResource(Resource.GPU, index, f"shows {name}", event)
    n = max((_ranks(found) for found in _RANKS.finditer(text)), default=0)
    for rank in range(n if n <= _ONE_PER_GPU else 0):
        yield SeenResource(Resource.GPU, f"{rank}", f"shows a process on each of {n}", event)
    for held in _HELD.finditer(text):
        line = text[text.rfind("\n", 0, held.start()) + 1 : held.end() + 20]
        if not _OF_DEVICE.search(line):
            size = _bytes(held)
            shows = f"tells that {size / 1e9:.1f} GB were held"
            yield SeenResource(Resource.MEMORY, "memory", shows, event, size)
    if _HAS_DEVICE.search(text):
        yield SeenResource(Resource.GPU, "0", "tells of an accelerator's memory or system", event)
    if _BAR_CAME.search(text):
        yield SeenResource(Resource.NETWORK, "a hub of files", "fetches a file", event)
    if _CLOUD.search(text):
        yield SeenResource(Resource.REMOTE, "cloud", "names a run at a cloud provider", event)
    came = _FILE_CAME.search(text)
    if came and not _LOCAL.match(came["host"]):
        yield SeenResource(Resource.NETWORK, came["host"], f"reaches {came['host']}", event)


def _ranks(found: re.Match[str]) -> int:
    if found["listed"]:
        return found["listed"].count(",") + 1
    return int(found["n"] or found["world"] or found["launched"] or found["ranks"])


def _bytes(found: re.Match[str]) -> int:
    if found["kb"]:
        return int(found["kb"]) * 1024
    return int(float(found["n"]) * _UNITS[found["unit"].lower()])


def _gpus(text: str) -> list[tuple[str, str]]:
    found = [m for form in _GPU_LISTS for m in form.finditer(text)]
    return list(dict.fromkeys((m["index"], m["name"].strip()) for m in found))


def _cores(event: Event) -> int:
    """Return the number of cores that a command counted, 0 where another number may be meant."""
    listed = _LSCPU.search(event.output[:MAX_TEXT])
    if listed and "lscpu" in event.text and "ssh " not in event.text:
        return int(listed[1])
    numbers = _INTEGER.findall(event.output[:MAX_TEXT])
    if event.kind is EventKind.CODE:
        alone = len(event.output.split()) == 1 and event.text.count("print") == 1
        return int(numbers[0]) if alone and numbers else 0
    heads = [words[0].rpartition("/")[2] for p in pipelines(event.text) for words in p.commands[:1]]
    is_first = heads[:1] == ["nproc"] or (heads[:1] == ["grep"] and "cpuinfo" in event.text)
    if numbers and (is_first or (len(numbers) == 1 and set(heads) <= _SMALL)):
        return int(numbers[0])
    return 0


def _of_command(event: Event) -> Iterator[SeenResource]:
    output = event.output[:MAX_TEXT]
    fetched = [u["host"] for u in _URL.finditer(event.text) if not _LOCAL.match(u["host"])]
    for pipeline in pipelines(event.text):
        for words in pipeline.commands:
            head = words[0].rpartition("/")[2]
            if head in _FETCHES and fetched and _ARRIVED.search(output):
                yield SeenResource(Resource.NETWORK, fetched[0], f"reaches {fetched[0]}", event)
            if head in _PACKAGES and (host := _index(output)):
                yield SeenResource(Resource.NETWORK, host, f"reaches {host}", event)
            if head in _SHELL_OF_SSH and (host := _ssh_host(words)) and not _bad(output):
                yield SeenResource(Resource.REMOTE, host, f"runs a command on {host}", event)
            if head == "docker" and (host := _docker_host(words)) and not _bad(output):
                yield SeenResource(Resource.REMOTE, host, f"runs a container on {host}", event)
            shows = _REMOTE_PROGRAMS.get((head, words[1] if words[1:] else ""), "")
            shows = "a job is put into a queue" if head in _QUEUES else shows
            is_use = not _ONLY_ASKS & set(words) and (head != "kaggle" or "push" in words)
            if shows and is_use and output.strip() and not _bad(output):
                yield SeenResource(Resource.REMOTE, head, shows, event)


def _index(output: str) -> str:
    """Return from where packages came over the network; empty where they did not."""
    came = _PACKAGE_CAME.search(output)
    if came is None or _INDEX_HERE.search(output):
        return ""
    return next((host for host in came.groups() if host), "an index of packages")


def _bad(output: str) -> bool:
    return bool(_FAILED.search(output))


def _docker_host(words: tuple[str, ...]) -> str:
    """Return the machine whose engine docker is told to ask; empty for this one's."""
    found = (re.match(r"^(?:ssh|tcp)://(?:[^@/]+@)?([\w.-]+)", w) for w in words[1:4])
    host = next((match[1] for match in found if match), "")
    return "" if host in {"localhost", "127.0.0.1", "host.docker.internal"} else host


def _ssh_host(words: tuple[str, ...]) -> str:
    """Return the machine on which ssh runs a command; empty without a command, or on this one."""
    takes_value = {"-i", "-p", "-l", "-o", "-F", "-J", "-L", "-R", "-D"}
    rest, skip = [], False
    for word in words[1:]:
        if skip or word.startswith("-"):
            skip = not skip and word in takes_value
        else:
            rest.append(word)
    host = rest[0].rpartition("@")[2] if len(rest) > 1 else ""
    return "" if host in {"localhost", "127.0.0.1"} else host


def _of_line(event: Event) -> Iterator[SeenResource]:
    text = event.text[:MAX_TEXT]
    yield from _printed(event, text)
    if _USES_GPU.search(text) and not _bad(text):
        yield SeenResource(Resource.GPU, "0", "says that a graphics processor is used", event)
    model = _MODEL.search(text) if event.kind is EventKind.TEXT else None
    if model and _ANSWERED.search(text):
        shows = f"tells of an answer by {model['name']}"
        yield SeenResource(Resource.MODEL, model["name"].lower(), shows, event)
