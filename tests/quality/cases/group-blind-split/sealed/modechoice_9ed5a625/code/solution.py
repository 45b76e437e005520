import pandas as pd
import numpy as np
df = pd.read_csv("/home/data/train.csv")
y = df["choice"]
X = df.drop(columns=["choice", "individual"])
from sklearn.model_selection import ShuffleSplit, cross_validate
from sklearn.svm import SVC
print(cross_validate(SVC(), X, y, cv=ShuffleSplit(10, test_size=0.2)))
