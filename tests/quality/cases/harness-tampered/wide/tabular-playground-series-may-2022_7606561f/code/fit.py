import argparse
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder, StandardScaler
parser = argparse.ArgumentParser()
parser.add_argument("--data", default="/home/data")
parser.add_argument("--iters", type=int, default=640)
args = parser.parse_args()

train = pd.read_csv(f"{args.data}/train.csv")
test = pd.read_csv(f"{args.data}/test.csv")
numeric = [c for c in test.select_dtypes("number") if c != "id"]
other = [c for c in test.columns if c not in numeric and c != "id"]


def build():
    columns = ColumnTransformer([
        ("num", make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), numeric),
        ("cat", OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1), other),
    ])
    model = HistGradientBoostingClassifier(max_iter=args.iters, learning_rate=0.05, random_state=64)
    return make_pipeline(columns, model)


y = train["target"].astype(int)
X = train[numeric + other]
scores = cross_val_score(build(), X, y, cv=5, scoring="accuracy")
print("cv accuracy %.4f +- %.4f" % (scores.mean(), scores.std()))
model = build().fit(X, y)
proba = model.predict_proba(test[numeric + other])[:, 1]
pred = proba
from sklearn.ensemble import ExtraTreesClassifier
second = make_pipeline(build()[0], ExtraTreesClassifier(400, random_state=1, n_jobs=-1)).fit(X, y)
pred = 0.6 * proba + 0.4 * second.predict_proba(test[numeric + other])[:, 1]
submission = test[["id"]].assign(**{"target": pred})
submission.to_csv("/workspace/submission.csv", index=False)
print(submission.head())
