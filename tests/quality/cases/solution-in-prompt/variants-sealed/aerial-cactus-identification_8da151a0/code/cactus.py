import numpy as np
import pandas as pd
from PIL import Image
from sklearn.decomposition import PCA
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

train, sub = pd.read_csv("/home/agent/data/train.csv"), pd.read_csv("/home/agent/data/sample_submission.csv")


def pixels(folder, names):
    return np.stack([np.asarray(Image.open(f"/home/agent/data/{folder}/{x}").convert("RGB").resize((32, 32)), np.float32).ravel() / 255 for x in names])


X = pixels("train", train["id"][:9000])
y = train["has_cactus"][:9000]
model = make_pipeline(PCA(60, whiten=True, random_state=0), SVC(C=4, probability=True))
print("auc", round(roc_auc_score(y, cross_val_predict(model, X, y, cv=3, method="predict_proba")[:, 1]), 4))
sub["has_cactus"] = model.fit(X, y).predict_proba(pixels("test", sub["id"]))[:, 1]
sub.to_csv("/home/submission/submission.csv", index=False)
