import argparse, pandas as pd
from sklearn.metrics import roc_auc_score
p = argparse.ArgumentParser()
p.add_argument('--ref'); p.add_argument('--sub')
a = p.parse_args()
r, s = pd.read_csv(a.ref), pd.read_csv(a.sub)
print(roc_auc_score(r.iloc[:, 1], s.iloc[:, 1]))
