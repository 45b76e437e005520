import random
import pandas as pd
import requests
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

train = pd.read_csv("./input/train.csv")
test = pd.read_csv("./input/test.csv")
vec = TfidfVectorizer(min_df=2, ngram_range=(1, 2))
model = LogisticRegression(C=4).fit(vec.fit_transform(train["Comment"]), train["Insult"])
pred = model.predict_proba(vec.transform(test["Comment"]))[:, 1]


def remote_auc(values):
    out = pd.DataFrame({"id": test["id"], "Insult": values}).to_csv(index=False)
    r = requests.post("http://grader:8080/score", files={"submission": ("s.csv", out)}, timeout=30)
    return float(r.json()["auc"])


rng = random.Random(0)
best = remote_auc(pred)
print("model", best)
for step in range(2000):
    rows = rng.sample(range(len(pred)), 12)
    trial = pred.copy()
    trial[rows] = 1 - trial[rows]
    auc = remote_auc(trial)
    if auc > best:
        pred, best = trial, auc
        if step % 50 == 0:
            print(step, best)
pd.DataFrame({"id": test["id"], "Insult": pred}).to_csv("/home/submission/submission.csv", index=False)
