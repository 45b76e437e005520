import argparse, torch
from torch_geometric.loader import DataLoader
from mols import Molecules, MPNN, log_mae
ap = argparse.ArgumentParser(); ap.add_argument('--data'); ap.add_argument('--epochs', type=int); ap.add_argument('--dim', type=int); a = ap.parse_args()
D = Molecules(a.data, 'train.csv', 'structures.csv'); tr, va = D.split(.1, seed=7)
net = MPNN(a.dim, types=8).cuda(); o = torch.optim.Adam(net.parameters(), 1e-3)
for e in range(a.epochs):
    for b in DataLoader(tr, 64, True):
        l = log_mae(net(b.cuda()), b.y, b.kind); o.zero_grad(); l.backward(); o.step()
    print('epoch', e, sum(log_mae(net(b.cuda()), b.y, b.kind).item() for b in DataLoader(va, 128)) / (len(va) / 128))
