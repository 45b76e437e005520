import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import cross_val_predict

train, test = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/test.csv")
columns = [c for c in test.select_dtypes("number")]
forest = RandomForestClassifier(400, min_samples_leaf=4, random_state=8, n_jobs=-1)
y = train["Transported"].astype(bool)
held = cross_val_predict(forest, train[columns].fillna(-1), y, cv=5, method="predict_proba")[:, 1]
cuts = np.linspace(0.4, 0.6, 21)
right = [((held > c) == y).mean() for c in cuts]
cut = cuts[int(np.argmax(right))]
print(f"cut {cut:.2f} accuracy {max(right):.4f}")
p = forest.fit(train[columns].fillna(-1), y).predict_proba(test[columns].fillna(-1))[:, 1]
asleep = test["CryoSleep"].astype(str) == "True"
test["Transported"] = p > np.where(asleep, cut - 0.05, cut)
test[["PassengerId", "Transported"]].to_csv("/home/submission/submission.csv", index=False)
