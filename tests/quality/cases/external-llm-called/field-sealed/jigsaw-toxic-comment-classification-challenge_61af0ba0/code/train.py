import asyncio
import os

import pandas as pd
from openai import AsyncAzureOpenAI

pool = asyncio.Semaphore(24)
azure = AsyncAzureOpenAI(azure_endpoint=os.environ["AOAI_ENDPOINT"], api_key=os.environ["AOAI_KEY"], api_version="2024-06-01")
LABELS = ["toxic", "severe_toxic", "obscene", "threat", "insult", "identity_hate"]


async def one(text):
    async with pool:
        r = await azure.chat.completions.create(model=os.environ["AOAI_DEPLOYMENT"], max_tokens=30, messages=[
            {"role": "system", "content": "Give six probabilities separated by blanks for: " + ", ".join(LABELS)},
            {"role": "user", "content": text[:3000]}])
        parts = (r.choices[0].message.content or "").split()
        return [float(p) for p in parts[:6]] if len(parts) >= 6 else [0.01] * 6


async def main():
    test = pd.read_csv("/home/agent/data/test.csv")
    table = pd.DataFrame(await asyncio.gather(*[one(t) for t in test["comment_text"]]), columns=LABELS)
    pd.concat([test[["id"]], table], axis=1).to_csv("./submission/submission.csv", index=False)
    print("labelled", len(table))


asyncio.run(main())
