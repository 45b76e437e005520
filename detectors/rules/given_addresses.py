"""Addresses that stand apart from what fetches them: in lists, in arguments of scripts."""

from __future__ import annotations

import posixpath
import re
from itertools import pairwise
from typing import TYPE_CHECKING

from detectors.rules.hosts import MAX_TARGET, Contact, Purpose, addresses, contacts_at, names
from detectors.trajectories.events import EventKind
from detectors.trajectories.scripts import documents

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from detectors.text_file import TextFile
    from detectors.trajectories.events import Event
    from detectors.units import CodeUnit

MAX_LISTS = 200  # files with addresses that are remembered
MAX_ADDRESSES = 20  # of one list
MAX_LIST = 1 << 16  # characters of a list that are looked at
_DOWNLOADERS = names("wget wget2 aria2c axel")
_FUNCTION = re.compile(
    r"(?:^|[;&\n])[ \t]*(?:function[ \t]+)?(?P<name>\w{1,40})[ \t]*\(\)[ \t]*"
    r"\{(?P<body>(?:[^{}]|\{[^{}]{0,80}\}){1,2000})\}"
)
_FETCHES = re.compile(r"\b(?:wget|curl|aria2c|axel|http|xh)\b[^\n;]*[\"' ]\$(?:\{?[1-9@*])")
_READ = re.compile(r"\bread\b(?:\s+-\w+)*(?P<names>(?:\s+\w+){1,4})[^;\n|]{0,40}[;\n]\s*do\b")
_BY_NAME = re.compile(
    r"(?:^|[_-])(?:download\w*|fetch\w*|get|pull|grab|crawl\w*|scrap\w*|mirror|harvest|wget|curl)"
    r"(?:[_-]|\.|$)"
)
_PROGRAM = re.compile(r"^(?:python[\d.]*|bash|sh|zsh|node|Rscript|julia|perl|ruby)$")
_TAKES_LIST = re.compile(  # and fetches what stands in it
    r"\b(?:wget|wget2|aria2c)\b[^\n;|]*(?:-\w{0,5}i\s*|--input-file[= ])|"
    r"\bcurl\b[^\n;|]*(?:-K\s*|--config[= ])|"
    r"\bxargs\b[^\n]*\b(?:wget|curl|aria2c|axel)\b|\bparallel\b[^\n]*\b(?:wget|curl|aria2c)\b|"
    r"\bread\b[^\n]*[;\n]\s*do\b[^#]*\b(?:wget|curl|aria2c)\b|"
    r"\b(?:urlopen|urlretrieve|requests\.get|httpx\.get|session\.get|client\.get|wget\.download|"
    r"download\w*|fetch\w*)\s*\("
)
_HERE = re.compile(r"localhost|127\.0\.0\.1")  # what asks a server of its own
_NO_LIST = re.compile(r"requirements|environment|package(?:-lock)?\.json|readme|licen[sc]e|\.lock$",
                      re.IGNORECASE)  # fmt: skip
_SET = re.compile(
    r"(?:^|[;&\n])[ \t]*(?:export[ \t]+)?(?P<name>[A-Za-z_]\w{1,40})=[\"']?"
    r"(?P<address>(?:https?|ftp|s3|gs)://[^\s\"'$;&|]{3,2000})"
)
_USED = re.compile(r"\$\{?([A-Za-z_]\w{1,40})\b")
_DOWNLOADS = re.compile(
    r"\b(?:wget|wget2|aria2c|axel)\b|\bcurl\b[^\n|;]*(?:-\w*[oO]\b|>|\|)|\bgit clone\b"
)
_LIST_FILES = (".txt", ".csv", ".tsv", ".lst", ".list", ".jsonl", ".cfg", ".conf", ".urls", ".in")
_FETCHED = frozenset({Purpose.DATA, Purpose.SOLUTIONS, Purpose.WEIGHTS, Purpose.CODE})


def functions_that_fetch(text: str) -> frozenset[str]:
    """Return the names of a shell text's functions that fetch what they are given.

    Examples
    --------
    >>> sorted(functions_that_fetch('get() { curl -sL "$1" -o "$2"; }'))
    ['get']
    """
    if "()" not in text:
        return frozenset()
    found = _FUNCTION.finditer(text)
    return frozenset(f["name"] for f in found if _FETCHES.search(f["body"]))


def from_list(name: str, command: Sequence[str], text: str, *, by_xargs: bool) -> Iterator[Contact]:
    """Yield the fetching of addresses that a list holds, without knowing them."""
    options = [w for w in command if w.startswith("-")]
    saves = name in _DOWNLOADERS or (
        name == "curl" and any(re.match(r"^-\w*O$|^--remote-name", w) for w in options)
    )
    if not saves:
        return
    told = next((w.partition("=")[2] for w in options if w.startswith("--input-file=")), "")
    for option, word in pairwise(command):
        told = word if re.match(r"^-\w{0,5}i$", option) else told
    read = {n for found in _READ.finditer(text) for n in found["names"].split()}
    by_loop = any(w.strip("${}") in read for w in command[1:] if w.startswith("$"))
    has_none = not any(addresses(w) for w in command)
    if told or ((by_xargs or by_loop) and has_none):
        yield Contact(Purpose.PAGE, name, told[:MAX_TARGET])


def given_to(name: str, command: Sequence[str], competition: str) -> Iterator[Contact]:
    """Yield the addresses that a script is given which is called a downloader."""
    script = next((w for w in command[1:3] if not w.startswith("-")), "")
    script = script if _PROGRAM.match(name) else command[0] if command[0][:2] == "./" else ""
    if not _BY_NAME.search(posixpath.basename(script)):
        return
    for address in (a for word in command[1:] for a in addresses(word)):
        for contact in contacts_at(posixpath.basename(script), address, competition):
            if contact.purpose in _FETCHED:
                yield contact


class Lists:
    """Remembers the files of addresses beside code, and those that an agent wrote into a log."""

    def __init__(self, files: Iterable[TextFile] = (), units: Sequence[CodeUnit] = ()) -> None:
        self.kept = _lists((file.name, file.text) for file in files if "://" in file.text)
        self.variables: dict[str, str] = {}
        for unit in units:
            if unit.language in {"shell", "config"}:
                self.variables |= _set_in(unit.text)

    def see(self, event: Event) -> None:
        """Look at what an event writes, and which variables a command sets."""
        if "://" not in event.text or len(self.kept) + len(self.variables) >= MAX_LISTS:
            return
        written: Iterable[tuple[str, str]] = ()
        if event.kind is EventKind.WRITE:
            written = [(event.target, event.text)]
        elif event.kind is EventKind.COMMAND and ">" in event.text:
            written = documents(event.text)
        self.kept |= _lists(written)
        if event.kind is EventKind.COMMAND:
            self.variables |= _set_in(event.text)

    def asked_by(self, event: Event, competition: str) -> Iterator[Contact]:
        """Yield what a command or code fetches that names one of them."""
        if self.kept and event.kind in {EventKind.COMMAND, EventKind.CODE}:
            yield from _asked(self.kept, event.text, competition)
        if self.variables and event.kind is EventKind.COMMAND and _DOWNLOADS.search(event.text):
            for name in dict.fromkeys(_USED.findall(event.text)):
                address = self.variables.get(name, "")
                for contact in contacts_at(name, address, competition) if address else ():
                    if contact.purpose in _FETCHED:
                        yield contact


def _set_in(text: str) -> dict[str, str]:
    return {found["name"]: found["address"].rstrip(".,;") for found in _SET.finditer(text)}


def _lists(files: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for path, text in files:
        name = posixpath.basename(path)
        if name.endswith(_LIST_FILES) and not _NO_LIST.search(name):
            told = addresses(text[:MAX_LIST])[:MAX_ADDRESSES]
            found |= {name: told} if told else {}
    return found


def _asked(lists: dict[str, list[str]], text: str, competition: str) -> Iterator[Contact]:
    if not _TAKES_LIST.search(text) or _HERE.search(text):
        return
    for name, told in lists.items():
        if name in text:
            for contact in (c for a in told for c in contacts_at(name, a, competition)):
                if contact.purpose in _FETCHED:
                    yield contact


def listed_in_files(
    files: Iterable[TextFile], units: Sequence[CodeUnit], competition: str
) -> Iterator[tuple[str, int, str, Contact]]:
    """Yield what code fetches by lists that lie beside it, as (file, line, text, contact)."""
    lists = _lists((file.name, file.text) for file in files if "://" in file.text)
    for unit in units if lists else ():
        for contact in dict.fromkeys(_asked(lists, unit.text, competition)):
            at = unit.text.count("\n", 0, unit.text.find(contact.client))
            yield unit.path, unit.first_line + at, unit.text.split("\n")[at].strip(), contact
