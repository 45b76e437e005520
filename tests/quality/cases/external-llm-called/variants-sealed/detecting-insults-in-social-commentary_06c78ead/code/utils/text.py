import functools
import os

import requests

HOST = "https://openrouter.ai/api/v1"
SESSION = requests.Session()
SESSION.headers["Authorization"] = f"Bearer {os.getenv('OR_KEY')}"


@functools.lru_cache(maxsize=None)
def tone(s):
    """How rude a comment is, between 0 and 1."""
    r = SESSION.post(HOST + "/chat/completions", timeout=40, json={
        "model": "meta-llama/llama-3.1-70b-instruct",
        "messages": [{"role": "system", "content": "Return only a number from 0 (polite) to 1 (insult)."},
                     {"role": "user", "content": s}]})
    r.raise_for_status()
    return float(r.json()["choices"][0]["message"]["content"])
