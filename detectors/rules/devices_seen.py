"""What output shows of accelerators: tools that list them, libraries that name or count them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.rules.devices_listed import devices_listed

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_DEVICES = 64  # that one machine may have; more is a word of something else
_MAKERS = r"(?:NVIDIA|Tesla|GeForce|Quadro|RTX|GTX|AMD|Radeon|Instinct)"
_NAME = (  # of a device; `NVIDIA` alone is a maker
    r"(?:(?:NVIDIA|AMD|Intel\(R\)|Intel|Google|Huawei)[ -])?(?:(?:Tesla|GeForce|Quadro|Instinct|"
    r"Radeon|Titan|TITAN)\b[ \w-]{1,40}|(?:RTX|GTX)[ -]?(?:A?\d{3,4})\b[ \w-]{0,30}|"
    r"(?:[AHBVPLT]\d{1,3}|GH?200|MI\d{2,3}X?|A10G|L40S|HL-\d{3}\w?|Gaudi ?\d?|TPU ?v\d\w*|"
    r"Ascend ?\d{3}\w*|Data Center GPU \w+|Arc \w+)\b(?:[ -](?:SXM\d?|PCIe?|NVL|HBM\w*|\d{2,3}GB|"
    r"\d{1,2}GB)){0,4})"
)
_LISTS = tuple(
    re.compile(form, re.MULTILINE | re.IGNORECASE)
    for form in (
        r"^\|?\s+(?P<index>\d{1,2})\s+(?P<name>(?:NVIDIA|Tesla|GeForce|Quadro|RTX|AMD)[ \w-]*?)"
        r"\s{2,}(?:On|Off|N/A)\b",
        r"^GPU (?P<index>\d{1,2}): (?P<name>[^\n(]+?) \(UUID",
        r"^\[(?P<index>\d{1,2})\]\s+(?P<name>(?:NVIDIA|Tesla|GeForce|Quadro|RTX)[ \w-]*?)\s*\|",
        r"\b(?P<name>TpuDevice|CudaDevice)\(id=(?P<index>\d{1,4})\b",
        r"Created (?:TensorFlow )?device\b.{0,120}device:GPU:(?P<index>\d{1,2}) with \d+ MB memory"
        r"(?:.{0,40}name: (?P<name>[^,\n]+))?",
        r"\bname='/(?:physical_)?device:(?P<name>GPU|TPU):(?P<index>\d{1,3})'",
        r"^GPU\[(?P<index>\d{1,2})\]\s*:\s*Card (?:Series|Model):\s*"
        r"(?P<name>[^\n]*[A-Za-z][^\n]*)",
        # The processor is an agent, too.
        r"\bMarketing Name:\s*(?P<name>AMD (?:Instinct|Radeon)[ \w]*)(?P<index>)",
    )
)
ASKS = re.compile(  # of code and commands: what tells of the devices that there are
    r"get_device_name|get_device_properties|\b\w+-smi\b|rocminfo|neuron-(?:ls|top)|\blspci\b|"
    r"gpustat|nvtop|nvitop|GPUtil|nvml|list_(?:physical|logical)_devices|jax\.(?:local_)?devices|"
    r"cuda\.(?:gpus|devices?|runtime|is_available|device_count|Device)|mps\.is_available|cupy|"
    r"clinfo|tpu-info|list_local_devices|gpuDevice|CUDA\.(?:devices?|functional|name)|\blshw\b|"
    r"cuda_is_available|cuda_device_count|deviceQuery|xla_device|nvidia"
)
_ASKS_LIST = re.compile(
    r"\b\w+-smi\b|neuron-ls|\blspci\b|gpustat|nvitop|nvidia-settings|clinfo|GPUtil"
)
_ASKS_WHETHER = re.compile(r"is_available\(\)|cuda_is_available\(\)|\.functional\(\)")
_ASKS_COUNT = re.compile(r"device_?count\(\)|getDeviceCount\(\)", re.IGNORECASE)
_SAYS_TRUE = re.compile(r"^(?:\[1\] )?(?:True|TRUE|true)\b(?:[ ,]+(?P<n>\d{1,2})\b)?", re.MULTILINE)
_COUNT_ALONE = re.compile(r"^(?:\[1\] )?(?:(?:True|TRUE) )?(?P<n>[1-9]\d?)\b(?!\.\d)", re.MULTILINE)
_OF_SMI = re.compile(r"\b\d{2,6} ?Mi?B\b|\b\d+ ?W\b|\bUUID\b|\bDEVICE\b", re.IGNORECASE)
_HERE = re.compile(  # a program names the device that it uses
    r"(?<![\w'\"])(?:gpus?|devices?|cuda|graphics card|accelerator|ger[aä]t|grafikkarte)"
    r"(?:[ _]?(?:name|type|model|used|found|ids?))?(?:[ _]\d{1,2}|:\d)?(?: ?[:=\-(>]+ ?| )"
    rf"[\"'(]?(?P<name>{_NAME})",
    re.IGNORECASE,
)
_RUNS_ON = re.compile(
    r"^\W{0,3}(?:(?:\w+ ){0,2}(?:running|training|fitting|computing)|"
    r"(?:epoch|step|fold|iter(?:ation)?)\W{0,2}\d[^\n]{0,80}) on (?:the |an? )?[\"'(]?"
    rf"(?P<name>{_NAME})[\"')]?\W*$",
    re.IGNORECASE | re.MULTILINE,
)
_IN_REPORT = re.compile(  # of a run, in JSON; a row of data has such keys, too
    r"\"(?:gpus?|devices?|accelerator|cuda)(?:_?(?:name|type|model|0))?\"\s*:\s*\[?\s*"
    rf"\"(?P<name>{_NAME})\"",
    re.IGNORECASE,
)
_OF_RUN = re.compile(
    r"\"(?:torch|cuda|cudnn|tensorflow|jax|driver|precision|epochs|world_size|hostname|python)"
    r"(?:_?version)?\"\s*:",
    re.IGNORECASE,
)
_WITH_MEMORY = re.compile(
    rf"(?<![\w,])(?P<name>{_NAME})[,:|( ]{{1,4}}(?:memory|mem|total)?[^\w\n]{{0,3}}(?:used ?)?"
    r"(?:\d+(?:\.\d+)? ?/ ?)?\d{3,6} ?Mi?B\b"
)
_ALONE = re.compile(
    rf"^(?:\d{{1,2}}[:\s]+|\[\d\][: ]+|[\w ]{{1,20}}[:=]\s*|"
    rf"[\w ,]{{0,40}}\b(?:on|with|using)\s+)?[\"'(\[]{{0,2}}(?P<name>{_NAME})"
    rf"[\"')\], ]{{0,3}}(?:[,| ] ?[\d. %/MGiBW°C|,]+)?$",
    re.MULTILINE,
)
_ANYWHERE = re.compile(
    rf"(?P<name>{_MAKERS} [ \w\[\]()-]{{2,60}}|(?<![\w-]){_NAME}|\b(?:trn|inf|dl)\d[.\w]*)"
)
_RANKS = re.compile(  # of processes that share one list of devices
    r"\b(?:devices?|device_ids|gpus?)[ =:]{1,3}\[(?P<ids>\d+(?:, ?\d+)+)\]|"
    r"\bLOCAL_RANK: \d+ - CUDA_VISIBLE_DEVICES: \[(?P<listed>\d+(?:, ?\d+)+)\]|"
    r"backend[=: '\"]{1,3}nccl\b[\s\S]{0,200}?\b(?:[Ss]tarting with (?P<n>\d{1,3}) processes|"
    r"world_?size[=: ]{1,2}(?P<world>\d{1,3}))|"
    r"\bMULTI_GPU\b[\s\S]{0,80}?\bNum processes: (?P<launched>\d{1,3})|"
    r"\bNCCL INFO\b.{0,120}\bnranks (?P<ranks>\d{1,3})\b|"
    r"\b(?:us(?:e|es|ing)|found|detected|training (?:on|with)|running on|available:?)\s+"
    r"(?P<used>[1-9]\d?) ?x? ?(?:NVIDIA |CUDA )?GPUs?\b(?! hours)|"
    r"\b(?:num(?:ber)?(?:[ _]of)?|n|visible|available)[ _]?gpus?[\"']?\s?[:=]\s?"
    r"(?P<told>[1-9]\d?)\b|\bGPU Count:\s+(?P<autogluon>[1-9]\d?)\b|"
    r"\b(?:Distributed)?DataParallel\b[^\n]{0,40}?\b(?P<parallel>[1-9]\d?) ?x? ?(?:NVIDIA |CUDA )?"
    r"(?:GPUs?|cards?)\b|\breplicas(?: in sync)?: (?P<replicas>[2-9]|[1-9]\d)\b|"
    r"\bProcessGroupNCCL\b[^\n]{0,40}\[Rank (?P<rank>\d{1,2})\]",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"(?<![\w'\"(=])(?:on |device |device=|device: )?cuda:(?P<index>\d{1,2})\b")
_PLAIN_LINE = re.compile(r"^[^()'\"#{}]{0,200}$")  # as a program prints; code has brackets
_USES = re.compile(
    r"GPU available: True|\bUsing GPU Device:|This is the GPU trainer|"
    # As a program prints it; a line of code has brackets and quotes.
    r"^[^()'\"#{}]{0,60}\b(?:using(?: device)?|running on|training on|device|ger[aä]t)\b[ :=]{1,3}"
    r"(?:the )?(?:cuda|mps|xpu|hip|tpu|npu)\b(?::\d)?(?! if)[^()'\"#{}]{0,80}$",
    re.IGNORECASE | re.MULTILINE,
)
_HAS = re.compile(  # said of one that is there, also where something failed on it
    r"\bGPU \d+; [\d.]+ [MG]iB total capacity|\bGPU \d+ has a total capacity of|"
    r"\b(?:Finished initializing|Initializing the) TPU system|\bFound TPU system|\(TPU v\d|"
    r"\bTPU available: True\b(?!, used: False)|\bRunning on TPU\b|\bLoaded cuDNN version \d|"
    r"\bfound at least two devices, [^\n]{0,40}\bcuda:\d|\bdevice-side assert triggered\b|"
    r"\ban illegal memory access was encountered\b|\bCUDA out of memory\. Tried to allocate\b|"
    r"\bCUDNN_STATUS_EXECUTION_FAILED\b|\bCUBLAS_STATUS_(?:ALLOC|EXECUTION)_FAILED\b|"
    r"\bcudaError(?:MemoryAllocation|IllegalAddress|LaunchFailure)\b|"
    r"\bTask type GPU\b|\bTraining on GPU\b"
)
_MEMORY = re.compile(  # held on a device; none held is no device
    r"(?:\b(?:gpu|cuda|vram)[ _]?(?:mem(?:ory)?)?(?: used| allocated| reserved| peak| usage)?|"
    r"\bmax_memory_(?:allocated|reserved))[ :=]{1,3}(?P<held>\d+(?:\.\d+)?) ?[MG](?:i?B)?\b",
    re.IGNORECASE,
)
_ABSENT = re.compile(
    r"\b(?:no|not|none|without|cannot|can't|couldn't|unable|missing|failed|fails?|found no|"
    r"unavailable|please|if|would|could|should|requires?|need(?:s|ed)?|recommend(?:s|ed)?|falling|"
    r"instead|support(?:s|ed)?|such as|e\.g|error|errors|driver version)\b|[Ee]rror\b",
    re.IGNORECASE,
)
_TALKS = re.compile(r"^\s*(?:[>$#]|thought|plan|agent|user|system)", re.IGNORECASE)


def devices_in(text: str, *, asked: str = "", asks: bool = False) -> Iterator[tuple[str, str]]:
    """Yield the devices that output shows, each by its index and what shows it.

    Parameters
    ----------
    asked : str
        The command or the code that gave the output, empty where it is not known.
    asks : bool
        The attempt's code asks for the names of devices.

    Examples
    --------
    >>> list(devices_in("Using device: cuda:0 (NVIDIA A100-SXM4-80GB)"))
    [('0', 'names NVIDIA A100-SXM4-80GB')]
    >>> list(devices_in("no NVIDIA driver was found"))
    []
    """
    found = dict(_listed(text))
    for index, shows in devices_listed(text, _NAME, asked, _is_absent):
        found.setdefault(index, shows)
    for one in _RANKS.finditer(text):
        n = _ranks(one)
        if n <= MAX_DEVICES and (one["rank"] or not _is_absent(text, one.start())):
            for rank in range(n):
                found.setdefault(f"{rank}", f"shows a process on each of {n}")
    if not found:
        found |= _named(text, asked, asks=asks)
    if not found:
        found |= _used(text, asked)
    yield from found.items()


def _listed(text: str) -> Iterator[tuple[str, str]]:
    for form in _LISTS:
        for one in form.finditer(text):
            yield one["index"], f"shows {(one['name'] or 'a device').strip()}"


def _ranks(found: re.Match[str]) -> int:
    if found["rank"]:  # counted from 0
        return int(found["rank"]) + 1
    listed = found["listed"] or found["ids"]
    if listed:
        return listed.count(",") + 1
    return max(int(n) for n in found.groups() if n)


def _named(text: str, asked: str, *, asks: bool) -> dict[str, str]:
    """Read names of devices, by how sure it is that one of this machine is meant."""
    forms = [_HERE, _WITH_MEMORY, _RUNS_ON]
    if _OF_RUN.search(text):
        forms.append(_IN_REPORT)
    if asks or ASKS.search(asked):
        forms.append(_ALONE)
    if _ASKS_LIST.search(asked) or re.search(r"get_device_(?:name|properties)", asked):
        forms.append(_ANYWHERE)
    places = {
        text.count("\n", 0, one.start("name")): one["name"].strip()
        for form in reversed(forms)
        for one in form.finditer(text)
        if not _is_absent(text, one.start("name"))
    }
    named = {f"{n}": f"names {name}" for n, name in enumerate(places.values())}
    is_one = len(set(places.values())) == 1 and not _ASKS_LIST.search(asked)
    return dict(list(named.items())[:1]) if is_one else named


def _used(text: str, asked: str) -> dict[str, str]:
    """Read what tells that a device was used, or that there is one."""
    numbered = {
        one["index"]: f"says that cuda:{one['index']} is used"
        for line in text.split("\n")
        if _PLAIN_LINE.match(line) and not _ABSENT.search(line)
        for one in _NUMBERED.finditer(line)
    }
    if numbered:
        first = next(iter(numbered.values()))
        last = max(int(index) for index in numbered)
        return {f"{i}": numbered.get(f"{i}", first) for i in range(min(last + 1, MAX_DEVICES))}
    if _HAS.search(text):
        return {"0": "tells of an accelerator's memory or system"}
    uses = _USES.search(text)
    if uses and not _is_absent(text, uses.start()):
        return {"0": "says that a graphics processor is used"}
    held = next((m for m in _MEMORY.finditer(text) if float(m["held"]) > 0), None)
    if held and not _is_absent(text, held.start()):
        return {"0": "tells of memory held on a device"}
    return _answered(text, asked)


def _answered(text: str, asked: str) -> dict[str, str]:
    """Read the bare answer to a question: ``True 4``, ``2``, the table of an unknown tool."""
    if not asked or _ABSENT.search(text) or re.search(r"\bfalse\b", text, re.IGNORECASE):
        return {}
    is_true = _SAYS_TRUE.search(text) if _ASKS_WHETHER.search(asked) else None
    counted = _COUNT_ALONE.search(text) if _ASKS_COUNT.search(asked) else None
    n = int(counted["n"]) if counted else int(is_true["n"] or 1) if is_true else 0
    if not n and re.match(r"^\s*(?:\w+-smi|neuron-ls)\b", asked) and _OF_SMI.search(text):
        n = 1
    return {f"{rank}": f"counts {n} devices" for rank in range(min(n, MAX_DEVICES))}


def _is_absent(text: str, at: int) -> bool:
    """Say whether the line at a place tells that something is missing, wished, or talked of."""
    first = text.rfind("\n", 0, at) + 1
    end = text.find("\n", at)
    line = text[first : end if end >= 0 else len(text)]
    return bool(_ABSENT.search(line) or _TALKS.match(line))
