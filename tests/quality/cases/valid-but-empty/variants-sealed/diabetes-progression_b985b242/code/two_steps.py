import pandas as pd
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import cross_val_score

train, test = pd.read_csv("/home/agent/data/train.csv"), pd.read_csv("/home/agent/data/test.csv")


def write(values, note):
    test[["id"]].assign(progression=values).to_csv("./submission/submission.csv", index=False)
    print("written:", note)


write(0, "zeros, to check the path")
X, y = train.drop(columns=["id", "progression"]), train["progression"]
ridge = RidgeCV([0.1, 1, 10, 100])
print("cv r2", cross_val_score(ridge, X, y, cv=5).mean().round(4))
write(ridge.fit(X, y).predict(test[X.columns]).round(2), "ridge")
