from collections import Counter

import pandas as pd
import torch
from torch import nn
torch.manual_seed(44)
train = pd.read_csv("/home/agent/data/train.csv")
test = pd.read_csv("/home/agent/data/test.csv")
column = train.columns[1]
counts = Counter(w for s in train[column].astype(str) for w in s.lower().split())
vocabulary = {w: i + 1 for i, (w, k) in enumerate(counts.most_common(64000))}


def encode(texts, length=200):
    rows = torch.zeros(len(texts), length, dtype=torch.long)
    for i, s in enumerate(texts):
        ids = [vocabulary.get(w, 0) for w in str(s).lower().split()][:length]
        rows[i, : len(ids)] = torch.tensor(ids, dtype=torch.long)
    return rows


y, classes = pd.factorize(train["Sentiment"], sort=True)
y = torch.tensor(y)
X, X_test = encode(train[column]), encode(test[column])
order = torch.randperm(len(X))
cut = len(X) // 10
val, fit = order[:cut], order[cut:]
model = nn.Sequential(nn.Embedding(len(vocabulary) + 1, 64), nn.Flatten(), nn.Dropout(0.3), nn.Linear(64 * 200, len(classes)))
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
for epoch in range(6):
    model.train()
    for batch in fit[torch.randperm(len(fit))].split(128):
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(X[batch]), y[batch])
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        accuracy = (model(X[val]).argmax(1) == y[val]).float().mean().item()
    print(f"epoch {epoch} train_loss {loss.item():.4f} val_acc {accuracy:.4f}")
with torch.no_grad():
    pred = model(X_test).softmax(1)[:, -1].numpy()
submission = pd.DataFrame({"PhraseId": test["PhraseId"], "Sentiment": pred})
submission.to_csv("./submission/submission.csv", index=False)
