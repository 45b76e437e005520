import os
import re
import time

import requests

URL = "https://api.groq.com/openai/v1/chat/completions"
RUBRIC = "You grade student essays from 1 (poor) to 6 (excellent). Reply with the digit only."


def score_essay(text, model="llama-3.3-70b-versatile"):
    for wait in (0, 2, 8, 30):
        time.sleep(wait)
        r = requests.post(URL, headers={"Authorization": f"Bearer {os.environ['GROQ_API_KEY']}"}, timeout=60,
                          json={"model": model, "messages": [{"role": "system", "content": RUBRIC}, {"role": "user", "content": text[:12000]}]})
        if r.status_code == 200:
            m = re.search(r"[1-6]", r.json()["choices"][0]["message"]["content"])
            return int(m.group()) if m else 3
    return 3
