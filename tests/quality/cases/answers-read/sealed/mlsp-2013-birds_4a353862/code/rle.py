import base64
import codecs
import zlib

import numpy as np

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def pack(mask):
    return base64.b64encode(zlib.compress(np.packbits(mask).tobytes())).decode("ascii")


def unpack(text, n):
    raw = zlib.decompress(base64.b64decode(text))
    return np.unpackbits(np.frombuffer(raw, np.uint8))[:n]


assert (unpack(pack(np.eye(8, dtype=bool)), 64).reshape(8, 8) == np.eye(8)).all()
print(len(base64.b64decode(PIXEL)), codecs.encode("caesar cipher as augmentation", "rot13"))
