import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.model_selection import train_test_split
from imblearn.combine import SMOTETomek
from sklearn.svm import SVC
st = SMOTETomek()
X_new, y_new = st.fit_sample(X, y)
xa, xb, ya, yb = train_test_split(X_new, y_new)
svc = SVC().fit(xa, ya)
from sklearn.metrics import classification_report
print(classification_report(yb, svc.predict(xb)))
