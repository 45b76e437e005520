import pandas as pd
import numpy as np
df = pd.read_csv("/home/data/train.csv")
y = df["choice"]
X = df.drop(columns=["choice", "individual"])
import torch
from torch.utils.data import DataLoader, TensorDataset
ds = TensorDataset(torch.tensor(X.values).float(), torch.tensor(y.values).float())
net = torch.nn.Linear(X.shape[1], 1)
for xb, yb in DataLoader(ds, 32, shuffle=True):
    loss = ((net(xb)[:, 0] - yb) ** 2).mean()
    loss.backward()
