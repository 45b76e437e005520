# No deep learning here: colour and texture by hand, then a forest.
import glob
import os

import cv2
import numpy as np
import pandas as pd
from sklearn.ensemble import RandomForestClassifier, ExtraTreesClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_predict


def green_mask(hsv):
    return (hsv[:, :, 0] > 25) & (hsv[:, :, 0] < 95) & (hsv[:, :, 1] > 40)


def brown_mask(hsv):
    return (hsv[:, :, 0] > 5) & (hsv[:, :, 0] < 25) & (hsv[:, :, 2] < 180)


def features(path):
    bgr = cv2.resize(cv2.imread(path), (256, 256))
    hsv = cv2.cvtColor(bgr, cv2.COLOR_BGR2HSV)
    grey = cv2.cvtColor(bgr, cv2.COLOR_BGR2GRAY)
    row = {}
    for name, channel in zip("hsv", cv2.split(hsv)):
        histogram, _ = np.histogram(channel, bins=16, range=(0, 256), density=True)
        for i, value in enumerate(histogram):
            row["%s_%d" % (name, i)] = value
        row[name + "_mean"], row[name + "_std"] = channel.mean(), channel.std()
    green, brown = green_mask(hsv), brown_mask(hsv)
    row["green"], row["brown"] = green.mean(), brown.mean()
    row["brown_of_leaf"] = brown.sum() / float(max(1, (green | brown).sum()))
    row["sharpness"] = cv2.Laplacian(grey, cv2.CV_64F).var()
    edges = cv2.Canny(grey, 80, 160)
    row["edges"] = (edges > 0).mean()
    n_spots, _, stats, _ = cv2.connectedComponentsWithStats(brown.astype(np.uint8))
    areas = stats[1:, cv2.CC_STAT_AREA]
    areas = areas[areas > 12]
    row["n_spots"] = len(areas)
    row["largest_spot"] = areas.max() if len(areas) else 0
    return row


labels = pd.read_csv("../input/train_labels.csv", index_col="image")["blight"]
train = pd.DataFrame([features("../input/train_images/" + name) for name in labels.index])
paths = sorted(glob.glob("../input/test_images/*.jpg"))
test = pd.DataFrame([features(p) for p in paths])

answers = np.zeros(len(test))
models = [
    RandomForestClassifier(800, min_samples_leaf=3, n_jobs=-1, random_state=4),
    ExtraTreesClassifier(800, min_samples_leaf=3, n_jobs=-1, random_state=4),
]
for model in models:
    inside = cross_val_predict(model, train, labels.values, cv=5, method="predict_proba")[:, 1]
    print(type(model).__name__, roc_auc_score(labels.values, inside))
    model.fit(train, labels.values)
    answers += model.predict_proba(test)[:, 1] / len(models)
    best = np.argsort(model.feature_importances_)[::-1][:10]
    print([train.columns[i] for i in best])

out = pd.DataFrame({"image": [os.path.basename(p) for p in paths], "blight": answers})
out.to_csv("forest.csv", index=False)
