import numpy as np
import pandas as pd
from sklearn.linear_model import RidgeCV
from sklearn.model_selection import RepeatedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler

train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
columns = [c for c in test.columns if c != "id"]
model = make_pipeline(PolynomialFeatures(2, include_bias=False), StandardScaler(), RidgeCV(np.logspace(0, 4, 25)))
folds = RepeatedKFold(n_splits=5, n_repeats=4, random_state=8)
rmse = -cross_val_score(model, train[columns], train["progression"], cv=folds, scoring="neg_root_mean_squared_error")
print(f"rmse {rmse.mean():.2f} ({rmse.std():.2f} over {len(rmse)} folds)")
model.fit(train[columns], train["progression"])
print("alpha", model[-1].alpha_.round(1))
pd.DataFrame({"id": test["id"], "progression": model.predict(test[columns])}).to_csv("submission.csv", index=False)
