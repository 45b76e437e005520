"""Language models that an attempt's own commands and code asked, by the names they give them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from detectors.rules.usage import READS_FILES
from detectors.rules.weather import FAILED
from detectors.trajectories.commands import whole
from detectors.trajectories.events import Event, EventKind, events

if TYPE_CHECKING:
    from collections.abc import Iterator

    from detectors.attempt import Attempt

MAX_TEXT = 20_000
FAMILIES = (
    r"gpt-|o[1-9](?:-|\b)|chatgpt|claude|gemini|deepseek|llama|qwen|qwq|mi[sx]tral|grok|kimi|glm-|"
    r"command-|nova-|phi-|phi\d|gemma|minimax|ernie|hunyuan|doubao|jamba|sonar|nemotron|codestral|"
    r"magistral|codellama|starcoder|wizard|yi-|devstral"
)
_HINT = re.compile(FAMILIES, re.IGNORECASE)
_NAME = rf"(?P<name>(?:[\w.-]+[/:])*(?:{FAMILIES})[\w.:-]*)"
_QUOTED = rf"\\?[\"'](?:models/)?{_NAME}\\?[\"']"
_BY_COMMAND = (
    re.compile(rf"\bollama\s+run\s+(?:--?\w+(?:[= ]\S+)?\s+)*[\"']?{_NAME}", re.IGNORECASE),
    re.compile(
        r"(?:^|[;&|(]\s*|\s)(?:llm|aichat|claude|gemini|codex|sgpt|mods|chatgpt|aider|opencode|"
        rf"cursor-agent|goose|tgpt|qwen)\s(?:[^\n|;&]*?\s)?(?:-m|--model)[= ]\s*[\"']?{_NAME}",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:llama-cli|llama-run|llama\.cpp/(?:build/bin/)?\S+|llamafile)\b[^\n|;&]*?\s"
        rf"(?:-m|--model)[= ]\s*\S*?{_NAME}[^\n]*\s(?:-p|-f|--prompt)\b",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:curl|wget|http|xh)\b[^\n]*?(?:/api/(?:generate|chat)\b|/(?:chat/)?completions\b|"
        rf"/v1/(?:messages|responses)\b)[\s\S]*?\\?[\"']model\\?[\"']\s*:\s*{_QUOTED}",
        re.IGNORECASE,
    ),
    re.compile(rf"/models/{_NAME}:(?:stream)?generateContent", re.IGNORECASE),
)
_BY_CODE = (
    re.compile(rf"\bInferenceClient\(\s*(?:model\s*=\s*)?{_QUOTED}", re.IGNORECASE),
    re.compile(rf"\bGenerativeModel\(\s*(?:model_name\s*=\s*)?{_QUOTED}", re.IGNORECASE),
    re.compile(
        r"(?:completions?|responses|messages|models|chat)\.(?:create|parse|stream|generate_content|"
        rf"complete)\([\s\S]{{0,400}}?\bmodel\s*=\s*{_QUOTED}",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:litellm\.|ollama\.|client\.)?(?:a?completion|chat|generate|chat_completion|responses)"
        rf"\(\s*(?:model\s*=\s*)?{_QUOTED}",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:Chat|Azure)?(?:OpenAI|Anthropic|GoogleGenerativeAI|Ollama|OllamaLLM|Groq|MistralAI|"
        rf"DeepSeek)\([\s\S]{{0,200}}?\bmodel(?:_name)?\s*=\s*{_QUOTED}",
        re.IGNORECASE,
    ),
    re.compile(
        rf"\binit_chat_model\(\s*{_QUOTED}|\bdspy\.LM\(\s*{_QUOTED.replace('name', 'lm')}", re.I
    ),
    re.compile(
        r"\b(?:requests|httpx|session|client)\.post\([\s\S]{0,600}?(?:/api/(?:generate|chat)|"
        rf"completions|/messages|/responses)[\s\S]{{0,600}}?[\"']model[\"']\s*:\s*{_QUOTED}",
        re.IGNORECASE,
    ),
)
_GUARDED = re.compile(r"^\s*(?:def |try\s*:|if |class |async def )", re.MULTILINE)
_WRONG = re.compile(
    r"\berror\b|traceback|exception|not found|denied|invalid api|quota", re.IGNORECASE
)
_ASKS = re.compile(
    r"\bopenai\b|\banthropic\b|\blitellm\b|completions?\b|generativeai|google\.genai|\bollama\b|"
    r"chat\.complete|/api/generate|langchain",
    re.IGNORECASE,
)
_TOLD = re.compile(  # as a program tells whose answer it has
    rf"^\[{_NAME.replace('name', 'head')}\] |"
    rf"\b(?:by|from|of|with|asked|model)\b\W{{1,3}}{_NAME}[^\n]{{0,40}}?\b\d[\d,]* tokens\b|"
    rf"\b(?:answer|advice|reply|response|suggest\w*|generated|written)\b[^\n]{{0,24}}"
    rf"\b(?:by|from)\b {_NAME.replace('name', 'by')}",
    re.IGNORECASE,
)


def models_asked(attempt: Attempt) -> Iterator[tuple[str, Event]]:
    """Yield models, by name, that commands or code asked and that answered.

    Code counts where the call stands in it unguarded and something was printed; what the attempt's
    programs print of whose answer they have counts where its code asks a model.
    """
    asks = any(_ASKS.search(f.text) for f in attempt.code)
    for raw in events(attempt.logs):
        if raw.kind in {EventKind.COMMAND, EventKind.CODE}:
            yield from _of_run(whole(raw), asks=asks)
        elif asks and raw.path == "run.log":
            yield from _told(raw.text[:MAX_TEXT], raw)


def _of_run(event: Event, *, asks: bool) -> Iterator[tuple[str, Event]]:
    output, asked = event.output[:MAX_TEXT], event.text[:MAX_TEXT]
    if not output.strip() or FAILED.search(output.lower()) or _WRONG.search(output):
        return
    if (asks and not READS_FILES.search(asked)) or _ASKS.search(asked):
        yield from _told(output, event)
    if not _HINT.search(asked):
        return
    is_python = event.kind is EventKind.CODE or "python" in asked
    if is_python and not _GUARDED.search(asked):
        for form in _BY_CODE:
            yield from ((_named(m), event) for m in form.finditer(asked))
    if event.kind is EventKind.COMMAND:
        for form in _BY_COMMAND:
            yield from ((_named(m), event) for m in form.finditer(asked))


def _told(text: str, event: Event) -> Iterator[tuple[str, Event]]:
    for line in text.split("\n"):
        yield from ((_named(m), event) for m in _TOLD.finditer(line))


def _named(found: re.Match[str]) -> str:
    """Return a model's name without the ending of its file."""
    name = next(value for value in found.groupdict().values() if value).strip(".:-")
    return name.removesuffix(".gguf")
