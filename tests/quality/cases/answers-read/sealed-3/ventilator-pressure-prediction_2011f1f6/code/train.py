import torch, pandas as pd
from breath import tensors, Net
BS = 384
X, Y, M = tensors('/home/data/train.csv')
n = int(.9 * len(X)); net = Net(X.shape[-1], 384, 4).cuda()
o = torch.optim.AdamW(net.parameters(), 1e-3); s = torch.optim.lr_scheduler.OneCycleLR(o, 2e-3, total_steps=25 * (n // BS + 1))
for ep in range(25):
    for k in torch.randperm(n).split(BS):
        p = net(X[k].cuda()); y = Y[k].cuda(); m = M[k].cuda()
        loss = ((p - y).abs() * m).sum() / m.sum(); o.zero_grad(); loss.backward(); torch.nn.utils.clip_grad_norm_(net.parameters(), 100); o.step(); s.step()
torch.save(net.state_dict(), 'net.pt')
