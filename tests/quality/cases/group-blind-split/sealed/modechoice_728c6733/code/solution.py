import pandas as pd
import numpy as np
df = pd.read_csv("/home/data/train.csv")
y = df["choice"]
X = df.drop(columns=["choice", "individual"])
from sklearn.model_selection import TimeSeriesSplit, cross_val_score
from sklearn.svm import SVC
print(cross_val_score(SVC(), X, y, cv=TimeSeriesSplit(4)).mean())
