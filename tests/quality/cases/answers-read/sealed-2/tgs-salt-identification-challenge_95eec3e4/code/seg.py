import cv2, numpy as np, pandas as pd, torch, segmentation_models_pytorch as smp
from torch.utils.data import Dataset

class Salt(Dataset):
    def __init__(self, ids, root="/home/data/train"):
        self.ids, self.root = ids, root
    def __len__(self): return len(self.ids)
    def __getitem__(self, i):
        x = cv2.imread(f"{self.root}/images/{self.ids[i]}.png", 0)
        y = cv2.imread(f"{self.root}/masks/{self.ids[i]}.png", 0)
        return torch.tensor(np.pad(x, ((13, 14), (13, 14)), "reflect")[None] / 255.), torch.tensor(np.pad(y, ((13, 14), (13, 14))) > 0)
net = smp.Unet("resnet34", encoder_weights=None, in_channels=1)
