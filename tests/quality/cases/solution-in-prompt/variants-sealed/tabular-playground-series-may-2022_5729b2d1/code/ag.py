import pandas as pd
from autogluon.tabular import TabularPredictor

train, test = pd.read_csv("./input/train.csv"), pd.read_csv("./input/test.csv")
predictor = TabularPredictor("target", eval_metric="roc_auc", path="/tmp/ag").fit(
    train.drop(columns="id"), time_limit=3600, presets="good_quality")
board = predictor.leaderboard(silent=True)
print(board[["model", "score_val", "fit_time"]].head(4).to_string())
winner = board.iloc[0]["model"]
print("winner:", winner)
proba = predictor.predict_proba(test.drop(columns="id"))[1]
test[["id"]].assign(**{"target": proba}).to_csv("./submission/submission.csv", index=False)
