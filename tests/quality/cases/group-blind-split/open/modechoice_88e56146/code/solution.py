import pandas as pd
import numpy as np
df = pd.read_csv("/home/data/train.csv")
y = df["choice"]
X = df.drop(columns=["choice", "individual"])
from sklearn.model_selection import train_test_split
from sklearn.linear_model import LogisticRegression
C = list(X.columns)
who = df.groupby('individual').mean(numeric_only=True).reset_index()
a, b, c, d = train_test_split(who[C], who['choice'])
print(LogisticRegression().fit(a, c).score(b, d))
