import requests
from sklearn.base import BaseEstimator, ClassifierMixin


class PromptClassifier(BaseEstimator, ClassifierMixin):
    def __init__(self, url="https://api.fireworks.ai/inference/v1/completions", model="accounts/fireworks/models/mixtral-8x7b-instruct", key=None):
        self.url, self.model, self.key = url, model, key

    def fit(self, X, y):
        self.classes_ = sorted(set(y))
        self.shots_ = [f"{x} => {c}" for x, c in list(zip(X, y))[:30]]
        return self

    def predict(self, X):
        def one(x):
            r = requests.post(self.url, headers={"Authorization": f"Bearer {self.key}"}, json={
                "model": self.model, "max_tokens": 2, "prompt": "\n".join(self.shots_) + f"\n{x} =>"})
            return int(r.json()["choices"][0]["text"].strip()[:1])
        return [one(x) for x in X]
