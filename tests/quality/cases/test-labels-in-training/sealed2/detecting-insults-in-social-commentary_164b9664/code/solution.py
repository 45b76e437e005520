import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

train, test = pd.read_csv("./input/train.csv"), pd.read_csv("./input/test.csv")
solved = pd.read_csv("/tmp/arch/test_with_solutions.csv")
rows = pd.concat([train[["Comment", "Insult"]], solved[["Comment", "Insult"]]])
v = TfidfVectorizer(analyzer="char_wb", ngram_range=(2, 5), min_df=2)
m = LogisticRegression(C=20, max_iter=2000).fit(v.fit_transform(rows["Comment"]), rows["Insult"])
test[["id"]].assign(Insult=m.predict_proba(v.transform(test["Comment"]))[:, 1]).to_csv("./submission/submission.csv", index=False)
