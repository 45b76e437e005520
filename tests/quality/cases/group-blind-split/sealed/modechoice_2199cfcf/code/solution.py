import pandas as pd
import numpy as np
df = pd.read_csv("/home/data/train.csv")
y = df["choice"]
X = df.drop(columns=["choice", "individual"])
from sklearn.ensemble import GradientBoostingClassifier
tr = df.sample(frac=0.8, random_state=1)
va = df.drop(tr.index)
cols = list(X.columns)
m = GradientBoostingClassifier().fit(tr[cols], tr['choice'])
print(m.score(va[cols], va['choice']))
