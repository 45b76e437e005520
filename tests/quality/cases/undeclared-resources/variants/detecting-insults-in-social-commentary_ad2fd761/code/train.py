import lightning as L
import pandas as pd
import torch
from sklearn.feature_extraction.text import HashingVectorizer
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

train, test = pd.read_csv("/home/data/train.csv"), pd.read_csv("/home/data/test.csv")
hasher = HashingVectorizer(n_features=4096, alternate_sign=False)
X = torch.tensor(hasher.transform(train.iloc[:, 1].astype(str)).toarray(), dtype=torch.float32)
y, classes = pd.factorize(train["Insult"], sort=True)


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(4096, 128), nn.ReLU(), nn.Dropout(0.4), nn.Linear(128, len(classes)))

    def training_step(self, batch, i):
        return nn.functional.cross_entropy(self.body(batch[0]), batch[1])

    def configure_optimizers(self):
        return torch.optim.Adam(self.parameters(), 1e-3)


net = Net()
L.Trainer(max_epochs=4, accelerator="auto", devices="auto").fit(net, DataLoader(TensorDataset(X, torch.tensor(y)), 128, shuffle=True))
net.eval()
with torch.no_grad():
    Z = torch.tensor(hasher.transform(test.iloc[:, 1].astype(str)).toarray(), dtype=torch.float32)
    pred = net.body(Z).softmax(1)[:, -1].numpy()
pd.DataFrame({"id": test["id"], "Insult": pred}).to_csv("/home/submission/submission.csv", index=False)
