"""Work on other machines: ssh, queues, clusters, and the commands and libraries of clouds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.rules.clusters_seen import clusters_asked
from detectors.shell import pipelines

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.shell import Pipeline
    from detectors.trajectories.events import Event

_LOCAL_HOST = r"localhost|127\.|0\.0\.0\.0|\[?::1|host\.docker\.internal"
_SHELL_OF_SSH = frozenset({"ssh", "sshpass", "mosh", "autossh"})
_QUEUES = frozenset({"sbatch", "srun", "salloc", "qsub", "bsub", "condor_submit", "qrsh"})
_CLUSTERS = frozenset({"kubectl", "oc", "argo", "k9s", "kubeflow"})
_CLOUDS = frozenset(
    {"modal", "sky", "vastai", "runpodctl", "databricks", "dstack", "lambda", "lambda-cloud",
     "lambdacloud", "paperspace", "gradient", "flyctl", "beam", "lightning", "coiled", "anyscale",
     "det", "mcli", "prime", "hcloud", "linode-cli", "vultr-cli", "openstack", "ibmcloud", "eksctl",
     "nomad", "truss", "jl", "jarvislabs", "nebius", "yc", "aliyun", "ovhai", "scw", "civo", "ngc",
     "floyd", "vh", "polyaxon", "clearml-task", "cerebrium", "tensorpool", "hyperstack", "crusoe",
     "doctl", "oci", "fluidstack", "salad", "saturn", "domino", "grid", "spell", "brev", "koyeb",
     "baseten", "covalent"}
)  # fmt: skip
_SERVICES = {  # of command lines that do much else
    "aws": {"ec2", "sagemaker", "batch", "ecs", "eks", "lambda", "emr", "ssm", "glue"},
    "gcloud": {"compute", "ai", "ai-platform", "beta", "alpha", "dataproc", "run", "container",
               "notebooks", "tpus", "workbench", "batch"},
    "az": {"ml", "vm", "vmss", "container", "aks", "batch"},
    "hf": {"jobs"}, "ray": {"submit", "job", "up", "exec", "attach"},
    "kaggle": {"kernels", "k"}, "gh": {"codespace"},
}  # fmt: skip
_USES = re.compile(
    r"^(?:create|run|launch|start|submit|up|exec|execute|ssh|apply|deploy|push|rent|reserve|spawn|"
    r"provision|train|invoke|attach|send-command|request-spot)(?:-[\w-]+)?$"
)
_ONLY_ASKS = frozenset(
    {"list", "describe", "describe-instances", "get", "info", "version", "--help", "-h",
     "--dry-run", "help", "search", "show"}
)  # fmt: skip
_LAUNCHERS = frozenset(
    {"torchrun", "accelerate", "deepspeed", "mpirun", "mpiexec", "horovodrun", "composer",
     "colossalai", "pdsh", "ansible", "parallel-ssh", "clush", "dsh", "ansible-playbook"}
)  # fmt: skip
_NODES_TOLD = re.compile(
    r"--(?:nnodes|num[_-]nodes|num[_-]machines)[= ](?:\d+:)?(?P<n>\d+)|"
    r"--?(?P<file>hostfile|machinefile)\b|"
    r"(?:^|\s)(?:-H|--hosts?|-w)[= ](?P<hosts>[\w.:,\[\]-]+)"
)
_SOURCES = re.compile(r"(?:^|[;&\n])\s*(?:\.|source) \S", re.MULTILINE)
_FUNCTION = re.compile(r"^[\w-]+ ?\(\) ?\{([^\n]*)\}", re.MULTILINE)
_FAILED = re.compile(
    r"Could not resolve|Connection (?:refused|timed out|closed)|timed? ?out|No route|unreachable|"
    r"Permission denied|not found|Failed|failed|[Ee]rror|ERROR|Traceback|refused|"
    r"[Nn]ot authenticated|[Uu]nable to locate credentials|not logged in|No module named"
)
_CLOUD = re.compile(
    r"https://modal\.com/apps/|\bView run at https://(?!wandb)|Launching .{0,30}\bon (?:AWS|GCP|"
    r"Azure|Lambda|RunPod)\b|\bPreparing the instances for training\b|^Billable seconds: \d|"
    r"^Training seconds: \d|\bCreating training-job with name\b|"
    r"\bCustomJob projects/\S+ (?:created|current state)|https://ml\.azure\.com/(?:runs|experiments)|"
    r"\bJob state changed to JOB_STATE_SUCCEEDED\b|"
    r"\bConnected to (?:a )?(?:Google )?Colab runtime\b|"
    r"\bhttps://console\.(?:aws\.amazon|cloud\.google)\.com/\S*(?:sagemaker|ec2|vertex|instances)|"
    r"\bhttps://cloud\.(?:runpod|lambdalabs|vast)\.\w+/\S+",
    re.MULTILINE,
)
_LIBRARIES = (  # what code does, and what it is called
    (r"\.exec_command\(|\bfabric\b[\s\S]{0,400}\bConnection\([\s\S]{0,200}\.run\(|"
     r"\bspur\.SshShell\(|\basyncssh\.connect\(|\bpssh\.clients\b[\s\S]*run_command\(",
     "runs a command over ssh"),
    (r"\bcoiled\.(?:Cluster|function)|\bmodal\.(?:App|Stub|Function)\b|\bsky\.launch\(|"
     r"\brunpod\.create_pod\(|\bsagemaker\b[\s\S]{0,2000}\.fit\(|create_training_job\(|"
     r"boto3\.(?:client|resource)\(\s*['\"](?:ec2|batch|sagemaker|ecs)['\"]|"
     r"\baiplatform\.(?:CustomJob|CustomTrainingJob|CustomContainerTrainingJob)|"
     r"\bMLClient\([\s\S]{0,2000}create_or_update\(|\bScriptRunConfig\(|\bdstack\.api\b|"
     r"\bdask_cloudprovider\b|\bhuggingface_hub\b[\s\S]{0,400}\brun_(?:uv_)?job\(|"
     r"\bdatabricks\.sdk\b|\bbanana_dev\b|\bcovalent\.dispatch|\bct\.dispatch\(|"
     r"\breplicate\.trainings\.create\(",
     "a job is started at a cloud provider"),
    (r"\b(?:Kube|EC2|Fargate|Yarn|GCP|Azure\w*)Cluster\(|\bkernels_push\(",
     "starts workers elsewhere"),
    (r"\bsubmitit\.\w*Executor\(|\bdask_jobqueue\b|\bcreate_namespaced_(?:job|pod)\(|"
     r"\bpyslurm\.job\b|\bhtcondor\.Submit\(", "a job is put into a queue"),
)  # fmt: skip
_OF_LIBRARIES = tuple((re.compile(form), shows) for form, shows in _LIBRARIES)
_DASK = re.compile(
    rf"\bdask\b[\s\S]*\bClient\(\s*[frb]?[\"'](?:tcp|tls|ucx)://(?!{_LOCAL_HOST})(?P<host>[\w.-]+)"
)
_SPARK = re.compile(  # a cluster; local[4] is this machine
    r"\b(?:[Cc]onnecting to master|master[=(: \"']{1,4})\s?[\"']?"
    rf"(?:spark|mesos|k8s)://(?!{_LOCAL_HOST})(?P<host>[\w./:-]{{0,12}}[\w.-]+)"
)
_EXECUTOR = re.compile(
    r"\bConnected to Spark cluster\b|\b[Gg]ranted executor ID\b|\bRegistered executor\b"
)
_NODES = re.compile(r"\bnode:(?P<host>\d+\.\d+\.\d+\.\d+)")
_RAY = re.compile(r"\bray\.init\([^)]*(?:address\s*=|ray://)")
_RAY_ELSEWHERE = re.compile(rf"\bray\.init\([^)]*ray://(?!{_LOCAL_HOST})(?P<host>[\w.-]+)")
_WORLD = re.compile(
    r"\b(?:world[ _]size|ranks?|processes|gpus)\b.{0,60}\b(?:over|across|on) (?P<n>[2-9]|\d\d) "
    r"(?:nodes|hosts|machines)\b|\b(?:num_nodes|nnodes|Num machines)[=: ]{1,2}(?P<told>[2-9])\b|"
    r"\bSLURM_(?:JOB_NUM_NODES|NNODES)=(?P<slurm>[2-9]|\d\d+)\b",
    re.IGNORECASE,
)


def failed(output: str) -> bool:
    """Say whether output tells that something failed."""
    return bool(_FAILED.search(output))


def machines_of_command(event: Event, output: str) -> Iterator[tuple[str, str]]:
    """Yield other machines on which a command ran something, each by its name and what shows it.

    Parameters
    ----------
    output : str
        What came back; a command that says nothing may have been refused.
    """
    if failed(output):
        return
    for pipeline in _pipelines_run(event.text):
        for words in pipeline.commands:
            head = words[0].rpartition("/")[2]
            if head == "jupyter" and (host := _after(words, "--ssh")):
                yield host, f"runs a kernel on {host}"
            given = ("bash",) if pipeline.heredoc else ()
            if head in _SHELL_OF_SSH and (host := _ssh_host((*words, *given))):
                yield host, f"runs a command on {host}"
            if head == "parallel" and {"--sshlogin", "-S", "--sshloginfile"} & set(words):
                yield head, "runs commands on several machines"
            if head in {"docker", "podman"} and (host := _docker_host(words)):
                yield host, f"runs a container on {host}"
            if head in {"rsync", "scp"} and output.strip() and (host := _copied_from(words)):
                yield host, f"copies files from {host}"
            shows = _of_tool(head, words) or _of_launcher(head, words)
            if shows and output.strip():
                yield head, shows


def _pipelines_run(text: str) -> Iterator[Pipeline]:
    """Yield the pipelines of a command, and those of functions that it writes and then sources."""
    for pipeline in pipelines(text):
        yield pipeline
        if pipeline.heredoc and _SOURCES.search(text):
            bodies = _FUNCTION.findall(pipeline.heredoc)
            yield from (inner for body in bodies for inner in pipelines(body))


def _after(words: tuple[str, ...], option: str) -> str:
    """Return the machine that an option names, empty for this one."""
    given = next((words[n + 1] for n, w in enumerate(words[:-1]) if w == option), "")
    host = given.rpartition("@")[2]
    return "" if re.match(_LOCAL_HOST, host) else host


def _of_tool(head: str, words: tuple[str, ...]) -> str:
    """Say what a command of a queue, a cluster or a cloud does, empty where it only asks."""
    if head in _QUEUES:
        return "" if _ONLY_ASKS & set(words[1:2]) else "a job is put into a queue"
    is_use = any(_USES.match(w) for w in words[1:6]) and not _ONLY_ASKS & set(words)
    is_service = head in _SERVICES and bool(_SERVICES[head] & set(words[1:3]))
    if not is_use or (head == "kaggle" and "push" not in words):
        return ""
    if head in _CLUSTERS or (is_service and head == "ray"):
        return "a job is sent to a cluster"
    if is_service or head in _CLOUDS:
        return f"{head} starts a job or a machine elsewhere"
    return ""


def _of_launcher(head: str, words: tuple[str, ...]) -> str:
    """Say that a launcher of distributed work is given several machines, else nothing."""
    is_module = head.startswith("python") and "torch.distributed" in " ".join(words[1:4])
    if head not in _LAUNCHERS and not is_module:
        return ""
    text = " ".join(words[1:])
    for told in _NODES_TOLD.finditer(text):
        hosts = [h.partition(":")[0] for h in (told["hosts"] or "").split(",") if h]
        others = [h for h in hosts if not re.match(_LOCAL_HOST, h)]
        n = int(told["n"] or 0)
        if n > 1 or (others and len(hosts) > 1) or told["file"]:
            return "training is started on several machines"
    return ""


def machines_of_code(text: str, output: str) -> Iterator[tuple[str, str]]:
    """Yield other machines that code which ran asks for work."""
    if not output.strip() or failed(output):
        return
    dask = _DASK.search(text)
    if dask:
        yield dask["host"], f"asks {dask['host']} to compute"
    ray = _RAY_ELSEWHERE.search(text)
    if ray:
        yield ray["host"], f"asks {ray['host']} to compute"
    yield from clusters_asked(text)
    yield from (("library", shows) for form, shows in _OF_LIBRARIES if form.search(text))


def machines_printed(asked: str, text: str) -> Iterator[tuple[str, str]]:
    """Yield other machines that output tells of.

    Parameters
    ----------
    asked : str
        The command or code that gave it; empty where it is not known.
    """
    if _CLOUD.search(text):
        yield "cloud", "names a run at a cloud provider"
    spark = _SPARK.search(f"{asked}\n{text}") if asked else None
    if spark and _EXECUTOR.search(text):
        yield spark["host"], f"works on a cluster at {spark['host']}"
    nodes = {n["host"] for n in _NODES.finditer(text)}
    # One node alone is this machine, whatever its address, unless a cluster was asked for.
    if len(nodes) > 1 or (nodes and _RAY.search(asked)):
        yield "cluster", f"lists {len(nodes)} nodes"
    world = _WORLD.search(text)
    if world:
        n = next(int(count) for count in world.groups() if count)
        yield "nodes", f"tells of {n} machines"


def _copied_from(words: tuple[str, ...]) -> str:
    """Return the machine from which files are copied, empty where they are sent or stay here."""
    for word in words[1:-1]:
        found = re.match(r"^(?:[\w-]+@)?(?P<host>[\w-]+(?:\.[\w-]+)*):(?!//)", word)
        if found and not re.match(_LOCAL_HOST, found["host"]):
            return found["host"]
    return ""


def _docker_host(words: tuple[str, ...]) -> str:
    """Return the machine whose engine docker is told to ask; empty for this one's."""
    found = (re.match(r"^(?:ssh|tcp)://(?:[^@/]+@)?([\w.-]+)", w) for w in words[1:4])
    host = next((match[1] for match in found if match), "")
    return "" if re.match(_LOCAL_HOST, host) else host


def _ssh_host(words: tuple[str, ...]) -> str:
    """Return the machine on which ssh runs a command; empty without a command, or on this one."""
    takes_value = {"-i", "-p", "-l", "-o", "-F", "-J", "-L", "-R", "-D"}
    rest, skip = [], False
    for word in words[1:]:
        if skip or word.startswith("-"):
            skip = not skip and word in takes_value
        elif word != "ssh":
            rest.append(word)
    is_run = len(rest) > 1 and rest[0] not in {"rsync", "scp", "sftp"}  # by sshpass
    host = rest[0].rpartition("@")[2] if is_run else ""
    return "" if re.match(_LOCAL_HOST, host) else host
