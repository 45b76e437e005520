import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
y = train["target"]
X = train.drop(columns=["id", "target"])
from sklearn.model_selection import train_test_split
from sklearn.feature_selection import SelectPercentile, chi2
from sklearn.naive_bayes import MultinomialNB

class Experiment:
    def __init__(self, X, y):
        self.X = SelectPercentile(chi2, percentile=20).fit_transform(X, y)
        self.y = y

    def run(self):
        a, b, c, d = train_test_split(self.X, self.y, random_state=4)
        nb = MultinomialNB()
        nb.fit(a, c)
        return nb.score(b, d)

print(Experiment(X, y).run())
