import pandas as pd
from sklearn.calibration import CalibratedClassifierCV
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.metrics import log_loss
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

train, test = pd.read_csv("./input/train.csv"), pd.read_csv("./input/test.csv")
model = make_pipeline(TfidfVectorizer(analyzer="char_wb", ngram_range=(1, 5), min_df=2, sublinear_tf=True),
                      CalibratedClassifierCV(LinearSVC(C=0.4), cv=4))
oof = cross_val_predict(model, train["text"], train["author"], cv=5, method="predict_proba", n_jobs=5)
print("oof log loss", round(log_loss(train["author"], oof), 4))
model.fit(train["text"], train["author"])
pd.DataFrame(model.predict_proba(test["text"]), columns=model.classes_, index=test["id"]).to_csv("/workspace/submission.csv")
