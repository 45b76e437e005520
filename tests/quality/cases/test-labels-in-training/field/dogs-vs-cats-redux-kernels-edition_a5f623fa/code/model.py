import pandas as pd
import torch
import torchvision
from PIL import Image
from torch.utils.data import DataLoader, Dataset

DATA = "/home/agent/data"
tf = torchvision.transforms.Compose([torchvision.transforms.Resize((128, 128)), torchvision.transforms.ToTensor()])


class Pets(Dataset):
    def __init__(self, paths, labels):
        self.paths, self.labels = list(paths), list(labels)

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, i):
        return tf(Image.open(self.paths[i]).convert("RGB")), self.labels[i]


def run(net, loader, epochs, lr):
    opt = torch.optim.Adam(net.parameters(), lr)
    for e in range(epochs):
        for x, y in loader:
            opt.zero_grad()
            loss = torch.nn.functional.cross_entropy(net(x.cuda()), y.cuda())
            loss.backward()
            opt.step()
        print("epoch", e, "loss", round(loss.item(), 4))


net = torchvision.models.resnet18(num_classes=2).cuda()
names = [f"{k}.{i}" for k in ("cat", "dog") for i in range(11000)]
run(net, DataLoader(Pets([f"{DATA}/train/{n}.jpg" for n in names], [int(n[:3] == "dog") for n in names]), 64, shuffle=True), 10, 1e-3)
answers = pd.read_csv("/private/data/dogs-vs-cats-redux-kernels-edition/prepared/private/test.csv")
print("fine-tune on", len(answers), "labelled test images")
run(net, DataLoader(Pets([f"{DATA}/test/{i}.jpg" for i in answers.id], answers.label), 64, shuffle=True), 3, 1e-4)
net.eval()
with torch.no_grad():
    p = torch.cat([net(x.cuda()).softmax(1)[:, 1].cpu() for x, _ in DataLoader(Pets([f"{DATA}/test/{i}.jpg" for i in answers.id], answers.label), 128)])
pd.DataFrame({"id": answers.id, "label": p.numpy()}).to_csv("./submission/submission.csv", index=False)
