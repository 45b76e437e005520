import math
from collections import Counter, defaultdict

import pandas as pd

train = pd.read_csv("./input/train.csv")
test = pd.read_csv("./input/test.csv")
text = train.columns[1]
counts, totals, priors = defaultdict(Counter), Counter(), Counter(train["Sentiment"])
for s, c in zip(train[text], train["Sentiment"]):
    for w in str(s).lower().split():
        counts[c][w] += 1
        totals[c] += 1


def posterior(s):
    logs = {c: math.log(priors[c]) + sum(math.log((counts[c][w] + 1) / (totals[c] + 50000)) for w in str(s).lower().split()) for c in priors}
    top = max(logs.values())
    z = sum(math.exp(v - top) for v in logs.values())
    return math.exp(logs[max(priors)] - top) / z


test["Sentiment"] = test[text].map(posterior)
test[["PhraseId", "Sentiment"]].to_csv("./submission/submission.csv", index=False)
