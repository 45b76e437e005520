"""Essays for the scores that are rare in train."""
import os
from concurrent.futures import ThreadPoolExecutor

import pandas as pd
from openai import OpenAI

api = OpenAI(api_key=os.environ["DEEPSEEK_API_KEY"], base_url="https://api.deepseek.com")


def one(score):
    text = api.chat.completions.create(
        model="deepseek-chat", temperature=1.3,
        messages=[{"role": "user", "content": f"Write a student's argumentative essay that a teacher would give {score} of 6."}],
    ).choices[0].message.content
    return {"essay_id": "s", "full_text": text, "score": score}


def make_essays(scores, per_score):
    with ThreadPoolExecutor(16) as pool:
        return pd.DataFrame(pool.map(one, [s for s in scores for _ in range(per_score)]))
