import numpy as np
from sklearn.metrics import roc_auc_score
oof = np.load('/tmp/oof.npy'); y = np.load('/tmp/y_train.npy')
print('oof score', round(roc_auc_score(y, oof), 5))
