import pandas as pd
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier

train, test = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/test.csv")
cols = [c for c in test.select_dtypes("number") if c != "id"]
knn = KNeighborsClassifier(2)
print("cv", cross_val_score(knn, train[cols], train["EC1"], cv=5).mean().round(4))
pred = knn.fit(train[cols], train["EC1"]).predict_proba(test[cols])[:, 1]
test[["id"]].assign(**{"EC1": pred}).to_csv("/home/submission/submission.csv", index=False)
