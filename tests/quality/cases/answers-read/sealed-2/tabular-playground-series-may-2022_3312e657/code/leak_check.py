"""Is there label leakage? Are answers of the test rows recoverable from the public files? (duplicates, order, ids)"""
import pandas as pd, lightgbm as lgb
from sklearn.model_selection import cross_val_score
tr, te = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/test.csv")
f = [c for c in te if c != "id"]
dup = pd.merge(tr[f].drop_duplicates(), te[f], on=f)
print("test rows that also occur in train:", len(dup))
print("corr(id, target):", tr["id"].corr(tr["target"]))
both = pd.concat([tr[f].assign(t=0), te[f].assign(t=1)])
print("adversarial auc:", cross_val_score(lgb.LGBMClassifier(), both[f].select_dtypes("number"), both["t"], scoring="roc_auc").mean())
