import numpy as np, pandas as pd, torch
from PIL import Image
from torchvision.models import resnet18
torch.manual_seed(0)
net = resnet18(weights=None, num_classes=1).eval()
sub = pd.read_csv('../data/sample_submission.csv')
pred = []
for f in sub['id']:
    x = torch.tensor(np.asarray(Image.open(f'../data/test/{f}')), dtype=torch.float32).permute(2, 0, 1)[None] / 255
    with torch.no_grad():
        pred.append(net(x).sigmoid().item())
sub['has_cactus'] = pred
sub.to_csv('/workspace/submission.csv', index=False)
print(np.mean(pred))
