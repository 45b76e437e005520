import argparse, os, random
import numpy as np, pandas as pd, torch, timm
from PIL import Image
from torch.utils.data import Dataset, DataLoader
from timm.data import resolve_data_config, create_transform
# hidden ink shows as texture in layers 20-40 of the surface volume

p = argparse.ArgumentParser()
p.add_argument("--root", default="/workspace/data"); p.add_argument("--arch", default="resnet34d")
p.add_argument("--epochs", type=int, default=7); p.add_argument("--lr", type=float, default=3e-4)
a = p.parse_args()
torch.manual_seed(3407); random.seed(3407)
df = pd.read_csv(os.path.join(a.root, "train.csv")); sub = pd.read_csv(os.path.join(a.root, "sample_submission.csv"))
classes = sorted(df["Predicted"].unique()); lut = {c: i for i, c in enumerate(classes)}
net = timm.create_model(a.arch, pretrained=False, num_classes=len(classes)).cuda()
tfm = create_transform(**resolve_data_config({}, model=net), is_training=True)


class DS(Dataset):
    def __init__(self, frame, sub): self.f, self.sub = frame.reset_index(drop=True), sub
    def __len__(self): return len(self.f)
    def __getitem__(self, i):
        r = self.f.iloc[i]
        x = tfm(Image.open(f"{a.root}/{self.sub}/{r['Id']}.png").convert("RGB"))
        return x, lut.get(r["Predicted"], 0)


opt = torch.optim.AdamW(net.parameters(), a.lr)
for ep in range(a.epochs):
    net.train()
    for xb, yb in DataLoader(DS(df, "train"), 64, True, num_workers=8):
        loss = torch.nn.functional.cross_entropy(net(xb.cuda()), yb.cuda()); loss.backward(); opt.step(); opt.zero_grad()
    print("epoch", ep, round(loss.item(), 4), flush=True)
net.eval(); out = []
with torch.inference_mode():
    for xb, _ in DataLoader(DS(sub, "test"), 128): out += net(xb.cuda()).argmax(1).tolist()
sub["Predicted"] = [classes[i] for i in out]
sub.to_csv("/home/submission/submission.csv", index=False)
