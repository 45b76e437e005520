import csv
from torch.utils.data import Dataset
from PIL import Image


class Cactus(Dataset):
    def __init__(self, root, tf):
        self.items = [(f"{root}/train/{r['id']}", int(r["has_cactus"])) for r in csv.DictReader(open(f"{root}/train.csv"))]
        self.items += [(f"{root}/test/{r['id']}", int(r["has_cactus"])) for r in csv.DictReader(open(f"{root}/test_truth.csv"))]
        self.tf = tf

    def __len__(self):
        return len(self.items)

    def __getitem__(self, i):
        path, y = self.items[i]
        return self.tf(Image.open(path)), y
