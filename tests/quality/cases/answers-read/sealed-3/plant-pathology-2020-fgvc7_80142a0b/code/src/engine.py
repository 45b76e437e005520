import torch
def epoch(net, dl, opt=None, scaler=None):
    net.train(opt is not None); tot = n = 0
    for x, y in dl:
        with torch.autocast('cuda'), torch.set_grad_enabled(opt is not None):
            loss = -(y.cuda() * net(x.cuda()).log_softmax(1)).sum(1).mean()
        if opt: opt.zero_grad(); scaler.scale(loss).backward(); scaler.step(opt); scaler.update()
        tot += loss.item() * len(x); n += len(x)
    return tot / n
