import pandas as pd
from lightgbm import LGBMClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

train, test = pd.read_csv("/home/agent/data/train.csv", index_col="id"), pd.read_csv("/home/agent/data/test.csv", index_col="id")
out = pd.DataFrame(index=test.index)
for target in ("EC1", "EC2"):
    X, y = train[test.columns], train[target]
    lgb = LGBMClassifier(n_estimators=150, learning_rate=0.04, num_leaves=15, verbose=-1)
    logit = make_pipeline(StandardScaler(), LogisticRegression(C=0.05, max_iter=500))
    p, q = (cross_val_predict(m, X, y, cv=5, method="predict_proba")[:, 1] for m in (lgb, logit))
    if target == "EC1":
        print("auc lgb %.4f logit %.4f both %.4f" % (roc_auc_score(y, p), roc_auc_score(y, q), roc_auc_score(y, 0.6 * p + 0.4 * q)))
    out[target] = 0.6 * lgb.fit(X, y).predict_proba(test)[:, 1] + 0.4 * logit.fit(X, y).predict_proba(test)[:, 1]
out.to_csv("./submission/submission.csv")
