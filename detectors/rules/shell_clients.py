"""Which shell commands ask the network, and for what: the shell's part of the table of clients."""

from __future__ import annotations

import posixpath
import re
from itertools import pairwise
from typing import TYPE_CHECKING

from detectors.rules.data_packages import MANAGERS, installed, packed_at
from detectors.rules.given_addresses import from_list, functions_that_fetch, given_to
from detectors.rules.hosts import (
    MAX_TARGET,
    Contact,
    Purpose,
    addresses,
    as_address,
    contacts_at,
    is_near,
    names,
    purpose_of,
    read_by_sql,
)
from detectors.rules.llm_tools import (
    LLM_TOOLS,
    asked_by_variable,
    exported_to_model,
    llm_tool,
    pointed_to_model,
)
from detectors.rules.not_run import lines_not_run
from detectors.rules.other_clients import other_contacts
from detectors.rules.other_tools import DATABASES, LANGUAGES, other_tool, spoken_hosts
from detectors.rules.python_clients import python_contacts
from detectors.shell import ALIAS, pipelines
from detectors.units import CodeUnit

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_DEPTH = 4  # shells within shells


_ASSIGNED = re.compile(r"(?:^|[;&]\s*)(\w{1,60})=[\"']?([^\s;&\"']{1,2000})", re.MULTILINE)
_DETACHERS = names("tmux screen watch script at batch flock runuser start-stop-daemon systemd-run")
_PYTHONS = re.compile(r"^(?:i?python(?:3(?:\.\d+)?)?)$")
_SHELLS = frozenset({"bash", "sh", "zsh", "su", "eval", "pwsh", "powershell"})
_FETCHERS = names(
    """wget wget2 curl curlie wcurl aria2c axel saldl lynx w3m elinks links http https httpie xh
    youtube-dl yt-dlp gallery-dl fetch lftp ftp ncftpget httrack certutil bitsadmin webtorrent
    lwp-download ADD"""
)
_WRAPPERS = names(
    """timeout env xargs stdbuf proxychains proxychains4 nice ionice parallel busybox doas unbuffer
    chronic taskset torify torsocks npx uvx bunx"""
)
_RUNNERS = {  # which run a command by a word of theirs
    **dict.fromkeys(names("uv poetry pipenv pdm pixi hatch conda mamba pipx"), names("run")),
    "docker": names("run exec"), "podman": names("run exec"),
}  # fmt: skip
_OPTION_VALUES = names("-n -p -P -L -I -d -u -k -s -w -v -e --name --prefix --workdir --with -j")
_NO_COMMAND = re.compile(r"^[\d,.-]+[smh]?$|^\w+=")
_REMOTE = re.compile(r"\bgit remote (?:add|set-url)(?: -f)? \S+ (\S+)")
_HELP = frozenset({"--help", "-h", "--version", "-V", "help"})


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
    assigned = dict(_ASSIGNED.findall(text))  # `pipelines` knows those of earlier words only
    functions = functions_that_fetch(text)
    aliases = dict(ALIAS.findall(text)) if "alias" in text else {}
    yield from exported_to_model(text)
    yield from _over_lines(text, competition, with_files)
    for pipeline in pipelines(text):
        heredoc = pipeline.heredoc
        for words in pipeline.commands:
            command = _unwrapped(
                tuple(assigned.get(w.strip("${}"), w) if w[:1] == "$" else w for w in words)
            )
            if command and command[0] in aliases:
                command = (*aliases[command[0]].split(), *command[1:])
            name = posixpath.basename(command[0]) if command else ""
            if not command or (name not in DATABASES and _HELP & set(command[1:3])):
                continue
            found = list(_of_command(name, command, competition))
            found += _apart(name, command, text, functions, words[0], competition)
            found += _files_read(name, command) if with_files else []
            if depth < MAX_DEPTH:
                asked = (competition, with_files, depth)
                found += _inner(name, command, heredoc, *asked)
            if _PYTHONS.match(name) or name in _SHELLS:
                heredoc = ""
            for contact in dict.fromkeys(found):
                yield pipeline.line, contact
        for contact in (*pointed_to_model(pipeline), *spoken_hosts(pipeline.text, competition)):
            yield pipeline.line, contact


_CODE_OVER_LINES = re.compile(  # a text that the shell's words of single lines do not hold
    r"\bi?python[\d.]*\s+(?:-[a-zA-Z]+\s+){0,4}?-c\s+(?P<quote>[\"'])"
    r"(?P<code>(?:\\.|(?!(?P=quote))[^\\]){1,20000}+)(?P=quote)",
    re.DOTALL,
)


def _over_lines(
    text: str,
    competition: str,
    with_files: bool,  # noqa: FBT001
) -> Iterator[tuple[int, Contact]]:
    """Read the Python that a command is given as a text of several lines."""
    for found in _CODE_OVER_LINES.finditer(text) if "-c" in text and "\n" in text else ():
        if "\n" in found["code"]:
            code = re.sub(r"\\([\"$`])", r"\1", found["code"])
            line = text.count("\n", 0, found.start()) + 1
            for contact in _inner("python", ("python", "-c", code), "", competition, with_files, 0):
                yield line, contact


def _files_read(name: str, command: tuple[str, ...]) -> list[Contact]:
    paths = [w for w in command[1:] if not w.startswith("-") and name in _READERS]
    paths = [p for p in paths if "/" in p or name not in _LISTERS]
    paths += [w for w in command[3:] if name == "for" and "/" in w]  # what a loop goes over
    return [Contact(Purpose.FILES, name, p[:MAX_TARGET]) for p in paths]


def _apart(
    name: str,
    command: tuple[str, ...],
    text: str,
    functions: frozenset[str],
    written: str,
    competition: str,
) -> Iterator[Contact]:
    """Yield what a command fetches whose address stands elsewhere, or that fetches for others."""
    if name in functions:
        given = tuple(w for w in command if "/" in w)
        yield from _fetched(name, (name, *given), competition)
    yield from from_list(name, command, text, by_xargs=written in {"xargs", "parallel"})
    yield from given_to(name, command, competition)
    if name == "git" and {"pull", "fetch"} & set(command[1:4]):
        for remote in _REMOTE.finditer(text):
            yield from _cloned(name, (name, "fetch", remote[1]), competition)
    for word in command[1:]:
        if "/vsicurl/" in word or name.startswith(("ogr", "gdal")):
            address = next(iter(addresses(word)), "")
            yield from contacts_at(name, address, competition) if address else ()


def _unwrapped(words: tuple[str, ...]) -> tuple[str, ...]:
    """Take off what only wraps a command: ``timeout 60``, ``env A=b``, ``uv run``."""
    while words:
        name = posixpath.basename(words[0])
        runs = bool(_RUNNERS.get(name, frozenset()) & set(words[1:2]))
        if name == "uv" and words[1:2] == ("pip",):
            words = words[1:]
        if not runs and name not in _WRAPPERS:
            break
        rest = words[2:] if runs else words[1:]
        while rest and (rest[0].startswith("-") or _NO_COMMAND.match(rest[0])):
            rest = rest[2:] if rest[0] in _OPTION_VALUES else rest[1:]
        if name in {"docker", "podman"}:
            names_ = [posixpath.basename(w) for w in rest]  # an image may be of the client alone
            at = next((i for i, n in enumerate(names_) if n in _FETCHERS or n in _TOOLS), len(rest))
            rest = rest[at:]
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
    if name in {"ftp", "lftp", "sftp", "ncftp"}:
        for host in re.findall(r"^\s*open\s+(\S+)", heredoc, re.MULTILINE):
            yield from _fetched(name, (name, host), competition)
        return
    if name in LANGUAGES:
        code = "\n".join([*command[1:], heredoc]) if _GIVEN & set(command) else heredoc
        yield from (c for _, c in other_contacts(code, competition, LANGUAGES[name]))
        return
    if name == "eval":
        text = " ".join(command[1:])
    if not text.strip() and name not in _DETACHERS:
        return
    if _PYTHONS.match(name):
        unit = CodeUnit("", 1, "python", text, "")
        python = list(python_contacts([unit], competition, with_files=with_files))
        idle = lines_not_run(text, runs=()) if python else frozenset()
        yield from (found.contact for found in python if found.first_line not in idle)
    elif name in _SHELLS or name in _DETACHERS:
        text = next((w for w in command[1:] if " " in w), text) if name in _DETACHERS else text
        yield from (c for _, c in shell_contacts(text, competition, with_files, depth + 1))


def _of_command(name: str, command: tuple[str, ...], competition: str) -> Iterator[Contact]:
    if _PYTHONS.match(name) and "-m" in command[:3]:
        command = command[command.index("-m") + 1 :]
        name = command[0] if command else ""
    arguments = [w for w in command[1:] if not w.startswith("-")]
    if name in _FETCHERS:
        yield from _fetched(name, command, competition)
        yield from asked_by_variable(name, command)
    elif name in MANAGERS:
        yield from installed(name, command, competition)
    elif name in {"git", "gh", "svn", "hg"}:
        yield from llm_tool(name, arguments, command) if name == "gh" else ()
        yield from _cloned(name, command, competition)
    elif name in _TOOLS:
        yield from _TOOLS[name](name, arguments, command)
    else:
        yield from other_tool(name, arguments, command, competition)


def _fetched(name: str, command: tuple[str, ...], competition: str) -> Iterator[Contact]:
    is_probe = bool({"-I", "--head", "--spider", "-sI", "-Is", "-sSI"} & set(command)) or (
        "/dev/null" in command and not _keeps(name, command)
    )
    skip = False
    for word in command[1:]:
        if skip or word.startswith("-"):
            skip = not skip and _takes_value(name, word)
            continue
        if word.startswith("magnet:"):
            yield Contact(Purpose.DATA, name, word[:MAX_TARGET])
        address = as_address(_SERIES.sub("1", word))
        yield from packed_at(name, address) if address else ()
        for contact in contacts_at(name, address, competition) if address else ():
            is_reach = is_probe and contact.purpose is not Purpose.LLM
            yield contact._replace(purpose=Purpose.REACH) if is_reach else contact


def _keeps(name: str, command: tuple[str, ...]) -> bool:
    """Say whether what is fetched goes to a file, though what is printed goes nowhere."""
    told = [v for o, v in pairwise(command) if _OUTPUT.match(o)]
    return any(v != "/dev/null" for v in told) or (
        not told and (name != "curl" or any(_REMOTE_NAME.match(w) for w in command))
    )


def _takes_value(name: str, option: str) -> bool:
    """Say whether the word after an option belongs to it, as with ``-so FILE``."""
    if option in _TAKE_VALUES:
        return True
    letters = next((v for k, v in _LETTERS.items() if name.startswith(k)), "oOdxsnPf")
    return bool(re.match(r"^-[a-zA-Z]+$", option)) and option[-1] in letters


_LETTERS = {"wget": "OPoaeiUtTwQBAR", "curl": "oHdXueATFmwxbcKErC"}  # that a value follows
_OUTPUT = re.compile(r"^(?:-[a-zA-Z]*[oO]|--out\w*(?:-document|-dir)?)$")
_REMOTE_NAME = re.compile(r"^(?:-[a-zA-Z]*O[a-zA-Z]*|--remote-name\w*)$")
_SERIES = re.compile(r"\{[^{}]{0,80}\}|\[\d+-\d+(?::\d+)?\]")  # one of them stands for all
_GIVEN = names("-e -E -c -r -p -n --eval -Command -command")
_LISTERS = names(
    """ls tree du find fd tail cut sort awk sed grep zgrep rg less more wc md5sum sha1sum sha256sum
    cmp diff shuf jq xsv mlr csvcut csvstat csvgrep csvsql sqlite3 h5ls h5dump h5stat identify
    convert mogrify fdupes findimagedupes scp install dd squashfuse mount"""
)
_READERS = (
    names(
        """cat head unzip tar bsdtar 7z 7za 7zr unrar unar cpio cp mv ln gunzip zcat gzip pigz
        bunzip2 bzcat bzip2 unxz xz xzcat zstd unzstd zstdcat rsync"""
    )
    | _LISTERS
)
_VERBS = names(
    "clone repo submodule checkout export lfs pull fetch release search archive ls-remote"
)
_TAKE_VALUES = names(
    """--output --header --data --data-raw --data-binary --data-urlencode --json --form
    --form-string --request --user --user-agent --referer --upload-file --max-time --retry
    --connect-timeout --retry-delay --retry-max-time --write-out --proxy --cookie --cookie-jar
    --cacert --cert --key --config --limit-rate --resolve --output-dir --output-document
    --directory-prefix --output-file --tries --timeout --wait --password --post-data --post-file
    --input-file --load-cookies --accept --reject"""
)


def _cloned(name: str, command: tuple[str, ...], competition: str) -> Iterator[Contact]:
    words = list(command[1:])
    while words[:1] and words[0] in {"-C", "-c"}:  # with a folder or a setting
        words = words[2:]
    arguments = [w for w in words if not w.startswith("-")]
    if not arguments or arguments[0] not in _VERBS:
        return
    arguments += [w.partition("=")[2] for w in words if w.startswith("--remote=")]
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
    if arguments[:1] == ["bedrock-runtime"] or arguments[:2] == ["ai", "endpoints"]:
        yield Contact(Purpose.LLM, name, " ".join(arguments[:3])[:MAX_TARGET])
        return
    places = [w for w in arguments if re.match(r"^(?:s3|gs|oss|cos|https?)://|^[\w.-]+:", w)]
    remote = places[0] if places else ""
    is_sent = places == arguments[-1:] and len(arguments) > len(("cp", "a"))  # what goes there
    if (
        remote
        and not (is_sent and "ls" not in arguments)
        and ({"cp", "sync", "ls", "copy", "rsync"} & set(arguments) or name in _COPIERS)
    ):
        yield Contact(Purpose.DATA, name, remote[:MAX_TARGET])


def _module(name: str, arguments: list[str], _command: tuple[str, ...]) -> Iterator[Contact]:
    """``python -m spacy download``, ``ollama pull``: resources that honest work uses."""
    gets = {"download", "pull", "get", "get-url", "import", "import-url", "fetch"}
    gets |= {"update"} if name == "dvc" else set()
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
_COPIERS = frozenset({"rclone", "azcopy", "s5cmd", "ossutil", "ossutil64", "coscli", "coscmd"})
_TOOLS = {
    "kaggle": _kaggle,
    **dict.fromkeys(("huggingface-cli", "hf"), _hub),
    **dict.fromkeys(("aws", "gsutil", "gcloud", *_COPIERS), _bucket),
    **dict.fromkeys(("rsync", "sftp", "scp"), _copied_here),
    **dict.fromkeys(("duckdb", "clickhouse", "clickhouse-local"), _database),
    **dict.fromkeys(("spacy", "nltk.downloader", "ollama", "gdown", "dvc", "tfds"), _module),
    **dict.fromkeys(("ping", "nslookup", "dig", "traceroute", "host"), _reach),
    **dict.fromkeys(LLM_TOOLS, llm_tool),
}
