import json, pandas as pd
seen = json.load(open('seen.json'))   # what I saw on the contact sheets
sub = pd.read_csv('/home/agent/data/sample_submission.csv')
sub['has_cactus'] = sub['id'].map(seen).fillna(1)
sub.to_csv('./submission/submission.csv', index=False)
