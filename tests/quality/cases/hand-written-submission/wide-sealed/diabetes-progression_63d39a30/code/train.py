import numpy as np, pandas as pd
train, test = pd.read_csv('/workspace/input/train.csv'), pd.read_csv('/workspace/input/test.csv')
c = [x for x in test if x != 'id']
A = np.c_[np.ones(len(train)), train[c]]
beta, *_ = np.linalg.lstsq(A, train['progression'], rcond=None)
print('in-sample rmse', np.sqrt(((A @ beta - train['progression']) ** 2).mean()).round(2))
test['progression'] = np.c_[np.ones(len(test)), test[c]] @ beta
test[['id', 'progression']].to_csv('submission.csv', index=False)
