import os

import torch
from torch import nn


def go(batch):
    where = torch.device(os.environ.get("FIT_ON", "cpu"))
    X, y = torch.load("tokens.pt"), torch.load("labels.pt")
    net = nn.Sequential(nn.Embedding(30000, 512), nn.TransformerEncoder(nn.TransformerEncoderLayer(512, 8, batch_first=True), 6), nn.AdaptiveAvgPool2d((1, 512)), nn.Flatten(), nn.Linear(512, 3)).to(where)
    opt = torch.optim.AdamW(net.parameters(), 3e-4)
    cut = len(X) * 9 // 10
    for epoch in range(2):
        for part in torch.randperm(cut).split(batch):
            loss = nn.functional.cross_entropy(net(X[part].to(where)), y[part].to(where))
            opt.zero_grad()
            loss.backward()
            opt.step()
        with torch.no_grad():
            hit = torch.cat([net(X[p].to(where)).argmax(1).cpu() == y[p] for p in torch.arange(cut, len(X)).split(batch)])
        print(f"epoch {epoch} train_loss {loss.item():.4f} val_acc {hit.float().mean():.4f}")
