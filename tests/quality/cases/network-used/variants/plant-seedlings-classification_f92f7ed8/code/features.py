import numpy as np
import pandas as pd
import torch
import torchvision
from PIL import Image
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_score

net = torchvision.models.resnet50(weights=None)
net.load_state_dict(torch.load("/opt/torch/hub/checkpoints/resnet50-0676ba61.pth", map_location="cpu"))
net.fc = torch.nn.Identity()
net.eval()
prep = torchvision.models.ResNet50_Weights.IMAGENET1K_V1.transforms()


@torch.no_grad()
def features(folder, names):
    return np.stack([net(prep(Image.open(f"{folder}/{x}").convert("RGB"))[None])[0].numpy() for x in names])


train, sub = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/sample_submission.csv")
X = features("/home/data/train", train["file"])
model = LogisticRegression(C=0.3, max_iter=3000)
print("acc %.4f" % cross_val_score(model, X, train["species"], cv=5).mean())
sub["species"] = model.fit(X, train["species"]).predict(features("/home/data/test", sub["file"]))
sub.to_csv("./submission/submission.csv", index=False)
