from autogluon.tabular import TabularPredictor, TabularDataset
tr, te = TabularDataset('/home/data/train.csv'), TabularDataset('/home/data/test.csv')
sub = te[['id']].copy()
for t, o in (('EC1', 'EC2'), ('EC2', 'EC1')):
    d = tr.drop(columns=['id', o, 'EC3', 'EC4', 'EC5', 'EC6'])
    p = TabularPredictor(t, eval_metric='roc_auc', path=f'ag_{t}').fit(d, presets='best_quality', time_limit=3600)
    print(p.leaderboard()); sub[t] = p.predict_proba(te)[1]
sub.to_csv('/home/submission/submission.csv', index=False)
