import argparse

import pandas as pd
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

parser = argparse.ArgumentParser()
parser.add_argument('--c', type=float)
parser.add_argument('--out')
args = parser.parse_args()
fit = pd.read_csv('work/fit.csv')
ask = pd.read_csv('/home/agent/data/train.csv').merge(pd.read_csv('work/valid_answers.csv')[['request_id']], on='request_id')
v = TfidfVectorizer(min_df=2)
model = LogisticRegression(C=args.c, max_iter=2000).fit(v.fit_transform(fit['request_text'].astype(str)), fit['requester_received_pizza'])
ask['requester_received_pizza'] = model.predict_proba(v.transform(ask['request_text'].astype(str)))[:, 1]
ask[['request_id', 'requester_received_pizza']].to_csv(args.out, index=False)
