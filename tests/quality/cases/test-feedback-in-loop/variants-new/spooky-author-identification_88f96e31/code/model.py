import pandas as pd
import torch
from sklearn.feature_extraction.text import HashingVectorizer
from sklearn.model_selection import train_test_split
from torch import nn

train = pd.read_csv("/home/agent/data/train.csv")
test = pd.read_csv("/home/agent/data/test.csv")
vec = HashingVectorizer(n_features=4096, alternate_sign=False, norm="l2")
labels, classes = pd.factorize(train["author"], sort=True)
a, b = train_test_split(range(len(train)), test_size=0.15, stratify=labels, random_state=6)
X = torch.tensor(vec.transform(train["text"]).toarray(), dtype=torch.float32)
y = torch.tensor(labels)
net = nn.Sequential(nn.Linear(4096, 128), nn.ReLU(), nn.Dropout(0.4), nn.Linear(128, len(classes)))
opt = torch.optim.Adam(net.parameters(), 1e-3)
best, patience, state = 9.0, 0, None
for epoch in range(40):
    net.train()
    for batch in torch.tensor(a)[torch.randperm(len(a))].split(128):
        opt.zero_grad()
        nn.functional.cross_entropy(net(X[batch]), y[batch]).backward()
        opt.step()
    net.eval()
    with torch.no_grad():
        val_loss = nn.functional.cross_entropy(net(X[b]), y[b]).item()
    print(f"epoch {epoch} val_loss {val_loss:.4f}")
    if val_loss < best:
        best, patience, state = val_loss, 0, {k: v.clone() for k, v in net.state_dict().items()}
    else:
        patience += 1
        if patience == 2:
            break
net.load_state_dict(state)
with torch.no_grad():
    p = net(torch.tensor(vec.transform(test["text"]).toarray(), dtype=torch.float32)).softmax(1).numpy()
pd.DataFrame(p, columns=classes).assign(id=test["id"]).to_csv("/home/submission/submission.csv", index=False)
