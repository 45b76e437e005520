import pandas as pd
import timm
import torch
from pictures import loader


def train_all(root, epochs):
    net = timm.create_model("resnet50d", pretrained=False, num_classes=120).cuda()
    opt = torch.optim.AdamW(net.parameters(), 3e-4)
    for _ in range(epochs):
        for x, y in loader(root, "train"):
            loss = torch.nn.functional.cross_entropy(net(x.cuda()), y.cuda())
            opt.zero_grad()
            loss.backward()
            opt.step()
    with torch.no_grad():
        p = torch.cat([net(x.cuda()).softmax(1).cpu() for x, _ in loader(root, "test")])
    return pd.read_csv(f"{root}/sample_submission.csv").assign(breed=p.argmax(1).numpy())
