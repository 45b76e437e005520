import polars as pl
from sklearn.ensemble import RandomForestRegressor
from sklearn.model_selection import train_test_split
df = pl.read_csv("/home/data/train.csv")
df = df.with_columns(pl.col("price").mean().over("suburb").alias("suburb_price"))
y = df["price"].to_numpy()
X = df.select(["suburb_price", "rooms"]).to_numpy()
a, b, c, d = train_test_split(X, y)
rf = RandomForestRegressor().fit(a, c)
print("r2", rf.score(b, d))
