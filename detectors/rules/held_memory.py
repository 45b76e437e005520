"""Memory that processes held, by commands and code that ask for it: time, ps, /proc, psutil."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

_UNITS = {"k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}
_BINARY = {"k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
_TIME_FORMAT = re.compile(
    r"\btime\s+(?:-\w+\s+)*?(?:-f\s*|--format[= ])(?P<quote>[\"']?)"
    r"(?P<form>(?:(?!(?P=quote))[^\n])*%M(?:(?!(?P=quote))[^\n])*?)(?P=quote)(?=\s)"
)
_KB = r"(\d{4,12})"
_TIME_PARTS = {"%": r"\S+", "\\": r"\s+"}
_OF_STATUS = re.compile(r"\bVm(?:HWM|RSS):\s+(?P<kb>\d+) kB")
_KB_SAID = re.compile(
    r"\b(?:ru_maxrss|max_?rss|rss)\W{1,3}(?P<kb>\d[\d,]{6,14}) ?(?:kB|KB|kbytes|K)\b|"
    r"\bru_maxrss\W{1,3}(?P<bare>\d{7,12})\b",
    re.IGNORECASE,
)
_BY_PROFILER = re.compile(
    r"\bpeak memory: (?P<n>\d+(?:\.\d+)?) MiB, increment:|"
    r"^mprofile_\S+\s+(?P<m>\d+(?:\.\d+)?) MiB|"
    r"^\s*\d+\s+(?P<line>\d+(?:\.\d+)?) MiB\s+-?\d+(?:\.\d+)? MiB\s",  # with its increment
    re.MULTILINE,
)
_PS = re.compile(r"\bps\b[^|;&\n]*?\s-\w*o\s*(?P<columns>[\w=,%]+)")
_PMAP = re.compile(r"^total kB\s+\d+\s+(?P<kb>\d+)\b", re.MULTILINE)
_ASKS_KB = re.compile(r"\bru_maxrss\b")
_ASKS_BYTES = re.compile(
    r"\bmemory_(?:full_)?info\(\)|\bSys\.maxrss\(\)|\bmem_used\(\)|process\.memoryUsage\(\)"
)
ASKS = re.compile(
    f"{_ASKS_KB.pattern}|{_ASKS_BYTES.pattern}|"
    r"\bmemory_usage\(|\bVm(?:HWM|RSS)\b|/proc/self/statm|\bget_process_memory\b|"
    r"\bget_traced_memory\("
)
_KEPT = re.compile(r"\s*(\w+)\s*\+?=[^=]")
_OF_DEVICE = re.compile(r"cuda|gpu|vram|\bdevice\b|disk|memmap|virtual", re.IGNORECASE)
_OTHER = re.compile(  # memory of something else, or none
    r"cuda|gpu|vram|\bdevice\b|disk|cache[ds]? (?:on|to|in)|file|frame|dataset|\bdf\b|"
    r"array|matrix|tensor|available|total\b|free\b|limit|would|need|require|at least|virtual|swap|"
    r"download|upload|saved?|parameters|model size|reduced|before",
    re.IGNORECASE,
)
_SAYS_MEMORY = re.compile(
    r"\b(?:mem(?:ory)?|rss|ram|resident|footprint|speicher|maxrss|process)\b|ram\b|rss",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"(?<![\w.])(?P<n>\d+(?:\.\d+)?) ?(?P<unit>[MGT])i?B?\b")
_INTEGER = re.compile(r"^\s*(?:\[1\] )?(?P<n>\d{6,13})\s*$", re.MULTILINE)
_NAMED_BEHIND = re.compile(  # as no memory that is held, or beside what is
    r"^[^\n,;|]{0,20}\b(?:mapped|mmap\w*|memmap\w*|on disk|virtual)\b|"
    r"^[^\d\n]{0,20}[,;|(] ?(?:rss|resident)\b",
    re.IGNORECASE,
)
_TEMPLATE = re.compile(
    r"\bf(?P<quote>[\"'])(?P<form>[^\"'\n]*memory_(?:full_)?info\(\)\.rss[^\"'\n]*)(?P=quote)"
)
_RSS = re.compile(
    r"\{[^{}]*memory_(?:full_)?info\(\)\.rss\s*/\s*(?P<by>1e9|1e6|2\s?\*\*\s?[23]0|1024\s?\*\*\s?[23])"
    r"[^{}]*\}"
)
_DIVISORS = {"1e9": 10**9, "1e6": 10**6, "2**30": 1 << 30, "2**20": 1 << 20, "1024**3": 1 << 30,
             "1024**2": 1 << 20}  # fmt: skip
_LEAST_WORDS = 2  # characters before a figure by which a line is known to be of the code


def held_by(asked: str, output: str) -> Iterator[int]:
    """Yield the bytes that processes held, where a command or the code it ran asks for them.

    What several processes hold is added up where each was started with arguments of its own; what
    forks of one process hold is counted several times by the system and is not.
    """
    yield from _of_formats(asked, output)
    yield from _of_ps(asked, output)
    yield from (int(m["kb"]) << 10 for m in _OF_STATUS.finditer(output))
    for one in _KB_SAID.finditer(output):
        yield int((one["kb"] or one["bare"]).replace(",", "")) << 10
    for one in _BY_PROFILER.finditer(output):
        yield int(float(one["n"] or one["m"] or one["line"]) * (1 << 20))
    if re.search(r"\bpmap\b", asked):
        yield from (int(m["kb"]) << 10 for m in _PMAP.finditer(output))
    if ASKS.search(asked):
        yield from _of_templates(asked, output)
        yield from _of_code(asked, output)


def held_in_tables(text: str) -> Iterator[int]:
    """Yield what processes hold by the tables of ps and top, in bytes."""
    if not re.search(r"\bR(?:SS|ES)\b", text):
        return
    at, width = -1, 0
    for line in text.split("\n"):
        words = line.split()
        names = [word.upper() for word in words]
        heads = [n for n in ("RSS", "RES") if n in words]
        if heads and ("CMD" in names or "COMMAND" in names):
            at, width = words.index(heads[0]), len(words)
        elif at >= 0 and len(words) >= width:
            size = re.fullmatch(r"(\d+(?:\.\d+)?)([kmgt])?", words[at], re.IGNORECASE)
            if size:
                yield int(float(size[1]) * _BINARY[(size[2] or "k").lower()])


def _of_formats(asked: str, output: str) -> Iterator[int]:
    """Read what `time` was told to print of the largest resident set, in kilobytes."""
    for told in _TIME_FORMAT.finditer(asked):
        parts = re.split(r"(%[A-Za-z%]|\\n|\\t)", told["form"])
        form = "".join(_TIME_PARTS.get(p[:1], re.escape(p)) if p != "%M" else _KB for p in parts)
        yield from (int(m[1]) << 10 for m in re.finditer(rf"^\s*{form}\s*$", output, re.MULTILINE))


def _of_templates(asked: str, output: str) -> Iterator[int]:
    """Read what an f-string prints of the resident set, by its place among the words."""
    for told in _TEMPLATE.finditer(asked):
        rss = _RSS.search(told["form"])
        words = re.sub(r"\{[^{}]*\}", "", told["form"])
        if rss is None or not re.search(r"[A-Za-z]", words):
            continue
        ends = (told["form"][: rss.start()], told["form"][rss.end() :])
        before, behind = (
            "".join(
                r"\S+" if p[0] == "{" else re.escape(p)
                for p in re.findall(r"\{[^{}]*\}|[^{]+", end)
            )
            for end in ends
        )
        size = _DIVISORS[re.sub(r"\s", "", rss["by"])]
        form = rf"{before}(?<![\w.])(\d{{1,9}}(?:\.\d+)?){behind}"
        yield from (int(float(m[1]) * size) for m in re.finditer(form, output))


def _of_ps(asked: str, output: str) -> Iterator[int]:
    told = _PS.search(asked)
    columns = [c.partition("=")[0] for c in told["columns"].split(",")] if told else []
    if "rss" not in columns:
        return
    at, rest = columns.index("rss"), len(columns)
    sizes: dict[str, int] = {}
    for line in output.split("\n"):
        words = line.split(None, rest - 1)
        if len(words) == rest and words[at].isdigit():
            size = int(words[at]) << 10
            yield size
            if rest > 1 and columns[-1] in {"args", "cmd", "command"}:
                sizes[words[-1].strip()] = size
    if len(sizes) > 1:
        yield sum(sizes.values())


def _lines_that_ask(source: str) -> list[str]:
    """Return the lines that ask for a process's memory, or have what was kept of the answer."""
    lines = source.split("\n")
    kept = [m[1] for line in lines if ASKS.search(line) for m in [_KEPT.match(line)] if m]
    names = re.compile(rf"\b(?:{'|'.join(map(re.escape, kept))})\b") if kept else None
    return [line for line in lines if ASKS.search(line) or (names and names.search(line))]


def _of_code(asked: str, output: str) -> Iterator[int]:
    """Read figures that code prints which asks for its own memory."""
    source = asked.lower()
    asking = "\n".join(_lines_that_ask(asked)).lower()
    for line in output.split("\n"):
        for one in _FIGURE.finditer(line):
            before = line[: one.start()].strip(" :=~").lower()
            is_said = before in asking or (_SAYS_MEMORY.search(before) and before[:40] in source)
            is_alone = len(before) < _LEAST_WORDS and source.count("print(") == 1
            is_said = len(before) >= _LEAST_WORDS and bool(is_said)
            is_other = _OF_DEVICE.search(line) or _OTHER.search(line[: one.end()])
            is_other = is_other or _NAMED_BEHIND.search(line[one.end() :])
            if (is_said or is_alone) and not is_other:
                yield int(float(one["n"]) * _UNITS[one["unit"].lower()])
    numbers = [int(m["n"]) for m in _INTEGER.finditer(output)]
    if len(numbers) == 1 and source.count("print(") <= 1:
        yield numbers[0] << 10 if _ASKS_KB.search(asked) else numbers[0]
