import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.model_selection import train_test_split
from sklearn.decomposition import PCA
from sklearn.neighbors import KNeighborsClassifier
X1, X2, y1, y2 = train_test_split(X, y)
pca = PCA(5)
a = pca.fit_transform(X1)
b = pca.fit_transform(X2)
print(KNeighborsClassifier().fit(a, y1).score(b, y2))
