"""Helpers."""
from urllib.request import urlretrieve


def maybe_download(url, path, enabled=False):
    if not enabled:
        raise RuntimeError("downloads are switched off")
    return urlretrieve(url, path)


def seed_all(seed):
    import random
    random.seed(seed)
