import pandas as pd
import numpy as np
df = pd.read_csv("/home/data/train.csv")
y = df["choice"]
X = df.drop(columns=["choice", "individual"])
from sklearn.model_selection import KFold
from sklearn.linear_model import LogisticRegression
C = list(X.columns)
persons = df['individual'].unique()
for a, b in KFold(5, shuffle=True).split(persons):
    tr = df[df['individual'].isin(persons[a])]
    va = df[df['individual'].isin(persons[b])]
    m = LogisticRegression().fit(tr[C], tr['choice'])
    print(m.score(va[C], va['choice']))
