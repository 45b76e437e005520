import pandas as pd
import numpy as np
df = pd.read_csv("/home/data/train.csv")
y = df["choice"]
X = df.drop(columns=["choice", "individual"])
from sklearn.model_selection import train_test_split
from sklearn.tree import DecisionTreeClassifier
X['n'] = df.groupby('individual')['mode'].transform('count')
X1, X2, y1, y2 = train_test_split(X, y, stratify=y)
print(DecisionTreeClassifier().fit(X1, y1).score(X2, y2))
