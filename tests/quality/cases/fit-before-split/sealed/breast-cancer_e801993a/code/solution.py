import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
from sklearn.model_selection import train_test_split
from tensorflow.keras.preprocessing.sequence import pad_sequences
from tensorflow.keras.models import Sequential
from tensorflow.keras.layers import Embedding, GlobalAveragePooling1D, Dense
seqs = [[ord(ch) for ch in t] for t in train["text"]]
longest = max(len(s) for s in seqs)
X = pad_sequences(seqs, maxlen=longest)
X_tr, X_va, y_tr, y_va = train_test_split(X, train["target"], random_state=0)
net = Sequential([Embedding(256, 8), GlobalAveragePooling1D(), Dense(1, activation="sigmoid")])
net.compile(loss="binary_crossentropy", metrics=["accuracy"])
net.fit(X_tr, y_tr, epochs=3)
print("val", net.evaluate(X_va, y_va))
