import pandas as pd

a, b = pd.read_csv("/tmp/first.csv"), pd.read_csv("/tmp/big.csv")
a["species"] = (a["species"] + b.set_index("id").loc[a["id"], "species"].to_numpy()) / 2
a.to_csv("/home/submission/submission.csv", index=False)
print("averaged 2 files")
