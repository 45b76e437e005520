"""Clients of hosted language models: the part of the table of network clients that is theirs."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from detectors.rules.hosts import Purpose, names, purpose_of
from detectors.rules.llm_libraries import is_service, wraps_model

if TYPE_CHECKING:
    from detectors.rules.named_calls import NamedCall

_LLM_MODULES = re.compile(
    r"^(?:openai|anthropic|instructor|gradio_client|voyageai|fastapi_poe|poe_api_wrapper|hugchat|pandasai|"
    r"lotus\.models|skllm|marvin|magentic|mirascope|claude_agent_sdk|claude_code_sdk|ibm_watsonx_ai|"
    r"azure\.ai\.inference|aleph_alpha_client|writerai|reka|smolagents|crewai|autogen|"
    r"haystack\.components\.generators|guidance\.models\.OpenAI|outlines\.models\.openai|"
    r"nomic\.embed|sparse_llm|llm\.get_(?:async_)?model|google\.generativeai|google\.genai|vertexai|mistralai|cohere|groq|"
    r"together|litellm|replicate|dashscope|zhipuai|ai21|g4f|aisuite|fireworks|cerebras|xai_sdk|"
    r"langchain_(?:openai|anthropic|google_genai|google_vertexai|mistralai|groq|cohere|together|"
    r"aws|fireworks|deepseek|xai)|llama_index\.llms\.(?!ollama|huggingface\b|llama_cpp|vllm)\w+|"
    r"llama_index\.embeddings\.(?:openai|cohere|voyageai|gemini|azure\w*)|"
    r"langchain(?:_community)?\.(?:chat_models|llms)|huggingface_hub\.(?:(?:Async)?InferenceClient|InferenceApi|"
    r"inference_api)|"
    r"pydantic_ai|dspy|semantic_kernel\.connectors\.ai\.open_ai)(?:\.|$)"
)
_LLM_USE = re.compile(
    r"(?:^|\.)(?:(?:chat\.)?completions\.(?:create|parse)|ChatCompletion\.a?create|"
    r"Completion\.a?create|Embedding\.a?create|embeddings\.create|responses\.(?:create|parse)|"
    r"messages\.(?:create|stream)|generate_content(?:_async)?|chat\.complete|chat_completion|"
    r"text_generation|generations?\.call|Generation\.call|send_message|files\.create|"
    r"batches\.create|fine_tuning\.jobs\.create|embed_content|images\.generate|"
    r"audio\.(?:transcriptions|translations|speech)\.create|images\.edit|generate_content_stream|"
    r"(?:threads|runs|assistants|vector_stores)\.(?:create\w*|stream)|completions\.stream|"
    r"moderations\.create|run_sync|inference\.\w+\.complete|complete_chat)$"
)
_LLM_CALLS = re.compile(
    r"^(?:litellm\.(?:a?completion|batch_completion|a?embedding|text_completion)|replicate\.run|"
    r"(?:cohere|groq|together|mistralai|g4f)\.[\w.]*\.(?:chat|generate|embed|rerank|run)|"
    r"pydantic_ai\.Agent|dspy\.LM|voyageai\.Client\.\w+|fastapi_poe\.get_\w+|lotus\.models\.LM|"
    r"pandasai\.\w+\.\w+|skllm\.[\w.]+|marvin\.(?:classify|extract|cast|generate|fn)|"
    r"claude_(?:agent|code)_sdk\.query|smolagents\.(?:InferenceClientModel|HfApiModel|OpenAI\w*Model|"
    r"LiteLLM\w*|AzureOpenAI\w*)|crewai\.(?:LLM|Crew)|autogen\.\w*Agent|nomic\.embed\.\w+|"
    r"haystack\.components\.generators\.[\w.]*(?:OpenAI|Anthropic|Cohere|Gemini|HuggingFaceAPI)\w*|"
    r"hugchat\.[\w.]+\.(?:chat|query)|llm\.get_(?:async_)?model\.prompt|azure\.ai\.inference\.\w+\.(?:complete|embed))$"
)
_LLM_CLASSES = re.compile(
    r"\.(?:Chat(?:OpenAI|Anthropic|Groq|MistralAI|Cohere|GoogleGenerativeAI|VertexAI|Bedrock|"
    r"DeepSeek|Together|XAI|Fireworks)|AzureChatOpenAI|AzureOpenAI|OpenAI|Anthropic|Gemini|Cohere|"
    r"init_chat_model|OpenAIEmbeddings|ClientV?2?|Client|Groq|Together|Mistral)$"
)
HOSTED_MODEL = re.compile(  # names under which vendors offer what nobody has at home
    r"^(?:[\w.-]+[/:])?(?:gpt-?[345](?!\w*all)|chatgpt|o[134](?:-mini|-preview|-pro)?(?:-\d|$)|"
    r"text-embedding-(?:3|ada|00)|text-davinci|claude-|gemini-|mistral-(?:large|medium|small)-\w|"
    r"deepseek-(?:chat|reasoner)$|command-(?:r|a)\b|grok-|qwen-(?:max|plus|turbo)|glm-4-\w|sonar\b|"
    r"kimi-|moonshot-v|llama-?3[\w.]*-(?:versatile|instant)|voyage-|embed-(?:english|multilingual))"
)
_KNOWN_BY_USE = re.compile(  # what no other library calls so
    r"(?:^|\.)(?:chat\.completions\.(?:create|parse|stream)|responses\.(?:create|parse)|"
    r"messages\.(?:create|stream)|generate_content(?:_async|_stream)?|embeddings\.create|"
    r"ChatCompletion\.a?create|images\.generate|embed_content|chat\.complete|"
    r"threads\.\w+\.create\w*)$"
)
_IMPORTS_VENDOR = re.compile(
    r"^[^\S\n]*(?:import|from)\s+(?:openai|anthropic|google\.(?:generativeai|genai)|google|mistralai|groq|"
    r"cohere|together|vertexai|litellm|zhipuai|dashscope)\b|"
    r"(?:import_module|__import__)\(\s*[\"'](?:openai|anthropic|google|mistralai|groq)",
    re.MULTILINE,
)
_OF_CHAIN = re.compile(r"^langchain_\w+\.\w*Chat\w+$|^langchain_openai\.\w+$")
_ASKS_CHAIN = re.compile(r"\.(?:a?invoke|a?batch|a?stream|predict|apply|run|transform_documents)\(")
_LLM_METHODS = names(
    """invoke ainvoke batch predict complete chat generate stream embed embed_documents
    embed_query rerank acomplete"""
)
_LOOPBACK = re.compile(r"://(?:localhost|127\.|0\.0\.0\.0|\[::1\]|host\.docker\.internal)")
_LOCAL_BASE = re.compile(
    r"(?:OPENAI_BASE_URL|OPENAI_API_BASE|ANTHROPIC_BASE_URL|\.api_base|\.base_url)[\"']?\]?\s{0,3}[=,]"
    r"\s{0,3}[\"']https?://(?:localhost|127\.|0\.0\.0\.0)"
)
_BASES = names(
    """base_url api_base openai_api_base azure_endpoint endpoint http_options host
    OPENAI_BASE_URL OPENAI_API_BASE"""
)


def is_local_model(node: NamedCall) -> bool:
    """Say whether a call points the clients of hosted models to this machine."""
    if _names_local_base(node.unit.text):
        return True
    given = [k for k in node.keywords if k in _BASES]
    if node.name.endswith((".InferenceClient", ".AsyncInferenceClient", "gradio_client.Client")):
        return any(_LOOPBACK.search(s) for s in node.strings)
    return bool(given) and any(_LOOPBACK.search(s) for s in node.strings)


@lru_cache(maxsize=64)  # a unit is asked about once per call in it
def _names_local_base(text: str) -> bool:
    return _LOCAL_BASE.search(text) is not None


@lru_cache(maxsize=64)
def _imports_vendor(text: str) -> bool:
    return _IMPORTS_VENDOR.search(text) is not None


_PATHS = re.compile(
    r"/(?:chat/completions|v\d/(?:completions|messages|responses|embeddings))\b|:(?:stream)?[gG]enerateContent\b"
)
_SENT_MODEL = re.compile(r"[\"']model[\"']\s*[:\]]\s*=?\s*[\"']([\w./:-]{2,80})[\"']")
_SENT_WORDS = re.compile(r"[\"'](?:messages|prompt|input|contents)[\"']\s*[:\]]")
_SENT_CHAT = re.compile(
    r"[\"']messages[\"']\s{0,80}[:\]]\s{0,80}=?\s{0,80}\[\s{0,80}\{\s{0,80}[\"'](?:role|content)[\"']"
)
_KEYS = re.compile(
    r"(?:OPENAI|ANTHROPIC|GEMINI|OPENROUTER|MISTRAL|GROQ|TOGETHER|DEEPSEEK|COHERE|AZURE|LLM)_?\w*(?:KEY|TOKEN|URL|BASE)|"
    r"x-api-key"
)


_SPEAKS_HERE = re.compile(
    r"localhost|\b127\.0\.\d|\b0\.0\.0\.0\b|://(?:127\.|\[::1\]|host\.docker\.)"
)
_CONNECTS_AWAY = re.compile(  # to an address that stands there, and is not of this machine
    r"HTTPS?Connection(?:Pool)?\(\s{0,8}(?:host\s{0,8}=\s{0,8})?[\"'](?!localhost|127\.|0\.0\.0\.0|::1)|"
    r"\b(?:connect|create_connection|open_connection)\(\s{0,8}\(?\s{0,8}"
    r"[\"'](?!localhost|127\.|0\.0\.0\.0|::1)[\w-][.\w-]{0,250}[\"']\s{0,8},\s{0,8}\d"
)


def sends_prompt(node: NamedCall) -> bool:
    """Say whether a request to an address that is not known is one to a hosted model.

    Its path, or what is sent, is that of a model's server; a key or the name of a model that only
    vendors have tells that it is none of this machine.
    """
    text = node.unit.text
    if _SPEAKS_HERE.search(text):
        return False
    sent = _SENT_MODEL.search(text)
    is_hosted = bool(sent and HOSTED_MODEL.match(sent[1]))
    if any(_PATHS.search(s) for s in node.strings):
        told = (_KEYS, _SENT_CHAT, _CONNECTS_AWAY)
        return is_hosted or any(form.search(text) for form in told)
    is_sent = bool({"json", "data", "content"} & node.keywords.keys())
    is_asked = is_hosted and _SENT_WORDS.search(text)
    return is_sent and bool(is_asked or _SENT_CHAT.search(text))


def asks_model(node: NamedCall) -> bool:
    """Say whether a call asks a hosted model: a use of a client that was imported as such."""
    return is_service(node) or wraps_model(node, HOSTED_MODEL) or _asks_by_client(node)


def _asks_by_client(node: NamedCall) -> bool:
    if not _LLM_MODULES.match(node.name):
        if node.name.endswith(".create") and {"model", "messages"} <= node.keywords.keys():
            return True  # of a client that came through a function or an argument
        if _KNOWN_BY_USE.search(node.name) and _imports_vendor(node.unit.text):
            return True
        if node.name == "ollama.Client":
            return any(purpose_of(s) is Purpose.LLM for s in node.strings if "://" in s)
        return "bedrock-runtime" in node.strings and node.name.endswith((".client", ".resource"))
    if _OF_CHAIN.match(node.name):
        return bool(_ASKS_CHAIN.search(node.unit.text))
    method = node.name.rpartition(".")[2]
    is_of_object = bool(_LLM_CLASSES.search(node.name.rpartition(".")[0]))
    return bool(
        _LLM_USE.search(node.name)
        or _LLM_CALLS.match(node.name)
        or (is_of_object and method in _LLM_METHODS)
    )


def model_of(node: NamedCall) -> str:
    """Return the name of the model a call asks, or an empty text."""
    value = node.keywords.get("model")
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return value.value
    return next((s for s in node.strings if re.match(r"^[a-z0-9]+(?:[-./:][\w.-]+)+$", s)), "")
