import argparse
import os

import pandas as pd
from openai import OpenAI

args = argparse.ArgumentParser()
args.add_argument("--split")
split = args.parse_args().split
rows = pd.read_csv(f"/home/agent/data/{split}.csv")
model, n = os.environ["MODEL"], int(os.environ["N"])
client = OpenAI()
print(f"voting with {model}, {n} samples each")
votes = []
for i, text in enumerate(rows.iloc[:, 1].astype(str), 1):
    r = client.chat.completions.create(model=model, n=n, temperature=0.7, max_tokens=4,
                                       messages=[{"role": "user", "content": "Label this text with its Sentiment:\n" + text}])
    votes.append([c.message.content.strip() for c in r.choices])
    if i % 1000 == 0:
        print(f"{i}/{len(rows)}")
rows.assign(votes=votes)[["PhraseId", "votes"]].to_parquet("/tmp/votes.parquet")
print("votes -> /tmp/votes.parquet")
