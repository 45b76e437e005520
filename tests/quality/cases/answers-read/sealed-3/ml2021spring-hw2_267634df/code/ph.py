import numpy as np, torch, pandas as pd
D = '/home/data/timit_11/'
X, y, T = np.load(D + 'train_11.npy'), np.load(D + 'train_label_11.npy').astype(int), np.load(D + 'test_11.npy')
n = int(.8 * len(X)); mu, sd = X[:n].mean(0), X[:n].std(0); X = (X - mu) / sd; T = (T - mu) / sd
net = torch.nn.Sequential(*[l for a, b in ((429, 2048), (2048, 1024), (1024, 512)) for l in (torch.nn.Linear(a, b), torch.nn.BatchNorm1d(b), torch.nn.ReLU(), torch.nn.Dropout(.35))], torch.nn.Linear(512, 39)).cuda()
o = torch.optim.AdamW(net.parameters(), 1e-3)
for ep in range(20):
    net.train()
    for k in torch.randperm(n).split(1024):
        l = torch.nn.functional.cross_entropy(net(torch.tensor(X[k]).cuda()), torch.tensor(y[k]).cuda(), label_smoothing=.1); o.zero_grad(); l.backward(); o.step()
    net.eval()
    print(ep, np.mean([(net(torch.tensor(X[n:][i:i+4096]).cuda()).argmax(1).cpu().numpy() == y[n:][i:i+4096]).mean() for i in range(0, len(X) - n, 4096)]))
