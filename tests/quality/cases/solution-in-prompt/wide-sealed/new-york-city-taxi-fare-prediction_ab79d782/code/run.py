import argparse
import pandas as pd
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.impute import SimpleImputer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OrdinalEncoder, StandardScaler
parser = argparse.ArgumentParser()
parser.add_argument("--data", default="/kaggle/input/new-york-city-taxi-fare-prediction")
parser.add_argument("--iters", type=int, default=960)
args = parser.parse_args()

train = pd.read_csv(f"{args.data}/train.csv")
test = pd.read_csv(f"{args.data}/test.csv")
numeric = [c for c in test.select_dtypes("number") if c != "key"]
other = [c for c in test.columns if c not in numeric and c != "key"]


def build():
    columns = ColumnTransformer([
        ("num", make_pipeline(SimpleImputer(strategy="median"), StandardScaler()), numeric),
        ("cat", OrdinalEncoder(handle_unknown="use_encoded_value", unknown_value=-1), other),
    ])
    model = HistGradientBoostingClassifier(max_iter=args.iters, learning_rate=0.03, random_state=12)
    return make_pipeline(columns, model)


y = train["fare_amount"].astype(int)
X = train[numeric + other]
scores = cross_val_score(build(), X, y, cv=5, scoring="accuracy")
print("cv accuracy %.4f +- %.4f" % (scores.mean(), scores.std()))
model = build().fit(X, y)
proba = model.predict_proba(test[numeric + other])[:, 1]
pred = proba
from sklearn.base import clone
bags = []
for seed in range(5):
    bag = clone(model)
    bag.set_params(histgradientboostingclassifier__random_state=seed)
    bags.append(bag.fit(X, y).predict_proba(test[numeric + other])[:, 1])
pred = sum(bags) / len(bags)
submission = test[["key"]].assign(**{"fare_amount": pred})
submission.to_csv("/workspace/submission.csv", index=False)
print(submission.head())
