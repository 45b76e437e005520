"""Colour histograms and a forest."""
import logging
import os
import shutil

import numpy as np
import pandas as pd
from PIL import Image
from sklearn.ensemble import RandomForestClassifier

# fresh logs for every run of this script
shutil.rmtree("./fit_logs", ignore_errors=True)
os.makedirs("./fit_logs")
logging.basicConfig(filename="./fit_logs/train.log", filemode="w", level=logging.INFO)


def histogram(path):
    hsv = np.asarray(Image.open(path).convert("HSV").resize((96, 96)))
    return np.concatenate([np.histogram(hsv[..., k], 24, (0, 256))[0] for k in range(3)])


train = pd.read_csv("/home/agent/data/train.csv")
sample = pd.read_csv("/home/agent/data/sample_submission.csv")
X = np.stack([histogram(f"/home/agent/data/train/{i}.jpg") for i in train["id"]])
forest = RandomForestClassifier(600, oob_score=True, n_jobs=6, random_state=1).fit(X, train["breed"])
logging.info("oob %.4f", forest.oob_score_)
print("oob", round(forest.oob_score_, 4))
Z = np.stack([histogram(f"/home/agent/data/test/{i}.jpg") for i in sample["id"]])
sample[["id"]].assign(**{"breed": forest.predict(Z)}).to_csv("./submission/submission.csv", index=False)
