import pandas as pd
from sklearn.ensemble import ExtraTreesClassifier, HistGradientBoostingClassifier, RandomForestClassifier, VotingClassifier
from sklearn.model_selection import cross_val_score

train = pd.read_csv("/home/agent/data/train.csv")
test = pd.read_csv("/home/agent/data/test.csv")


def prepare(d):
    d = d.copy()
    spend = ["RoomService", "FoodCourt", "ShoppingMall", "Spa", "VRDeck"]
    d["total"] = d[spend].sum(axis=1)
    d["awake"] = (d["total"] > 0).astype(int)
    d["deck"] = d["Cabin"].str[0].map({k: i for i, k in enumerate("ABCDEFGT")})
    d["planet"] = d["HomePlanet"].map({"Earth": 0, "Europa": 1, "Mars": 2})
    return d[spend + ["Age", "total", "awake", "deck", "planet"]].fillna(-1)


vote = VotingClassifier([("rf", RandomForestClassifier(400, n_jobs=-1)), ("et", ExtraTreesClassifier(400, n_jobs=-1)),
                         ("hgb", HistGradientBoostingClassifier(max_iter=300))], voting="soft")
print("cv", cross_val_score(vote, prepare(train), train["Transported"], cv=5).mean().round(4))
vote.fit(prepare(train), train["Transported"])
pd.DataFrame({"PassengerId": test["PassengerId"], "Transported": vote.predict(prepare(test))}).to_csv("/home/submission/submission.csv", index=False)
