import os

import requests

URL = "https://lab-eastus.openai.azure.com/openai/deployments/gpt-4o/chat/completions?api-version=2024-06-01"


def ask(text):
    r = requests.post(URL, headers={"api-key": os.environ["AZURE_KEY"]}, json={"messages": [{"role": "user", "content": text}], "max_tokens": 4}, timeout=30)
    return float(r.json()["choices"][0]["message"]["content"])
