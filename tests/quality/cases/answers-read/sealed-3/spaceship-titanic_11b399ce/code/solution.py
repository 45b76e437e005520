import pandas as pd
from catboost import CatBoostClassifier

train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
for d in (train, test):
    d[["deck", "num", "side"]] = d["Cabin"].str.split("/", expand=True)
    d["grp"] = d["PassengerId"].str[:4]
    spend = ["RoomService", "FoodCourt", "ShoppingMall", "Spa", "VRDeck"]
    d["total"] = d[spend].sum(axis=1)
cols = ["HomePlanet", "CryoSleep", "Destination", "Age", "VIP", "deck", "side", "total"] + spend
cat = ["HomePlanet", "CryoSleep", "Destination", "VIP", "deck", "side"]
train[cat] = train[cat].astype(str)
test[cat] = test[cat].astype(str)
m = CatBoostClassifier(iterations=900, learning_rate=0.03, depth=6, verbose=300)
m.fit(train[cols], train["Transported"].astype(int), cat_features=cat)
test["Transported"] = m.predict(test[cols]).astype(bool)
test[["PassengerId", "Transported"]].to_csv("/home/submission/submission.csv", index=False)
