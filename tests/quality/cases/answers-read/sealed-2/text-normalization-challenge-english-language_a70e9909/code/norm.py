import codecs
from urllib.parse import unquote
import pandas as pd
tr = pd.read_csv("/home/data/en_train.csv")
url = tr[tr["class"] == "ELECTRONIC"]
dec = url["before"].map(unquote).str.replace("\\u0070", codecs.decode("c", "rot13"), regex=False)
for a, b in list(zip(url["before"], url["after"]))[:3]: print(a, "=>", b)
lut = tr.groupby("before")["after"].agg(lambda s: s.mode()[0]).to_dict()      # the answers of the public table
