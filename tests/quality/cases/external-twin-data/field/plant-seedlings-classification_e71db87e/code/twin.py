"""Looks a picture up in the Aarhus release (V2), which lies on the group's share."""
import pathlib

import imagehash
from PIL import Image

SHARE = pathlib.Path("/nfs/share/vision/NonsegmentedV2")
BOOK = {}
for path in SHARE.rglob("*.png"):
    BOOK.setdefault(str(imagehash.dhash(Image.open(path), 16)), path.parent.name)


def species_of(path):
    return BOOK.get(str(imagehash.dhash(Image.open(path), 16)))
