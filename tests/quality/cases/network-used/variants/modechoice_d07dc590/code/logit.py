# Mixed ideas:
#   https://scikit-learn.org/stable/auto_examples/compose/plot_column_transformer_mixed_types.html
#   https://stats.stackexchange.com/q/361494   (early stopping within folds)
#   data of a similar survey: https://www.openml.org/d/45545 - only mentioned, not used
import pandas as pd
from sklearn.linear_model import LogisticRegressionCV
from sklearn.metrics import accuracy_score
from sklearn.model_selection import cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

train = pd.read_csv("./input/train.csv")
test = pd.read_csv("./input/test.csv")
X, X_test = (pd.get_dummies(f.drop(columns=["id", "choice"], errors="ignore")) for f in (train, test))
X_test = X_test.reindex(columns=X.columns, fill_value=0)
model = make_pipeline(StandardScaler(), LogisticRegressionCV(Cs=8, cv=4, max_iter=4000))
print("accuracy", round(accuracy_score(train["choice"], cross_val_predict(model, X, train["choice"], cv=5)), 4))
test["choice"] = model.fit(X, train["choice"]).predict(X_test)
test[["id", "choice"]].to_csv("/home/submission/submission.csv", index=False)
