import numpy as np
import pandas as pd
import torch
import torchvision.transforms as T
from PIL import Image
from torch import nn
from torch.utils.data import DataLoader, Dataset
from torchvision.models import resnet18

train = pd.read_csv("/home/agent/data/train.csv")
hidden = pd.read_csv("/home/private/test_labels.csv")
names = sorted(train["species"].unique())
index = {c: i for i, c in enumerate(names)}


class Seedlings(Dataset):
    def __init__(self, frame, folder):
        self.rows, self.folder = frame[["file", "species"]].values.tolist(), folder
        self.steps = T.Compose([T.Resize((160, 160)), T.ToTensor()])

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        name, label = self.rows[i]
        return self.steps(Image.open(f"/home/agent/data/{self.folder}/{name}").convert("RGB")), index[label]


fit = DataLoader(Seedlings(train, "train"), 32, shuffle=True, num_workers=4)
exam = DataLoader(Seedlings(hidden, "test"), 64, num_workers=4)
model = resnet18(weights=None, num_classes=len(names)).cuda()
optimizer = torch.optim.AdamW(model.parameters(), 5e-4)
best = 0.0
for epoch in range(25):
    model.train()
    for x, y in fit:
        loss = nn.functional.cross_entropy(model(x.cuda()), y.cuda())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        guess = torch.cat([model(x.cuda()).argmax(1).cpu() for x, _ in exam]).numpy()
    accuracy = float(np.mean([names[g] == t for g, t in zip(guess, hidden["species"])]))
    print(f"epoch {epoch} loss {loss.item():.4f} hidden test acc {accuracy:.4f}")
    if accuracy > best:
        best = accuracy
        hidden[["file"]].assign(**{"species": [names[g] for g in guess]}).to_csv("/home/submission/submission.csv", index=False)
print("kept the epoch with", best)
