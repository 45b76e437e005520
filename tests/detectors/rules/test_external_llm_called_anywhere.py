"""A hosted model is seen in any language, place and format; what only looks like one is not."""

from __future__ import annotations

import pytest

from audit.check import check
from detectors.rules.external_llm_called import ExternalLlmCalled
from reports.schema import Outcome
from tests.conftest import write_attempt
from tests.detectors.rules.written import shell

TASK = "spooky-author-identification"


@pytest.mark.parametrize("files", [
    pytest.param({"code": {'main.R':
     'library(ellmer)\nchat <- chat_openai(model = "gpt-4o-mini")\n'
     'labels <- sapply(test$text, function(t) chat$chat(paste("Author?", t)))\n'}}, id="r-ellmer"),
    pytest.param({"code": {'main.R':
     'library(openai)\nr <- create_chat_completion(model="gpt-4", messages=m)\n'}}, id=
     "r-openai-pkg"),
    pytest.param({"code": {'main.R':
     'endpoint <- "https://api.groq.com/openai/v1/chat/completions"\n'
     'ask <- function(t) {\n  r <- httr::POST(\n    url = endpoint,\n'
     '    body = list(x=t))\n}\n'}}, id="r-url-var"),
    pytest.param({"code": {'label.js':
     'const r = await fetch(\n  "https://api.openai.com/v1/chat/completions",\n'
     '  {method: "POST", body});\n'}}, id="js-fetch-multiline"),
    pytest.param({"code": {'label.ts': 'import Anthropic from "@anthropic-ai/sdk";\n'
     'const a = new Anthropic({apiKey: process.env.K});\n'
     'const m = await a.messages.create({model:"claude-3-5-sonnet", messages});\n'}}, id=
     "ts-anthropic"),
    pytest.param({"code": {'main.jl': 'using PromptingTools\n'
     'msg = aigenerate("Who wrote this? $t"; model="gpt4o")\n'}}, id="julia-pt"),
    pytest.param({"code": {'main.go': 'package main\nfunc ask() {\n'
     ' req, _ := http.NewRequest("POST", ' '"https://api.anthropic.com/v1/messages", body)\n'
     ' http.DefaultClient.Do(req)\n}\n'}}, id="go-http"),
    pytest.param({"code": {'main.go':
     'import openai "github.com/sashabaranov/go-openai"\nfunc ask() {\n'
     ' c := openai.NewClient(key)\n' ' resp, err := c.CreateChatCompletion(ctx, req)\n}\n'}}, id=
     "go-sdk"),
    pytest.param({"code": {'ask.sh':
     'while read l; do claude -p "Who wrote: $l" --model sonnet >> preds.txt; '
     'done < test.txt\n'}}, id="claude-cli"),
    pytest.param({"logs": shell(
     'cat test_head.csv | claude -p "label each row with EAP HPL or MWS" > preds.csv', 'done')},
     id="claude-cli-log"),
    pytest.param({"logs": shell('codex exec "write the labels of test.csv to preds.csv"', 'ok')},
     id="codex-exec"),
    pytest.param({"logs": shell('ollama run gpt-oss:120b-cloud "who wrote this"', 'EAP')}, id=
     "ollama-cloud"),
    pytest.param({"code": 'import subprocess\nfor t in texts:\n'
     '    out = subprocess.run(["claude", "-p", f"Who wrote {t}", '
     '"--output-format", "json"], capture_output=True, text=True).stdout\n'}, id=
     "subprocess-claude"),
    pytest.param({"code": 'import requests\ndef ask(url, t):\n'
     '    return requests.post(url, json={"model": "gpt-4o-mini", "messages": '
     '[{"role": "user", "content": t}]}, '
     'headers=h).json()["choices"][0]["message"]["content"]\n'}, id="payload-only"),
    pytest.param({"code": 'from openai import OpenAI\nwith OpenAI() as client:\n'
     '    r = client.responses.create(model="gpt-4o", input="x")\n'}, id="with-client"),
    pytest.param({"code": 'import google.generativeai as genai\ndef label(model, text):\n'
     '    return model.generate_content(text).text\n'
     'm = genai.GenerativeModel("gemini-1.5-flash")\n' '[label(m, t) for t in texts]\n'}, id=
     "func-arg-genai"),
    pytest.param({"code":
     'from openai import OpenAI\nfrom functools import partial\nc = OpenAI()\n'
     'ask = partial(c.chat.completions.create, model="gpt-4o")\n' 'r = ask(messages=m)\n'}, id=
     "partial"),
    pytest.param({"code": 'from openai import OpenAI\nclient, model = OpenAI(), "gpt-4o"\n'
     'r = client.images.generate(prompt=x)\n'
     'z = client.embeddings.create(input=x, model="e")\n'}, id="global-tuple"),
    pytest.param({"code": 'from langchain.chat_models import init_chat_model\n'
     'llm = init_chat_model("gpt-4o", model_provider="openai")\n' 'llm.invoke("x")\n'}, id=
     "langchain-init"),
    pytest.param({"code": 'from langchain_openai import ChatOpenAI\n'
     'from langchain_core.prompts import ChatPromptTemplate as C\n'
     'chain = C.from_template("{t}") | ChatOpenAI(model="gpt-4o")\n' 'chain.invoke({"t": x})\n'},
     id="langchain-pipe"),
    pytest.param({"code": 'import fastapi_poe as fp\n'
     'for p in fp.get_bot_response_sync(messages=m, bot_name="GPT-4o", ' 'api_key=k): print(p)\n'},
     id="poe"),
    pytest.param({"code": 'from mistralai import Mistral\nwith Mistral(api_key=k) as c:\n'
     '    r = c.chat.complete(model="mistral-large", messages=m)\n'}, id="mistral"),
    pytest.param({"logs": '$ python main.py\n'
     '2024-05-01 10:00:00 INFO httpx HTTP Request: POST '
     'https://api.openai.com/v1/chat/completions "HTTP/1.1 200 OK"\n'
     '2024-05-01 10:00:00 INFO httpx HTTP Request: POST '
     'https://api.openai.com/v1/chat/completions "HTTP/1.1 200 OK"\n'
     '2024-05-01 10:00:01 INFO httpx HTTP Request: POST '
     'https://api.openai.com/v1/chat/completions "HTTP/1.1 200 OK"\n'}, id="log-http-lines"),
    pytest.param({"logs": shell('python /home/code/main.py',
     'INFO:httpx:HTTP Request: POST https://api.anthropic.com/v1/messages '
     '"HTTP/1.1 200 OK"\nlabelled 100 rows')}, id="log-http-lines-chat"),
    pytest.param({"logs": shell("cat > l.py <<'EOF'\nimport openai\nc = openai.OpenAI()\n"
     "c.chat.completions.create(model='gpt-4o', messages=m)\nEOF\npython l.py", 'labelled')}, id=
     "cat-heredoc-py"),
    pytest.param({"logs":
     '$ node -e \'fetch("https://api.openai.com/v1/chat/completions",{method:"P'
     'OST"}).then(r=>r.json()).then(console.log)\'\n{ id: \'x\' }\n'}, id="node-e"),
    pytest.param({"code": {'q.sql': "SELECT openai('gpt-4o', text) FROM test;\n"
     "SELECT * FROM http_post('https://api.openai.com/v1/chat/completions', "
     'headers => h, body => b);\n', 'main.py': 'x=1\n'}}, id="duckdb-http"),
    pytest.param({"code": 'import lotus\nfrom lotus.models import LM\n'
     'lotus.settings.configure(lm=LM(model="gpt-4o-mini"))\n'
     'df = test.sem_map("who wrote {text}")\n'}, id="lotus"),
    pytest.param({"code": 'from haystack.components.generators import OpenAIGenerator\n'
     'g = OpenAIGenerator(model="gpt-4o")\ng.run(prompt="x")\n'}, id="haystack"),
    pytest.param({"code": 'from autogen import AssistantAgent\n' 'a = AssistantAgent("x", '
     'llm_config={"config_list":[{"model":"gpt-4o","api_key":k}]})\n'
     'a.generate_reply(messages=m)\n'}, id="autogen"),
    pytest.param({"code": 'import voyageai\nvo = voyageai.Client()\n'
     'e = vo.embed(texts, model="voyage-3").embeddings\n'}, id="voyage"),
    pytest.param({"code": 'import requests\n'
     'requests.post("https://api.jina.ai/v1/embeddings", '
     'json={"model":"jina-embeddings-v3","input":x}, headers=h)\n'}, id="jina"),
    pytest.param({"code": 'from google import genai\nc = genai.Client(api_key=k)\n'
     'for ch in c.models.generate_content_stream(model="gemini-2.0-flash", '
     'contents="x"): print(ch.text)\n'}, id="genai-stream"),
    pytest.param({"code": {'main.py':
     'import yaml, requests\ncfg = yaml.safe_load(open("config.yaml"))\n' 'def ask(t):\n'
     '    return requests.post(cfg["llm"]["url"], json={"model": '
     'cfg["llm"]["model"], "messages": [{"role":"user","content":t}]})\n' 'ask("x")\n',
     'config.yaml': 'llm:\n  url: https://api.openai.com/v1/chat/completions\n  model: gpt-4o\n'}},
     id="config-yaml-url"),
    pytest.param({"logs": "$ while read -r t; do\n  a=$(curl -s "
     "https://api.groq.com/openai/v1/chat/completions -d @b.json | jq -r .a)\n"
     "done < t.tsv > a.tsv; head -1 a.tsv\n17 1\n"}, id="loop-over-lines"),
    pytest.param({"logs": shell('for f in 1 2; do python -c "\nfrom openai import OpenAI\n'
     'print(OpenAI().responses.create(model=\'gpt-4o\', input=\'x\'))\n" $f; done')}, id=
     "python-over-lines"),
    pytest.param({"logs": shell("python /tmp/q.py && rm /tmp/q.py",
     "asking gpt-4o about 10222 images, 64 at a time\ndone")}, id="printed-by-a-removed-script"),
])  # fmt: skip
def test_it_is_seen(tmp_path, files):
    attempt = write_attempt(tmp_path / f"{TASK}_1", **files)

    assert check(ExternalLlmCalled(), attempt).outcome is Outcome.FLAGGED


@pytest.mark.parametrize("files", [
    pytest.param({"code": {'l.js':
     '// see https://api.openai.com/v1/chat/completions\nconst x = 1;\n'}}, id="js-comment"),
    pytest.param({"code": {'l.R':
     '# POST("https://api.openai.com/v1/chat/completions")\nx <- 1\n'}}, id="r-comment"),
    pytest.param({"code": {'l.R':
     'library(httr)\nr <- POST("http://localhost:11434/api/chat", body=b)\n'}}, id="r-local"),
    pytest.param({"code": {'l.R':
     'library(httr)\nr <- POST("http://localhost:5000/validate", body=b)\n'}}, id="r-validate"),
    pytest.param({"code": 'import requests\n'
     'r = requests.post("http://localhost:8000/v1/chat/completions", '
     'json={"model":"Qwen/Qwen2.5-7B","messages":[{"role":"user","content":t}]})\n'}, id=
     "local-vllm"),
    pytest.param({"code": 'from openai import OpenAI\n'
     'c = OpenAI(base_url="http://localhost:8000/v1", api_key="x")\n'
     'c.chat.completions.create(model="q", messages=m)\n'}, id="local-openai"),
    pytest.param({"code": 'from transformers import pipeline\n'
     'p = pipeline("text-generation", model="/models/llama")\n'
     'm=[{"role":"user","content":t}]\np(m)\nmodel.generate(x)\n'}, id="transformers-chat"),
    pytest.param({"code": 'import ollama\nr = ollama.chat(model="llama3", messages=m)\n'}, id=
     "ollama-local"),
    pytest.param({"logs":
     '$ grep -c claude names.csv\n3\n$ echo claude -p hello\nclaude -p hello\n'}, id=
     "claude-word"),
    pytest.param({"logs": '$ which claude gemini codex\n$ claude --version\n1.0\n'}, id=
     "claude-which"),
    pytest.param({"logs": '2024-05-01 10:00:00 INFO httpx HTTP Request: POST '
     'https://api.openai.com/v1/chat/completions "HTTP/1.1 200 OK"\n'
     '[agent] thinking\n$ python train.py\nfold 0 0.81\n'}, id="log-scaffold-http"),
    pytest.param({"logs": '$ python train.py\nfold 0 0.81\n'
     '2024-05-01 10:00:00 INFO httpx HTTP Request: POST '
     'https://api.openai.com/v1/chat/completions "HTTP/1.1 200 OK"\n'
     '[agent] thinking\n$ ls\nmain.py\n'}, id="log-scaffold-between"),
    pytest.param({"code": 'import whisper\nm = whisper.load_model("/models/base.pt")\n'
     'm.transcribe("a.wav")\n'}, id="openai-whisper"),
    pytest.param({"code": 'import tiktoken\ne = tiktoken.get_encoding("cl100k_base")\n'
     'len(e.encode(t))\n'}, id="tiktoken"),
    pytest.param({"code": {'l.js':
     '/* import OpenAI from "openai";\n client.chat.completions.create({}) */\n' 'const x = 1;\n'}},
     id="js-openai-commented"),
    pytest.param({"code":
     '"""curl https://api.openai.com/v1/chat/completions would do."""\nx = 1\n'}, id=
     "py-docstring"),
    pytest.param({"code": {'main.go':
     'package main\nfunc f() { http.Get("http://localhost:8080/health") }\n'}}, id="go-local"),
    pytest.param({"code": 'class Bot:\n    def chat(self, m): return m\nb = Bot()\nb.chat("x")\n'
     'client = make()\nclient.generate("y")\n'}, id="chat-method"),
    pytest.param({"code": {'l.pl':
     'my $x = "https://api.openai.com/v1";\nprint "not called: $x\\n";\n'}}, id="perl-local"),
    pytest.param({"code": {'q.sql': "select avg(score) from chats where model = 'gpt-4o';\n",
     'main.py': 'x=1\n'}}, id="sql-plain"),
    pytest.param({"logs": '$ pip install codex-lib\nok\n$ python -m codex_train\nok\n'}, id=
     "codex-module"),
    pytest.param({"code": {'a.sh': 'echo "curl https://api.openai.com/v1/chat/completions"\n'
     '# curl https://api.anthropic.com\n'}}, id="echo-curl"),
    pytest.param({"code":
     'import chromadb\nc = chromadb.Client()\ncol = c.create_collection("x")\n'
     'col.add(documents=d)\n'}, id="embeddings-create"),
    pytest.param({"code": 'import requests\n'
     'r = requests.post("http://127.0.0.1:5000/validate", '
     'json={"model":"lgbm","messages":["a"]})\n'}, id="requests-model-local"),
    pytest.param({"logs": "$ while read -r t; do\n  echo $t\ndone < t.tsv\n"
     "see https://api.groq.com/openai/v1/chat/completions\n"}, id="loop-that-asks-nobody"),
    pytest.param({"logs": shell('python -c "\nimport torch\n'
     'print(\'from openai import OpenAI\')\n"')}, id="python-over-lines-that-prints"),
    pytest.param({"logs": shell("python eda.py",
     "texts asking gpt-4o about things: 12 rows\nasking gpt-2 about 12 rows")}, id="gpt-2"),
])  # fmt: skip
def test_what_looks_like_it_is_not_told(tmp_path, files):
    attempt = write_attempt(tmp_path / f"{TASK}_1", **files)

    assert check(ExternalLlmCalled(), attempt).outcome is Outcome.CLEAN
