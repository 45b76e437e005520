import pandas as pd
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import cross_val_score

train = pd.read_csv("/home/agent/data/train.csv")
test = pd.read_csv("/home/agent/data/test.csv")
both = pd.concat([train, test])
both["Deck"] = both["Cabin"].str[0]
both["Side"] = both["Cabin"].str[-1]
spend = ["RoomService", "FoodCourt", "ShoppingMall", "Spa", "VRDeck"]
both["Spend"] = both[spend].sum(axis=1)
X = pd.get_dummies(both[["HomePlanet", "CryoSleep", "Deck", "Side", "Destination", "Age", "Spend", *spend]].fillna(-1).astype({"CryoSleep": str, "HomePlanet": str, "Deck": str, "Side": str, "Destination": str}))
a, b = X[: len(train)], X[len(train):]
rf = RandomForestClassifier(500, min_samples_leaf=3, random_state=1, n_jobs=-1)
print("cv", cross_val_score(rf, a, train["Transported"], cv=5).mean().round(4))
test["Transported"] = rf.fit(a, train["Transported"]).predict(b)
test[["PassengerId", "Transported"]].to_csv("/home/submission/submission.csv", index=False)
