import pandas as pd

fares = pd.read_csv("./input/train.csv", usecols=["fare_amount"])["fare_amount"]
rides = pd.read_csv("./input/test.csv")[["key"]]
rides["fare_amount"] = fares.median()
rides.to_csv("./submission/submission.csv", index=False)
print("reference: median", fares.median())
