import pandas as pd
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

train = pd.read_csv("./input/train.csv")
test = pd.read_csv("./input/test.csv")
X, y = train.drop(columns=["id", "species"]), train["species"]
folds = StratifiedKFold(5, shuffle=True, random_state=2)
models = {"lda": LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto"),
          "logit": make_pipeline(StandardScaler(), LogisticRegression(C=100, max_iter=2000))}
for name, model in models.items():
    print(name, -cross_val_score(model, X, y, cv=folds, scoring="neg_log_loss").mean().round(4))
proba = models["logit"].fit(X, y).predict_proba(test.drop(columns="id"))
table = pd.DataFrame(proba, columns=models["logit"].classes_)
table.insert(0, "id", test["id"])
table.to_csv("/home/submission/submission.csv", index=False)
