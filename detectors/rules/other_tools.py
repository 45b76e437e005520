"""Further tools of the shell that ask the network: stores of data, images, sockets, data bases."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.rules.hosts import (
    MAX_TARGET,
    SOLUTION_WORDS,
    Contact,
    Purpose,
    as_address,
    contacts_at,
    is_near,
    names,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

LANGUAGES = {  # programs that are given code, by an option or on their input; their files' ending
    "perl": "pl", "node": "js", "nodejs": "js", "deno": "js", "bun": "js", "ruby": "rb",
    "Rscript": "R", "R": "R", "julia": "jl", "php": "php", "lua": "lua", "octave": "m",
}  # fmt: skip
_P = Purpose
_VERBS = {  # a tool, the words by which it fetches, and what
    "docker": (names("pull"), _P.PAGE),
    "podman": (names("pull"), _P.PAGE),
    "skopeo": (names("copy"), _P.PAGE),
    "singularity": (names("pull"), _P.PAGE),
    "apptainer": (names("pull"), _P.PAGE),
    "s3cmd": (names("get sync"), _P.DATA),
    "b2": (names("download-file download-file-by-name download-file-by-id"), _P.DATA),
    "az": (names("download download-batch"), _P.DATA),
    "swift": (names("download"), _P.DATA),
    "hfdownloader": (frozenset[str](), _P.WEIGHTS),
    "snscrape": (frozenset[str](), _P.DATA),
    "oras": (names("pull"), _P.DATA),
    "datalad": (names("install get clone download-url"), _P.DATA),
    "osf": (names("clone fetch"), _P.DATA),
    "mc": (names("cp mirror get cat"), _P.DATA),
    "quilt3": (names("install fetch"), _P.DATA),
    "modelscope": (names("download"), _P.WEIGHTS),
    "wandb": (names("pull restore get"), _P.DATA),
    "openml": (names("get download"), _P.DATA),
    "mlflow": (names("download"), _P.DATA),
    "clearml-data": (names("get"), _P.DATA),
    "lakectl": (names("fs"), _P.DATA),
    "ipfs": (names("get cat"), _P.DATA),
    "git-annex": (names("get"), _P.DATA),
    "earthaccess": (names("download"), _P.DATA),
    "textblob.download_corpora": (frozenset[str](), _P.WEIGHTS),
    "zenodo_get": (frozenset[str](), _P.DATA),
    "fasterq-dump": (frozenset[str](), _P.DATA),
    "prefetch": (frozenset[str](), _P.DATA),
    "sratoolkit": (frozenset[str](), _P.DATA),
    "efetch": (frozenset[str](), _P.DATA),
    "esearch": (frozenset[str](), _P.DATA),
    "transmission-cli": (frozenset[str](), _P.DATA),
    "instaloader": (frozenset[str](), _P.DATA),
    "bq": (names("query extract cp"), _P.DATA),
}  # fmt: skip
DATABASES = names("psql mysql mariadb mongo mongosh mongoexport redis-cli snowsql cqlsh mysqldump "
                   "pg_dump clickhouse-client sqlcmd")  # fmt: skip
_SOCKETS = names("nc ncat netcat telnet socat openssl")
_SHELLS = names("ssh sftp smbclient sshfs mount mount.nfs")
_HOST_OPTION = re.compile(r"^(?:-h|--host|-H|-S)(?:=(?P<host>.+))?$")
_HOST = re.compile(
    r"^(?:\w+@)?(?P<host>[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,10})(?::(?P<rest>.*))?$"
)
_TCP = re.compile(r"/dev/tcp/(?P<host>[\w.-]+)/\d+")
_READS_THERE = re.compile(r"^\s*(?:cat|head|tail|tar|zcat|dd|find|gzip|base64)\b")


def other_tool(
    name: str, arguments: Sequence[str], command: Sequence[str], competition: str
) -> Iterator[Contact]:
    """Yield what a command of a tool that is none of the common clients asks of the network."""
    told = " ".join(arguments)[:MAX_TARGET]
    verbs, purpose = _VERBS.get(name, (None, _P.PAGE))
    if verbs is not None:
        if (not verbs and arguments) or name.startswith("textblob") or verbs & set(arguments[:3]):
            is_here = any(re.search(r"localhost|127\.0\.0\.1", word) for word in arguments)
            yield from () if is_here else (Contact(purpose, name, told),)
    elif name in DATABASES:
        yield from _database(name, command)
    elif name in {"googler", "ddgr", "surfraw"} and told:
        is_solution = bool(SOLUTION_WORDS.search(told))
        yield Contact(_P.SOLUTIONS if is_solution else _P.PAGE, name, told)
    elif name == "degit" and re.match(r"^[\w-]+/[\w.-]+$", told.partition(" ")[0]):
        yield from contacts_at(name, f"https://github.com/{told.partition(' ')[0]}", competition)
    elif name in _SOCKETS:
        yield from _socket(name, arguments, command, competition)
    elif name in _SHELLS:
        yield from _shell(name, arguments)
    elif name in {"Invoke-WebRequest", "iwr", "Invoke-RestMethod", "irm", "degit", "git-lfs"}:
        for word in arguments:
            address = as_address(word) if "/" in word else None
            yield from contacts_at(name, address, competition) if address else ()


def _database(name: str, command: Sequence[str]) -> Iterator[Contact]:
    for at, word in enumerate(command):
        option = _HOST_OPTION.match(word)
        host = (option["host"] or "".join(command[at + 1 : at + 2])) if option else ""
        found = re.search(r"^\w+://(?:[^@/]*@)?([\w.-]+)", word)
        host = host or (found[1] if found else "")
        if "." in host and not is_near(host):
            yield Contact(Purpose.DATA, name, host[:MAX_TARGET])


def _socket(
    name: str, arguments: Sequence[str], command: Sequence[str], competition: str
) -> Iterator[Contact]:
    if name == "openssl" and "s_client" not in command:
        return
    is_probe = name in {"nc", "ncat", "netcat"} and any(re.match(r"^-\w*z", w) for w in command)
    for word in arguments:
        host = re.search(r"(?:^|:)([\w-]+(?:\.[\w-]+)+)(?::\d+)?$", word)
        if host and not is_near(host[1]) and not host[1].endswith((".html", ".txt", ".csv")):
            for contact in contacts_at(name, f"https://{host[1]}", competition):
                yield contact._replace(purpose=Purpose.REACH) if is_probe else contact


def _shell(name: str, arguments: Sequence[str]) -> Iterator[Contact]:
    """Yield files that are read on a host outside; other work there is another rule's question."""
    for at, word in enumerate(arguments[:2]):
        host = _HOST.match(word)
        if host is None or is_near(host["host"]):
            continue
        there = " ".join(arguments[at + 1 :])
        if name != "ssh" or _READS_THERE.match(there):
            yield Contact(Purpose.DATA, name, f"{word} {there}".strip()[:MAX_TARGET])


def spoken_hosts(text: str, competition: str) -> Iterator[Contact]:
    """Yield the hosts to which shell text opens a socket by its name of a file."""
    for found in _TCP.finditer(text):
        if not is_near(found["host"]):
            yield from contacts_at("/dev/tcp", f"https://{found['host']}", competition)
