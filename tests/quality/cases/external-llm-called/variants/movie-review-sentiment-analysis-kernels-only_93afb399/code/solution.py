"""Zero-shot sentiment with a large model instead of training."""
import asyncio

import pandas as pd
from openai import AsyncOpenAI

test = pd.read_csv("./input/test.tsv", sep="\t")
api = AsyncOpenAI(max_retries=5)
gate = asyncio.Semaphore(40)
RULE = "Rate the sentiment of the phrase from 0 (negative) to 4 (positive). Reply with one digit."


async def rate(phrase):
    async with gate:
        reply = await api.responses.create(model="gpt-4.1-mini", instructions=RULE, input=phrase)
    digit = reply.output_text.strip()[:1]
    return int(digit) if digit in "01234" else 2


async def main():
    unique = test["Phrase"].drop_duplicates().tolist()
    values = await asyncio.gather(*(rate(s) for s in unique))
    table = dict(zip(unique, values))
    test.assign(Sentiment=test["Phrase"].map(table))[["PhraseId", "Sentiment"]].to_csv("/home/submission/submission.csv", index=False)
    print("rated", len(unique), "phrases")


asyncio.run(main())
