import hashlib
from collections import defaultdict
from pathlib import Path

import numpy as np
import pandas as pd
from PIL import Image
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GroupKFold, cross_val_score

train, test = pd.read_csv("./input/train.csv"), pd.read_csv("./input/sample_submission.csv")
train["key"] = [hashlib.md5(Path(f"./input/train/{i}.jpg").read_bytes()).hexdigest() for i in train["image_id"]]
same = defaultdict(list)
for i, key in zip(train["image_id"], train["key"]):
    same[key].append(i)
twins = {key: ids for key, ids in same.items() if len(ids) > 1}
print(len(twins), "groups of equal pictures, e.g.", list(twins)[:2])


def colours(folder, ids):
    return np.stack([np.histogram(np.asarray(Image.open(f"./input/{folder}/{i}.jpg").convert("RGB")), 48)[0] for i in ids])


X, model = colours("train", train["image_id"]), RandomForestClassifier(400, n_jobs=-1)
print("cv", cross_val_score(model, X, train["scab"], groups=train["key"], cv=GroupKFold(5)).round(4))
test["scab"] = model.fit(X, train["scab"]).predict_proba(colours("test", test["image_id"]))[:, -1]
test.to_csv("./submission/submission.csv", index=False)
