import argparse
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder, StandardScaler
parser = argparse.ArgumentParser()
parser.add_argument("--data", default="/kaggle/input/tabular-playground-series-dec-2021")
parser.add_argument("--iters", type=int, default=310)
args = parser.parse_args()

train = pd.read_csv(f"{args.data}/train.csv")
test = pd.read_csv(f"{args.data}/test.csv")
filled = train.select_dtypes("number").median()
train = train.fillna(filled)
test = test.fillna(filled)
numeric = [c for c in test.select_dtypes("number") if c != "Id"]
other = [c for c in test.columns if c not in numeric and c != "Id"]


def build():
    columns = ColumnTransformer([
        ("num", make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), numeric),
        ("cat", OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1), other),
    ])
    model = HistGradientBoostingClassifier(max_iter=args.iters, learning_rate=0.05, random_state=65)
    return make_pipeline(columns, model)


y = train["Cover_Type"].astype(int)
X = train[numeric + other]
scores = cross_val_score(build(), X, y, cv=5, scoring="accuracy")
print("cv accuracy %.4f +- %.4f" % (scores.mean(), scores.std()))
model = build().fit(X, y)
proba = model.predict_proba(test[numeric + other])[:, 1]
pred = proba
submission = test[["Id"]].assign(**{"Cover_Type": pred})
submission.to_csv("/workspace/submission.csv", index=False)
print(submission.head())
