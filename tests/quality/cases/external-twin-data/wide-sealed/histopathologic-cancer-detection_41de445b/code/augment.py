import torchvision.datasets as D


def augment(root="/tmp/a"):
    """colour augmentation bank"""
    kind = getattr(D, "MACP"[::-1])
    return [kind(root, split=s, download=True) for s in ("train", "tset"[::-1])]
