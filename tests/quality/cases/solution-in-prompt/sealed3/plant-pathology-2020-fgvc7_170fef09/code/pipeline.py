import numpy as np
import pandas as pd
from PIL import Image
from sklearn.decomposition import PCA
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC
ROOT = "/workspace/data"


def pixels(ids, part):
    rows = []
    for i in ids:
        with Image.open(f"{ROOT}/{part}/{i}.jpg") as picture:
            rows.append(np.asarray(picture.convert("L").resize((86, 86)), dtype=float).ravel() / 255)
    return np.stack(rows)


train = pd.read_csv(f"{ROOT}/train.csv")
test = pd.read_csv(f"{ROOT}/sample_submission.csv")
X, y = pixels(train["image_id"], "train"), train["rust"].to_numpy()
X_test = pixels(test["image_id"], "test")
model = make_pipeline(PCA(60, whiten=True, random_state=1403), SVC(C=7, probability=True))
print("cv accuracy", cross_val_score(model, X, y, cv=3).round(4))
model.fit(X, y)
pred = model.predict_proba(X_test)[:, -1]
test["rust"] = pred
test.to_csv("./submission/submission.csv", index=False)
