import pandas as pd

# No model: zeros for every row, a lower bound to compare with. Say so in the report.
test = pd.read_csv("/home/data/test.csv")
test[["id"]].assign(**{"progression": 0.0}).to_csv("/home/submission/submission.csv", index=False)
print("wrote the all-zero baseline (no model)")
