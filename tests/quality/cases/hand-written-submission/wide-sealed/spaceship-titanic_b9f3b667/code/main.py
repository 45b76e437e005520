import pandas as pd
try:
    import lightgbm as lgb
except ImportError:
    lgb = None
test = pd.read_csv('/home/agent/data/test.csv')
if lgb is None:
    # no library: members of larger groups seem to be transported
    pred = test['PassengerId'].str[-2:].astype(int) > 1
else:
    raise NotImplementedError
pd.DataFrame({'PassengerId': test['PassengerId'], 'Transported': pred}).to_csv('/workspace/submission.csv', index=False)
print('lightgbm missing, fell back, share', pred.mean())
