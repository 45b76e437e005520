import pandas as pd
import numpy as np
df = pd.read_csv("/home/data/train.csv")
y = df["choice"]
X = df.drop(columns=["choice", "individual"])
from sklearn.linear_model import LogisticRegression
C = list(X.columns)
tr, va = df[df['individual'] % 5 != 0], df[df['individual'] % 5 == 0]
m = LogisticRegression().fit(tr[C], tr['choice'])
print(m.score(va[C], va['choice']))
