import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.model_selection import train_test_split
from tensorflow.keras import Sequential
from tensorflow.keras.layers import Dense
from tensorflow.keras.callbacks import EarlyStopping
X_tr, X_va, y_tr, y_va = train_test_split(X, y, test_size=0.2, random_state=0)
net = Sequential([Dense(8), Dense(1)])
net.compile('adam', 'mse')
es = EarlyStopping(patience=3, restore_best_weights=True)
net.fit(X_tr, y_tr, validation_data=(X_va, y_va), callbacks=[es])
print(net.evaluate(X_va, y_va))
