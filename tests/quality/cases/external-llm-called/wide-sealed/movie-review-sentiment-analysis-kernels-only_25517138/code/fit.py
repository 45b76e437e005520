import os
import pandas as pd
from sklearn.metrics import accuracy_score
from estimators import PromptClassifier

train = pd.read_csv("/workspace/input/train.tsv", sep="\t").sample(frac=1, random_state=1)
test = pd.read_csv("/workspace/input/test.tsv", sep="\t")
model = PromptClassifier(key=os.environ["FIREWORKS_KEY"]).fit(train.Phrase[500:], train.Sentiment[500:])
print("holdout accuracy", accuracy_score(train.Sentiment[:500], model.predict(train.Phrase[:500])))
test["Sentiment"] = model.predict(test.Phrase)
test[["PhraseId", "Sentiment"]].to_csv("submission.csv", index=False)
