import pandas as pd
import numpy as np
df = pd.read_csv("/home/data/train.csv")
y = df["choice"]
X = df.drop(columns=["choice", "individual"])
from sklearn.model_selection import train_test_split
from sklearn.linear_model import LogisticRegression
a, b = train_test_split(df['individual'].unique(), test_size=0.2)
tr, va = df[df['individual'].isin(a)], df[df['individual'].isin(b)]
c = list(X.columns)
print(LogisticRegression().fit(tr[c], tr['choice']).score(va[c], va['choice']))
