import pandas as pd
import torch
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import StandardScaler
from torch import nn

train, test = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/test.csv")
for d in (train, test):
    for i in range(10):
        d[f"c{i}"] = d["f_27"].str[i].map(ord) - 65
    d["unique"] = d["f_27"].map(lambda s: len(set(s)))
    d["i1"] = ((d["f_21"] + d["f_02"]) > 5.2).astype(int) - ((d["f_21"] + d["f_02"]) < -5.3).astype(int)
    d["i2"] = ((d["f_22"] + d["f_05"]) > 5.1).astype(int) - ((d["f_22"] + d["f_05"]) < -5.4).astype(int)
cols = [c for c in test.columns if c not in ("id", "f_27")]
scale = StandardScaler().fit(train[cols])
X, Z = (torch.tensor(scale.transform(d[cols]), dtype=torch.float32, device="cuda") for d in (train, test))
y = torch.tensor(train["target"].to_numpy(), dtype=torch.float32, device="cuda")
net = nn.Sequential(nn.Linear(len(cols), 64), nn.SiLU(), nn.Linear(64, 64), nn.SiLU(), nn.Linear(64, 16), nn.SiLU(), nn.Linear(16, 1)).cuda()
opt = torch.optim.AdamW(net.parameters(), 2e-3)
cut = len(X) * 9 // 10
for epoch in range(15):
    for part in torch.randperm(cut, device="cuda").split(2048):
        opt.zero_grad()
        nn.functional.binary_cross_entropy_with_logits(net(X[part])[:, 0], y[part]).backward()
        opt.step()
    with torch.no_grad():
        auc = roc_auc_score(y[cut:].cpu(), net(X[cut:])[:, 0].cpu())
    if epoch in (0, 14):
        print(f"epoch {epoch} auc {auc:.5f}")
with torch.no_grad():
    test["target"] = net(Z)[:, 0].sigmoid().cpu().numpy()
test[["id", "target"]].to_csv("/home/submission/submission.csv", index=False)
