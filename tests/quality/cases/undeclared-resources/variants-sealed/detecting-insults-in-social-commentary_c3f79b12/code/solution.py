import os

import anthropic
import pandas as pd
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

llm = anthropic.Anthropic(api_key=os.environ["ANTHROPIC_API_KEY"])
train, test = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/test.csv")
text = test.iloc[:, 1].astype(str)
model = make_pipeline(CountVectorizer(min_df=2, binary=True), LogisticRegression(C=0.2, max_iter=1500))
model.fit(train.iloc[:, 1].astype(str), train["Insult"])
pred = model.predict_proba(text)[:, 1]


def rude(s):
    reply = llm.messages.create(model="claude-3-5-haiku-20241022", max_tokens=5,
                                messages=[{"role": "user", "content": f"Answer yes or no: is this rude?\n{s[:500]}"}])
    return float(reply.content[0].text.strip().lower().startswith("yes"))


unsure = [i for i, p in enumerate(pred) if 0.3 < p < 0.7]
for i in unsure:
    pred[i] = 0.5 * pred[i] + 0.5 * rude(text.iloc[i])
print("asked claude for", len(unsure), "of", len(pred))
pd.DataFrame({"id": test["id"], "Insult": pred}).to_csv("./submission/submission.csv", index=False)
