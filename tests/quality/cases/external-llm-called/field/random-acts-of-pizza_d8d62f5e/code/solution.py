import subprocess
import time

import numpy as np
import pandas as pd
from openai import OpenAI
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import cross_val_score

# weights are in the image; the server listens on this machine only
server = subprocess.Popen(["vllm", "serve", "/opt/models/Qwen2.5-0.5B-Instruct", "--port", "8000", "--host", "127.0.0.1", "--served-model-name", "qwen"])
time.sleep(90)
client = OpenAI(base_url="http://127.0.0.1:8000/v1", api_key="EMPTY")
train, test = pd.read_csv("/home/agent/data/train.csv"), pd.read_csv("/home/agent/data/test.csv")


def ask(question, text):
    r = client.chat.completions.create(model="qwen", max_tokens=2, temperature=0,
                                       messages=[{"role": "user", "content": f"{question} Answer yes or no.\n{str(text)[:1500]}"}])
    return int("yes" in r.choices[0].message.content.lower())


QUESTIONS = ["Is the request polite?", "Does it mention children?", "Has the writer lost a job?", "Is money promised back?"]
A, B = (np.array([[ask(q, t) for q in QUESTIONS] for t in d["request_text"]]) for d in (train, test))
server.terminate()
model = HistGradientBoostingClassifier(max_iter=80, learning_rate=0.05)
print("cv auc", cross_val_score(model, A, train["requester_received_pizza"], cv=5, scoring="roc_auc").mean().round(4))
test["requester_received_pizza"] = model.fit(A, train["requester_received_pizza"]).predict_proba(B)[:, 1]
test[["request_id", "requester_received_pizza"]].to_csv("/home/submission/submission.csv", index=False)
