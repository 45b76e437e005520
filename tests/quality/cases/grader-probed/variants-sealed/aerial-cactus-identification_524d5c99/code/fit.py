import numpy as np
import pandas as pd
from PIL import Image
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split


def pixels(names, folder):
    return np.stack([np.asarray(Image.open(f"/home/data/{folder}/{n}").resize((16, 16))).ravel() for n in names])


def grade(y_true, y_pred):
    return (y_true == y_pred).mean()


train, sample = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/sample_submission.csv")
a, b = train_test_split(train, test_size=0.1, random_state=0)
forest = RandomForestClassifier(400, n_jobs=8, random_state=0).fit(pixels(a["id"], "train"), a["has_cactus"])
p = forest.predict_proba(pixels(b["id"], "train"))[:, 1]
graded = {round(t, 2): grade(b["has_cactus"], p > t) for t in np.arange(0.01, 1, 0.01)}
best = max(graded, key=graded.get)
print(len(graded), "thresholds graded, best", best, round(graded[best], 4))
sample["has_cactus"] = (forest.predict_proba(pixels(sample["id"], "test"))[:, 1] > best).astype(int)
sample.to_csv("/home/submission/submission.csv", index=False)
