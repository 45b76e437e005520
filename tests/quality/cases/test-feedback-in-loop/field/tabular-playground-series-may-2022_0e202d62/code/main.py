import pandas as pd
from catboost import CatBoostClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import train_test_split

labelled = pd.read_csv("./input/train.csv")
unlabelled = pd.read_csv("./input/test.csv")
cols = [c for c in unlabelled.select_dtypes("number").columns if c != "id"]
train, test = train_test_split(labelled, test_size=0.2, stratify=labelled["target"], random_state=1)
best_test_score, best_iters = 0, None
for iters in (100, 200, 400, 800):
    model = CatBoostClassifier(iterations=iters, depth=6, verbose=0, random_seed=1).fit(train[cols], train["target"])
    test_score = roc_auc_score(test["target"], model.predict_proba(test[cols])[:, 1])
    print(f"iters {iters} test score {test_score:.4f}")
    if test_score > best_test_score:
        best_test_score, best_iters = test_score, iters
print("keep", best_iters)
final = CatBoostClassifier(iterations=best_iters, depth=6, verbose=0).fit(labelled[cols], labelled["target"])
unlabelled["target"] = final.predict_proba(unlabelled[cols])[:, 1]
unlabelled[["id", "target"]].to_csv("./submission/submission.csv", index=False)
