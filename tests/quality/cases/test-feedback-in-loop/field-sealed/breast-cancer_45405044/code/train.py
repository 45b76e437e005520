import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import QuantileTransformer

train = pd.read_csv("/home/data/train.csv", index_col="id")
test = pd.read_csv("/home/data/test.csv", index_col="id")
y = train.pop("malignant")
model = make_pipeline(QuantileTransformer(n_quantiles=100, output_distribution="normal"), LogisticRegression(C=0.5, max_iter=500))
cv = RepeatedStratifiedKFold(n_splits=5, n_repeats=4, random_state=11)
auc = cross_val_score(model, train, y, cv=cv, scoring="roc_auc")
print(f"auc {auc.mean():.4f} sd {auc.std():.4f}")
pred = model.fit(train, y).predict_proba(test)[:, 1]
pd.Series(pred, index=test.index, name="malignant").to_csv("/home/submission/submission.csv")
