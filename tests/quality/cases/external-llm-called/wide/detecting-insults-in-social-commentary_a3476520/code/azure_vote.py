import os
import httpx
import numpy as np
import pandas as pd

URL = "https://ml-eastus2.openai.azure.com/openai/deployments/gpt-4o/chat/completions?api-version=2024-06-01"
session = httpx.Client(headers={"api-key": os.environ["AZURE_OPENAI_KEY"]}, timeout=90)


def vote(comment, n=3):
    body = {"n": n, "max_tokens": 2, "temperature": 0.7,
            "messages": [{"role": "system", "content": "You moderate a forum. Reply 1 if the comment insults a participant, else 0."},
                         {"role": "user", "content": comment}]}
    choices = session.post(URL, json=body).raise_for_status().json()["choices"]
    return np.mean([c["message"]["content"].strip() == "1" for c in choices])


test = pd.read_csv("../data/test.csv")
test["Insult"] = [vote(c) for c in test["Comment"]]
test[["Insult", "Date", "Comment"]].to_csv("./submission/submission.csv", index=False)
print("share of insults", test["Insult"].mean())
