import pandas as pd
from sklearn.base import BaseEstimator, RegressorMixin


class BMIRegressor(BaseEstimator, RegressorMixin):
    def fit(self, X, y=None):
        self.fitted_ = True
        return self

    def predict(self, X):
        return 152 + 900 * X['bmi'] + 500 * X['s5']


train = pd.read_csv('./input/train.csv')
test = pd.read_csv('./input/test.csv')
model = BMIRegressor().fit(train, train['progression'])
print('rmse', (((model.predict(train) - train.progression) ** 2).mean() ** .5).round(2))
pd.DataFrame({'id': test['id'], 'progression': model.predict(test)}).to_csv('/home/submission/submission.csv', index=False)
