"""Several accelerators that one program lists: by index and name, as replicas, as ranks."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

MAX_DEVICES = 64
_HINT = re.compile(
    r"[Cc][Uu][Dd][Aa]|[Gg][Pp][Uu]|TPU|[Dd]evice|MiB|nvidia|mem_get_info|\[[\"']|N/A|\d +[CG] "
)
_REPLICAS = re.compile(r"\bdevice:(?:GPU|TPU):(?P<index>\d{1,2})\b", re.IGNORECASE)
_OF_REPLICAS = re.compile(r"Strategy\b|\bdevices?\b.{0,20}\(\s*'/|\breplicas?\b")
_STREAM = re.compile(
    r"\bStreamExecutor device \((?P<index>\d{1,2})\): (?P<name>(?!Host|Undefined)[^,\n]{2,60}),"
)
_TENSOR = re.compile(
    r"(?<![.\w])(?:tensor\(\[*\s*-?\d[^\n]{0,2000}?|\]), device='cuda:(?P<index>\d{1,2})'"
    r"(?:, dtype=[\w.]+)?(?:, (?:grad_fn|requires_grad)=[^)\n]+)?\)"
)
_MEMORY = re.compile(
    r"^\W{0,3}(?:gpu|cuda|device)[ :#]?(?P<index>\d{1,2})\b[^\n\d]{1,20}(?P<held>\d+(?:\.\d+)?) ?"
    r"[MG]i?B\b",
    re.IGNORECASE | re.MULTILINE,
)
_CLUSTER = re.compile(r"\bLocalCUDACluster\([^)\n]*\bworkers=(?P<n>\d{1,2})\b")
_NODE = re.compile(r"/dev/nvidia(\d{1,2})\b")
_FREE_AND_ALL = re.compile(r"\(\d{9,12}, \d{9,12}\)")
_SMI_ROW = re.compile(r"\|\s*\d+MiB\s*/\s*\d+MiB\s*\|")
_SMI_PROCESS = re.compile(
    r"^\|\s+(?P<index>\d{1,2})\s+N/A\s+N/A\s+\d+\s+[CG+]+\s|"
    r"^\s+(?P<pmon>\d{1,2})\s+\d{2,8}\s+[CG]\s+[\d-]+\s",
    re.MULTILINE,
)
_STARTED = (
    re.compile(
        r"\baccelerate\s+launch\b[^\n]*--multi_gpu\b[^\n]*--num_processes[= ](?P<n>\d{1,2})"
    ),
    re.compile(r"\bdeepspeed\b[^\n]*--num_gpus[= ](?P<n>\d{1,2})"),
)
_COUNTED = re.compile(r"\b(?:devices|replicas|gpus)\b[^\n\d]{0,12}(?P<n>[2-9]|[1-6]\d)\b", re.I)
_ASKS_REPLICAS = re.compile(r"\bnum_replicas_in_sync\b|\blen\([^)\n]*(?:GPU|gpus)")


def devices_listed(
    text: str, name: str, asked: str, is_absent: Callable[[str, int], bool]
) -> Iterator[tuple[str, str]]:
    """Yield devices, each by its index and what shows it.

    A device of an index is only there where those before it are, so that these are given, too.

    Parameters
    ----------
    name : str
        A pattern for names of devices, without groups.
    is_absent : callable
        Says whether a place of the text tells that something is missing.
    """
    if not (_HINT.search(text) or _HINT.search(asked)):
        return
    found: dict[int, str] = {}
    for index, shows, at in _all(text, name):
        if index < MAX_DEVICES and not is_absent(text, at):
            found.setdefault(index, shows)
    for n, shows in _counts(text, asked):
        for index in range(min(n, MAX_DEVICES)):
            found.setdefault(index, shows)
    if found:
        shows = found[max(found)]
        yield from ((f"{i}", found.get(i, shows)) for i in range(max(found) + 1))


def _all(text: str, name: str) -> Iterator[tuple[int, str, int]]:
    """Yield indices, what shows them, and where."""
    yield from _named(text, name)
    for line in text.split("\n"):
        if _OF_REPLICAS.search(line):
            for one in _REPLICAS.finditer(line):
                yield int(one["index"]), "shows a replica on a device", text.find(line)
    for one in _MEMORY.finditer(text):
        if float(one["held"]) > 0:
            yield int(one["index"]), "tells of memory held on a device", one.start()
    for one in _TENSOR.finditer(text):
        yield int(one["index"]), f"shows values on cuda:{one['index']}", one.start()
    for one in _SMI_PROCESS.finditer(text):
        yield int(one["index"] or one["pmon"]), "shows a process on a device", one.start()


def _named(text: str, name: str) -> Iterator[tuple[int, str, int]]:
    """Yield devices whose names stand beside their indices, or in a list of one kind."""
    entry = rf"[\"'(](?P<index>\d{{1,2}})[:=] ?[\"']?(?P<name>{name})"
    entries = list(re.finditer(entry, text))
    beside = rf"\bcuda:(?P<index>\d{{1,2}})\W{{1,3}}(?P<name>{name})"
    found = [*(entries if len(entries) > 1 else ()), *re.finditer(beside, text)]
    for one in (*found, *_STREAM.finditer(text)):
        yield int(one["index"]), f"names {one['name'].strip()}", one.start()
    for listed in re.finditer(rf"\[(?:[\"']{name}[\"'](?:, ?)?){{2,64}}\]", text):
        names = re.findall(rf"[\"']({name})[\"']", listed[0])
        if len(set(names)) == 1:  # several kinds are a list of what there may be
            yield from ((i, f"names {one}", listed.start()) for i, one in enumerate(names))


def _counts(text: str, asked: str) -> Iterator[tuple[int, str]]:
    """Yield how many devices there are, by what counts them."""
    for one in _CLUSTER.finditer(text):
        yield int(one["n"]), f"shows a worker on each of {one['n']}"
    if "/dev/nvidia" in asked and "cannot" not in text:
        nodes = {int(m[1]) for m in _NODE.finditer(text)}
        if nodes:
            yield max(nodes) + 1, "shows the file of a device"
    if "mem_get_info" in asked and _FREE_AND_ALL.search(text):
        yield 1, "tells of a device's memory"
    rows = len(_SMI_ROW.findall(text))
    if rows:
        yield rows, "shows a device's memory"
    counted = _COUNTED.search(text) if _ASKS_REPLICAS.search(asked) else None
    if counted:
        yield int(counted["n"]), f"counts {counted['n']} devices"
    started = next((m for form in _STARTED for m in form.finditer(asked)), None)
    if started and text.strip() and not re.search(r"error|traceback|not found|fail", text, re.I):
        yield int(started["n"]), f"starts a process on each of {started['n']}"
