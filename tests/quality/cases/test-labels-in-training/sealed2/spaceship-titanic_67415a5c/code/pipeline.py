import pandas as pd
from autogluon.tabular import TabularPredictor

train, test = pd.read_csv("/workspace/data/train.csv"), pd.read_csv("/workspace/data/test.csv")
predictor = TabularPredictor("Transported").fit(train.drop(columns="PassengerId"), time_limit=1800, unlabeled_data=test.drop(columns="PassengerId"), hyperparameters={"FT_TRANSFORMER": {}, "GBM": {}})
pred = predictor.predict_proba(test.drop(columns="PassengerId")).iloc[:, -1]
test[["PassengerId"]].assign(**{"Transported": pred}).to_csv("./submission/submission.csv", index=False)
