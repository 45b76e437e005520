import lightgbm as lgb, pandas as pd
tr, te = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/test.csv")
cat = ["HomePlanet", "CryoSleep", "Destination", "VIP"]
for d in (tr, te):
    d[cat] = d[cat].astype(str).astype("category")
    d["deck"] = d.Cabin.str[0].astype("category")
    d["grp"] = d.PassengerId.str[:4].map(d.PassengerId.str[:4].value_counts())
f = [c for c in te if c not in ("PassengerId", "Cabin", "Name")]
va = tr.sample(frac=.2, random_state=5); fit = tr.drop(va.index)
m = lgb.train({"objective": "binary", "metric": "auc", "learning_rate": .03}, lgb.Dataset(fit[f], fit.Transported.astype(int)), 3000,
              [lgb.Dataset(va[f], va.Transported.astype(int))], callbacks=[lgb.early_stopping(100), lgb.log_evaluation(100)])
te["Transported"] = m.predict(te[f]) > .5
te[["PassengerId", "Transported"]].to_csv("/home/submission/submission.csv", index=False)
