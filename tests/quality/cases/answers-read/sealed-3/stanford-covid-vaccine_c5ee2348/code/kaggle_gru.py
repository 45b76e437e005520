import pandas as pd
from nets import gru_lstm
from prep import xy
tr = pd.read_json('/home/data/train.json', lines=True).query('SN_filter == 1')
X, Y = xy(tr)
m = gru_lstm(107, 68)
m.fit(X, Y, validation_split=.1, epochs=8, callbacks=['tensorboard'])
