import numpy as np
import pandas as pd
from scipy.optimize import minimize
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import Ridge
from sklearn.metrics import cohen_kappa_score
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline

train, test = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/test.csv")
model = make_pipeline(TfidfVectorizer(ngram_range=(1, 2), min_df=3, sublinear_tf=True), Ridge(2.0))
oof = cross_val_predict(model, train["full_text"], train["score"], cv=5)


def cut(values, cuts):
    return np.digitize(values, np.sort(cuts)) + 1


def loss(cuts):
    return -cohen_kappa_score(train["score"], cut(oof, cuts), weights="quadratic")


best = minimize(loss, [1.5, 2.5, 3.5, 4.5, 5.5], method="Nelder-Mead")
print("oof kappa", -best.fun, best.x.round(3), best.nfev)
pred = model.fit(train["full_text"], train["score"]).predict(test["full_text"])
pd.DataFrame({"essay_id": test["essay_id"], "score": cut(pred, best.x)}).to_csv("/home/submission/submission.csv", index=False)
