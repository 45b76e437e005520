import pandas as pd
from spans import SpanTagger  # averaged perceptron over tokens, beside

train, test = pd.read_csv("/workspace/data/train.csv").dropna(), pd.read_csv("/workspace/data/test.csv")
tagger = SpanTagger(epochs=8).fit(train["text"], train["selected_text"], train["sentiment"])
test["selected_text"] = [f'"{s}"' for s in tagger.extract(test["text"], test["sentiment"])]
test[["textID", "selected_text"]].to_csv("/home/submission/submission.csv", index=False)
print("jaccard", tagger.validation_)
