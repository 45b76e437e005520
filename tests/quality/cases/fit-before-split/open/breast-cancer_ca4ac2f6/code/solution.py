import polars as pl
import numpy as np
from sklearn.linear_model import Ridge
from sklearn.model_selection import train_test_split
df = pl.read_csv("/home/data/train.csv")
df = df.with_columns(((pl.col("area") - pl.col("area").mean()) / pl.col("area").std()).alias("area_z"))
X = df.select(["area_z", "rooms"]).to_numpy()
y = df["price"].to_numpy()
X_tr, X_va, y_tr, y_va = train_test_split(X, y, random_state=3)
m = Ridge().fit(X_tr, y_tr)
print("val r2", m.score(X_va, y_va))
