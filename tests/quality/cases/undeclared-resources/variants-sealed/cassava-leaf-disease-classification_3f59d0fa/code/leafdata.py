import lightning as L
import torch
from PIL import Image
from torch import nn
from torch.utils.data import Dataset
from torchvision.transforms.functional import resize, to_tensor


class Leaves(Dataset):
    def __init__(self, frame):
        self.rows = frame.to_dict("records")

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, i):
        row = self.rows[i]
        image = Image.open("./input/train/" + row["image_id"] + ".jpg").convert("RGB")
        return to_tensor(resize(image, [160, 160])), int(row["label"])


class Net(L.LightningModule):
    def __init__(self, classes):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 64, 5, 4), nn.ReLU(), nn.Conv2d(64, 128, 3, 2), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(128, classes))

    def training_step(self, batch, i):
        return nn.functional.cross_entropy(self.body(batch[0]), batch[1])

    def predict_step(self, batch, i):
        return self.body(batch[0])

    def configure_optimizers(self):
        return torch.optim.AdamW(self.parameters(), 1e-3)
