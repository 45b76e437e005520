import pandas as pd
from sentence_transformers import SentenceTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.metrics import roc_auc_score

tr = pd.read_csv("/home/data/train.csv")
te = pd.read_csv("/home/data/test.csv")
encoder = SentenceTransformer("all-mpnet-base-v2")
E = encoder.encode((tr.request_title + ". " + tr.request_text_edit_aware).tolist(), batch_size=64)
F = encoder.encode((te.request_title + ". " + te.request_text_edit_aware).tolist(), batch_size=64)
y = tr["requester_received_pizza"].astype(int)
lr = LogisticRegression(C=0.05, max_iter=3000, class_weight="balanced")
print("oof auc", roc_auc_score(y, cross_val_predict(lr, E, y, cv=5, method="predict_proba")[:, 1]))
te[["request_id"]].assign(**{"requester_received_pizza": lr.fit(E, y).predict_proba(F)[:, 1]}).to_csv("/home/submission/submission.csv", index=False)
