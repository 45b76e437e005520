import pandas as pd
import numpy as np
train = pd.read_csv("/home/data/train.csv")
test = pd.read_csv("/home/data/test.csv")
import torch
from torch.utils.data import TensorDataset, DataLoader, WeightedRandomSampler
from sklearn.model_selection import train_test_split
X_tr, X_va, y_tr, y_va = train_test_split(train.drop(columns=["target"]).values, train["target"].values)
w = np.where(y_tr == 1, 5.0, 1.0)
loader = DataLoader(TensorDataset(torch.tensor(X_tr).float(), torch.tensor(y_tr).float()), sampler=WeightedRandomSampler(w, len(w)))
net = torch.nn.Linear(X_tr.shape[1], 1)
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for xb, yb in loader:
    loss = torch.nn.functional.binary_cross_entropy_with_logits(net(xb)[:, 0], yb)
    loss.backward()
    opt.step()
acc = ((net(torch.tensor(X_va).float())[:, 0] > 0).numpy() == y_va).mean()
print("val acc", acc)
