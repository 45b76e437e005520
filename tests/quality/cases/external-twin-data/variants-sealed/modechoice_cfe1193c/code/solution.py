import pandas as pd
import statsmodels.api as sm
from sklearn.model_selection import StratifiedKFold

train, test = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/test.csv")
columns = ["ttme", "invc", "invt", "gc", "hinc"]
X, y = sm.add_constant(train[columns]), train["choice"]
hits = []
for a, b in StratifiedKFold(5, shuffle=True, random_state=3).split(X, y):
    fit = sm.Logit(y.iloc[a], X.iloc[a]).fit(disp=0)
    hits.append(((fit.predict(X.iloc[b]) > 0.5) == y.iloc[b]).mean())
print("cv accuracy", round(sum(hits) / 5, 4))
final = sm.Logit(y, X).fit(disp=0)
print(final.params.round(3).to_dict())
pred = final.predict(sm.add_constant(test[columns], has_constant="add"))
pd.DataFrame({"id": test["id"], "choice": pred}).to_csv("/home/submission/submission.csv", index=False)
