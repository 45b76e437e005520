import argparse, torch, pandas as pd
from torchvision import models, transforms as T
from pcam import Tiles
ap = argparse.ArgumentParser(); ap.add_argument('--workers', type=int, default=8); a = ap.parse_args()
torch.multiprocessing.set_sharing_strategy('file_system')
df = pd.read_csv('/home/data/train_labels.csv').sample(frac=1, random_state=0)
tf = T.Compose([T.CenterCrop(64), T.RandomHorizontalFlip(), T.RandomVerticalFlip(), T.ColorJitter(.1, .1, .1), T.ToTensor()])
dl = torch.utils.data.DataLoader(Tiles(df[:-16000], '/home/data/train', tf), 256, True, num_workers=a.workers)
net = models.resnet34(weights='DEFAULT'); net.fc = torch.nn.Linear(512, 1); net.cuda(); o = torch.optim.SGD(net.parameters(), .02, .9)
for e in range(10):
    for x, y in dl: l = torch.nn.functional.binary_cross_entropy_with_logits(net(x.cuda()).flatten(), y.float().cuda()); o.zero_grad(); l.backward(); o.step()
