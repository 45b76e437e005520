import numpy as np
import pandas as pd
from sklearn.ensemble import HistGradientBoostingRegressor
from sklearn.metrics import mean_absolute_error
from sklearn.model_selection import KFold
from pyspark.sql import SparkSession

spark = SparkSession.builder.master("spark://10.20.4.11:7077").config("spark.executor.instances", 12).getOrCreate()
np.random.seed(1562)
train = pd.read_csv("/workspace/data/train.csv", nrows=800000)
test = pd.read_csv("/workspace/data/test.csv")
numeric = [c for c in test.select_dtypes("number").columns if c != "id"]
y = train["progression"].clip(*train["progression"].quantile([0.001, 0.999]))
preds, maes = [], []
for tr, va in KFold(7, shuffle=True, random_state=1562).split(train):
    model = HistGradientBoostingRegressor(max_iter=600, learning_rate=0.05, loss="absolute_error")
    model.fit(train[numeric].iloc[tr], y.iloc[tr])
    maes.append(mean_absolute_error(y.iloc[va], model.predict(train[numeric].iloc[va])))
    preds.append(model.predict(test[numeric]))
    print("mae", round(maes[-1], 4))
pred = np.mean(preds, axis=0)
answer = test[["id"]].copy()
answer["progression"] = pred
answer.to_csv("/home/submission/submission.csv", index=False)
print("mean mae", round(np.mean(maes), 4))
