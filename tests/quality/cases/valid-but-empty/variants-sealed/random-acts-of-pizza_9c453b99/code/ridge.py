import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import RidgeClassifier
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

a, b = pd.read_json("/home/data/train.json"), pd.read_json("/home/data/test.json")
m = make_pipeline(TfidfVectorizer(min_df=3), RidgeClassifier(5.0))
x, y = a["request_text_edit_aware"], a["requester_received_pizza"]
print("cv auc", cross_val_score(m, x, y, cv=5, scoring="roc_auc").mean().round(4))
b["requester_received_pizza"] = m.fit(x, y).decision_function(b["request_text_edit_aware"])
b[["request_id", "requester_received_pizza"]].to_csv("submission.csv", index=False)
print("wrote submission.csv")
