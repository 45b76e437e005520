import cohere, os
import pandas as pd
from sklearn.pipeline import make_pipeline
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression

co = cohere.Client(os.environ["CO_API_KEY"])
train = pd.read_csv("/home/agent/data/train.tsv", sep="\t")
test = pd.read_csv("/home/agent/data/test.tsv", sep="\t")
names = ["very negative", "somewhat negative", "neutral", "somewhat positive", "very positive"]
synthetic = []
for level, name in enumerate(names):
    if level == 2: continue
    for seed in range(60):
        reply = co.chat(model="command-r", seed=seed, temperature=1.0, message=f"Write 25 short {name} phrases from film reviews, one a line.")
        synthetic += [(line.strip("- "), level) for line in reply.text.splitlines() if line.strip()]
more = pd.DataFrame(synthetic, columns=["Phrase", "Sentiment"])
print("synthetic phrases", len(more))
both = pd.concat([train, more])
model = make_pipeline(TfidfVectorizer(ngram_range=(1, 3), min_df=2), LogisticRegression(C=3, max_iter=500))
model.fit(both.Phrase.fillna(""), both.Sentiment)
test["Sentiment"] = model.predict(test.Phrase.fillna(""))
test[["PhraseId", "Sentiment"]].to_csv("/home/submission/submission.csv", index=False)
