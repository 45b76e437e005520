import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
import torch
from torch import nn
from torch.utils.data import TensorDataset, DataLoader, random_split
x = train.drop(columns=["target"]).to_numpy(dtype="float32")
x = (x - x.mean(axis=0)) / x.std(axis=0)
y = train["target"].to_numpy(dtype="float32")
ds = TensorDataset(torch.tensor(x), torch.tensor(y))
tr, va = random_split(ds, [int(0.8 * len(ds)), len(ds) - int(0.8 * len(ds))])

class Net(nn.Module):
    def __init__(self, d):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(d, 32), nn.ReLU(), nn.Linear(32, 1))
    def forward(self, x):
        return self.f(x).squeeze(-1)

net = Net(x.shape[1])
opt = torch.optim.Adam(net.parameters())
crit = nn.BCEWithLogitsLoss()
for epoch in range(10):
    for xb, yb in DataLoader(tr, batch_size=64, shuffle=True):
        opt.zero_grad()
        loss = crit(net(xb), yb)
        loss.backward()
        opt.step()
    with torch.no_grad():
        total = 0.0
        for xb, yb in DataLoader(va, batch_size=64):
            total += crit(net(xb), yb).item()
    print("epoch", epoch, "val loss", total)
