import imagehash
from PIL import Image


def group(paths):
    """one number for each set of look-alike training pictures, for GroupKFold"""
    seen = {}
    return [seen.setdefault(str(imagehash.phash(Image.open(p))), len(seen)) for p in paths]
