import argparse, torch, torchvision as tv, pandas as pd
from torch.utils.data import DataLoader
from ds import Tiles
p = argparse.ArgumentParser(); p.add_argument("--size", type=int); p.add_argument("--epochs", type=int)
a = p.parse_args()
df = pd.read_csv("/home/data/train_labels.csv").sample(frac=1, random_state=4)
n = int(.92 * len(df))
net = tv.models.densenet169(weights="DEFAULT")
net.classifier = torch.nn.Linear(1664, 1)
net.cuda()
opt = torch.optim.AdamW(net.parameters(), 3e-4)
for ep in range(a.epochs):
    for x, y in DataLoader(Tiles(df[:n], a.size, True), 128, shuffle=True, num_workers=8):
        loss = torch.nn.functional.binary_cross_entropy_with_logits(net(x.cuda())[:, 0], y.float().cuda())
        opt.zero_grad(); loss.backward(); opt.step()
torch.save(net.state_dict(), "d169.pt")
