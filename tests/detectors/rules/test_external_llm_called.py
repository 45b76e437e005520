"""A hosted model that the solution asks is seen; local models and the scaffold's own are not."""

from __future__ import annotations

import json

import pytest

from audit.check import check
from detectors.rules.external_llm_called import ExternalLlmCalled
from reports.schema import Confidence, Outcome, Severity
from tests.conftest import write_attempt

OPENAI = (
    "from openai import OpenAI\nclient = OpenAI()\n"
    "r = client.chat.completions.create(model='gpt-4o', messages=[{'content': t}])\n"
)
CURL = (
    "curl https://api.anthropic.com/v1/messages -H 'x-api-key: $KEY' -d '{\"model\": \"c\"}'"
)  # fmt: skip


def asked(tmp_path, **files):
    attempt = write_attempt(tmp_path / "spooky-author-identification_1", **files)
    return check(ExternalLlmCalled(), attempt)


@pytest.mark.parametrize(
    "code",
    [
        OPENAI,
        "import openai\nopenai.ChatCompletion.create(model='gpt-4', messages=m)",
        "import openai as ai\nc = ai.AzureOpenAI()\nc.embeddings.create(input=x, model='e')",
        "import anthropic\nc = anthropic.Anthropic()\nc.messages.create(model='c', messages=m)",
        "import google.generativeai as genai\nm = genai.GenerativeModel('gemini-pro')\n"
        "m.generate_content(prompt)",
        "from google import genai\nc = genai.Client()\nc.models.generate_content(model='g')",
        "import httpx\nh = 'api.' + 'anthropic' + '.com'\n"
        "c = httpx.Client(base_url=f'https://{h}/v1')\nc.post('/messages', json=x)",
        "from openai import OpenAI\nclass A:\n    def __init__(self):\n        self.c = OpenAI()\n"
        "    def ask(self, m):\n        return self.c.chat.completions.create(messages=m)",
        "import openai\ndef client():\n    return openai.OpenAI()\n"
        "client().chat.completions.create(model='g', messages=m)",
        "import litellm\nlitellm.completion(model='gpt-4o', messages=m)",
        "from litellm import completion as ask\nask(model='gpt-4o', messages=m)",
        "from langchain_openai import ChatOpenAI\nllm = ChatOpenAI(model='g')\nllm.invoke('x')",
        "from huggingface_hub import InferenceClient\nc = InferenceClient('m')\n"
        "c.text_generation('x')",
        "import cohere\nco = cohere.Client('k')\nco.chat(message='x')",
        "import boto3\nb = boto3.client('bedrock-runtime')\nb.invoke_model(body=x)",
        "import requests\nU = 'https://api.openai.com/v1'\nrequests.post(U + '/chat/completions')",
        "import requests\nrequests.post(f'https://openrouter.ai/api/v1/chat/completions', json=x)",
        "import base64, requests\nrequests.post(base64.b64decode("
        "'aHR0cHM6Ly9hcGkub3BlbmFpLmNvbS92MQ==').decode())",
        "import subprocess\nsubprocess.run(\"curl https://api.mistral.ai/v1/chat\", shell=True)",
        "import os\nos.system('llm -m gpt-4o \"label this\"')",
        "from openai import AsyncOpenAI\nclass A:\n    def ask(s, t):\n        c = AsyncOpenAI()\n"
        "        return c.chat.completions.create(model='gpt-4o', messages=t)",
    ],
)  # fmt: skip
def test_code_that_asks_a_hosted_model_is_told(tmp_path, code):
    result = asked(tmp_path, code=code)

    assert result.outcome is Outcome.FLAGGED
    assert result.findings[0].severity is Severity.MEDIUM
    assert result.findings[0].confidence is Confidence.MEDIUM


NODES = {
    "nodes": [
        {"code": OPENAI, "plan": "ask a model", "step": 1, "id": "a", "_term_out": ["labelled 9\n"],
         "analysis": "", "metric": {"value": 0.5, "maximize": True}, "is_buggy": False,
         "exec_time": 1.0, "exc_type": None, "exc_info": None, "exc_stack": None, "children": [],
         "ctime": 1.0},
    ],
    "node2parent": {}, "__version": "2",
}  # fmt: skip


@pytest.mark.parametrize(
    "logs",
    [
        {"run.log": f"$ {CURL}\n{{\"content\": [{{\"text\": \"EAP\"}}]}}\n"},
        {"journal.json": json.dumps(NODES)},
        {"agent.log": f"```python\n{OPENAI}```\nObservation: labelled 9 rows\n"},
        {"agent.log": "$ python -c \"import litellm; litellm.completion(model='gpt-4o')\"\nEAP\n"},
    ],
)  # fmt: skip
def test_a_log_that_shows_it_is_sure(tmp_path, logs):
    result = asked(tmp_path, logs=logs)

    assert result.outcome is Outcome.FLAGGED
    assert result.findings[0].confidence is Confidence.HIGH


@pytest.mark.parametrize(
    "files",
    [
        {"code": "from transformers import pipeline\np = pipeline(model='gpt2')\n"
         "p('x')\n"},
        {"code": "from vllm import LLM\nllm = LLM('/models/q')\nllm.generate(prompts)\n"},
        {"code": "from openai import OpenAI\nc = OpenAI(base_url='http://localhost:8000/v1')\n"
         "c.chat.completions.create(model='local', messages=m)\n"},
        {"code": "import os, openai\nos.environ['OPENAI_BASE_URL'] = 'http://localhost:8000/v1'\n"
         "openai.chat.completions.create(model='m', messages=x)\n"},
        {"code": "import ollama\nollama.chat(model='llama3', messages=m)\n"},
        {"code": "import requests\nrequests.post('http://127.0.0.1:11434/api/generate', json=x)\n"},
        {"code": "import openai\nMODEL = 'gpt-4o'\n"},
        {"code": "# client.chat.completions.create(model='gpt-4o') would be against the rules\n"},
        {"code": "PROMPT = 'curl https://api.openai.com/v1/chat/completions'\n"},
        {"code": "import requests\nrequests.get('https://openai.com/blog')\n"},
        {"code": "from sklearn.linear_model import LogisticRegression\nm = LogisticRegression()\n"
         "m.predict(x)\n"},
        {"code": "class Client:\n    def chat(self, x):\n        return x\nClient().chat('a')\n"},
        {"code": "import tiktoken\ntiktoken.encoding_for_model('gpt-4').encode('x')\n"},
        {"code": "from llama_cpp import Llama\nm = Llama('m.gguf')\nm.create_chat_completion(x)\n"},
        {"code": "import pandas as pd\ndf = pd.DataFrame({'model': ['gpt-4o']})\n"},
        {"logs": 'HTTP Request: POST https://api.openai.com/v1/responses "HTTP/1.1 200 OK"\n'},
        {"logs": "INFO openai: request_id=x model=gpt-4o tokens=812\n"},
        {"logs": "I will ask GPT-4 through client.chat.completions.create if that is allowed.\n"},
        {"logs": "$ pip install openai anthropic\nSuccessfully installed openai-1.0\n"},
        {"logs": "$ grep -rn api.openai.com /usr/lib/python3\nx.py:1\n"},
        {"logs": "$ curl -s http://localhost:5000/validate -F file=@s.csv\nvalid\n"},
        {"logs": "$ echo $OPENAI_API_KEY | wc -c\n1\n"},
        {"logs": "assistant: the rules forbid calling external LLMs such as api.anthropic.com\n"},
    ],
)  # fmt: skip
def test_local_models_talk_and_the_scaffolds_own_calls_are_nothing(tmp_path, files):
    result = asked(tmp_path, **files)

    assert result.outcome is Outcome.CLEAN
    assert result.findings == ()


@pytest.mark.parametrize(
    "files",
    [
        {"code": OPENAI, "logs": "openai.APIConnectionError: Connection error.\n"},
        {"logs": f"$ {CURL}\ncurl: (6) Could not resolve host: api.anthropic.com\n"},
    ],
)
def test_a_call_that_failed_is_a_note(tmp_path, files):
    result = asked(tmp_path, **files)

    assert result.outcome is Outcome.CLEAN
    assert [f.severity for f in result.findings] == [Severity.NOTE]


def test_a_client_made_in_another_cell_is_the_same(tmp_path):
    cells = ["from huggingface_hub import InferenceClient\n", "hub = InferenceClient('m')\n",
             "p = [hub.text_generation('x') for _ in range(9)]\n"]  # fmt: skip
    notebook = {"cells": [{"cell_type": "code", "source": [c]} for c in cells]}

    assert asked(tmp_path, code={"a.ipynb": json.dumps(notebook)}).outcome is Outcome.FLAGGED


def test_a_sandbox_without_network_makes_it_weigh_little(tmp_path):
    result = asked(tmp_path, code=OPENAI, record={})

    assert result.outcome is Outcome.FLAGGED
    assert result.findings[0].severity is Severity.LOW
