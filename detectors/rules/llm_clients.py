"""Clients of hosted language models: the part of the table of network clients that is theirs."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from detectors.rules.hosts import names

if TYPE_CHECKING:
    from detectors.rules.named_calls import NamedCall

_LLM_MODULES = re.compile(
    r"^(?:openai|anthropic|instructor|gradio_client|google\.generativeai|google\.genai|vertexai|mistralai|cohere|groq|"
    r"together|litellm|replicate|dashscope|zhipuai|ai21|g4f|aisuite|fireworks|cerebras|xai_sdk|"
    r"langchain_(?:openai|anthropic|google_genai|google_vertexai|mistralai|groq|cohere|together|"
    r"aws|fireworks|deepseek|xai)|llama_index\.llms\.(?!ollama|huggingface$|llama_cpp)|"
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
    r"audio\.transcriptions\.create)$"
)
_LLM_CALLS = re.compile(
    r"^(?:litellm\.(?:a?completion|batch_completion|a?embedding|text_completion)|replicate\.run|"
    r"(?:cohere|groq|together|mistralai|g4f)\.[\w.]*\.(?:chat|generate|embed|rerank|run)|"
    r"pydantic_ai\.Agent|dspy\.LM)$"
)
_LLM_CLASSES = re.compile(
    r"\.(?:Chat(?:OpenAI|Anthropic|Groq|MistralAI|Cohere|GoogleGenerativeAI|VertexAI|Bedrock|"
    r"DeepSeek|Together|XAI|Fireworks)|AzureChatOpenAI|AzureOpenAI|OpenAI|Anthropic|Gemini|Cohere|"
    r"OpenAIEmbeddings|ClientV?2?|Client|Groq|Together|Mistral)$"
)
_LLM_METHODS = names(
    """invoke ainvoke batch predict complete chat generate stream embed embed_documents
    embed_query rerank acomplete"""
)
_LOOPBACK = re.compile(r"://(?:localhost|127\.|0\.0\.0\.0|\[::1\]|10\.|192\.168\.|172\.1[6-9]\.)")
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
    return bool(given) and any(_LOOPBACK.search(s) for s in node.strings)


@lru_cache(maxsize=64)  # a unit is asked about once per call in it
def _names_local_base(text: str) -> bool:
    return _LOCAL_BASE.search(text) is not None


def asks_model(node: NamedCall) -> bool:
    """Say whether a call asks a hosted model: a use of a client that was imported as such."""
    if not _LLM_MODULES.match(node.name):
        if node.name.endswith(".create") and {"model", "messages"} <= node.keywords.keys():
            return True  # of a client that came through a function or an argument
        return "bedrock-runtime" in node.strings and node.name.endswith((".client", ".resource"))
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
