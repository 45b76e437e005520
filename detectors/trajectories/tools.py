"""What a call of an agent's tool is, from the tool's name and its arguments."""

from __future__ import annotations

import json
import re
import shlex
from typing import TYPE_CHECKING, Any

from detectors.trajectories.commands import looks_like_command
from detectors.trajectories.events import Event, EventKind
from detectors.trajectories.json_events import nested_json
from detectors.trajectories.json_stream import Text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from detectors.trajectories.records import At


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


SHELL = _names(
    """bash shell sh terminal execute_bash run run_command execute_command execute_shell exec cmd
    command bash_session"""
)
PYTHON = _names(
    """python ipython run_ipython execute_ipython_cell execute_ipython python_repl execute_code
    run_python validate_code jupyter code_interpreter"""
)
READS = _names(
    """read read_file view view_file open open_file list_files understand_file retrieval_from_file
    inspect_script_lines scroll list_dir list_directory ls list tree dir view_directory"""
)
FINDS = _names("""glob find find_file find_files file_glob_search glob_file_search locate""")
GREPS = _names(
    """grep search_files search_dir ripgrep rg grep_search file_search codebase_search"""
)
WRITES = _names(
    """write write_file create create_file append append_file save_file edit edit_file edit_script
    edit_script_ai edit_script_segment edit_script_segment_ai undo_edit_script insert
    str_replace"""
)
COPIES = frozenset({"copy_file"})
EDITORS = _names(
    """str_replace_editor str_replace_based_edit_tool text_editor edit_anthropic file_editor"""
)
REQUESTS = _names(
    """browse browse_interactive browser web_browser web_browser_go web_search search_web search
    fetch fetch_url web_fetch visit http_request download download_file"""
)
_OF_THE_WEB = re.compile(  # tools of servers and plug-ins: ``mcp__fetch__fetch``
    r"(?:^|_)(?:web|internet|google|bing|brave|tavily|exa|serp\w*|duckduckgo|perplexity|wikipedia|"
    r"arxiv|kaggle|url|http|browser?|fetch|scrape|crawl|firecrawl|navigate|goto|playwright|"
    r"puppeteer)(?:_|$)"
)
THOUGHTS = frozenset({"think", "thought", "reflection", "note", "plan"})
ANSWERS = frozenset({"finish", "submit", "final_answer", "message", "request_help", "answer"})
SCRIPTS = frozenset({"execute_script", "run_script"})

_COMMANDS = ("command", "cmd", "input", "script", "commands", "keystrokes")
_CODES = ("code", "command", "source", "input", "script", "python")
_PATHS = ("path", "file_path", "file_name", "filename", "file", "save_as", "save_script_as",
          "destination", "script_name", "dir_path", "target", "paths")  # fmt: skip
_CONTENTS = ("file_text", "content", "contents", "new_str", "new_string", "code", "text", "diff",
             "edit_instruction", "append_text")  # fmt: skip
_ADDRESSES = ("url", "query", "q", "link", "address", "browser_actions")
_WORDS = ("thought", "content", "text", "message", "answer", "final_answer", "request", "input")


def call(at: At, name: str, arguments: Any) -> list[Event]:  # noqa: ANN401 - any JSON value
    """Read one call; what stands in arguments that the tool is not known for is read by its keys.

    Parameters
    ----------
    arguments : Any
        An object, a text that holds one, or a text.
    """
    values = _named(arguments)
    parted = re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", "_", name.strip())  # as in WebFetch
    tool = re.sub(r"\W+", "_", parted.lower()).strip("_")
    if tool in EDITORS:
        tool = "view" if values.get("command") == "view" else "write"
    for names, of_call in _KINDS:
        if tool in names:
            used, events = of_call(at, name, values)
            rest = at.rest(values, {*used, "thought", "security_risk"})
            return [*events, *(e for e in rest if e.kind is not EventKind.TEXT)]
    if _OF_THE_WEB.search(tool) and {*_ADDRESSES} & values.keys():
        return [*_request(at, name, values)[1]]
    return at.rest(values, ()) or [at.event(EventKind.TEXT, f"{name} {_shown(values)}")]


def _named(arguments: Any) -> dict[str, Any]:  # noqa: ANN401
    if isinstance(arguments, str):
        inner = nested_json(arguments)
        arguments = _at_line(inner, arguments) if inner else {"input": arguments}
    return arguments if isinstance(arguments, dict) else {"input": _shown(arguments)}


def _at_line(values: Any, outer: str) -> Any:  # noqa: ANN401
    """Let the texts of JSON within JSON stand where the outer text does."""
    if not isinstance(outer, Text) or not isinstance(values, dict):
        return values
    return {k: Text(v, outer.line) if isinstance(v, str) else v for k, v in values.items()}


def _shown(value: Any) -> str:  # noqa: ANN401
    try:
        return json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):
        return ""


def _first(values: dict[str, Any], keys: Iterable[str]) -> tuple[str, str]:
    """Return the first of the keys that has a text, and the text."""
    for key in keys:
        value = values.get(key)
        if isinstance(value, list) and value and all(isinstance(v, str) for v in value):
            line = value[0].line if isinstance(value[0], Text) else None
            value = " ".join(value) if line is None else Text(" ".join(value), line)
        if isinstance(value, str):
            return key, value
    return "", ""


_Read = tuple[set[str], list[Event]]


def _command(at: At, _name: str, values: dict[str, Any]) -> _Read:
    key, text = _first(values, _COMMANDS)
    return {key}, [at.event(EventKind.COMMAND, text)] if text else []


def _code(at: At, _name: str, values: dict[str, Any]) -> _Read:
    key, text = _first(values, _CODES)
    return {key}, [at.event(EventKind.CODE, text)] if text else []


def _script(at: At, _name: str, values: dict[str, Any]) -> _Read:
    key, path = _first(values, _PATHS)
    line = path.line if isinstance(path, Text) else at.line
    return {key}, [at.event(EventKind.COMMAND, Text(f"python {path}", line), target=path)]


def _read(at: At, name: str, values: dict[str, Any]) -> _Read:
    key, path = _first(values, (*_PATHS, "input"))
    line = path.line if isinstance(path, Text) else at.line
    text = Text(f"{name} {path}".strip(), line)
    return {key, "command"}, [at.event(EventKind.READ, text, target=path)]


def _found(at: At, name: str, values: dict[str, Any]) -> _Read:
    """Read a search for files, or in them, as the command of a shell that does the same."""
    key, pattern = _first(values, ("pattern", "query", "name", "regex", "glob", "input"))
    at_path, path = _first(values, (*_PATHS, "directory", "dir", "root", "cwd"))
    tool = re.sub(r"\W+", "_", name.strip().lower()).strip("_")
    if not path and pattern.startswith("/"):
        path, _, pattern = pattern.partition("*")
        pattern = f"*{pattern}"
    line = pattern.line if isinstance(pattern, Text) else at.line
    how = "grep -r" if tool in GREPS else "find"
    words = (
        f"{shlex.quote(pattern)} {path or '.'}"
        if tool in GREPS
        else (f"{path or '.'} -name {shlex.quote(pattern)}")
    )
    return {key, at_path}, [at.event(EventKind.COMMAND, Text(f"{how} {words}", line))]


def _write(at: At, _name: str, values: dict[str, Any]) -> _Read:
    at_path, path = _first(values, _PATHS)
    at_text, text = _first(values, (*_CONTENTS, "input"))
    if not text and path:
        text = path
    return {at_path, at_text, "command", "old_str"}, [at.event(EventKind.WRITE, text, target=path)]


def _copied(at: At, name: str, values: dict[str, Any]) -> _Read:
    """Read a copy: one file is read, another one written."""
    at_source, source = _first(values, ("source", "src", "from", "input"))
    at_target, target = _first(values, ("destination", "dest", "dst", "to", *_PATHS))
    line = source.line if isinstance(source, Text) else at.line
    text = Text(f"{name} {source} {target}".strip(), line)
    done = [
        at.event(EventKind.READ, text, target=source),
        at.event(EventKind.WRITE, text, target=target),
    ]
    return {at_source, at_target}, done


def _request(at: At, name: str, values: dict[str, Any]) -> _Read:
    key, address = _first(values, (*_ADDRESSES, "input"))
    line = address.line if isinstance(address, Text) else at.line
    text = Text(f"{name} {address}".strip(), line)
    return {key}, [at.event(EventKind.NETWORK, text, target=address)]


def _thought(at: At, _name: str, values: dict[str, Any]) -> _Read:
    key, text = _first(values, _WORDS)
    return {key}, at.said(EventKind.THOUGHT, text, by="agent")


def _answer(at: At, _name: str, values: dict[str, Any]) -> _Read:
    key, text = _first(values, _WORDS)
    return {key}, at.said(EventKind.MESSAGE, text, by="agent")


_KINDS = (
    (SHELL, _command),
    (PYTHON, _code),
    (SCRIPTS, _script),
    (READS, _read),
    (FINDS | GREPS, _found),
    (COPIES, _copied),
    (WRITES, _write),
    (REQUESTS, _request),
    (THOUGHTS, _thought),
    (ANSWERS, _answer),
)
_EDITOR_LINE = re.compile(
    r"(?P<tool>\w+)\s+(?P<sub>view|create|str_replace|insert)\s+(?P<path>\S+)"
)
_TOOL_LINE = re.compile(
    r"(?P<tool>open|create|edit|goto|submit|find_file|search_file)\b[ \t]*(?P<path>\S*)"
)


def command_line(at: At, text: str) -> list[Event]:
    """Read an action that is a line of a shell in which an agent's tools are commands."""
    found = _EDITOR_LINE.match(text)
    if found and found["tool"] in EDITORS:
        kind = EventKind.READ if found["sub"] == "view" else EventKind.WRITE
        return [at.event(kind, text, target=found["path"])]
    found = None if looks_like_command(text) else _TOOL_LINE.match(text)
    if found and found["tool"] in {"create", "edit"}:
        path = "" if found["tool"] == "edit" else found["path"]
        return [at.event(EventKind.WRITE, text, target=path)]
    if found and found["tool"] == "open":
        return [at.event(EventKind.READ, text, target=found["path"])]
    return [at.event(EventKind.COMMAND, text)] if text.strip() else []
