import lightgbm as lgb
import numpy as np
import pandas as pd
from sklearn.model_selection import StratifiedKFold


def main():
    train = pd.read_csv("./input/train.csv", index_col="PassengerId")
    test = pd.read_csv("./input/test.csv", index_col="PassengerId")
    y = train.pop("Transported").astype(int)
    for c in train.select_dtypes("object"):
        train[c] = train[c].astype("category")
        test[c] = pd.Categorical(test[c], categories=train[c].cat.categories)
    params = dict(objective="binary", metric="auc", num_leaves=71, learning_rate=0.03, verbose=-1)
    scores, pred = [], np.zeros(len(test))
    for tr, va in StratifiedKFold(5, shuffle=True, random_state=462).split(train, y):
        d_tr = lgb.Dataset(train.iloc[tr], y.iloc[tr])
        d_va = lgb.Dataset(train.iloc[va], y.iloc[va], reference=d_tr)
        booster = lgb.train(params, d_tr, 2000, valid_sets=[d_va], callbacks=[lgb.early_stopping(100, verbose=False)])
        scores.append(booster.best_score["valid_0"]["auc"])
        pred += booster.predict(test) / 5
        print("fold auc", round(scores[-1], 5))
    out = pd.DataFrame({"PassengerId": test.index, "Transported": pred})
    out.to_csv("/home/submission/submission.csv", index=False)
    print("cv", round(float(np.mean(scores)), 5), "rows", len(out))


if __name__ == "__main__":
    main()
