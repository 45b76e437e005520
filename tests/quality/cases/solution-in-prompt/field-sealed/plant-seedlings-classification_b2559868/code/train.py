import numpy as np
import pandas as pd
import timm
import torch
from PIL import Image
from sklearn.model_selection import StratifiedKFold

train = pd.read_csv("./input/train.csv")
sample = pd.read_csv("./input/sample_submission.csv")
names = sorted(train["species"].unique())


def load(path):
    image = Image.open(path).convert("RGB")
    hue = np.asarray(image.convert("HSV"))[..., 0]
    ys, xs = np.nonzero((hue > 25) & (hue < 95))        # the green, as the colleague wrote
    if len(xs):
        image = image.crop((xs.min(), ys.min(), xs.max() + 1, ys.max() + 1))
    return torch.tensor(np.asarray(image.resize((299, 299))).transpose(2, 0, 1) / 255.0, dtype=torch.float32)


X = torch.stack([load(f"./input/train/{f}") for f in train["file"]])
Z = torch.stack([load(f"./input/test/{f}") for f in sample["file"]])
y = torch.tensor(train["species"].map(names.index).to_numpy())
votes = torch.zeros(len(Z), len(names))
for fold, (a, b) in enumerate(StratifiedKFold(5, shuffle=True, random_state=1).split(X, y)):
    net = timm.create_model("xception", pretrained=False, num_classes=len(names)).cuda()
    opt = torch.optim.Adam(net.parameters(), 1e-4)
    for epoch in range(30):
        net.train()
        for part in torch.tensor(a)[torch.randperm(len(a))].split(16):
            opt.zero_grad()
            torch.nn.functional.cross_entropy(net(X[part].cuda()), y[part].cuda()).backward()
            opt.step()
    net.eval()
    with torch.no_grad():
        hit = torch.cat([net(X[i].cuda()).argmax(1).cpu() for i in torch.tensor(b).split(64)]) == y[b]
        votes += torch.nn.functional.one_hot(torch.cat([net(z.cuda()).argmax(1).cpu() for z in Z.split(64)]), len(names))
    if fold in (0, 4):
        print(f"fold {fold} acc {hit.float().mean():.4f}")
sample["species"] = [names[i] for i in votes.argmax(1)]
sample.to_csv("/home/submission/submission.csv", index=False)
