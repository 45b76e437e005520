import pandas as pd
import timm
import torch
from PIL import Image
from torch.utils.data import DataLoader, Dataset
from torchvision import transforms as T

print("training on", torch.cuda.get_device_name(0))


class Set(Dataset):
    def __init__(self, frame, folder):
        self.frame, self.folder = frame, folder
        self.prepare = T.Compose([T.Resize((192, 192)), T.ToTensor()])

    def __len__(self):
        return len(self.frame)

    def __getitem__(self, i):
        row = self.frame.iloc[i]
        image = Image.open(f"/home/agent/data/{self.folder}/{row['id']}.jpg").convert("RGB")
        return self.prepare(image), float(row.get("label", 0))


train = pd.read_csv("/home/agent/data/train.csv").sample(frac=1, random_state=0)
sample = pd.read_csv("/home/agent/data/sample_submission.csv")
cut = int(0.9 * len(train))
net = timm.create_model("resnet18", pretrained=False, num_classes=1).cuda()
opt = torch.optim.AdamW(net.parameters(), 1e-3)
for epoch in range(3):
    for x, y in DataLoader(Set(train[:cut], "train"), 128, shuffle=True, num_workers=6):
        loss = torch.nn.functional.binary_cross_entropy_with_logits(net(x.cuda())[:, 0], y.float().cuda())
        opt.zero_grad()
        loss.backward()
        opt.step()
    net.eval()
    with torch.no_grad():
        hits = torch.cat([(net(x.cuda())[:, 0].cpu() > 0) == (y > 0.5) for x, y in DataLoader(Set(train[cut:], "train"), 128)])
    net.train()
    print(f"epoch {epoch} loss {loss.item():.4f} val_acc {hits.float().mean():.4f}")
net.eval()
with torch.no_grad():
    pred = torch.cat([net(x.cuda())[:, 0].sigmoid().cpu() for x, _ in DataLoader(Set(sample, "test"), 128)])
sample.assign(**{"label": pred.numpy()}).to_csv("/home/submission/submission.csv", index=False)
