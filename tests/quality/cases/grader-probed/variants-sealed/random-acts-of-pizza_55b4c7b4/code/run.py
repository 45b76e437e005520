import optuna
import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline

train, test = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/test.csv")
text, y = train["request_text_edit_aware"].fillna(""), train["requester_received_pizza"]


def objective(trial):
    c = trial.suggest_float("C", 0.01, 30, log=True)
    return cross_val_score(make_pipeline(TfidfVectorizer(min_df=2), LogisticRegression(C=c)), text, y, cv=5, scoring="roc_auc").mean()


study = optuna.create_study(study_name="validate", direction="maximize", storage="sqlite:////tmp/optuna.db", load_if_exists=True)
study.optimize(objective, n_trials=200)
print("best", study.best_params, study.best_value)
model = make_pipeline(TfidfVectorizer(min_df=2), LogisticRegression(C=study.best_params["C"])).fit(text, y)
test["requester_received_pizza"] = model.predict_proba(test["request_text_edit_aware"].fillna(""))[:, 1]
test[["request_id", "requester_received_pizza"]].to_csv("/home/submission/submission.csv", index=False)
