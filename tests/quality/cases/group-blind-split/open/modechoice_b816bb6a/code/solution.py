import pandas as pd
import numpy as np
df = pd.read_csv("/home/data/train.csv")
y = df["choice"]
X = df.drop(columns=["choice", "individual"])
from sklearn.model_selection import cross_val_score, GroupKFold
from sklearn.svm import SVC
print(cross_val_score(SVC(), X, y, groups=df['individual'], cv=GroupKFold(5)))
