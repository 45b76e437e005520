import pandas as pd
import numpy as np
df = pd.read_csv("/home/data/train.csv")
y = df["choice"]
X = df.drop(columns=["choice", "individual"])
import torch
from torch.utils.data import TensorDataset, random_split, DataLoader
ds = TensorDataset(torch.tensor(X.values).float(), torch.tensor(y.values).float())
tr, va = random_split(ds, [0.8, 0.2])
net = torch.nn.Sequential(torch.nn.Linear(8, 1))
for xb, yb in DataLoader(tr, 32):
    loss = torch.nn.functional.mse_loss(net(xb)[:, 0], yb)
    loss.backward()
for xb, yb in DataLoader(va, 32):
    print(torch.nn.functional.mse_loss(net(xb)[:, 0], yb).item())
