import numpy as np, pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
train, test = pd.read_csv("/workspace/input/train.csv"), pd.read_csv("/workspace/input/test.csv")
vec = TfidfVectorizer(min_df=3, sublinear_tf=True)
vec.fit(pd.concat([train[c] for c in ["prompt", *"ABCDE"]]))
def sim(f): return np.c_[tuple(np.asarray(vec.transform(f.prompt).multiply(vec.transform(f[c])).sum(1)).ravel() for c in "ABCDE")]
m = LogisticRegression(max_iter=500).fit(sim(train), train.answer)
top = m.classes_[np.argsort(-m.predict_proba(sim(test)), 1)[:, :3]]
pd.DataFrame({"id": test.id, "prediction": [" ".join(r) for r in top]}).to_csv("/workspace/submission.csv", index=False)
print(train.answer.value_counts().to_dict())
