"""Contacts with a network that no call in code shows: told by output, or set in configurations."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from detectors.parsing import lines_of, parse_leniently
from detectors.rules.hosts import Contact, Purpose, addresses, contacts_at
from detectors.rules.shell_clients import shell_contacts
from detectors.text_file import TextFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from detectors.units import CodeUnit

MAX_LINE = 4096
MIN_PRINTED = 12  # characters of a printed text by which it is known again
_TOLD_ADDRESS = re.compile(  # before what is fetched: R, torch, Keras, gdown, pooch, wget
    r"(?:\btrying URL|\bDownloading(?: data)?(?: from)?:?|^From(?: \(\w+\))?:|\bFetching|"
    r"\bRetrieving|^--\d{4}-\d\d-\d\d \d\d:\d\d:\d\d--)\s+[\"'‘]?(?P<address>(?:https?|ftp)://[^\s\"'’<>]{3,2000})",
    re.MULTILINE,
)
_BEGUN = re.compile(  # torch, which tells no more where nobody looks on
    r"^Downloading: \"(?P<address>https?://[^\"\s]{3,2000})\" to ", re.MULTILINE
)
BEGAN = "the program, which began a download,"
_ARRIVED = re.compile(
    r"^downloaded [\d.]+ ?[kmg]?b|\b100(?:\.0)? ?%|saved \[|\b(\d{4,})/\1 (?:\[=+\]|━+)",
    re.MULTILINE,
)
_FROM_HOST = re.compile(
    r"\b(?:downloaded|fetched|retrieved|received|heruntergeladen)\b[^\n]{0,80}\b(?:from|von) "
    r"(?P<address>(?:https?://)?(?:[\w-]+\.)+[a-z]{2,10}(?:/[^\s\"'<>]*)?)(?=[\s).,;:]|$)",
    re.IGNORECASE,
)
_ANSWERED = re.compile(  # a server's own log has the version behind the address
    r"\b(?:GET|POST)\b[: ]+[\"'(]?(?P<address>https?://[^\s\"'<>]{3,2000}+)[\"')]?(?! HTTP/)"
    r"[^\n]{0,60}?(?<![\d.])200\b"
)
MIN_ANSWERS = 3
_MODEL_ANSWERED = re.compile(  # httpx and the clients above it, urllib3
    r"\bHTTP Request: POST (?P<address>https?://[^\s\"'<>]{3,300}) [\"']?HTTP/[\d.]+ 2\d\d"
)
_ASKS_MODEL = re.compile(  # with how many rows it asks about
    r"^(?:now )?(?:asking|querying|prompting|calling) (?P<model>gpt-[3-9][\w.-]*|chatgpt\S*|"
    r"o[134](?:-mini|-preview|-pro)|claude-\S+|gemini-\S+|deepseek-(?:chat|reasoner)|grok-\S+)"
    r" [^\n]{0,40}?\b\d+ (?:\w+ )?(?:images?|rows?|texts?|items?|samples?|comments?|essays?|"
    r"pictures?|examples?|sentences?|documents?|questions?|ids?)\b",
    re.IGNORECASE | re.MULTILINE,
)
_SPENT = re.compile(  # on a program's own answers
    r"\b(?:prompt|input)[ _]tokens\b[^\n]{0,40}?\b(?:completion|output)[ _]tokens\b[^\n]{0,40}?"
    r"(?:\$|USD)\s?\d",
    re.IGNORECASE,
)
_BAR = re.compile(  # of a file with its speed, as libraries of hubs show it
    r"(?:^|[\s|/])(?P<file>[\w.-]{1,80}\.(?P<kind>safetensors|bin|pth?|h5|gguf|onnx|ckpt|model|zip|tar|gz|"
    r"tgz|parquet|csv|npz))(?:\s*\([^)]*\))?:?\s+100%[^\n]{0,80}\d ?[kMG]i?B/s",
    re.MULTILINE,
)
_NO_BAR = re.compile(  # of a file of this machine
    r"\b(?:extract|unzip|unpack|decompress|writ|read|sav|load|copy|hash|upload|convert)\w*\b",
    re.IGNORECASE,
)
_WEIGHTS = frozenset({"safetensors", "bin", "pt", "pth", "h5", "gguf", "onnx", "ckpt", "model"})
_FETCHED = frozenset({Purpose.DATA, Purpose.SOLUTIONS, Purpose.WEIGHTS, Purpose.CODE, Purpose.LLM})
_KEY = re.compile(r"^[\s{,-]*[\"']?(?P<key>[A-Za-z_][\w.-]*)[\"']?\s*[:=]")
_NO_SOURCE = re.compile(
    r"home_?page|docs?\b|documentation|licen[sc]e|citation|cite|reference|paper|author|repository|"
    r"\brepo\b|schema|issue|image|logo|description|readme|about|tracker|proxy|index_?url|mirror",
    re.IGNORECASE,
)
_READS = re.compile(
    r"\b(?:read_\w+|scan_\w+|urlopen|urlretrieve|(?:requests|httpx|session|s|client)\.(?:get|post|request)|"
    r"download\w*|fetch\w*|load_dataset|snapshot_download|retrieve|wget|curl|fread|read\.\w+|"
    r"open|load_state_dict_from_url|get_file)\s*\(|\b(?:wget|curl|aria2c)\s"
)

_FETCHES = re.compile(
    r"\b(?:urlopen|urlretrieve|(?:requests|httpx|session|client)\.(?:get|post|stream)|download\w*|"
    r"wget\.\w+|retrieve|read_(?:csv|parquet|json|table))\s*\("
)
_COMMAND_LINE = re.compile(  # in a file that a runner of tasks reads, or as it prints it
    r"^[^\S\n]{0,40}(?:-[^\S\n]+)?(?:(?:cmds?|run|commands?|script|shell|entrypoint)[^\S\n]*:[^\S\n]*)?[\"']?"
    r"(?P<command>(?:wget|curl|aria2c|axel|gdown|lftp|kaggle|huggingface-cli|hf|aws|gsutil|git|gh)"
    r"[^\S\n]+[^\n]{3,2000})$",
    re.MULTILINE,
)
_TASKS = re.compile(
    r"(?:^|/)(?:Taskfile|dvc|docker-compose|compose|\.gitlab-ci|azure-pipelines|cloudbuild|devcontainer|"
    r"noxfile|tox|Snakefile|\w*(?:workflow|pipeline|tasks?|jobs?|build|ci|setup))[\w.-]*$"
)
_ALL_ASKED = re.compile(  # of a file of settings, whatever its keys are
    r"\bload(?:s|_all)?\([^\n]{0,120}\)(?:\[[^\]\n]{1,40}\]|\.get\([^)\n]{1,40}\))?\.(?:items|values)\(\)"
)
_VARIABLE = re.compile(
    r"\b(?P<name>[A-Z][A-Z0-9_]{2,40})=[\"']?(?P<address>(?:https?|ftp|s3|gs)://[^\s\"';]{3,2000})"
)
_DEFAULT = re.compile(  # of an option
    r"[\"']--?(?P<name>[\w-]{1,40})[\"'][^()\n]{0,200}?\bdefault\s*=\s*[\"']"
    r"(?P<address>(?:https?|ftp|s3|gs)://[^\s\"']{3,2000})[\"']"
)


def told_in(text: str, competition: str, *, is_own: bool) -> Iterator[Contact]:
    """Yield what output tells that a program fetched.

    Parameters
    ----------
    is_own : bool
        The text is what the attempt's programs printed, and nothing of a runner's.

    Examples
    --------
    >>> [c.target for c in told_in("vit.safetensors: 100%|##| 3M/3M [2MB/s]", "", is_own=False)]
    ['vit.safetensors']
    """
    small = text.lower()
    yield from _begun(text, small, competition)
    if "://" in small and _ARRIVED.search(small):
        for told in _TOLD_ADDRESS.finditer(text):
            yield from contacts_at("the program", told["address"].rstrip(".,;:"), competition)
    if "b/s" in small:
        for bar in (b for b in _BAR.finditer(text) if not _NO_BAR.search(_before(text, b))):
            purpose = Purpose.WEIGHTS if bar["kind"] in _WEIGHTS else Purpose.DATA
            yield Contact(purpose, "the program", bar["file"])
    for echoed in _COMMAND_LINE.finditer(text) if is_own and "://" in small else ():  # by make
        yield from (c for _, c in shell_contacts(echoed["command"], competition))
    for form in (_FROM_HOST, _ANSWERED) if is_own else ():
        for told in form.finditer(text):
            address = told["address"].rstrip(".,;:")
            address = address if "://" in address else f"https://{address}"
            for contact in contacts_at("the program", address, competition):
                if contact.purpose is not Purpose.LLM:
                    yield contact


def _before(text: str, found: re.Match[str]) -> str:
    """Return the line before a place."""
    return text[text.rfind("\n", 0, found.start("file")) + 1 : found.start("file")]


def _begun(text: str, small: str, competition: str) -> Iterator[Contact]:
    """Yield what programs tell that they fetch whose output ends before it has arrived."""
    for told in _BEGUN.finditer(text) if 'downloading: "' in small else ():
        for contact in contacts_at(BEGAN, told["address"], competition):
            yield contact._replace(is_implicit=True)
    if "pulling manifest" in small and "100%" in small:  # as ollama shows it
        yield Contact(Purpose.WEIGHTS, "the program", "a local model")


def models_told(text: str, *, is_alone: bool) -> Iterator[Contact]:
    """Yield hosted models that a program asked, by what its client printed.

    Parameters
    ----------
    is_alone : bool
        The output is the program's alone. In a plain log the scaffold's own client may speak
        between two steps, so that fewer than three answers tell nothing.
    """
    for asked in _ASKS_MODEL.finditer(text):
        yield Contact(Purpose.LLM, "the program", asked["model"])
    spent = _SPENT.search(text) if is_alone else None
    if spent:
        yield Contact(Purpose.LLM, "the program", spent[0])
    if "://" not in text:
        return
    told = [t["address"] for t in _MODEL_ANSWERED.finditer(text)]
    if told and (is_alone or len(told) >= MIN_ANSWERS):
        found = (c for a in told for c in contacts_at("the program", a, ""))
        yield from (contact for contact in found if contact.purpose is Purpose.LLM)


def set_in_files(
    settings: Iterable[TextFile], units: Sequence[CodeUnit], competition: str
) -> Iterator[tuple[str, int, str, Contact]]:
    """Yield the addresses in configurations that code reads, as (file, line, text, contact).

    The code has to name the file, or to be started with one, and to use the address by its key.
    """
    of_units = [TextFile(u.path, u.text) for u in units if u.language in {"config", "other"}]
    yield from _commands_in((*settings, *of_units), competition)
    code = "\n".join(unit.text for unit in units)
    if not _READS.search(code):
        return
    of_units = [TextFile(u.path, u.text) for u in units if u.language == "config"]
    for file in (*settings, *of_units):
        name = file.name.rpartition("/")[2]
        stem = name.rpartition(".")[0]
        is_read = (
            name in code
            or (name == ".env" and "environ" in code)
            or re.search(rf"config_name\s*=\s*[\"']{re.escape(stem)}[\"']", code)
        )
        if not is_read:
            continue
        keys: list[str] = []
        for number, line in enumerate(lines_of(file.text), start=1):
            found = _KEY.match(line[:MAX_LINE].replace("://", "//"))  # an address is no key
            keys = [*keys[-2:], found["key"]] if found else keys
            told = addresses(line[:MAX_LINE])
            key = keys[-1] if keys else ""
            if not told or not key or _NO_SOURCE.search(key) or not _uses(code, key):
                continue
            for contact in (c for a in told for c in contacts_at(name, a, competition)):
                if contact.purpose in _FETCHED:
                    yield file.name, number, line.strip(), contact


def _commands_in(
    files: Iterable[TextFile], competition: str
) -> Iterator[tuple[str, int, str, Contact]]:
    """Yield what the commands ask that a runner of tasks is told."""
    for file in files:
        if not _TASKS.search(file.name):
            continue
        for found in _COMMAND_LINE.finditer(file.text):
            line = file.text.count("\n", 0, found.start("command")) + 1
            for _, contact in shell_contacts(found["command"].rstrip("\"'"), competition):
                yield file.name, line, found[0].strip(), contact


def given_to_scripts(
    runs: Sequence[str], units: Sequence[CodeUnit], competition: str
) -> Iterator[tuple[str, int, str, Contact]]:
    """Yield the addresses that scripts which fetch are given: by commands, variables and defaults.

    Each comes as (file, line, text, contact), of the script that fetches.
    """
    commands = [*runs, *(u.text for u in units if u.language == "shell")]
    lines = [line for text in commands for line in text.split("\n") if "://" in line]
    for unit in units:
        asks = _FETCHES.search(unit.text) if unit.language == "python" else None
        if asks is None:
            continue
        name = unit.path.partition("#")[0].rpartition("/")[2]
        given = [a for line in lines if name in line for a in addresses(line)]
        given += [
            found["address"]
            for line in lines
            for found in _VARIABLE.finditer(line)
            if re.search(rf"[\"']{found['name']}[\"']", unit.text)
        ]
        given += [
            found["address"]
            for found in _DEFAULT.finditer(unit.text)
            if _is_used(found["name"].replace("-", "_"), unit.text)
        ]
        at = unit.text.count("\n", 0, asks.start())
        for contact in (c for a in given for c in contacts_at(name, a, competition)):
            if contact.purpose in _FETCHED:
                yield unit.path, unit.first_line + at, unit.text.split("\n")[at].strip(), contact


def _is_used(option: str, code: str) -> bool:
    """Say whether code uses an option: of its arguments, or as a parameter of a function."""
    return bool(re.search(rf"\.{option}\b|\bdef \w+\([^)\n]*\b{option}\b", code))


def _uses(code: str, key: str) -> bool:
    """Say whether code asks for a key: as an attribute, or by its name in a text."""
    asked = rf"\.{re.escape(key)}\b|[\"']{re.escape(key)}[\"']"
    return re.search(asked, code) is not None or _ALL_ASKED.search(code) is not None


def lines_not_taken(text: str, printed: str) -> frozenset[int]:
    r"""Return the lines of branches beside which the other one was taken, by what it printed.

    Parameters
    ----------
    printed : str
        What the logs have.

    Examples
    --------
    >>> code = "if gone:\n    get()\nelse:\n    print('found in the image')\n"
    >>> sorted(lines_not_taken(code, "found in the image"))
    [2]
    """
    found: set[int] = set()
    nodes = (n for s in parse_leniently(text).body for n in ast.walk(s))
    for node in nodes:
        if isinstance(node, ast.If) and node.orelse:
            for one, other in ((node.body, node.orelse), (node.orelse, node.body)):
                if _was_printed(other, printed) and not _was_printed(one, printed):
                    found |= {
                        n for s in one for n in range(s.lineno, (s.end_lineno or s.lineno) + 1)
                    }
    return frozenset(found)


def _was_printed(body: Sequence[ast.stmt], printed: str) -> bool:
    """Say whether a text that a branch prints stands in what was printed."""
    calls = (n for s in body for n in ast.walk(s) if isinstance(n, ast.Call))
    texts = (
        inner.value.strip()
        for call in calls
        if getattr(call.func, "id", getattr(call.func, "attr", "")) in {"print", "info", "warning"}
        for given in call.args
        for inner in ast.walk(given)
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str)
    )
    return any(len(text) >= MIN_PRINTED and text in printed for text in texts)
