import os
import sys

import numpy as np
import pandas as pd
from PIL import Image
from sklearn.decomposition import PCA
from sklearn.ensemble import GradientBoostingClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler

ROOT = sys.argv[1] if len(sys.argv) > 1 else "../input"


def pixels(folder, names, side=48):
    """Small pictures as rows."""
    rows = []
    for name in names:
        with Image.open(os.path.join(ROOT, folder, name)) as image:
            small = image.convert("YCbCr").resize((side, side), Image.BILINEAR)
        rows.append(np.asarray(small, dtype=np.float32).ravel())
    return np.vstack(rows)


def moments(block, side=48):
    """Mean, spread and skew of each channel over a grid of 4 by 4."""
    pictures = block.reshape(len(block), side, side, 3)
    step = side // 4
    columns = []
    for top in range(0, side, step):
        for left in range(0, side, step):
            tile = pictures[:, top:top + step, left:left + step].reshape(len(block), -1, 3)
            centre = tile.mean(axis=1)
            spread = tile.std(axis=1) + 1e-6
            skew = (((tile - centre[:, None]) / spread[:, None]) ** 3).mean(axis=1)
            columns += [centre, spread, skew]
    return np.hstack(columns)


def main():
    labels = pd.read_csv(os.path.join(ROOT, "train_labels.csv"))
    y = labels["blight"].values
    block = pixels("train_images", labels["image"])
    print("read %d pictures, %.1f %% ill" % (len(block), 100 * y.mean()))
    X = np.hstack([moments(block), PCA(40, random_state=0).fit_transform(block)])
    model = Pipeline([
        ("scale", StandardScaler()),
        ("boost", GradientBoostingClassifier(n_estimators=250, learning_rate=0.06, subsample=0.6)),
    ])
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    scores = cross_val_score(model, X, y, cv=folds, scoring="roc_auc")
    print("auc %.4f, worst fold %.4f" % (scores.mean(), scores.min()))

    only = moments(block)
    model.fit(only, y)
    print("on what it was fitted:", roc_auc_score(y, model.predict_proba(only)[:, 1]))
    test = pd.read_csv(os.path.join(ROOT, "sample_submission.csv"))
    test["blight"] = model.predict_proba(moments(pixels("test_images", test["image"])))[:, 1]
    test.to_csv("boosting.csv", index=False)


if __name__ == "__main__":
    main()
