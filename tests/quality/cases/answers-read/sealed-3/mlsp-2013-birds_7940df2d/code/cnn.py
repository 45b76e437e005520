import torch, timm
from birds import load, folds, auc
X, Y, T = load('mel')
for f, (a, b) in enumerate(folds(X, Y)):
    net = timm.create_model('resnet18', pretrained=True, in_chans=1, num_classes=19).cuda()
    o = torch.optim.Adam(net.parameters(), 1e-3)
    for ep in range(30):
        i = torch.randperm(len(a))
        for k in i.split(16):
            x = X[a[k]].roll(int(torch.randint(600, (1,))), -1)
            l = torch.nn.functional.binary_cross_entropy_with_logits(net(x.cuda()), Y[a[k]].cuda()); o.zero_grad(); l.backward(); o.step()
    print('fold', f, auc(net, X[b], Y[b]))
