import argparse, pandas as pd, torch, timm, cv2
from torch.utils.data import DataLoader, Dataset
import albumentations as A
ap = argparse.ArgumentParser(); ap.add_argument("--arch"); ap.add_argument("--size", type=int); a = ap.parse_args()
C = ["healthy", "multiple_diseases", "rust", "scab"]
tf = A.Compose([A.Resize(a.size, a.size), A.HorizontalFlip(), A.VerticalFlip(), A.ShiftScaleRotate(), A.Normalize()])
class Leaves(Dataset):
    def __init__(s, d): s.d = d.reset_index(drop=True)
    def __len__(s): return len(s.d)
    def __getitem__(s, i):
        im = cv2.imread(f"/home/data/images/{s.d.image_id[i]}.jpg")[..., ::-1]
        return torch.tensor(tf(image=im)["image"].transpose(2, 0, 1)), torch.tensor(s.d.loc[i, C].values.astype("f4"))
tr = pd.read_csv("/home/data/train.csv")
net = timm.create_model(a.arch, pretrained=True, num_classes=4).cuda()
opt = torch.optim.AdamW(net.parameters(), 3e-4)
for e in range(12):
    for x, y in DataLoader(Leaves(tr), 24, shuffle=True, num_workers=8):
        l = -(y.cuda() * net(x.cuda()).log_softmax(1)).sum(1).mean(); opt.zero_grad(); l.backward(); opt.step()
