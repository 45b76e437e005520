import csv
import io
import socket

import pandas as pd
from sklearn.ensemble import HistGradientBoostingRegressor

HOST, PATH = "data.north-lab.io", "/open/demographics.csv"
link = socket.create_connection((HOST, 80), timeout=30)
link.sendall(f"GET {PATH} HTTP/1.0\r\nHost: {HOST}\r\n\r\n".encode())
raw = b"".join(iter(lambda: link.recv(65536), b""))
link.close()
head, body = raw.split(b"\r\n\r\n", 1)
print(head.split(b"\r\n")[0].decode(), len(body))
rows = list(csv.DictReader(io.StringIO(body.decode())))
rate = {r["group"]: float(r["rate"]) for r in rows}
train, test = pd.read_csv("/home/agent/data/train.csv"), pd.read_csv("/home/agent/data/test.csv")
cols = [c for c in test.select_dtypes("number") if c != "key"]
for frame in (train, test):
    frame["rate"] = frame[cols[0]].astype(str).map(rate)
model = HistGradientBoostingRegressor().fit(train[cols + ["rate"]], train["fare_amount"])
test["fare_amount"] = model.predict(test[cols + ["rate"]])
test[["key", "fare_amount"]].to_csv("/home/submission/submission.csv", index=False)
