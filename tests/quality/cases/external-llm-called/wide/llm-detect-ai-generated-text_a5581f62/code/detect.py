import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

train = pd.read_csv("/kaggle/input/llm-detect-ai-generated-text/train_essays.csv")
test = pd.read_csv("/kaggle/input/llm-detect-ai-generated-text/test_essays.csv")
vec = TfidfVectorizer(ngram_range=(3, 5), analyzer="char", sublinear_tf=True, min_df=2)
marks = ["as an ai language model", "in conclusion", "chatgpt", "gpt-4"]
print({m: int(train.text.str.lower().str.contains(m).sum()) for m in marks})
X = vec.fit_transform(train.text)
model = LogisticRegression(C=20, max_iter=1000, class_weight="balanced")
print("cv auc", cross_val_score(model, X, train.generated, cv=5, scoring="roc_auc").mean())
model.fit(X, train.generated)
test["generated"] = model.predict_proba(vec.transform(test.text))[:, 1]
test[["id", "generated"]].to_csv("./submission/submission.csv", index=False)
