import pandas as pd
from autogluon.tabular import TabularPredictor

train = pd.read_csv("./input/train.csv").drop(columns="id")
test = pd.read_csv("./input/test.csv")
predictor = TabularPredictor(label="EC1", eval_metric="roc_auc", path="/tmp/ag").fit(
    train, time_limit=1800, presets="good_quality")
board = predictor.leaderboard(silent=True)
print(board[["model", "score_val", "fit_time"]].head(4).to_string(index=False))
predictor.set_model_best(board.iloc[0]["model"])
test["EC1"] = predictor.predict_proba(test.drop(columns="id")).iloc[:, 1]
test[["id", "EC1"]].to_csv("/home/submission/submission.csv", index=False)
