"""Users, hosts and places in texts: learnt from how they are written, replaced everywhere.

The same name becomes the same placeholder (`user-1`, `host-1`, `folder-1`, `email-1`, `ip-1`,
`person-1`, `agent-1`, `name-1`). A name is known by where it stands: in a home folder, a shell's
prompt, ``USER=``, a listing of files, an address. One that stands nowhere like that is not known
and must be named. Paths of the contract with agents and of the system say nothing of anybody and
stay: they are the evidence.
"""

from __future__ import annotations

import contextlib
import ipaddress
import json
import re
import unicodedata
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal
from urllib.parse import quote, unquote

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_NAME = r"\w[\w.-]*\w|[^\W\d_]"  # of any script; digits alone are nobody's, see `_add`
_FULL_NAME = r"[^\W\d_a-z][\w.'-]*(?: [^\W\d_a-z][\w.'-]*){1,3}"
_HOST = r"[A-Za-z0-9](?:[\w.-]*\w)?"
_SEP = r"(?:[\\/]+|%2[Ff])"
_BEFORE = r"(?:[\\/]|%2[Ff])"  # one is enough: many would be tried from each of them
_TLD = (
    r"(?:com|org|net|edu|gov|mil|int|info|dev|app|cloud|local|lan|internal|corp|home|intra|cluster"
    r"|example|test|invalid|[a-z]{2})"
)
_INNER = r"(?:local|lan|internal|corp|home|intra|localdomain|cluster)"
_EMAIL = re.compile(
    rf"(?<![\w.+%-])(?P<user>[\w.+%-]+)@(?P<mail>(?:[A-Za-z0-9-]+\.)+{_TLD})(?![\w(]|\.\w)",
    re.IGNORECASE,
)
# Where a user's name stands, and where a host's: each pattern has one group or both.
_LEARNT: Final = tuple(
    re.compile(pattern, flags)
    for pattern, flags in (
        (rf"{_BEFORE}(?:home|Users|Documents and Settings){_SEP}(?P<user>{_NAME})", re.IGNORECASE),
        (rf"{_BEFORE}(?:Users|home|Documents and Settings){_SEP}(?P<user>{_FULL_NAME})(?=[\\/])",
         0),
        (rf"\bAuthor: (?P<user>{_FULL_NAME}) <", 0),
        (rf"\buser\.name[ =]+[\"'](?P<user>{_FULL_NAME})[\"']", 0),
        (rf"[$#>] whoami[ \t\r]*\n(?P<user>{_NAME})[ \t\r]*$", re.MULTILINE),
        (rf"[$#>] hostname[ \t\r]*\n(?P<host>{_HOST})[ \t\r]*$", re.MULTILINE),
        (rf"\blogged in as: ?(?P<user>{_NAME})", re.IGNORECASE),
        (rf"(?<![\w/])~(?P<user>{_NAME})/", 0),
        (rf"(?<![\w.+-])(?P<user>{_NAME})@(?P<host>{_HOST}):(?=[~/])", 0),
        (rf"\[(?P<user>{_NAME})@(?P<host>{_HOST}) [^\]\n]{{0,200}}\][$#]", 0),
        (rf"\b(?:ssh|sftp|mosh)\b[^\n@]{{0,80}} (?P<user>{_NAME})@(?P<host>{_HOST})", 0),
        (r"\b(?:ssh|sftp|mosh)(?: +-\S+)* +(?P<host>[A-Za-z][\w.-]*\d[\w.-]*\b)", 0),
        (rf"\b(?:[A-Z]+_)*(?:USER|LOGNAME|USERNAME)=[\"']?(?P<user>{_NAME})", 0),
        (rf"\b(?:HOSTNAME|COMPUTERNAME|(?:[A-Z]+_)?NODENAME|SLURM_SUBMIT_HOST)[=:] ?[\"']?"
         rf"(?P<host>{_HOST})", 0),
        (rf"[\"'](?:user|username|user_name|login|logname)[\"']\s*:\s*[\"'](?P<user>{_NAME})[\"']",
         re.IGNORECASE),
        (rf"[\"'](?:host|hostname|host_name|node|nodename|node_name)[\"']\s*:\s*[\"']"
         rf"(?P<host>{_HOST})[\"']", re.IGNORECASE),
        (rf"\b[ug]id=\d+\((?P<user>{_NAME})\)", 0),
        (rf"(?m)^[ \t]*[-dlbcps][-rwxsStT]{{9}}[.+@]?\s+\d+\s+(?P<user>{_NAME})\s", 0),
        (rf"\bLinux (?!kernel|version)(?P<host>{_HOST}) \d+\.\d+", 0),
        (rf"://(?P<user>{_NAME})(?::[^\s/@]*)?@", 0),
        (r"://(?:[^\s/@]*@)?(?P<host>[A-Za-z][\w-]*[\d-][\w-]*)(?=[:/\s\"']|$)", 0),
        (rf"://(?:[^\s/@]*@)?(?P<host>(?:[\w-]+\.)+{_INNER})(?=[:/\s\"']|$)", re.IGNORECASE),
    )
)  # fmt: skip
# In an address even a host of one plain word is one, though that word says nothing elsewhere.
_URL_HOST = re.compile(r"(?<=://)[A-Za-z][A-Za-z0-9_-]*(?=[:/\s\"']|$)")
_USER_INFO = re.compile(r"(?<=://)[^\s/@\"']+@")
_SEGMENT = r"[^\s/\\'\"`<>|;,:()\[\]{}*?$&!#\x00-\x1f]+"
_POSIX = re.compile(
    rf"(?:(?<=file://)|(?<=\s-[A-Za-z])|(?<![\w.~/\\<)}}\]-]))/(?P<folders>(?:{_SEGMENT}/+)+)(?P<last>{_SEGMENT})?"
)
_WINDOWS = re.compile(
    rf"(?<![A-Za-z0-9])[A-Za-z]:[\\/]+(?P<folders>(?:{_SEGMENT}[\\/]+)+)(?P<last>{_SEGMENT})?"
)
_IPV4 = re.compile(r"(?<!\d)(?<!\d\.)(?:\d{1,3}\.){3}\d{1,3}(?!\.?\d)")
_IPV6 = re.compile(r"(?<![0-9A-Za-z:])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4}(?![0-9A-Za-z:])")
_MAC = re.compile(r"(?<![\w:])(?:[0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}(?![\w:])")
_PERCENT = re.compile(r"(?:%[89A-Fa-f][0-9A-Fa-f])+")  # bytes of letters beyond ASCII
_ESCAPED = re.compile(r"(?<!\\)\\+u([0-9A-Fa-f]{4})")
_LEAST_NAME = 2  # characters of a name that is replaced in texts
_LEAST_GROUPS = 3  # of an IPv6 address; `a[1::2]` is a slice
_PLACEHOLDER = re.compile(r"(?<![\w-])(user|host|folder|email|ip|person|agent|name)-(\d+)(?!\w)")

# First folders that are the same on every machine, or those of the contract with agents.
_SYSTEM: Final = frozenset({"usr", "bin", "sbin", "lib", "lib64", "etc", "proc", "sys", "dev"})
_CONTRACT: Final = frozenset({"private", "kaggle", "api"})
_CONTRACT_HOMES: Final = frozenset(
    {"data", "submission", "code", "logs", "agent", "instructions.txt", "validate_submission.sh"}
)
_NOT_CONTRACT: Final = frozenset({"var", "tmp", "Users", "home"})  # below macOS' /private
# Names that are nobody's: replaced in no text, though their folders are.
_NOBODYS: Final = frozenset(
    {
        *("root", "user", "users", "admin", "agent", "data", "code", "logs", "submission", "home"),
        *("git", "nobody", "guest", "docker", "runner", "worker", "ubuntu", "debian", "jovyan"),
        *("kaggle", "test", "model", "train", "python", "conda", "app", "public", "private"),
        *("localhost", "host", "node", "server", "local", "none", "null", "true", "false", "the"),
        *("instructions.txt", "validate_submission.sh", "shared", "default", "system", "staff"),
        *("wheel", "daemon", "http", "https", "www", "file", "assistant", "tool", "info", "mail"),
        *("support", "contact", "hello", "noreply", "no-reply", "error", "warning", "debug"),
    }
)
_FILE = re.compile(
    r"\.(?:html?|py|js|css|md|txt|csv|json|ya?ml|png|jpe?g|ipynb|sh|tsx?|jsx|php|log|zip)$"
)
_PUBLIC: Final = re.compile(
    r"(?:^|\.)(?:kaggle|github|gitlab|google|gmail|googlemail|outlook|hotmail|yahoo|huggingface"
    r"|openai|anthropic|pypi|pythonhosted|arxiv|doi|python|pytorch|amazonaws)\.\w+$",
    re.IGNORECASE,
)


@dataclass
class Disguise:
    """Placeholders for names and places, given in the order in which those are met.

    Learn from all texts of a document first, then replace in each.
    """

    names: dict[str, str] = field(default_factory=dict)  # in lower case -> kind
    whole: dict[str, str] = field(default_factory=dict)  # the same, where it is all of a text
    roots: dict[str, None] = field(default_factory=dict)  # folders that are replaced whole
    _given: dict[tuple[str, str], str] = field(default_factory=dict)
    _taken: set[str] = field(default_factory=set)
    _compiled: tuple[int, re.Pattern[str]] | None = None
    _written: dict[str, str] = field(default_factory=dict)  # each way of writing a name -> it

    def learn(self, text: str) -> None:
        """Note the users and hosts that a text tells by how they are written."""
        self._taken |= {m[0] for m in _PLACEHOLDER.finditer(text)}
        text = _unescaped(text)
        found = [m for pattern in _LEARNT for m in pattern.finditer(text)]
        for match in (*found, *_EMAIL.finditer(_USER_INFO.sub("", text))):
            told = match.groupdict()
            for kind in ("user", "host"):
                if name := told.get(kind):
                    self._add(kind, name)

    def _add(self, kind: str, name: str) -> None:
        """Note a name that a text tells; of a host such as gpu1.lab, what stands first, too."""
        low = _lower(name).strip(".-")
        first, point, _ = low.partition(".")
        says_nothing = (
            low in _NOBODYS or _PLACEHOLDER.fullmatch(low) or not re.search(r"[^\W\d]", low)
        )
        is_public = _PUBLIC.search(low) if kind == "host" else _FILE.search(low)
        if says_nothing or is_public or len(low) < _LEAST_NAME:
            return
        self.names.setdefault(low, kind)
        if kind == "host" and point and re.search(r"[\d-]", first):
            self._add("host", first)

    def tell(self, kind: str, name: str) -> None:
        """Note a name of which somebody says that it is one; a short one only where it is all."""
        low = _lower(name.strip())
        if low and not _PLACEHOLDER.fullmatch(low):
            self.whole.setdefault(low, kind)
            if len(low) > _LEAST_NAME or kind == "name":
                self.names[low] = kind

    def root(self, folder: str) -> None:
        """Note a folder that is replaced wherever a path begins with it."""
        parts = [p for p in folder.split("/") if p]
        if parts and not _is_everyones(parts):
            self.roots[folder.rstrip("/")] = None

    def placeholder(self, kind: str, name: str) -> str:
        """Return what stands for a name or place; the same one each time."""
        key = kind, name
        if key not in self._given:
            number = 1 + sum(k == kind for k, _ in self._given)
            while f"{kind}-{number}" in self._taken:
                number += 1
            self._taken.add(f"{kind}-{number}")
            self._given[key] = f"{kind}-{number}"
        return self._given[key]

    def replace(self, text: str) -> str:
        """Return a text without users, hosts and absolute paths."""
        if kind := self.whole.get(_lower(text.strip())):
            return self.placeholder(kind, _lower(text.strip()))
        text = _USER_INFO.sub("", text)
        text = _EMAIL.sub(lambda m: self.placeholder("email", m[0].lower()), text)
        for root in sorted(self.roots, key=len, reverse=True):
            if root in text:
                text = re.sub(
                    rf"{re.escape(root)}(?![\w-])",
                    lambda _match, root=root: self.placeholder("folder", root),  # type: ignore[misc]
                    text,
                )
        text = _WINDOWS.sub(self._windows, text)
        text = _POSIX.sub(self._posix, text)
        text = _URL_HOST.sub(self._url_host, text)
        text = _MAC.sub(lambda m: self.placeholder("host", m[0].lower()), text)
        text = _IPV4.sub(self._address, text)
        text = _IPV6.sub(self._address, text)
        return self._pattern.sub(self._name, text) if self.names else text

    @property
    def _pattern(self) -> re.Pattern[str]:
        if self._compiled is None or self._compiled[0] != len(self.names):
            self._written = {_lower(f, None): n for n in self.names for f in _forms(n)}
            forms = {f for name in self.names for f in _forms(name)}
            words = "|".join(map(re.escape, sorted(forms, key=len, reverse=True)))
            # `_` and `-` part words here: a folder `alice_runs` names alice.
            pattern = rf"(?:(?<![^\W_])|(?<=%2[Ff]))(?:{words})(?![^\W_])"
            self._compiled = len(self.names), re.compile(pattern, re.IGNORECASE)
        return self._compiled[1]

    def _name(self, match: re.Match[str]) -> str:
        name = self._written.get(_lower(match[0], None)) or _lower(match[0])
        return self.placeholder(self.names.get(name, "name"), name)

    def _url_host(self, match: re.Match[str]) -> str:
        low = match[0].lower()
        if low in _NOBODYS or _PLACEHOLDER.fullmatch(low):
            return match[0]
        return self.placeholder("host", low)

    def _windows(self, match: re.Match[str]) -> str:
        folder = re.sub(r"[\\/]+", "/", match[0][: match.end("folders") - match.start()]).rstrip(
            "/"
        )
        return self._inside(folder, match["last"])

    def _posix(self, match: re.Match[str]) -> str:
        parts = [p for p in match["folders"].split("/") if p]
        if _is_everyones([*parts, match["last"] or ""]):
            return match[0]
        return self._inside("/" + "/".join(parts), match["last"])

    def _inside(self, folder: str, last: str | None) -> str:
        return f"{self.placeholder('folder', folder)}/{last or ''}"

    def _address(self, match: re.Match[str]) -> str:
        found = None
        with contextlib.suppress(ValueError):
            found = ipaddress.ip_address(match[0])
        if found is None or found.is_loopback or found.is_unspecified:
            return match[0]
        groups = [g for g in match[0].split(":") if g]
        if found.version == 6 and len(groups) < _LEAST_GROUPS:  # noqa: PLR2004 - IPv6
            return match[0]
        return self.placeholder("ip", match[0].lower())


def _lower(name: str, form: Literal["NFC"] | None = "NFC") -> str:
    """Write a name as it is compared: small letters, and accents as one character."""
    low = name.lower()
    return unicodedata.normalize(form, low) if form else low


def _forms(name: str) -> set[str]:
    """Return the ways in which files write a name: accents apart, percent-encoded, in JSON."""
    if name.isascii():
        return {name}
    cased = (name, name.upper(), name.title(), name.capitalize())
    return {
        name,
        unicodedata.normalize("NFD", name),
        *(quote(one, safe=" ") for one in cased),
        *(json.dumps(one)[1:-1] for one in cased),
    }


def _unescaped(text: str) -> str:
    """Return a text with the letters that URLs and JSON escape, so that names are seen in it."""
    if _ESCAPED.search(text):
        text = _ESCAPED.sub(lambda m: chr(int(m[1], 16)), text)
    return text if "%" not in text else _PERCENT.sub(lambda m: unquote(m[0]), text)


def _is_everyones(parts: list[str]) -> bool:
    """Say whether a path is the system's or the contract's, the same for everybody."""
    first, *rest = parts
    second = rest[0] if rest else ""
    if first == "home":
        return second in _CONTRACT_HOMES
    if first == "opt":
        return second in {"conda", "venv"}
    return first in _SYSTEM or (first in _CONTRACT and second not in _NOT_CONTRACT)


def texts_of(value: object) -> Iterator[str]:
    """Yield every text of a JSON value, names of fields too."""
    waiting: list[object] = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            waiting += [*one, *one.values()]
        elif isinstance(one, list):
            waiting += one


def learn_all(disguise: Disguise, texts: Iterable[str]) -> None:
    """Let a disguise learn from many texts, each once, in an order that is always the same."""
    for text in dict.fromkeys(texts):
        disguise.learn(text)
