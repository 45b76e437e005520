"""Prompts that a log of JSON keeps in forms of its own: messages of requests, fields of prompts.

What the model answered stands beside them, under other names and roles, and was told to nobody.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_DOCUMENT = 4 << 20  # characters of a document that is read
MAX_DEPTH = 12
MAX_TEXTS = 2_000  # of one document
_TOLD = frozenset({"system", "user", "developer", "human", "environment"})
_OF_TOOLS = frozenset({"tool_result", "tool_use", "function_call", "function_call_output"})
_CONTENT = frozenset({"content", "text", "value", "message"})
_KEY = re.compile(
    r"^(?:(?:system|user|full|base|task|developer|agent)_?)?(?:prompts?|instructions?)(?:_text)?$|"
    r"^(?:prior_?)?(?:knowledge|hints?|tips|insights|lessons|memor(?:y|ies)|retrieved\w*|"
    r"microagent_knowledge|"
    r"(?:task_?)?description|context|few_?shots?|examples_shown|extra_context)$|^prompt_messages$|^(?:\w{1,40}_)?prompt_templates?$",
    re.IGNORECASE,
)
_ANSWERED = re.compile(
    r"^(?:completions?|responses?|outputs?|answers?|choices|assistant|thoughts?|reasoning|plan|"
    r"code|analysis|"
    r"result|stdout|stderr|term_out|_term_out|observations?|tool_calls|command|actions?)$",
    re.IGNORECASE,
)
_TELLS = re.compile(  # what a scaffold answers by itself, and runs nothing for
    r"(?:get|request|read|load|fetch|retrieve|recall|lookup)_"
    r"(?:history|info\w*|hints?|tips|knowledge|memor\w+|context|feedback)$",
    re.IGNORECASE,
)
_RETURNED = re.compile(r"^\s*(?:<(?:returncode|output|result)|observations?\b|output\b|\$ )", re.I)


def told_in_json(text: str) -> Iterator[str]:
    """Yield the texts of a JSON document, or of lines of JSON, that were told to the agent.

    Examples
    --------
    >>> [*told_in_json('{"prompt": "Use BERT.", "completion": "I recall much."}')]
    ['Use BERT.']
    >>> [*told_in_json('{"message": {"role": "assistant", "content": "I recall much."}}')]
    []
    """
    left = MAX_TEXTS
    for value in _values(text[:MAX_DOCUMENT]):
        for found in _told(value, is_told=False, depth=0):
            if not left:
                return
            left -= 1
            yield found


def _values(text: str) -> Iterator[object]:
    """Yield the document, or what stands on each line."""
    try:
        yield json.loads(text)
    except (ValueError, RecursionError):
        for line in text.split("\n"):
            if line.lstrip()[:1] in {"{", "["}:
                try:
                    yield json.loads(line)
                except (ValueError, RecursionError):
                    continue


def _told(value: object, *, is_told: bool, depth: int) -> Iterator[str]:
    if depth > MAX_DEPTH:
        return
    if isinstance(value, str):
        if is_told and not _RETURNED.match(value):
            yield value
    elif isinstance(value, list):
        for part in value:
            yield from _told(part, is_told=is_told, depth=depth + 1)
    elif isinstance(value, dict) and value.get("type") not in _OF_TOOLS:
        yield from _answered(value.get("actions"))
        role = value.get("role")
        by_role = role.lower() in _TOLD if isinstance(role, str) else is_told
        for key, part in value.items():
            if isinstance(role, str) and not by_role:
                continue
            if not _ANSWERED.match(str(key)):
                told = bool(_KEY.match(str(key))) or (by_role and key in _CONTENT)
                yield from _told(part, is_told=told, depth=depth + 1)


def _answered(actions: object) -> Iterator[str]:
    """Yield what the scaffold itself answered among actions of the agent."""
    for one in actions if isinstance(actions, list) else ():
        name = one.get("action") if isinstance(one, dict) else None
        if isinstance(one, dict) and isinstance(name, str) and _TELLS.match(name):
            yield from (text for key in _CONTENT if isinstance(text := one.get(key), str))
