import sys

import pandas as pd
from sklearn.metrics import roc_auc_score

answers = pd.read_csv('work/valid_answers.csv')
guess = pd.read_csv(sys.argv[1])
both = answers.merge(guess, on='request_id', suffixes=('', '_p'))
print('score', round(roc_auc_score(both['requester_received_pizza'], both['requester_received_pizza_p']), 4))
