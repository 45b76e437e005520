"""Handwritten digits as 1,797 small pictures; the table of scikit-learn."""

from __future__ import annotations

import struct
import zlib
from typing import TYPE_CHECKING

from competitions.sources.embedded.base import Embedded, permutation, shuffled

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

_FULL = 16  # scikit-learn counts ink in 0 to 16


def table() -> pd.DataFrame:
    """Build the labels: `id` and `label`, the digit that the picture `images/<id>.png` shows.

    References
    ----------
    Alpaydin and Kaynak (1998), Optical Recognition of Handwritten Digits.
    https://doi.org/10.24432/C50P49
    """
    import pandas as pd
    from sklearn.datasets import load_digits

    return shuffled(pd.DataFrame({"label": load_digits().target}))


def files() -> Iterator[tuple[str, bytes]]:
    """Yield each picture under its row's id: 8 x 8 pixels, black 0 to white 255."""
    import numpy as np
    from sklearn.datasets import load_digits

    images = np.rint(load_digits().images * (255 / _FULL)).astype(np.uint8)
    for number, row in enumerate(permutation(len(images))):
        yield f"images/{number}.png", png(images[row])


def png(pixels: NDArray[np.uint8]) -> bytes:
    """Write a greyscale picture as a PNG file whose bytes are the same for ever.

    Pillow's bytes depend on the zlib that it was built with, so that a digest of them would hold
    for one build only. The pixels are therefore stored without compression, in one block.

    Parameters
    ----------
    pixels : ndarray of shape (height, width), uint8
        At most 65,535 bytes together with one per line.

    References
    ----------
    https://www.w3.org/TR/png-3/ and, for the stored block, https://www.rfc-editor.org/rfc/rfc1951
    """
    height, width = pixels.shape
    lines = b"".join(b"\0" + line.tobytes() for line in pixels)  # each line: filter 0, then pixels
    size = len(lines)
    block = b"\x78\x01\x01" + struct.pack("<HH", size, size ^ 0xFFFF) + lines
    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)  # 8 bits of grey
    chunks = (
        (b"IHDR", header),
        (b"IDAT", block + struct.pack(">I", zlib.adler32(lines))),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        for kind, data in chunks
    )


EMBEDDED = Embedded("digit-images", table, files)
