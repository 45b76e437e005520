"""Programs of the command line that ask a hosted language model."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.rules.hosts import MAX_TARGET, Contact, Purpose, purpose_of
from detectors.rules.llm_clients import HOSTED_MODEL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.shell import Pipeline

_ASKED_BY = {  # words of which one has to be there; none where any prompt does
    "openai": r"^api$",
    "llm": r"^(?:-[mstxcfa]|prompt|chat|embed\S*|--(?:model|system|continue|extract|template))$",
    "claude": r"^(?:-p|--print|-c|--continue)$",
    "claude-code": r"^(?:-p|--print)$",  # as a package's name
    "gemini-cli": r"^(?:-p|--prompt)$",
    "gemini": r"^(?:-p|--prompt|-i|-m)$",
    "codex": r"^(?:exec|e|-q|--quiet)$",
    "cursor-agent": r"^(?:-p|--print)$",
    "copilot": r"^(?:-p|--prompt)$",
    "qwen": r"^(?:-p|--prompt)$",
    "opencode": r"^run$",
    "crush": r"^run$",
    "goose": r"^run$",
    "amp": r"^(?:-x|--execute)$",
    "droid": r"^exec$",
    "aider": r"^(?:-m|--message|--message-file)$",
    "q": r"^chat$",
    "cody": r"^chat$",
    "kimi": r"^(?:-p|--prompt|-c|--command)$",
    "grok": r"^(?:-p|--prompt)$",
    "cn": r"^(?:-p|--print)$",
    "plandex": r"^(?:tell|chat|build)$",
    "open-interpreter": "",
    "gpt-engineer": "",
    "gpte": "",
    "gptscript": "",
    "shell-gpt": "",
    "gh": r"^(?:models|copilot)$",
    "mods": "",
    "sgpt": "",
    "tgpt": "",
    "aichat": "",
    "chatgpt": "",
    "chatgpt-cli": "",
    "fabric": "",
    "interpreter": "",
    "litellm": r"^--(?:model|test)$",
    "ollama": r"^run$",
}
LLM_TOOLS = tuple(name for name in _ASKED_BY if name not in {"gh", "ollama"})
_TAKES_PROMPT = frozenset({"llm", "gemini", "gemini-cli", "claude", "codex", "qwen", "opencode"})
_IS_PROMPT = re.compile(r"^[^\s/]+\s+\S|^\$\(")  # words, and neither a subcommand nor a file
_RUNS = re.compile(r"^(?:python[\d.]*|Rscript|node|julia|bash|sh|uv)$|\.(?:sh|py|R|js|jl)$")
_BASE = re.compile(
    r"(?:OPENAI|ANTHROPIC|LLM|AZURE|GEMINI|MISTRAL)\w*(?:BASE|URL|ENDPOINT|HOST)", re.IGNORECASE
)
_EXPORTED = re.compile(
    r"\bexport\s+(?:\w+=\S*\s+){0,5}?\w*(?:OPENAI|ANTHROPIC|LLM|AZURE|GEMINI|MISTRAL)\w*"
    r"(?:BASE|URL|ENDPOINT|HOST)=[\"']?(?P<to>https?://[^\s\"';&]{4,300})"
)
_STARTS = re.compile(r"\b(python[\d.]*|Rscript|node|julia)\s+[\w./-]+\.(?:py|R|js|jl)\b")
_SCRIPT = re.compile(r"\.(?:py|R|js|jl|sh)$")
_COUNTS = re.compile(r"token|count|cost|pric|encod", re.IGNORECASE)
_LABELS = re.compile(  # of a script
    r"label|annotat|llm|gpt|ask|silver|pseudo|teacher|prompt|zero|classif|predict|vote|rate|grade|"
    r"judge|score|cache|warm|fetch|answer|expert|enrich|augment|synth",
    re.IGNORECASE,
)
_ANNOTATES = re.compile(
    r"^--?(?:backend|llm|teacher|annotator|label+er|judge|oracle|rater|engine|provider)"
    r"(?:[-_](?:model|name|id))?$"
)
_MODEL = re.compile(r"^(?:--model(?:[-_](?:name|id))?|-m)$")
_AT_VARIABLE = re.compile(
    r"^\$\{?(?P<name>\w+)\}?(?:/v\d+)?/(?:chat/completions|completions|messages|responses)$"
)
STARTS_AGENT = re.compile(
    r"\b(?:aide|(?<!/home/)agents?|scaffold|openhands|start|mlab|dojo)\b|agent\.py"
)
_KEY = re.compile(r"^(?:OPENAI|ANTHROPIC|GEMINI|GOOGLE|OPENROUTER|MISTRAL|GROQ|DEEPSEEK)_API_KEY$")
# The scaffold itself is started so: with the task, or with leave to do everything.
_IS_SCAFFOLD = re.compile(
    r"instructions?\b|dangerously|--yolo|--full-auto|skip-permissions|bypass|allowed-?tools|"
    r"--auto-approve|\bsolve the (?:task|competition)|\btask\.(?:md|txt)",
    re.IGNORECASE,
)


def pointed_to_model(pipeline: Pipeline) -> Iterator[Contact]:
    """Yield the hosted model that a program is pointed to by the variables it is started with.

    Examples
    --------
    >>> from detectors.shell import pipelines
    >>> (run,) = pipelines("OPENAI_BASE_URL=https://openrouter.ai/api/v1 python label.py")
    >>> [c.target for c in pointed_to_model(run)]
    ['https://openrouter.ai/api/v1']
    """
    started = any(_RUNS.match(command[0].rpartition("/")[2]) for command in pipeline.commands)
    for name, value in pipeline.given if started else ():
        if _BASE.search(name) and purpose_of(value) is Purpose.LLM:
            yield Contact(Purpose.LLM, pipeline.commands[0][0], value[:MAX_TARGET])
    words = [w for command in pipeline.commands for w in command]
    yield from _given_model(words) if started else ()
    model = next((w for w in words if HOSTED_MODEL.match(w.rpartition("=")[2])), "")
    if started and model and any(_KEY.search(n) and v for n, v in pipeline.given):
        yield Contact(Purpose.LLM, pipeline.commands[0][0], model[:MAX_TARGET])


def _given_model(words: list[str]) -> Iterator[Contact]:
    """Yield the hosted model that a program is given as the one to label with."""
    module = words[words.index("-m") + 1 :][:1] if words[1:2] == ["-m"] else []
    script = next((w for w in (*module, *words) if module or _SCRIPT.search(w)), "")
    if not script or STARTS_AGENT.search(" ".join(words)) or _COUNTS.search(script):
        return
    for option, value in zip(words, [*words[1:], ""], strict=True):
        name, sign, joined = option.partition("=")
        known = _ANNOTATES.match(name) or (_MODEL.match(name) and _LABELS.search(script))
        model = joined if sign else value
        is_server = "://" in model and name[:1] == "-" and purpose_of(model) is Purpose.LLM
        if is_server or (known and HOSTED_MODEL.match(model)):
            yield Contact(Purpose.LLM, script[:MAX_TARGET], model[:MAX_TARGET])


def asked_by_variable(name: str, command: tuple[str, ...]) -> Iterator[Contact]:
    """Yield a request to the path of a model's server at the host a variable names."""
    for word in command[1:]:
        found = _AT_VARIABLE.match(word)
        if found and _BASE.search(found["name"]):
            yield Contact(Purpose.LLM, name, word[:MAX_TARGET])


def exported_to_model(text: str) -> Iterator[tuple[int, Contact]]:
    """Yield the hosted model that a text of the shell points its programs to, with the line.

    A scaffold that is started so is none of them.
    """
    for found in _EXPORTED.finditer(text):
        rest = text[found.end() :]
        starts = _STARTS.search(rest)
        if starts and not STARTS_AGENT.search(rest) and purpose_of(found["to"]) is Purpose.LLM:
            line = text.count("\n", 0, found.start()) + 1
            yield line, Contact(Purpose.LLM, starts[1], found["to"][:MAX_TARGET])


def llm_tool(name: str, arguments: list[str], command: tuple[str, ...]) -> Iterator[Contact]:
    """Yield the contact that a command is, if it is one.

    Examples
    --------
    >>> [str(c.client) for c in llm_tool("claude", [], ("claude", "-p", "label these"))]
    ['claude']
    >>> list(llm_tool("claude", [], ("claude", "--version")))
    []
    """
    needs = _ASKED_BY.get(name, "")
    asks = any(re.match(needs, w) for w in command[1:]) if needs else bool(arguments)
    asks = asks or (name == "llm" and arguments[:1] == ["<"])
    asks = asks or (name in _TAKES_PROMPT and any(_IS_PROMPT.search(w) for w in arguments[:1]))
    if name == "ollama":  # its cloud; other models run here
        asks = asks and any(re.search(r"[:-]cloud$", w) for w in arguments)
    if asks and not _IS_SCAFFOLD.search(" ".join(command)):
        model = next((w for w in command if HOSTED_MODEL.match(w)), " ".join(arguments[:2]))
        yield Contact(Purpose.LLM, name, model[:MAX_TARGET])
