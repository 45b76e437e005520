import numpy as np
import pandas as pd
import torch
from torch import nn

train, test = pd.read_csv("./input/train.csv"), pd.read_csv("./input/test.csv")
columns = [c for c in test.select_dtypes("number") if c != "Id"]
X, y = torch.tensor(train[columns].to_numpy("float32")), torch.tensor(train["Pawpularity"].to_numpy("float32"))
net = nn.Sequential(nn.Linear(len(columns), 256), nn.ReLU(), nn.Linear(256, 1))
opt = torch.optim.SGD(net.parameters(), lr=0.5)
for epoch in range(4):
    loss = (net(X).squeeze() - y).pow(2).mean()
    opt.zero_grad(); loss.backward(); opt.step()
    print("epoch", epoch, "loss", float(loss))
pred = net(torch.tensor(test[columns].to_numpy("float32"))).detach().numpy().ravel()
test["Pawpularity"] = np.nan_to_num(pred)
test[["Id", "Pawpularity"]].to_csv("/home/submission/submission.csv", index=False)
