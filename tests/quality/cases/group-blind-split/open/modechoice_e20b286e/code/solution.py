import pandas as pd
import numpy as np
df = pd.read_csv("/home/data/train.csv")
y = df["choice"]
X = df.drop(columns=["choice", "individual"])
from sklearn.model_selection import train_test_split
from sklearn.linear_model import LogisticRegression
one = df.drop_duplicates('individual')
X1, X2, y1, y2 = train_test_split(one[X.columns], one['choice'])
print(LogisticRegression().fit(X1, y1).score(X2, y2))
