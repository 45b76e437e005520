import argparse, timm, torch, pandas as pd
from torch.utils.data import DataLoader
from isic import Lesions, train_tf, test_tf
ap = argparse.ArgumentParser(); ap.add_argument("--size", type=int, default=384); ap.add_argument("--folds", default="0")
a = ap.parse_args()
df = pd.read_csv("/home/data/train.csv"); te = pd.read_csv("/home/data/test.csv")
df["fold"] = df.groupby("patient_id").ngroup() % 5
pred = torch.zeros(len(te))
for f in map(int, a.folds.split(",")):
    net = timm.create_model("tf_efficientnet_b5_ns", pretrained=True, num_classes=1).cuda()
    opt = torch.optim.AdamW(net.parameters(), 1e-4)
    for _ in range(5):
        for x, y in DataLoader(Lesions(df[df.fold != f], train_tf(a.size)), 16, shuffle=True, num_workers=8):
            l = torch.nn.functional.binary_cross_entropy_with_logits(net(x.cuda())[:, 0], y.cuda().float())
            opt.zero_grad(); l.backward(); opt.step()
    net.eval()
    with torch.no_grad():
        pred += torch.cat([net(x.cuda())[:, 0].sigmoid().cpu() for x, _ in DataLoader(Lesions(te, test_tf(a.size)), 32)])
te.assign(target=pred)[["image_name", "target"]].to_csv("/home/submission/submission.csv", index=False)
