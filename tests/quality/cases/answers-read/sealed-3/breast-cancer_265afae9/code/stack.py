import pandas as pd
from sklearn.ensemble import StackingClassifier, ExtraTreesClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score, RepeatedStratifiedKFold
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
tr, te = pd.read_csv('/home/data/train.csv'), pd.read_csv('/home/data/test.csv')
t = [c for c in tr if c not in te][0]; f = [c for c in te if tr[c].dtype.kind == 'f']
m = StackingClassifier([('et', ExtraTreesClassifier(500, random_state=0)), ('svc', make_pipeline(StandardScaler(), SVC(probability=True))), ('knn', make_pipeline(StandardScaler(), KNeighborsClassifier(9)))], LogisticRegression(), cv=5)
s = cross_val_score(m, tr[f], tr[t], cv=RepeatedStratifiedKFold(n_splits=5, n_repeats=3, random_state=1), scoring='roc_auc')
print(s, s.mean(), s.std())
m.fit(tr[f], tr[t])
out = te.drop(columns=f).assign(**{t: m.predict_proba(te[f])[:, 1]})
out.to_csv('/home/submission/submission.csv', index=False)
