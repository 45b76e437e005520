import argparse
from sklearn.model_selection import cross_val_score
p = argparse.ArgumentParser()
p.add_argument('--set', required=True)
p.add_argument('--folds', type=int, default=5)
args = p.parse_args()
name, value = args.set.split('=')
from common import load, model
X, y = load()
scores = cross_val_score(model(**{name: float(value) if '.' in value else int(value)}), X, y, cv=args.folds)
print(args.set)
print('cv mean', round(scores.mean(), 4), '+-', round(scores.std(), 4))
