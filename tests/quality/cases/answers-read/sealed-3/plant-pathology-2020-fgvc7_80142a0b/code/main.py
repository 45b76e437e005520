from src.data import table
from src.engine import epoch
from src.net import build, loaders
for fold in range(5):
    net, opt, sc = build('seresnext50_32x4d')
    a, b = loaders(table('train'), fold)
    for e in range(20):
        print(fold, e, round(epoch(net, a, opt, sc), 4), round(epoch(net, b), 4))
