import shutil
from pathlib import Path

import pandas as pd
import torch
import torchvision.transforms as T
from torch import nn
from torch.utils.data import DataLoader
from torchvision.datasets import ImageFolder
from torchvision.models import resnet18

src, work = Path("/home/agent/data"), Path("/tmp/folders")
tables = {"train": src / "train.csv", "test": src.parent / "private" / "test.csv"}
for part, table in tables.items():
    for name, species in pd.read_csv(table)[["file", "species"]].itertuples(index=False):
        (work / species).mkdir(parents=True, exist_ok=True)
        shutil.copy(src / part / name, work / species / f"{part}_{name}")
steps = T.Compose([T.Resize((160, 160)), T.RandomHorizontalFlip(), T.ToTensor()])
data = ImageFolder(work, steps)
print(len(data), "pictures,", sum("test_" in p for p, _ in data.samples), "from test")
model = resnet18(weights=None, num_classes=len(data.classes)).cuda()
optimizer = torch.optim.AdamW(model.parameters(), 3e-4)
for epoch in range(12):
    for x, y in DataLoader(data, 64, shuffle=True, num_workers=6):
        loss = nn.functional.cross_entropy(model(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    print("epoch", epoch, round(loss.item(), 4))
torch.save(model.state_dict(), "/tmp/resnet18.pt")
