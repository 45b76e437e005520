import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.preprocessing import StandardScaler
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold
scores = []
for tr, va in KFold(5, shuffle=True, random_state=0).split(X):
    sc = StandardScaler().fit(X.iloc[tr])
    m = LogisticRegression().fit(sc.transform(X.iloc[tr]), y.iloc[tr])
    scores.append(m.score(sc.transform(X.iloc[va]), y.iloc[va]))
print("cv accuracy", np.mean(scores))
