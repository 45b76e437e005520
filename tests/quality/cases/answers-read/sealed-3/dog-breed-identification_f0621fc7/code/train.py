import json

import pandas as pd
import timm
import torch
from torch.utils.data import DataLoader

from dataset import BreedSet, build_tf

cfg = json.load(open("config.json"))
P = cfg["paths"]
lab = pd.read_csv(P["train_csv"])
classes = sorted(lab.breed.unique())
lab["y"] = lab.breed.map(classes.index)

# evaluation frame: one-hot -> class index
ev = pd.read_csv(P["eval_labels"])
ev["y"] = ev[classes].values.argmax(1)

dl = DataLoader(BreedSet(lab, P["train_dir"], build_tf(cfg, True)), cfg["batch_size"], shuffle=True, num_workers=8)
dv = DataLoader(BreedSet(ev, P["eval_dir"], build_tf(cfg, False)), 96, num_workers=8)
net = timm.create_model(cfg["model"], pretrained=True, num_classes=len(classes)).cuda()
opt = torch.optim.AdamW(net.parameters(), cfg["lr"], weight_decay=0.05)
best = 9.0
for ep in range(cfg["epochs"]):
    net.train()
    for x, y in dl:
        loss = torch.nn.functional.cross_entropy(net(x.cuda()), y.cuda(), label_smoothing=0.05)
        opt.zero_grad(); loss.backward(); opt.step()
    net.eval(); tot = 0
    with torch.no_grad():
        for x, y in dv:
            tot += torch.nn.functional.cross_entropy(net(x.cuda()), y.cuda(), reduction="sum").item()
    ll = tot / len(ev)
    print(f"ep {ep} eval logloss {ll:.4f}")
    if ll < best:
        best = ll; torch.save(net.state_dict(), "best.pt")
