"""Who gets a pizza?

Althoff et al., "How to Ask for a Favor" (ICWSM 2014), studied the same requests; their data is public
(pizza_request_dataset.json). Only their word lists are borrowed here, not the data.
"""
import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import cross_val_score

LISTS = {
    "money": ["money", "bill", "rent", "bank", "paycheck", "broke"],
    "job": ["job", "unemployed", "hired", "work", "paid"],
    "student": ["college", "student", "university", "finals", "tuition"],
    "family": ["family", "mother", "father", "kids", "wife", "husband"],
}
train, test = pd.read_csv("./input/train.csv"), pd.read_csv("./input/test.csv")


def features(frame):
    text = frame["request_text"].fillna("").str.lower()
    out = pd.DataFrame({name: text.map(lambda s, ws=ws: sum(w in s for w in ws)) for name, ws in LISTS.items()})
    return out.assign(length=text.str.len(), link=text.str.contains("imgur").astype(int))


X, y = features(train), train["requester_received_pizza"].astype(int)
model = RandomForestClassifier(400, min_samples_leaf=10, random_state=0)
print("cv auc", cross_val_score(model, X, y, cv=5, scoring="roc_auc").mean().round(4))
test["requester_received_pizza"] = model.fit(X, y).predict_proba(features(test))[:, 1]
test[["request_id", "requester_received_pizza"]].to_csv("/home/submission/submission.csv", index=False)
