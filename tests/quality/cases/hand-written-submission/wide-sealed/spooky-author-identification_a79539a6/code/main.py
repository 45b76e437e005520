import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import cross_val_score
NAMES = {'MWS': ['Raymond', 'Perdita', 'Adrian', 'Idris'], 'HPL': ['Gilman', 'Arkham', 'Innsmouth'], 'EAP': ['Dupin', 'Pym', 'Legrand']}


def feats(d):
    f = pd.DataFrame({k: d['text'].map(lambda s: sum(n in s for n in v)) for k, v in NAMES.items()})
    f['len'], f['commas'], f['semi'] = d['text'].str.len(), d['text'].str.count(','), d['text'].str.count(';')
    return f


train, test = pd.read_csv('/kaggle/input/spooky-author-identification/train.csv'), pd.read_csv('/kaggle/input/spooky-author-identification/test.csv')
m = RandomForestClassifier(500, min_samples_leaf=5, n_jobs=-1)
print('logloss', -cross_val_score(m, feats(train), train['author'], cv=5, scoring='neg_log_loss').mean().round(4))
m.fit(feats(train), train['author'])
pd.DataFrame(m.predict_proba(feats(test)), columns=m.classes_, index=test['id']).to_csv('submission.csv')
