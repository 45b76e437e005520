"""How many cores and how much memory output tells of: machines that count themselves, processes."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from detectors.rules.cpu_share import cores_of_pools, cores_worked
from detectors.rules.held_memory import held_by, held_in_tables
from detectors.rules.resource import Resource
from detectors.shell import pipelines
from detectors.trajectories.events import EventKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.trajectories.events import Event

_ASKS_CORES = (
    r"\bnproc\b|cpu_count\(|\blscpu\b|sched_getaffinity|/proc/cpuinfo|detectCores\(|CPU_THREADS|"
    r"availableProcessors|availableCores\(|hardwareConcurrency|os\.cpus\(\)|runtime\.NumCPU|"
    r"available_parallelism|_NPROCESSORS_ONLN|multiprocessing\.cpu_count|num_cpus::get"
)
_ASKS_MEMORY = (
    r"virtual_memory\(|/proc/meminfo|\bfree\s+-|^free\b|totalmem\(\)|total_memory\(|"
    r"SC_PHYS_PAGES|Sys\.total_memory|memory\.size\("
)
ASKS = re.compile(f"{_ASKS_CORES}|{_ASKS_MEMORY}")  # of code
_COUNTS_CORES = re.compile(_ASKS_CORES)
_COUNTS_MEMORY = re.compile(_ASKS_MEMORY, re.MULTILINE)
_LSCPU = re.compile(r"^CPU\(s\):\s+(\d{1,4})\s*$", re.MULTILINE)
_TOLD_BY = re.compile(  # libraries that tell of the machine by themselves
    r"^CPU Count:\s+(?P<autogluon>\d{1,4})\b|"
    r"\[Parallel\(n_jobs=-1\)\]: Using backend \w+ with (?P<joblib>\d{1,4}) concurrent workers|"
    r"\bH2O_cluster_total_cores:\s*(?P<h2o>\d{1,4})\b",
    re.MULTILINE,
)
_CORES = re.compile(
    r"\b(?P<n>\d{1,4})\s*(?:logical |physical |virtual |usable |available )?(?:v?cpus?|cpu cores|"
    r"cores|processors|hardware threads)\b|"
    r"\b(?:v?cpus?|cores|processors|cpu[ _]?count|n_?cpus?|n_?cores|nproc|threads available)"
    r"(?:[ _](?:available|total|usable|visible|count|online))?[\"')]?\s?[:=]?\s+?[\"']?"
    r"(?P<m>\d{1,4})\b(?![.%])",
    re.IGNORECASE,
)
_INTEGER = re.compile(r"^\s*(?:\[1\] )?(\d{1,4})\s*$", re.MULTILINE)
_CGROUP = re.compile(
    r"memory\.(?:peak|max_usage_in_bytes)\b|fs/cgroup/[\w./-]*\w/memory\.current\b|\bMemoryPeak\b"
)
_INTEGER_ALONE = re.compile(r"^\s*(?:MemoryPeak=)?(\d{7,15})\s*$")
_SMALL = frozenset(
    {"nproc", "free", "ls", "df", "head", "pwd", "uname", "nvidia-smi", "lscpu", "wc", "export",
     "cat", "grep", "echo"}
)  # fmt: skip
_UNIT = r"(?P<unit>[KMGT])(?:i?B)?\b"
_HINT = re.compile(r"rss|resident|\bram\b|memory", re.IGNORECASE)
_HELD = re.compile(
    r"\bMaximum resident set size \(kbytes\): (?P<kb>\d+)|"
    r"\bMax_?RSS\s+-+\s+(?P<account>\d+)K\b|"
    r"\b(?:(?:max(?:imum)?|peak|current)[ _]?)?(?:rss|resident(?: set)?(?: size)?|ram|"
    r"memory of (?:the|this) process|process memory)\b"
    rf"(?: (?:now|used|usage|held|peak|at|is))?[^\d\n]{{0,12}}(?P<n>\d+(?:\.\d+)?) ?{_UNIT}",
    re.IGNORECASE,
)
_UNIT_BEFORE = re.compile(
    r"\brss\b[ _]*(?:in )?\(?(?P<unit>[GM])i?B\)?[:= ]{1,3}(?P<n>\d+(?:\.\d+)?)\b",
    re.IGNORECASE,
)
_OF_CONTAINER = re.compile(
    r"MEM USAGE / LIMIT[\s\S]{0,400}?\s(?P<n>\d+(?:\.\d+)?)(?P<unit>[GMT])i?B / "
)
_OF_DEVICE = re.compile(
    r"cuda|gpu|vram|\bdevice\b|hbm|available|total|free\b|need|would|require|at least|of ram",
    re.IGNORECASE,
)
_ONLY_TOLD = re.compile(r"limit", re.IGNORECASE)  # behind a figure it stands beside what is held
_TOTAL = re.compile(  # of the machine
    r"^Mem:\s+(?P<free>\d+(?:\.\d+)?)(?P<unit>[KMGT])i?B?\b|^MemTotal:\s+(?P<kb>\d+) kB|"
    r"^Memory Avail:\s.{0,30}/ (?P<autogluon>\d+(?:\.\d+)?) GB",
    re.MULTILINE,
)
_BARE_TOTAL = re.compile(r"^Mem:\s+(\d+)\s", re.MULTILINE)
_SAID_TOTAL = re.compile(r"\b(?P<n>\d+(?:\.\d+)?) ?(?P<unit>[GT])i?B\b")
_UNITS = {"k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}
_DEVICE_OF = re.compile(r"cuda|gpu|vram|disk|/dev/|overlay|nvidia", re.IGNORECASE)


class Size(NamedTuple):
    """A number of cores, or bytes of memory."""

    resource: Resource
    name: str
    shows: str
    value: int


def sizes_printed(text: str, *, asks: bool) -> Iterator[Size]:
    """Yield the cores and the memory that programs print.

    Parameters
    ----------
    asks : bool
        The code that ran counts cores or memory, so that a number of cores is one of this machine.
    """
    for held in _HELD.finditer(text) if _HINT.search(text) else ():
        line = _line_at(text, held.start())
        before = text[text.rfind("\n", 0, held.start()) + 1 : held.end()]
        if not (_OF_DEVICE.search(line) or _ONLY_TOLD.search(before)):
            size = _bytes(held)
            yield _held(size)
    for form in (_UNIT_BEFORE, _OF_CONTAINER):
        yield from (
            _held(int(float(m["n"]) * _UNITS[m["unit"].lower()])) for m in form.finditer(text)
        )
    yield from (_held(size) for size in held_in_tables(text))
    yield from (_cores(n) for n in cores_worked(text))
    for told in _TOLD_BY.finditer(text):
        yield _cores(int(told["autogluon"] or told["h2o"] or told["joblib"]))
    if asks:
        yield from (_cores(n) for n in _said_cores(text))


def sizes_asked(event: Event, output: str, source: str = "") -> Iterator[Size]:
    """Yield the cores and the memory that a command or code asked for.

    Parameters
    ----------
    source : str
        The scripts that a command runs.
    """
    if _asks_itself(event):
        yield from (_cores(n) for n in cores_of_pools(f"{event.text}\n{source}", output))
        yield from (_held(size) for size in held_by(f"{event.text}\n{source}", output))
    if _COUNTS_CORES.search(event.text):
        n = _counted(event, output)
        if n:
            yield _cores(n)
        elif _asks_itself(event):
            yield from (_cores(n) for n in _said_cores(output))
    peak = _INTEGER_ALONE.match(output) if _CGROUP.search(event.text) else None
    if peak:
        size = int(peak[1])
        yield _held(size)
    if _COUNTS_MEMORY.search(event.text) and _asks_itself(event):
        size = _total(event.text, output)
        if size:
            yield Size(Resource.MEMORY, "total", f"shows a machine of {size / 1e9:.1f} GB", size)


def _held(size: int) -> Size:
    return Size(Resource.MEMORY, "memory", f"tells that {size / 1e9:.1f} GB were held", size)


def _cores(n: int) -> Size:
    return Size(Resource.CORES, "cores", f"counts {n} cores", n)


def _said_cores(text: str) -> list[int]:
    lines = [line for line in text.split("\n") if "load" not in line.lower()]
    found = (m for line in lines for m in _CORES.finditer(line))
    return [int(m["n"] or m["m"]) for m in found]


def _asks_itself(event: Event) -> bool:
    return "ssh " not in event.text and "docker" not in event.text


def _counted(event: Event, output: str) -> int:
    """Return the number of cores that a command counted, 0 where another number may be meant."""
    listed = _LSCPU.search(output)
    if listed and "lscpu" in event.text and "ssh " not in event.text:
        return int(listed[1])
    counted = _counted_in_turn(event.text, output) if event.kind is EventKind.COMMAND else 0
    if counted:
        return counted
    numbers = _INTEGER.findall(output)
    is_code = event.kind is EventKind.CODE or re.search(
        r"^\s*(?:\w+=\S+ )*(?:python\S*|Rscript|R|julia|node|ruby|perl) (?:-\w+ )*-(?:c|e|p)\b",
        event.text,
    )
    if is_code:
        prints = len(re.findall(r"print|cat\(|console\.log", event.text))
        alone = len(output.replace("[1]", "").split()) == 1 and prints <= 1
        return int(numbers[0]) if alone and numbers else _printed_among(event.text, output)
    heads = [words[0].rpartition("/")[2] for p in pipelines(event.text) for words in p.commands]
    firsts = [p.commands[0][0].rpartition("/")[2] for p in pipelines(event.text)]
    is_first = firsts[:1] == ["nproc"] or (
        "cpuinfo" in event.text and len(firsts) == 1 and set(heads) <= _SMALL
    )
    if numbers and (is_first or (len(numbers) == 1 and set(firsts) <= _SMALL - {"cat", "grep"})):
        return int(numbers[0])
    return 0


def _counted_in_turn(asked: str, output: str) -> int:
    """Return the most cores of those that the first of several commands count, one a line."""
    lines, most = output.split("\n"), 0
    for pipeline, line in zip(pipelines(asked), lines, strict=False):
        words = [w for w in pipeline.commands[0] if not re.match(r"\w+=", w)]
        text = " ".join(words)
        is_count = words[:1] == ["nproc"] or re.search(
            r"^getconf _NPROCESSORS_ONLN|^grep -c \S+ /proc/cpuinfo|"
            r"^python\S* -c [^;]*; ?print\([\w.]*cpu_count\(\)\)$",
            text,
        )
        if not (is_count and line.strip().isdigit()):
            break
        most = max(most, int(line))
    return most


def _printed_among(code: str, output: str) -> int:
    """Return the number of cores that the only ``print`` of code tells beside other values."""
    printed = re.findall(r"\bprint\(([^\n]{1,200})\)", code)
    values = (
        re.findall(r"(?:[^,()]|\([^()]*(?:\([^()]*\))?[^()]*\))+", printed[0]) if printed else []
    )
    words = output.split()
    if len(printed) != 1 or code.count("print(") != 1 or len(values) != len(words):
        return 0
    told = (w for v, w in zip(values, words, strict=True) if v.strip().endswith("cpu_count()"))
    return next((int(w) for w in told if w.isdigit()), 0)


def _total(asked: str, output: str) -> int:
    """Return the bytes of memory that a machine has by its own word, 0 where none are told."""
    told = _TOTAL.search(output)
    if told and not told["autogluon"]:
        if told["kb"]:
            return int(told["kb"]) * 1024
        return int(float(told["free"]) * _UNITS[told["unit"].lower()])
    bare = _BARE_TOTAL.search(output)
    if bare:
        unit = re.search(r"\bfree\s+-\w*?([bkmg])", asked)
        return int(int(bare[1]) * _UNITS.get(unit[1] if unit else "k", 1))
    if "virtual_memory" in asked or "total_memory" in asked or "totalmem" in asked:
        lines = [x for x in output.split("\n") if not _DEVICE_OF.search(x)]
        said = [m for line in lines for m in _SAID_TOTAL.finditer(line)]
        return int(max((float(m["n"]) * _UNITS[m["unit"].lower()] for m in said), default=0))
    return 0


def _line_at(text: str, at: int) -> str:
    end = text.find("\n", at)
    return text[text.rfind("\n", 0, at) + 1 : end if end >= 0 else len(text)]


def _bytes(found: re.Match[str]) -> int:
    if found["kb"] or found["account"]:
        return int(found["kb"] or found["account"]) * 1024
    return int(float(found["n"]) * _UNITS[found["unit"].lower()])
