import pandas as pd
import numpy as np
df = pd.read_csv("/home/data/train.csv")
y = df["choice"]
X = df.drop(columns=["choice", "individual"])
from sklearn.model_selection import train_test_split
X1, X2, y1, y2 = train_test_split(X, y)
print(X1.shape, X2.shape)
