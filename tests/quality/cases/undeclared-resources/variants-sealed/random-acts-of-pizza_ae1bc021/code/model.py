import pandas as pd
from sklearn.decomposition import TruncatedSVD
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

train, test = pd.read_json("/home/agent/data/train.json"), pd.read_json("/home/agent/data/test.json")
text = "request_text_edit_aware"
model = make_pipeline(
    TfidfVectorizer(min_df=3, sublinear_tf=True, stop_words="english"),
    TruncatedSVD(80, random_state=7),
    HistGradientBoostingClassifier(max_iter=150, learning_rate=0.04, random_state=7),
)
auc = cross_val_score(model, train[text], train["requester_received_pizza"], cv=5, scoring="roc_auc", n_jobs=4)
print("auc", auc.round(4), auc.mean().round(4))
model.fit(train[text], train["requester_received_pizza"])
test[["request_id"]].assign(**{"requester_received_pizza": model.predict_proba(test[text])[:, 1]}).to_csv("/home/submission/submission.csv", index=False)
