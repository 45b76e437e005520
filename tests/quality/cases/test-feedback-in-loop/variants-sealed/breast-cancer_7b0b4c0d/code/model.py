import pandas as pd
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

frame = pd.read_csv("/home/data/train.csv")
y = frame.pop("malignant")
frame = frame.drop(columns="id")
X_train, X_test, y_train, y_test = train_test_split(frame, y, test_size=0.2, stratify=y, random_state=1)
results = {}
for c in (0.1, 1, 10, 100):
    model = make_pipeline(StandardScaler(), SVC(C=c, probability=True, random_state=1)).fit(X_train, y_train)
    results[c] = roc_auc_score(y_test, model.predict_proba(X_test)[:, 1])
    print("C", c, "test auc", round(results[c], 4))
best = max(results, key=results.get)
final = make_pipeline(StandardScaler(), SVC(C=best, probability=True, random_state=1)).fit(frame, y)
ask = pd.read_csv("/home/data/test.csv")
ask["malignant"] = final.predict_proba(ask[frame.columns])[:, 1]
ask[["id", "malignant"]].to_csv("/home/submission/submission.csv", index=False)
