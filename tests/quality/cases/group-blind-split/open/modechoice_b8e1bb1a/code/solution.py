import pandas as pd
import numpy as np
df = pd.read_csv("/home/data/train.csv")
y = df["choice"]
X = df.drop(columns=["choice", "individual"])
from sklearn.linear_model import LogisticRegression
C = list(X.columns)
who = df['individual'].drop_duplicates().sample(frac=0.8, random_state=0)
tr = df[df['individual'].isin(who)]
va = df[~df['individual'].isin(who)]
m = LogisticRegression().fit(tr[C], tr['choice'])
print(m.score(va[C], va['choice']))
