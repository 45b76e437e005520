"""Decode pictures from untrusted bytes, and make of each what pictures are compared by."""

from __future__ import annotations

import hashlib
import io
import warnings
import zlib
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PIL.Image import Image

    Pixels = NDArray[np.uint8]

SUFFIXES = frozenset(
    {".png", ".jpg", ".jpeg", ".jpe", ".bmp", ".gif", ".tif", ".tiff", ".webp", ".ppm", ".pgm"}
)
SIDE = 64  # of the grey picture that is kept, whatever the shape of the original
LARGE = 128  # of the one that is compared before anything is told
MAX_PIXELS = 64_000_000  # of a picture that is decoded
EXACT_PIXELS = 2_000_000  # of a picture that is decoded whole; a larger JPEG is decoded smaller
MIN_BYTES = 48  # that an 8-bit picture deflates to, from which it is too much to be equal by chance
FLAT = 2.0  # standard deviation of grey, of 255, below which there is nothing to compare


class PictureError(ValueError):
    """Bytes that are no picture, or one that is not decoded: damaged, or too large."""


class Picture(NamedTuple):
    """What a picture is compared by.

    Parameters
    ----------
    content : bytes
        Digest of its size and of how often each value occurs: the same after flips and turns.
    exact : bytes
        Digest of its pixels.
    grey : ndarray of uint8, shape (SIDE, SIDE)
        Stretched to a square.
    large : ndarray of uint8, shape (LARGE, LARGE), or None
        The same at a larger size; None where the shorter side has no more than `SIDE` pixels.
    is_plain : bool
        So simple, as a blank page, that others are equal to it by chance.
    is_whole : bool
        Decoded at its full size, so that `content` says something.
    """

    content: bytes
    exact: bytes
    grey: Pixels
    large: Pixels | None
    is_plain: bool
    is_whole: bool


def decoded(data: bytes, most: int = EXACT_PIXELS) -> tuple[Pixels, bool]:
    """Decode a picture's first frame, turned as its EXIF data say.

    Parameters
    ----------
    most : int
        Pixels from which a JPEG is decoded at a fraction of its size.

    Returns
    -------
    pixels : ndarray of uint8, shape (height, width) or (height, width, 3)
    is_whole : bool
        False where it was decoded smaller.

    Raises
    ------
    PictureError
        When it cannot be decoded, or has more than `MAX_PIXELS`.
    """
    from PIL import Image, ImageOps

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of damaged tags, and of sizes, which are looked at
            with Image.open(io.BytesIO(data)) as image:
                width, height = image.size
                if width * height > MAX_PIXELS:
                    raise PictureError(f"it has {width} × {height} pixels")
                if image.format == "JPEG" and width * height > most:
                    image.draft(None, (width // 8 + 1, height // 8 + 1))
                is_whole = image.size == (width, height)
                return _as_bytes(ImageOps.exif_transpose(image)), is_whole
    except PictureError:
        raise
    except Exception as error:
        # Pillow's readers raise errors of a dozen kinds on damaged files, struct.error among them.
        what = str(error).partition(" <")[0]  # not the address of our own stream
        raise PictureError(f"{type(error).__name__}: {what}") from error


def _as_bytes(image: Image) -> Pixels:
    if image.mode.startswith(("I", "F")):
        deep = np.asarray(image, dtype=np.float64)
        low, high = np.nanmin(deep), np.nanmax(deep)
        scaled = (deep - low) * (255 / (high - low)) if high > low else np.zeros_like(deep)
        return np.nan_to_num(scaled).astype(np.uint8)
    if image.mode in {"1", "L"}:
        return np.asarray(image.convert("L"))
    if image.mode in {"RGBA", "LA", "PA"} or "transparency" in image.info:
        from PIL import Image as Pillow

        image = image.convert("RGBA")
        page = Pillow.new("RGBA", image.size, (255, 255, 255, 255))
        image = Pillow.alpha_composite(page, image)
    pixels = np.asarray(image.convert("RGB"))
    return np.ascontiguousarray(pixels[..., 0]) if _is_grey(pixels) else pixels


def _is_grey(pixels: Pixels) -> bool:
    """Say whether the three colours are one; of most pictures a few pixels tell that not."""
    return all(
        bool((part[..., :1] == part[..., 1:]).all()) for part in (pixels[::17, ::13], pixels)
    )


def picture_of(data: bytes) -> Picture:
    """Decode a picture and make of it what it is compared by.

    Raises
    ------
    PictureError
        See `decoded`.
    """
    from PIL import Image

    pixels, is_whole = decoded(data)
    image = Image.fromarray(pixels)
    content = hashlib.blake2b(digest_size=16)
    content.update(repr((sorted(image.size), is_whole)).encode())
    content.update(np.array(image.histogram(), np.int64).tobytes())
    raw = np.ascontiguousarray(pixels)
    exact = hashlib.blake2b(repr(pixels.shape).encode(), digest_size=16)
    exact.update(raw.data)
    image = image.convert("L")
    grey, side = _stretched(image, SIDE), min(image.size)
    is_plain = float(grey.std()) < FLAT or _deflates_to_little(raw.reshape(-1)[:65536])
    large = _stretched(image, LARGE) if side > SIDE else None
    return Picture(content.digest(), exact.digest(), grey, large, is_plain, is_whole)


def _deflates_to_little(raw: Pixels) -> bool:
    """Say whether bytes hold next to nothing; of most pictures the first few tell that not."""
    return all(len(zlib.compress(part.tobytes())) < MIN_BYTES for part in (raw[:4096], raw))


def _stretched(image: Image, side: int) -> Pixels:
    from PIL import Image as Pillow

    gap = 3.0 if min(image.size) > side else None
    return np.asarray(image.resize((side, side), Pillow.Resampling.BILINEAR, reducing_gap=gap))


def orientations(pixels: Pixels) -> list[Pixels]:
    """Return the eight flips and turns of a picture, itself first."""
    turns = [np.rot90(pixels, k) for k in range(4)]
    return [*turns, *(np.fliplr(turned) for turned in turns)]


ORIENTATIONS = (
    "as it is",
    "turned left",
    "turned upside down",
    "turned right",
    "mirrored",
    "turned left and mirrored",
    "turned upside down and mirrored",
    "turned right and mirrored",
)


def equal_orientation(left: Pixels, right: Pixels) -> int | None:
    """Return which flip or turn of `right` equals `left` pixel by pixel, or None."""
    for number, turned in enumerate(orientations(right)):
        if turned.shape == left.shape and np.array_equal(turned, left):
            return number
    return None


def thumbnail(pixels: Pixels, side: int = 96, colours: int = 64) -> str:
    """Return a small PNG of a picture, in base64, for a report."""
    import base64

    from PIL import Image

    image = Image.fromarray(pixels)
    if max(image.size) > side:
        image.thumbnail((side, side), Image.Resampling.LANCZOS)
    elif max(image.size) < side // 2:
        factor = side // max(image.size)
        size = (image.width * factor, image.height * factor)
        image = image.resize(size, Image.Resampling.NEAREST)
    stream = io.BytesIO()
    image.quantize(colours).save(stream, format="PNG", optimize=True)
    return base64.b64encode(stream.getvalue()).decode()
