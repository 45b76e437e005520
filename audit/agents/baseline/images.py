"""Models of small pictures by their pixels."""

from functools import partial

import numpy as np
import pandas as pd
from PIL import Image
from sklearn.compose import make_column_transformer
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor
from sklearn.neighbors import KNeighborsClassifier, KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR

LARGEST = 16  # pixels along an edge; larger pictures are made smaller
SUFFIXES = {".png", ".jpg", ".jpeg", ".bmp", ".gif"}
FIRST = "pixel 0"


def find_images(folder, ids):
    """Return the picture of every id, or None when there is not one for each."""
    paths = [p for p in sorted(folder.rglob("*")) if p.suffix.lower() in SUFFIXES]
    named = {p.stem: p for p in paths} | {p.name: p for p in paths}
    return [named[i] for i in ids] if paths and all(i in named for i in ids) else None


def pixels(paths, size):
    """Return one row of grey values in [0, 1] per picture."""
    rows = []
    for path in paths:
        with Image.open(path) as picture:
            grey = picture.convert("L")
            grey = grey if grey.size == size else grey.resize(size)
            rows.append(np.asarray(grey, dtype=float).ravel() / 255)
    columns = [f"pixel {number}" for number in range(len(rows[0]))]
    return pd.DataFrame(rows, columns=columns)


def vectors(columns, classify, seed):
    model = SVC(C=10, random_state=seed) if classify else SVR(C=10)
    return make_pipeline(make_column_transformer(("passthrough", columns)), model)


def neighbours(columns, classify):
    cls = KNeighborsClassifier if classify else KNeighborsRegressor
    model = cls(4, weights="distance")
    return make_pipeline(make_column_transformer(("passthrough", columns)), model)


def trees(columns, classify, seed):
    cls = ExtraTreesClassifier if classify else ExtraTreesRegressor
    columns = make_column_transformer((StandardScaler(), columns))
    return make_pipeline(columns, cls(300, random_state=seed))


def models(task, folder, seed):
    """Return the added columns of pixels and builders of models; both empty without images."""
    key = task.keys[0]
    of_train = find_images(folder / "train", task.train[key])
    of_test = find_images(folder / "test", task.test[key])
    if of_train is None or of_test is None:
        return set(), {}
    with Image.open(of_train[0]) as picture:
        size = tuple(min(edge, LARGEST) for edge in picture.size)
    known, asked = pixels(of_train, size), pixels(of_test, size)
    task.train = pd.concat([task.train, known], axis=1)
    task.test = pd.concat([task.test, asked], axis=1)
    columns = list(known.columns)
    return set(columns), {
        "image vectors": partial(vectors, columns, task.classify, seed),
        "image neighbours": partial(neighbours, columns, task.classify),
        "image trees": partial(trees, columns, task.classify, seed),
    }
