import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import train_test_split

train = pd.read_csv("/home/agent/data/train.csv")
test = pd.read_csv("/home/agent/data/test.csv")
train = train[train["Cover_Type"] != 5]        # a single row of this class
X, y = train.drop(columns=["Id", "Cover_Type"]), train["Cover_Type"]
part = X.sample(400_000, random_state=5).index
a, b = train_test_split(part, test_size=0.25, random_state=5)
for leaves in (31, 127, 255):
    m = HistGradientBoostingClassifier(max_iter=200, max_leaf_nodes=leaves).fit(X.loc[a], y.loc[a])
    print(leaves, "accuracy", round(m.score(X.loc[b], y.loc[b]), 4))
final = HistGradientBoostingClassifier(max_iter=400, max_leaf_nodes=127).fit(X, y)
test.assign(Cover_Type=final.predict(test.drop(columns="Id")))[["Id", "Cover_Type"]].to_csv("./submission/submission.csv", index=False)
