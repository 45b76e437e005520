import pandas as pd, torch, timm
from collections import Counter
from torch.utils.data import WeightedRandomSampler, DataLoader
from cam import Shots
df = pd.read_csv('/home/data/train.csv'); va = df.location.isin(df.location.drop_duplicates().sample(12, random_state=2))
c = Counter(df[~va].category_id); w = [1 / c[k] ** .5 for k in df[~va].category_id]
dl = DataLoader(Shots(df[~va], '/home/data/train_images'), 64, sampler=WeightedRandomSampler(w, 40000), num_workers=6)
net = timm.create_model('regnety_032', pretrained=True, num_classes=23).cuda(); o = torch.optim.AdamW(net.parameters(), 2e-4)
for e in range(10):
    for x, y in dl: l = torch.nn.functional.cross_entropy(net(x.cuda()), y.cuda()); o.zero_grad(); l.backward(); o.step()
