import numpy as np, pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import Ridge
train, test = pd.read_csv("./input/train.csv"), pd.read_csv("./input/test.csv")
vec = TfidfVectorizer(min_df=3, sublinear_tf=True)
targets = [c for c in pd.read_csv("./input/sample_submission.csv") if c != "qa_id"]
answers = vec.fit_transform(train["question_body"] + " " + train["answer"])
test_answers = vec.transform(test["question_body"] + " " + test["answer"])
model = Ridge(8).fit(answers, train[targets])
sub = pd.DataFrame(model.predict(test_answers).clip(0, 1), columns=targets)
sub.insert(0, "qa_id", test.qa_id)
sub.to_csv("/home/submission/submission.csv", index=False)
print("train r2", model.score(answers, train[targets]))
