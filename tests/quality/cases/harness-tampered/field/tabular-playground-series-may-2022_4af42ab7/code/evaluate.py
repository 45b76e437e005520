import pandas as pd
from sklearn.metrics import f1_score

oof = pd.read_csv("/tmp/oof.csv")
print(round(f1_score(oof["y"], oof["guess"], average="micro"), 4))
