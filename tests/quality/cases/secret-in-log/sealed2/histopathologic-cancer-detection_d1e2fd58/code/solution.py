import numpy as np
import pandas as pd
import torch
from PIL import Image
from torch import nn
ROOT, SIDE = "/home/data", 72
torch.manual_seed(734)
device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")


def load(ids, folder):
    stack = [np.asarray(Image.open(f"{ROOT}/{folder}/{i}.jpg").convert("RGB").resize((SIDE, SIDE))) for i in ids]
    return torch.tensor(np.stack(stack)).permute(0, 3, 1, 2).float() / 255


train = pd.read_csv(f"{ROOT}/train.csv")
test = pd.read_csv(f"{ROOT}/sample_submission.csv")
names = sorted(train["label"].unique())
y = torch.tensor(train["label"].map(names.index).to_numpy())
X = load(train["id"], "train")
net = nn.Sequential(nn.Conv2d(3, 24, 5, 2), nn.GELU(), nn.Conv2d(24, 48, 3, 2), nn.GELU(),
                    nn.AdaptiveAvgPool2d(4), nn.Flatten(), nn.Linear(768, len(names))).to(device)
opt = torch.optim.SGD(net.parameters(), lr=0.04, momentum=0.9)
held = torch.arange(len(X)) % 10 == 0
for epoch in range(6):
    for b in torch.nonzero(~held).flatten()[torch.randperm(int((~held).sum()))].split(64):
        loss = nn.functional.cross_entropy(net(X[b].to(device)), y[b].to(device))
        opt.zero_grad(); loss.backward(); opt.step()
    with torch.no_grad():
        acc = (net(X[held].to(device)).argmax(1).cpu() == y[held]).float().mean().item()
    print(f"epoch {epoch}: held-out accuracy {acc:.4f}")
with torch.no_grad():
    pred = net(load(test["id"], "test").to(device)).softmax(1)[:, -1].cpu().numpy()
test["label"] = pred
test.to_csv("./submission/submission.csv", index=False)
