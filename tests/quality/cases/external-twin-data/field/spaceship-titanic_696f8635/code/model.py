import pandas as pd
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.model_selection import cross_val_score


def smoke():
    # does the installed scikit-learn work at all? (toy table, nothing of the task)
    X, y = load_breast_cancer(return_X_y=True)
    assert HistGradientBoostingClassifier(max_iter=20).fit(X[:400], y[:400]).score(X[400:], y[400:]) > 0.9
    print("smoke test passed")


smoke()
train, test = pd.read_csv("./input/train.csv"), pd.read_csv("./input/test.csv")
cols = ["Age", "RoomService", "FoodCourt", "ShoppingMall", "Spa", "VRDeck"]
model = HistGradientBoostingClassifier(max_iter=250, learning_rate=0.05)
print("cv", cross_val_score(model, train[cols], train["Transported"], cv=5).mean().round(4))
test["Transported"] = model.fit(train[cols], train["Transported"]).predict(test[cols])
test[["PassengerId", "Transported"]].to_csv("/home/submission/submission.csv", index=False)
