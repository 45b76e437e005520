import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from imblearn.pipeline import make_pipeline
from imblearn.over_sampling import SMOTE
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
print(cross_val_score(make_pipeline(SMOTE(), LogisticRegression()), X, y, cv=5).mean())
