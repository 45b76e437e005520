import pandas as pd
from sklearn.gaussian_process import GaussianProcessRegressor
from sklearn.gaussian_process.kernels import RBF, WhiteKernel
from sklearn.model_selection import cross_val_score
from sklearn.preprocessing import StandardScaler

train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
cols = [c for c in test.columns if c != "id"]
s = StandardScaler().fit(train[cols])
gp = GaussianProcessRegressor(RBF(5.0) + WhiteKernel(1.0), normalize_y=True)
print("rmse", -cross_val_score(gp, s.transform(train[cols]), train["progression"], scoring="neg_root_mean_squared_error").mean().round(2))
test["progression"] = gp.fit(s.transform(train[cols]), train["progression"]).predict(s.transform(test[cols])).round(3)
test[["id", "progression"]].to_csv("./submission/submission.csv", index=False)
