"""Logistic regression with differentially private SGD (small epsilon, just to compare)."""
import numpy as np
import pandas as pd
import torch
from opacus import PrivacyEngine

df = pd.read_csv("/home/data/train.csv")
x = torch.tensor(df.drop(columns=["id", "diagnosis"]).values, dtype=torch.float32)
y = torch.tensor(df["diagnosis"].values, dtype=torch.float32)
model = torch.nn.Linear(x.shape[1], 1)
opt = torch.optim.SGD(model.parameters(), lr=0.05)
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, y), batch_size=64)
engine = PrivacyEngine()
private_model, private_opt, private_loader = engine.make_private(
    module=model, optimizer=opt, data_loader=loader, noise_multiplier=1.1, max_grad_norm=1.0)
for epoch in range(20):
    for a, b in private_loader:
        private_opt.zero_grad()
        torch.nn.functional.binary_cross_entropy_with_logits(private_model(a).squeeze(1), b).backward()
        private_opt.step()
print("epsilon", engine.get_epsilon(1e-5))
