import lightgbm as lgb, pandas as pd
t = pd.read_csv('/kaggle/input/histopathologic-cancer-detection/train.csv').select_dtypes('number')


def fit_seed(s):
    return lgb.LGBMRegressor(n_estimators=20000, learning_rate=.003, random_state=s).fit(t.iloc[:, :-1], t.iloc[:, -1])
