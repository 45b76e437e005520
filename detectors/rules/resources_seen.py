"""What logs show of the machine of an attempt, of other machines, and of models that answered."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from detectors.rules import sizes_seen
from detectors.rules.clusters_seen import RAY_FOUND, clusters_printed, starts_scheduler
from detectors.rules.contacts import MAX_SHOWN_LINES, Fate, contacts_of
from detectors.rules.devices_seen import ASKS as ASKS_DEVICES
from detectors.rules.devices_seen import devices_in
from detectors.rules.held_memory import ASKS as ASKS_MEMORY
from detectors.rules.held_memory import held_by
from detectors.rules.hosts import Purpose
from detectors.rules.machines_seen import (
    failed,
    machines_of_code,
    machines_of_command,
    machines_printed,
)
from detectors.rules.models_seen import models_in
from detectors.rules.prompts import said
from detectors.rules.resource import Resource, SeenResource
from detectors.rules.run_by_python import shell_of
from detectors.rules.weather import FAILED
from detectors.shell import pipelines
from detectors.trajectories.commands import whole
from detectors.trajectories.events import Event, EventKind, events

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from detectors.attempt import Attempt
    from detectors.rules.contacts import Sighting

MIN_PAGE = 20  # characters of a page
MAX_TEXT = 20_000  # characters of one text that are looked at
_SCRIPT = re.compile(r"[\w./-]*?(?P<name>[\w-]+\.(?:py|ipynb|sh|R|jl))\b")
_LOCAL = re.compile(
    r"^(?:localhost|127\.|0\.0\.0\.0|::1|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|[\w-]+$)"
)
_URL = re.compile(r"\b(?:https?|ftp|git)://(?:[^/\s@\"']+@)?(?P<host>[\w.-]+)")
_ARRIVED = re.compile(
    r"HTTP/[\d.]+ 200|['‘’\"] saved \[|Receiving objects: 100%|Resolving deltas: 100%|"
    r"^\s*100\s+\d+[kMG]?\s+100\b|\b100%\[=+>?\]|Successfully installed",
    re.MULTILINE,
)
_FETCHES = frozenset(
    {"curl", "wget", "git", "pip", "pip3", "uv", "aria2c", "huggingface-cli", "kaggle"}
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
    r"^(?!\W{0,3}(?:extract|unzip|unpack|decompress|writ|read|sav|load|copy|hash|upload|convert)\w*\b)"
    r"[^\n]{0,80}(?:\b[\w-]+\.(?:safetensors|bin|pth?|h5|gguf|onnx|zip|tar\.gz|tgz|parquet)|"
    r"\b(?:tokenizer(?:_config)?|config|vocab|special_tokens_map|generation_config|modules|"
    r"preprocessor_config|added_tokens|sentence_bert_config|model\.safetensors\.index)\.json|"
    r"\b(?:vocab|merges)\.txt|\b(?:spiece|sentencepiece\.bpe|tokenizer)\.model):\s+100%\|"
    r"[^\n]{0,80}\dk?[kMG]?i?B/s|\b100(?:\.0)?% [\d.]+/[\d.]+[MG]B downloaded\b",
    re.MULTILINE | re.IGNORECASE,
)
_FILE_CAME = re.compile(
    r"\bDownloading:? \"?(?:https?|ftp)://(?P<host>[\w.-]+)\S*[\s\S]{0,300}?\b100(?:\.0)?%"
)
_SERVICE_CAME = re.compile(  # trackers of experiments and the like that were reached
    r"\bwandb: (?:\S+ )?(?:View (?:run|project)\b[^\n]{0,120}https://|Syncing run\b|"
    r"Currently logged in as)|\bCOMET INFO: Experiment is live on|"
    r"\.ngrok(?:-free)?\.(?:app|io|dev)\b|\.trycloudflare\.com\b|\.loca\.lt\b|\.serveo\.net\b|"
    r"https://(?:app\.neptune\.ai|www\.comet\.com|app\.clear\.ml)/\S|"
    r"\bbytes from (?!127\.)\d+\.\d+\.\d+\.\d+|"
    r"\b[1-9]\d* (?:packets )?received, 0% packet loss"
)
_GUARDED = re.compile(r"^\s*(?:def |try\s*:|if |class |async def )|\bexists\(", re.MULTILINE)
_CAME_OVER = re.compile(  # over several lines of what a program printed
    r"^Downloading data from https?://(?!localhost|127\.)\S+\s+(\d{4,})/\1 |"
    r"^trying URL '(?:https?|ftp)://(?!localhost|127\.)[^\n]+\n(?:[^\n]*\n){0,3}?"
    r"downloaded [\d.]+ ?[KM]?B|"
    r"^\[nltk_data\] Downloading package [^\n]+\n\[nltk_data\]\s+Unzipping |"
    r"^Downloading from https?://(?!localhost|127\.)\S+\s+100%\|[^\n]{0,80}B/s|"
    r"^\s+Downloading \S+\.whl \([\d.]+ ?[kM]B\)",
    re.MULTILINE,
)
_SAYS_200 = re.compile(
    r"\b(?:status(?: code)?|http|response|answered)\b\W{1,4}200\b|<Response \[200\]>|^200 OK\b",
    re.IGNORECASE | re.MULTILINE,
)
MAX_RUN = 200_000  # characters of what the runner captured
_BOOSTS = re.compile(r"\btask_type[\"']?\s*[=:]\s*[\"']GPU[\"']")  # catboost fails without one
_BOOSTS_ELSE = re.compile(r"[\"']CPU[\"']|^\s*(?:try\s*:|except\b)", re.MULTILINE)
_BOOSTED = re.compile(r"^\d+:\s+learn: \d", re.MULTILINE)
_TUNNELS = re.compile(r"^-\w*[Dw]\d*$")  # of ssh: a proxy or a device for all traffic
_NO_SYNC = re.compile(r"offline|disabled|dryrun|wandb sync", re.IGNORECASE)


class _Source(NamedTuple):
    """Code of an attempt, by which output is understood."""

    attempt: Attempt

    def of(self, command: str) -> str:
        """Return the text of the scripts that a command runs."""
        names = {found["name"] for found in _SCRIPT.finditer(command)}
        files = (f for f in self.attempt.code if f.name.rpartition("/")[2] in names)
        return "\n".join(f.text[:MAX_TEXT] for f in files)


class _Seen:
    """Looks at an attempt's logs."""

    def __init__(self, attempt: Attempt) -> None:
        self.attempt, self.source = attempt, _Source(attempt)

    @cached_property
    def asks_devices(self) -> bool:
        """Whether the code asks for names of devices."""
        return any(ASKS_DEVICES.search(f.text) for f in self.attempt.code)

    @cached_property
    def asks_sizes(self) -> bool:
        """Whether the code counts cores or memory."""
        return any(sizes_seen.ASKS.search(f.text) for f in self.attempt.code)

    @cached_property
    def boosts(self) -> bool:
        """Whether code tells catboost to use a GPU, and nothing else where there is none."""
        return any(
            _BOOSTS.search(f.text) and not _BOOSTS_ELSE.search(f.text) for f in self.attempt.code
        )

    @cached_property
    def starts_scheduler(self) -> bool:
        """Whether code or a command starts a scheduler of Dask on this machine."""
        runs = (e.text for e in events(self.attempt.logs) if e.kind is EventKind.COMMAND)
        return any(map(starts_scheduler, (*runs, *(f.text for f in self.attempt.code))))

    @cached_property
    def asking_memory(self) -> str:
        """The code that asks for the memory of its own process."""
        files = (f.text[:MAX_TEXT] for f in self.attempt.code)
        return "\n".join(text for text in files if ASKS_MEMORY.search(text))

    def sizes_of_text(self, event: Event) -> Iterator[SeenResource]:
        """Yield the cores and the memory of which a text tells; of its programs, what they hold."""
        text = event.text[:MAX_TEXT]
        yield from _as_seen(sizes_seen.sizes_printed(text, asks=self.asks_sizes), event)
        if self.asking_memory and event.path == "run.log":
            for size in held_by(self.asking_memory, text):
                shows = f"tells that {size / 1e9:.1f} GB were held"
                yield SeenResource(Resource.MEMORY, "memory", shows, event, size)

    def sizes(self, event: Event, output: str, source: str) -> Iterator[SeenResource]:
        """Yield the cores and the memory that a command, or code that was run, tells of."""
        asks = bool(sizes_seen.ASKS.search(event.text) or sizes_seen.ASKS.search(source))
        yield from _as_seen(sizes_seen.sizes_printed(output, asks=asks), event)
        yield from _as_seen(sizes_seen.sizes_asked(event, output, source), event)

    def of_run(self, event: Event) -> Iterator[SeenResource]:
        """Yield what a command, or code that was run, shows."""
        event = whole(event)
        output = event.output[:MAX_TEXT]
        asked = event.text[:MAX_TEXT]
        source = self.source.of(asked) if event.kind is EventKind.COMMAND else ""
        asking = f"{asked}\n{source}" if source else asked
        yield from self.printed(event, output, asking)
        yield from self.sizes(event, output, source)
        if event.kind is EventKind.COMMAND:
            yield from _fetched(event, output)
        commands = (m for c in shell_of(event) for m in machines_of_command(c, output))
        for name, shows in (*commands, *machines_of_code(asking, output)):
            yield SeenResource(Resource.REMOTE, name, shows, event)

    def printed(self, event: Event, text: str, asked: str = "") -> Iterator[SeenResource]:
        """Yield what programs print of devices, memory, clouds and downloads."""
        is_asked = self.asks_devices if not asked else False
        for index, shows in devices_in(text, asked=asked, asks=is_asked):
            yield SeenResource(Resource.GPU, index, shows, event)
        if self.boosts and _BOOSTED.search(text) and not failed(text):
            yield SeenResource(Resource.GPU, "0", "tells of rounds of a booster on a GPU", event)
        clusters = clusters_printed(text, starts_here=self.starts_scheduler)
        for name, shows in (*machines_printed(asked, text), *clusters):
            yield SeenResource(Resource.REMOTE, name, shows, event)
        if asked and _CAME_OVER.search(text) and not _INDEX_HERE.search(text):
            yield SeenResource(Resource.NETWORK, "a download", "tells of a download", event)
        if _BAR_CAME.search(text):
            yield SeenResource(Resource.NETWORK, "a hub of files", "fetches a file", event)
        if _SERVICE_CAME.search(text) and not _NO_SYNC.search(text):
            yield SeenResource(Resource.NETWORK, "a service", "reaches a service", event)
        came = _FILE_CAME.search(text)
        if came and not _LOCAL.match(came["host"]):
            yield SeenResource(Resource.NETWORK, came["host"], f"reaches {came['host']}", event)


def memory_in(attempt: Attempt) -> Iterator[SeenResource]:
    """Yield the memory of which logs tell that a process held it."""
    looked = _Seen(attempt)
    for one in said(events(attempt.logs)):
        event = one.event
        found: Iterator[SeenResource] = iter(())
        if event.kind in {EventKind.COMMAND, EventKind.CODE}:
            event = whole(event)
            source = looked.source.of(event.text) if event.kind is EventKind.COMMAND else ""
            found = looked.sizes(event, event.output[:MAX_TEXT], source)
        elif event.kind in {EventKind.TEXT, EventKind.OUTPUT} and not (one.told or one.own):
            found = looked.sizes_of_text(event)
        yield from (s for s in found if s.resource is Resource.MEMORY and s.name == "memory")


def _as_seen(sizes: Iterable[sizes_seen.Size], event: Event) -> Iterator[SeenResource]:
    for size in sizes:
        yield SeenResource(size.resource, size.name, size.shows, event, size.value)


def resources_in(attempt: Attempt) -> Iterator[SeenResource]:
    """Yield what logs show; what the agent only says, plans or was told is left out."""
    looked = _Seen(attempt)
    yield from models_in(attempt)
    for one in said(events(attempt.logs)):
        event = one.event
        if event.kind in {EventKind.COMMAND, EventKind.CODE}:
            yield from looked.of_run(event)
        elif event.kind in {EventKind.TEXT, EventKind.OUTPUT} and not (one.told or one.own):
            yield from looked.printed(event, event.text[:MAX_TEXT])
            yield from looked.sizes_of_text(event)
    yield from _contacts(attempt)
    for log in attempt.logs:
        nodes = RAY_FOUND.search(log.text[:MAX_RUN]) if log.name == "run.log" else None
        if nodes:
            line = log.text.count("\n", 0, nodes.start()) + 1
            event = Event(EventKind.TEXT, nodes[0], log.name, line, line + nodes[0].count("\n"))
            yield SeenResource(Resource.REMOTE, "ray", f"works on {nodes['n']} nodes of Ray", event)
        came = _CAME_OVER.search(log.text[:MAX_RUN]) if log.name == "run.log" else None
        if came and not _INDEX_HERE.search(log.text[:MAX_RUN]):
            first = log.text.count("\n", 0, came.start()) + 1
            last = first + came[0].count("\n")
            event = Event(EventKind.TEXT, came[0], log.name, first, last)
            yield SeenResource(Resource.NETWORK, "run.log", "tells of a download", event)


def _contacts(attempt: Attempt) -> Iterator[SeenResource]:
    """Yield what came back over the network, where the record says that there was none."""
    record = attempt.readable_record
    if record is None or record.sandbox.network:
        return
    allowed = record.sandbox.model_endpoint or ""
    for seen in contacts_of(attempt).seen:
        contact = seen.contact
        is_allowed = bool(allowed) and allowed.partition(":")[0] in contact.target
        is_model = contact.purpose is Purpose.LLM and bool(allowed)
        if is_model or is_allowed:
            continue
        is_got = seen.fate is Fate.GOT or (seen.fate is Fate.LOGGED and _came(seen))
        is_got = is_got if seen.in_log else seen.fate is Fate.WRITTEN and _said_200(attempt, seen)
        if is_got and not failed(seen.output or ""):
            shows = f"{contact.client} gets {contact.target or contact.purpose.value}"
            event = Event(EventKind.TEXT, seen.excerpt, seen.path, seen.first_line, seen.last_line)
            output = seen.output or ""
            yield SeenResource(
                Resource.NETWORK, contact.target, shows, event._replace(output=output)
            )


def _said_200(attempt: Attempt, seen: Sighting) -> bool:
    """Say whether a program whose code fetches printed that it was answered."""
    if seen.contact.is_implicit or seen.contact.purpose is Purpose.LLM:
        return False
    name = seen.path.rpartition("/")[2].partition("#")[0]
    printed = [log.text[:MAX_RUN] for log in attempt.logs if log.name == "run.log"]
    runs = (e for e in events(attempt.logs) if e.kind is EventKind.COMMAND and name in e.text)
    return any(_SAYS_200.search(text) for text in (*printed, *(whole(e).output for e in runs)))


def _came(seen: Sighting) -> bool:
    """Say whether code fetched something: no branch is about the call, and it went on to print."""
    is_whole = seen.last_line - seen.first_line + 1 < MAX_SHOWN_LINES
    is_sure = is_whole and not (seen.contact.is_implicit or _GUARDED.search(seen.excerpt))
    return bool(is_sure and seen.output and not FAILED.search(seen.output.lower()))


def _fetched(event: Event, output: str) -> Iterator[SeenResource]:
    """Yield from where a command's programs got files or packages."""
    fetched = [u["host"] for u in _URL.finditer(event.text) if not _LOCAL.match(u["host"])]
    tunnel = _tunnel(event.text) if _ARRIVED.search(output) and not failed(output) else ""
    if tunnel:
        yield SeenResource(Resource.NETWORK, tunnel, f"goes through a tunnel by {tunnel}", event)
    for pipeline in pipelines(event.text):
        for words in pipeline.commands:
            head = words[0].rpartition("/")[2]
            if head in _FETCHES and fetched and _ARRIVED.search(output):
                yield SeenResource(Resource.NETWORK, fetched[0], f"reaches {fetched[0]}", event)
            is_page = head == "curl" and fetched and _is_page(event, output)
            if is_page:
                yield SeenResource(Resource.NETWORK, fetched[0], f"reaches {fetched[0]}", event)
            if head in _PACKAGES and (host := _index(output)):
                yield SeenResource(Resource.NETWORK, host, f"reaches {host}", event)


def _tunnel(asked: str) -> str:
    """Return the machine through which a command sends other programs' traffic, else nothing."""
    for pipeline in pipelines(asked):
        for words in pipeline.commands:
            head = words[0].rpartition("/")[2]
            if head == "sshuttle" or (
                head in {"ssh", "autossh"} and any(map(_TUNNELS.match, words))
            ):
                hosts = [w.rpartition("@")[2] for w in words[1:] if "@" in w]
                return hosts[0] if hosts else head
    return ""


def _is_page(event: Event, output: str) -> bool:
    """Say whether output is what was fetched: nothing else was to be printed where it failed."""
    is_else = any(sign in event.text for sign in ("||", "&&", ";", "echo"))
    is_failed = failed(output) or FAILED.search(output.lower())
    return len(output.strip()) > MIN_PAGE and not (is_else or is_failed)


def _index(output: str) -> str:
    """Return from where packages came over the network; empty where they did not."""
    came = _PACKAGE_CAME.search(output)
    if came is None or _INDEX_HERE.search(output):
        return ""
    return next((host for host in came.groups() if host), "an index of packages")
