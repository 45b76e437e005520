"""Programs of the command line that ask a hosted language model."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.rules.hosts import MAX_TARGET, Contact, Purpose
from detectors.rules.llm_clients import HOSTED_MODEL

if TYPE_CHECKING:
    from collections.abc import Iterator

_ASKED_BY = {  # words of which one has to be there; none where any prompt does
    "openai": r"^api$",
    "llm": r"^(?:-m|prompt|chat|embed\S*|-s|-t|-x)$",
    "claude": r"^(?:-p|--print|-c|--continue)$",
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
# The scaffold itself is started so: with the task, or with leave to do everything.
_IS_SCAFFOLD = re.compile(
    r"instructions?\b|dangerously|--yolo|--full-auto|skip-permissions|bypass|allowed-?tools|"
    r"--auto-approve|\bsolve the (?:task|competition)|\btask\.(?:md|txt)",
    re.IGNORECASE,
)


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
    if name == "ollama":  # its cloud; other models run here
        asks = asks and any(re.search(r"[:-]cloud$", w) for w in arguments)
    if asks and not _IS_SCAFFOLD.search(" ".join(command)):
        model = next((w for w in command if HOSTED_MODEL.match(w)), " ".join(arguments[:2]))
        yield Contact(Purpose.LLM, name, model[:MAX_TARGET])
