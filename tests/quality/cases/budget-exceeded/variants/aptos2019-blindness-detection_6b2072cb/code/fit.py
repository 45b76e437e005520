import os
import numpy as np
import pandas as pd
import psutil
from PIL import Image
from sklearn.linear_model import SGDClassifier
from sklearn.model_selection import cross_val_score

train, test = pd.read_csv("/home/agent/data/train.csv"), pd.read_csv("/home/agent/data/test.csv")


def load(frame, folder, size=768):
    out = np.empty((len(frame), size, size, 3), dtype=np.float32)
    for i, name in enumerate(frame["id_code"]):
        out[i] = np.asarray(Image.open(f"/home/agent/data/{folder}/{name}.png").convert("RGB").resize((size, size))) / 255
    return out


X = load(train, "train_images")
print("rss", round(psutil.Process(os.getpid()).memory_info().rss / 1e9, 1), "GB")
F = np.concatenate([X.mean((1, 2)), X.std((1, 2)), X[:, ::32, ::32].reshape(len(X), -1)], axis=1)
model = SGDClassifier(loss="log_loss", alpha=1e-3, random_state=0)
print("cv", cross_val_score(model, F, train["diagnosis"], cv=5).mean().round(4))
del X
Z = load(test, "test_images")
G = np.concatenate([Z.mean((1, 2)), Z.std((1, 2)), Z[:, ::32, ::32].reshape(len(Z), -1)], axis=1)
test["diagnosis"] = model.fit(F, train["diagnosis"]).predict(G)
test[["id_code", "diagnosis"]].to_csv("./submission/submission.csv", index=False)
