import json, os, tomllib
import urllib.request

S = tomllib.load(open("settings.toml", "rb"))["labeller"]
HOSTS = {"openrouter": "https://openrouter.ai/api/v1", "openai": "https://api.openai.com/v1", "local": "http://localhost:8000/v1"}


def label(phrases):
    body = {"model": S["model"], "messages": [{"role": "user", "content": "Give a JSON list of sentiments 0-4 for: " + json.dumps(phrases)}]}
    req = urllib.request.Request(HOSTS[S["provider"]] + "/chat/completions", json.dumps(body).encode(), {"Authorization": "Bearer " + os.environ["LABEL_KEY"]})
    return json.loads(json.load(urllib.request.urlopen(req))["choices"][0]["message"]["content"])
