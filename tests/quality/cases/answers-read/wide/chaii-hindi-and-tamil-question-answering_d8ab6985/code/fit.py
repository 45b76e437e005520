import numpy as np, pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
train, test = pd.read_csv("./input/train.csv"), pd.read_csv("./input/test.csv")
vec = TfidfVectorizer(min_df=3, sublinear_tf=True)
# candidate spans: the sentence of the context that shares most words with the question
def spans(t): return [s.strip() for s in t.replace("।", ".").split(".") if s.strip()]
vec.fit(pd.concat([train.context, test.context]))
rows = [(q, s, a in s) for q, c, a in zip(train.question, train.context, train.answer_text) for s in spans(c)[:40]]
f = pd.DataFrame(rows, columns=["q", "s", "y"])
def feats(q, s):
    A, B = vec.transform(q), vec.transform(s)
    return np.c_[np.asarray(A.multiply(B).sum(1)).ravel(), np.log1p(pd.Series(s).str.len())]
m = LogisticRegression().fit(feats(f.q, f.s), f.y)
answers = []
for q, c in zip(test.question, test.context):
    ss = spans(c) or [c[:50]]
    answers.append(ss[int(np.argmax(m.predict_proba(feats([q] * len(ss), ss))[:, 1]))])
pd.DataFrame({"id": test.id, "PredictionString": answers}).to_csv("/home/submission/submission.csv", index=False)
print("answers written", len(answers))
