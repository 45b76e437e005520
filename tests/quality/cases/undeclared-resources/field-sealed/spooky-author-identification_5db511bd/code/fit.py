import lightning as L
import pandas as pd
import torch
from sklearn.feature_extraction.text import TfidfVectorizer
from torch.utils.data import DataLoader, TensorDataset

train = pd.read_csv("/home/agent/data/train.csv")
test = pd.read_csv("/home/agent/data/test.csv")
vec = TfidfVectorizer(max_features=8000)
X = torch.tensor(vec.fit_transform(train["text"]).toarray()).float()
y = torch.tensor(train["author"].map({"EAP": 0, "HPL": 1, "MWS": 2}).values)
Z = torch.tensor(vec.transform(test["text"]).toarray()).float()


class Net(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.body = torch.nn.Sequential(torch.nn.Linear(8000, 256), torch.nn.ReLU(), torch.nn.Dropout(0.5), torch.nn.Linear(256, 3))

    def training_step(self, batch, _):
        return torch.nn.functional.cross_entropy(self.body(batch[0]), batch[1])

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), 1e-3)


net = Net()
L.Trainer(max_epochs=5, accelerator="auto", devices="auto", strategy="ddp").fit(net, DataLoader(TensorDataset(X, y), 128, shuffle=True))
p = net.cpu().body.eval()(Z).softmax(1).detach().numpy()
pd.DataFrame(p, columns=["EAP", "HPL", "MWS"]).assign(id=test["id"])[["id", "EAP", "HPL", "MWS"]].to_csv("./submission/submission.csv", index=False)
