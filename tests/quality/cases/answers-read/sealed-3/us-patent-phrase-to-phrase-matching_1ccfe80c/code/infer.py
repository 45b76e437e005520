import argparse, torch, pandas as pd
from data import loader
ap = argparse.ArgumentParser(); ap.add_argument('--ckpt'); a = ap.parse_args()
net = torch.load(a.ckpt).cuda().eval()
te = pd.read_csv('/home/data/test.csv'); out = []
with torch.no_grad():
    for b in loader(te, 64, shuffle=False): out += net(**b).sigmoid().flatten().tolist()
te.assign(score=out)[['id', 'score']].to_csv('/home/submission/submission.csv', index=False)
print(f'saved /home/submission/submission.csv ({len(te)} rows)')
