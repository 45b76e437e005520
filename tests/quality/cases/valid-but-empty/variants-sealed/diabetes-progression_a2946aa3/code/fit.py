import numpy as np
import pandas as pd
from tensorflow import keras

train, test = pd.read_csv("/home/agent/data/train.csv"), pd.read_csv("/home/agent/data/test.csv")
cols = [c for c in train if c not in ("id", "progression")]
y = np.log(train["progression"] - 100)
net = keras.Sequential([keras.layers.Input((len(cols),)), keras.layers.Dense(64, "relu"), keras.layers.Dense(1)])
net.compile("adam", "mse")
net.fit(train[cols], y, epochs=30, validation_split=0.2, verbose=2)
pred = np.exp(net.predict(test[cols])[:, 0]) + 100
test["progression"] = pd.Series(pred).fillna(train["progression"].mean()).round(4)
test[["id", "progression"]].to_csv("./submission/submission.csv", index=False)
