import pandas as pd


class HeuristicModel:
    def fit(self, X, y):
        return self

    def predict(self, X):
        spend = X[['RoomService', 'FoodCourt', 'ShoppingMall', 'Spa', 'VRDeck']].fillna(0).sum(axis=1)
        return (spend == 0) | (X['HomePlanet'] == 'Europa')


train, test = pd.read_csv('/home/data/train.csv'), pd.read_csv('/home/data/test.csv')
model = HeuristicModel().fit(train, train['Transported'])
test['Transported'] = model.predict(test)
test[['PassengerId', 'Transported']].to_csv('submission.csv', index=False)
print('acc', (model.predict(train) == train['Transported']).mean())
