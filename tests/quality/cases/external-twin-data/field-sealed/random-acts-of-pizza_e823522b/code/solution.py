import numpy as np
from datasets import load_dataset
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.linear_model import SGDClassifier
from sklearn.metrics import roc_auc_score

data = load_dataset("csv", data_files={"train": "/home/data/train.csv", "test": "/home/data/test.csv"})
part = data["train"].train_test_split(test_size=0.2, seed=8)
hashing = HashingVectorizer(n_features=2**18, ngram_range=(1, 2))
model = SGDClassifier(loss="log_loss", alpha=1e-5, random_state=0)
model.fit(hashing.transform(map(str, part["train"]["request_text"])), part["train"]["requester_received_pizza"])
proba = model.predict_proba(hashing.transform(map(str, part["test"]["request_text"])))[:, 1]
print("auc on the split", round(roc_auc_score(part["test"]["requester_received_pizza"], proba), 4))
final = model.predict_proba(hashing.transform(map(str, data["test"]["request_text"])))[:, 1]
np.savetxt("/home/submission/submission.csv", np.c_[data["test"]["request_id"], final.astype(str)], fmt="%s", delimiter=",",
           header="request_id,requester_received_pizza", comments="")
