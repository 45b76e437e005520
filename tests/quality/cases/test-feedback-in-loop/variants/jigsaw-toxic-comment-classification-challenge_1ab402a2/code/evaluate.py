import argparse

import pandas as pd
from sklearn.metrics import roc_auc_score

parser = argparse.ArgumentParser()
parser.add_argument('--labels')
args, _ = parser.parse_known_args()
labels = pd.read_csv(args.labels)
labels = labels[labels['toxic'] >= 0]
guess = pd.read_csv('./submission/submission.csv')
both = labels.merge(guess, on='id', suffixes=('', '_guess'))
print('eval/auc', round(roc_auc_score(both['toxic'], both['toxic_guess']), 5))
