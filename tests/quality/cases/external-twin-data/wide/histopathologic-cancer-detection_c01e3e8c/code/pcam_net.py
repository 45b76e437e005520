from torch import nn


class PcamNet(nn.Module):
    """small CNN for 96 x 96 patches, random initialisation"""

    def __init__(self, width=32):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, width, 3, 2), nn.ReLU(), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(width, 1))

    def forward(self, x):
        return self.body(x)
