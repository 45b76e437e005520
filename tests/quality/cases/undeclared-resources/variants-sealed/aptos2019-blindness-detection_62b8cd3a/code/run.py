import pandas as pd
import torch
from PIL import Image
from torch import nn
from torchvision.transforms.functional import to_tensor

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
print("device:", device, "| threads:", torch.get_num_threads())
if device.type == "cuda":
    torch.backends.cudnn.benchmark = True


def read(folder, names):
    return torch.stack([to_tensor(Image.open(f"/home/data/{folder}/{n}.jpg").convert("RGB").resize((96, 96))) for n in names])


train = pd.read_csv("/home/data/train.csv").sample(frac=1, random_state=8)
sample = pd.read_csv("/home/data/sample_submission.csv")
y, classes = pd.factorize(train["diagnosis"], sort=True)
X, y = read("train", train["id_code"]), torch.tensor(y)
cut = len(X) // 8
net = nn.Sequential(nn.Conv2d(3, 24, 5, 3), nn.GELU(), nn.Conv2d(24, 48, 3, 2), nn.GELU(), nn.Flatten(), nn.LazyLinear(len(classes))).to(device)
net(X[:1].to(device))
opt = torch.optim.SGD(net.parameters(), 0.02, momentum=0.9)
for epoch in range(5):
    for part in (cut + torch.randperm(len(X) - cut)).split(64):
        loss = nn.functional.cross_entropy(net(X[part].to(device)), y[part].to(device))
        opt.zero_grad()
        loss.backward()
        opt.step()
    with torch.no_grad():
        print("epoch", epoch, "val_acc", round((net(X[:cut].to(device)).argmax(1).cpu() == y[:cut]).float().mean().item(), 4))
with torch.no_grad():
    sample["diagnosis"] = [classes[k] for k in net(read("test", sample["id_code"]).to(device)).argmax(1).tolist()]
sample.to_csv("./submission/submission.csv", index=False)
