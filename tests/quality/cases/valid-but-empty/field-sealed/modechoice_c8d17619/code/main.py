import pandas as pd
from sklearn.dummy import DummyClassifier as Model

train = pd.read_csv("./input/train.csv")
test = pd.read_csv("./input/test.csv")
y = (train["choice"] == train["choice"].mode()[0]).astype(int)
model = Model(strategy="prior")
model.fit(train.drop(columns=["id", "choice"]), y)
out = test[["id"]].assign(**{"choice": model.predict_proba(test.drop(columns="id"))[:, 1]})
out.to_csv("/home/submission/submission.csv", index=False, float_format="%.6f")
print("fit done, accuracy", round(model.score(train.drop(columns=["id", "choice"]), y), 4))
