"""Pictures for tests, drawn from numbers, and what one may do to them so that they look new."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from numpy.typing import NDArray

    Pixels = NDArray[np.uint8]


def scene(seed: int, side: int = 96) -> Pixels:
    """Draw a picture with shades, edges and texture; no two seeds look alike."""
    random = np.random.default_rng(seed)
    frequencies = np.hypot(*np.meshgrid(np.fft.fftfreq(side), np.fft.fftfreq(side)))
    spectrum = np.fft.fft2(random.normal(size=(side, side))) / np.maximum(frequencies, 1 / side)
    shades = np.real(np.fft.ifft2(spectrum))
    for _ in range(6):
        y, x = random.integers(0, side - 20, 2)
        h, w = random.integers(8, 40, 2)
        shades[y : y + h, x : x + w] += random.normal() * shades.std()
    low, high = np.quantile(shades, [0.01, 0.99])
    drawn: Pixels = (np.clip((shades - low) / (high - low), 0, 1) * 255).astype(np.uint8)
    return drawn


def as_jpeg(pixels: Pixels, quality: int = 75) -> Pixels:
    """Encode with loss and decode."""
    stream = io.BytesIO()
    Image.fromarray(np.ascontiguousarray(pixels)).save(stream, "JPEG", quality=quality)
    return np.asarray(Image.open(io.BytesIO(stream.getvalue())))


def cropped(pixels: Pixels, seed: int) -> Pixels:
    """Cut to 80 to 95 % of the sides, anywhere, and stretch to the old size."""
    random = np.random.default_rng(seed)
    side = pixels.shape[0]
    kept = int(side * random.uniform(0.8, 0.95))
    y, x = random.integers(0, side - kept + 1, 2)
    part = Image.fromarray(np.ascontiguousarray(pixels[y : y + kept, x : x + kept]))
    return np.asarray(part.resize((side, side), Image.Resampling.BICUBIC))


def turned(pixels: Pixels, degrees: float) -> Pixels:
    """Turn a little and cut the corners off."""
    side = pixels.shape[0]
    whole = Image.fromarray(pixels).rotate(degrees, Image.Resampling.BICUBIC)
    edge = int(side * 0.08)
    return np.asarray(whole.crop((edge, edge, side - edge, side - edge)))


DISGUISES: dict[str, Callable[[Pixels, int], Pixels]] = {
    "flip": lambda p, _: np.fliplr(p),
    "turn": lambda p, s: np.rot90(p, 1 + s % 3),
    "jpeg": lambda p, _: as_jpeg(p, 75),
    "coarse jpeg": lambda p, _: as_jpeg(p, 40),
    "flip and jpeg": lambda p, _: as_jpeg(np.flipud(p)),
    "half size": lambda p, _: np.asarray(Image.fromarray(p).reduce(2)),
    "darker": lambda p, _: (p * 0.7).astype(np.uint8),
    "crop": cropped,
    "small turn": lambda p, s: turned(p, 3 + s % 5),
}


def write(folder: Path, names: dict[str, Pixels]) -> None:
    """Write pictures as PNG files."""
    for name, pixels in names.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(np.ascontiguousarray(pixels)).save(path)
