import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from imblearn.over_sampling import SMOTENC
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import cross_validate
over = SMOTENC(categorical_features=[0, 3])
X2, y2 = over.fit_resample(X, y)
res = cross_validate(HistGradientBoostingClassifier(), X2, y2, scoring=["f1", "roc_auc"], cv=10)
print({k: v.mean() for k, v in res.items()})
