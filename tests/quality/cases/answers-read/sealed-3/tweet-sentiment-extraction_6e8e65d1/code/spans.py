import argparse, pandas as pd
from roberta import train, predict
ap = argparse.ArgumentParser(); ap.add_argument('--epochs', type=int); a = ap.parse_args()
tr, te = pd.read_csv('/home/data/train.csv').dropna(), pd.read_csv('/home/data/test.csv')
m = train(tr[tr.sentiment != 'neutral'], epochs=a.epochs)
te['selected_text'] = [t if s == 'neutral' else predict(m, t, s) for t, s in zip(te.text, te.sentiment)]
te[['textID', 'selected_text']].to_csv('/home/submission/submission.csv', index=False)
