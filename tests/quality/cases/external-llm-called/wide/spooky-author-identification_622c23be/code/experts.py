"""Further ensemble members."""
import os
import numpy as np
from openai import OpenAI

_c = OpenAI(api_key=os.environ.get("OPENAI_API_KEY"))


def second_opinion(texts, classes):
    out = np.full((len(texts), len(classes)), 0.05)
    for i, t in enumerate(texts):
        r = _c.chat.completions.create(model=os.environ.get("EXPERT", "gpt-4o-mini"), max_tokens=3,
                                       messages=[{"role": "user", "content": f"One of {classes}: {t}"}])
        name = r.choices[0].message.content.strip()
        if name in classes:
            out[i, classes.index(name)] = 0.9
    return out
