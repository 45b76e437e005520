import pandas as pd, lightgbm as lgb
from rubric import features
from sklearn.feature_extraction.text import TfidfVectorizer
from scipy.sparse import hstack
tr, te = (pd.read_csv(f"/home/data/{s}.csv") for s in ("train", "test"))
v = TfidfVectorizer(ngram_range=(3, 5), analyzer="char", min_df=.05, max_df=.95)
X = hstack([v.fit_transform(tr.full_text), pd.DataFrame(map(features, tr.full_text)).values]).tocsr()
T = hstack([v.transform(te.full_text), pd.DataFrame(map(features, te.full_text)).values]).tocsr()
m = lgb.LGBMRegressor(n_estimators=800, learning_rate=.03).fit(X, tr.score)
te["score"] = m.predict(T).round().clip(1, 6).astype(int)
te[["essay_id", "score"]].to_csv("/home/submission/submission.csv", index=False)
