import logging
import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC

logging.basicConfig(format="%(asctime)s %(message)s", level=logging.INFO, datefmt="%Y-%m-%d %H:%M:%S")
logging.info("start")
train, test = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/test.csv")
pipe = Pipeline([("v", TfidfVectorizer(sublinear_tf=True)), ("m", SVC(probability=True))])
grid = {"v__ngram_range": [(1, 1), (1, 2)], "v__min_df": [1, 2, 3], "m__C": [1, 3, 10], "m__gamma": ["scale", 0.3, 1.0]}
search = GridSearchCV(pipe, grid, cv=5, scoring="roc_auc").fit(train["Comment"], train["Insult"])
logging.info("auc %.4f %s", search.best_score_, search.best_params_)
p = search.predict_proba(test["Comment"])[:, 1]
pd.DataFrame({"id": test["id"], "Insult": p}).to_csv("/home/submission/submission.csv", index=False)
logging.info("wrote submission.csv")
