import os
from pathlib import Path

import numpy as np
import pandas as pd
import torch
from torch import nn

DATA, SUB, LOGS = (Path(os.environ[k]) for k in ("DATA_DIR", "SUBMISSION_DIR", "LOGS_DIR"))
SEED = int(os.environ.get("SEED", "0"))


def say(text):
    print(text)
    with open(LOGS / "agent.log", "a") as f:
        f.write(text + "\n")


train = pd.read_csv(DATA / "train.csv")
test = pd.read_csv(DATA / "test.csv")
y = train.pop("malignant")
X, T = train.drop(columns="id"), test.drop(columns="id")

torch.manual_seed(SEED)
np.random.seed(SEED)
model = nn.Sequential(nn.Linear(30, 64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, 1))
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
xs = torch.tensor(((X - X.mean()) / X.std()).values, dtype=torch.float32)
ys = torch.tensor(y.values, dtype=torch.float32)
for epoch in range(30):
    opt.zero_grad()
    loss = nn.functional.binary_cross_entropy_with_logits(model(xs).squeeze(1), ys)
    loss.backward()
    opt.step()
    say(f"epoch {epoch} train_loss={loss.item():.4f}")
ts = torch.tensor(((T - X.mean()) / X.std()).values, dtype=torch.float32)
p = torch.sigmoid(model(ts)).squeeze(1).detach().numpy()

pd.DataFrame({"id": test.id, "malignant": p}).to_csv(SUB / "submission.csv", index=False)
say(f"wrote {len(test)} rows")
