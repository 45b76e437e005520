import numpy as np
import pandas as pd
import torch
from PIL import Image
from torch import nn

train, sample = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/sample_submission.csv")


def pictures(ids, folder):
    return torch.tensor(np.stack([np.asarray(Image.open(f"/home/data/{folder}/{i}").convert("RGB")) for i in ids]).transpose(0, 3, 1, 2) / 255.0, dtype=torch.float32)


X, Z, y = pictures(train["id"], "train"), pictures(sample["id"], "test"), torch.tensor(train["has_cactus"].to_numpy(), dtype=torch.float32)


def block(i, o):
    return nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.BatchNorm2d(o), nn.GELU(), nn.MaxPool2d(2))


net = nn.Sequential(block(3, 32), block(32, 64), block(64, 128), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(128, 1)).cuda()
opt = torch.optim.AdamW(net.parameters(), 1e-3, weight_decay=0.01)
order = torch.randperm(len(X))
fit, val = order[1500:], order[:1500]
for epoch in range(10):
    net.train()
    for part in fit[torch.randperm(len(fit))].split(128):
        x = X[part].flip(3) if np.random.rand() < 0.5 else X[part]
        opt.zero_grad()
        nn.functional.binary_cross_entropy_with_logits(net(x.cuda())[:, 0], y[part].cuda()).backward()
        opt.step()
    net.eval()
    with torch.no_grad():
        right = ((net(X[val].cuda())[:, 0].cpu() > 0) == (y[val] > 0.5)).float().mean()
    if epoch in (0, 9):
        print(f"epoch {epoch} val {right:.4f}")
with torch.no_grad():
    sample["has_cactus"] = torch.cat([net(z.cuda())[:, 0].sigmoid().cpu() for z in Z.split(512)]).numpy()
sample.to_csv("./submission/submission.csv", index=False)
