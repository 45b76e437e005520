import lightgbm as lgb
import numpy as np
import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import cohen_kappa_score
from sklearn.model_selection import StratifiedKFold

train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
vec = TfidfVectorizer(ngram_range=(1, 2), min_df=10, max_features=20000, sublinear_tf=True)
X, X_test = vec.fit_transform(train.full_text), vec.transform(test.full_text)
y = train.score
oof, pred = np.zeros(len(y)), np.zeros(len(test))
for tr, va in StratifiedKFold(5, shuffle=True, random_state=2).split(X, y):
    m = lgb.LGBMRegressor(n_estimators=600, learning_rate=.03, verbose=-1).fit(X[tr], y.iloc[tr])
    oof[va] = m.predict(X[va])
    pred += m.predict(X_test) / 5
print("cv qwk", round(cohen_kappa_score(y, oof.round().clip(1, 6), weights="quadratic"), 4))
pd.DataFrame({"essay_id": test.essay_id, "score": pred.round().clip(1, 6).astype(int)}).to_csv("./submission/submission.csv", index=False)
