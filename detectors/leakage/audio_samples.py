"""Decode sound files from untrusted bytes, and make of each what sounds are compared by."""

from __future__ import annotations

import hashlib
import io
import warnings
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Samples = NDArray[np.float32]

DECODED = frozenset({".wav"})
SUFFIXES = DECODED | {".flac", ".mp3", ".ogg", ".aif", ".aiff", ".m4a", ".opus"}
RATE = 8000  # samples a second at which sounds are compared
MAX_SECONDS = 15  # of a sound that are compared, its first ones
RATES = (1000, 400_000)  # samples a second of a file that is decoded
FRAME = 2048  # samples of a spectrum
HOP = 64
BANDS = 33  # of energies; one fewer bits in a print
HEARD = (200, 3600)  # Hz, on a logarithmic scale
REACH = 16  # samples around the best shift between which a better one is looked for
QUIET = 1e-4  # of full scale: mean amplitude below which a sound is silence
FAINT = 0.05  # of the loudest frame's energy: fainter ones have no print


class SoundError(ValueError):
    """Bytes that are no sound, or one that is not decoded."""


class Sound(NamedTuple):
    """What a sound is compared by.

    Parameters
    ----------
    exact : bytes
        Digest of its samples, whatever container they came in.
    samples : ndarray of float32, shape (n,)
        One channel, `RATE` a second.
    is_silent : bool
        Nothing but silence, or one level: others are equal to it by chance.
    """

    exact: bytes
    samples: Samples
    is_silent: bool


def sound_of(data: bytes) -> Sound:
    """Decode a WAV file.

    Raises
    ------
    SoundError
        When it cannot be decoded.
    """
    from scipy.io import wavfile

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of chunks that are not understood
            rate, raw = wavfile.read(io.BytesIO(data))
    except Exception as error:
        # scipy's reader raises errors of many kinds on damaged files, struct.error among them.
        raise SoundError(f"{type(error).__name__}: {error}") from error
    if not raw.size or not RATES[0] <= rate <= RATES[1]:
        raise SoundError(f"it holds {raw.size} samples, {rate} a second")
    exact = hashlib.blake2b(repr((rate, raw.shape, raw.dtype.str)).encode(), digest_size=16)
    exact.update(raw.tobytes())
    samples = _one_channel(raw[: int(rate) * MAX_SECONDS], int(rate))
    is_silent = float(np.abs(samples - samples.mean()).mean()) < QUIET
    return Sound(exact.digest(), samples, is_silent)


def _one_channel(raw: NDArray[np.generic], rate: int) -> Samples:
    from scipy.signal import resample_poly

    scale, middle = 1.0, 0.0
    if np.issubdtype(raw.dtype, np.integer):
        limits = np.iinfo(raw.dtype)  # type: ignore[type-var]
        scale = (float(limits.max) - float(limits.min)) / 2
        middle = 128.0 if limits.min == 0 else 0.0
    flat = np.nan_to_num(raw.astype(np.float64), posinf=0, neginf=0)
    flat = (flat if flat.ndim == 1 else flat.mean(axis=1)) - middle
    if rate != RATE:
        step = Fraction(RATE, rate).limit_denominator(500)
        flat = resample_poly(flat, step.numerator, step.denominator)
    found: Samples = (flat / scale).astype(np.float32)
    return found


def prints_of(samples: Samples) -> NDArray[np.uint32]:
    """Return a 32-bit print of each loud frame: how energy rises from band to band and over time.

    The same after a change of loudness, and much the same after a shift and re-encoding
    (Haitsma and Kalker 2002).
    """
    if len(samples) < FRAME + HOP:
        return np.empty(0, dtype=np.uint32)
    frames = np.lib.stride_tricks.sliding_window_view(samples, FRAME)[::HOP]
    spectrum = np.abs(np.fft.rfft(frames * np.hanning(FRAME).astype(np.float32), axis=1)) ** 2
    edges = np.geomspace(*HEARD, BANDS + 1) * FRAME / RATE
    total = np.concatenate([np.zeros((len(frames), 1)), np.cumsum(spectrum, axis=1)], axis=1)
    at = np.arange(total.shape[1])
    below = np.stack([np.interp(edges, at, row) for row in total])
    energy = np.diff(below, axis=1)
    rises = np.diff(np.diff(energy, axis=1), axis=0) > 0
    loud = energy.sum(axis=1)
    kept = loud[1:] > FAINT * loud.max(initial=0)
    bits = (np.uint64(1) << np.arange(BANDS - 1, dtype=np.uint64)) * rises.astype(np.uint64)
    found: NDArray[np.uint32] = bits.sum(axis=1)[kept].astype(np.uint32)
    return found


def agreement(left: Samples, right: Samples) -> float:
    """Return the correlation of two sounds at the shift where they agree most, at most 1.

    Over the part that they share, which is at least half the shorter one and a quarter second; a
    sound turned upside down, as by swapped wires, agrees as well.
    """
    from scipy.signal import fftconvolve, resample_poly

    n, m = len(left), len(right)
    shortest = max(min(n, m) // 2, RATE // 4)
    if min(n, m) < shortest:
        return 0.0
    a, b = left - left.mean(), right - right.mean()
    cross = fftconvolve(a, b[::-1])
    shift = np.arange(-(m - 1), n)  # of the right one against the left one
    first, last = np.maximum(shift, 0), np.minimum(shift + m, n)
    inside = last - first >= shortest
    first, last, shift, cross = first[inside], last[inside], shift[inside], cross[inside]
    power = [np.concatenate([[0.0], np.cumsum(s.astype(np.float64) ** 2)]) for s in (a, b)]
    norms = (power[0][last] - power[0][first]) * (power[1][last - shift] - power[1][first - shift])
    value = cross / np.sqrt(np.maximum(norms, 1e-12))
    peak = int(np.argmax(np.abs(value)))
    near = value[max(0, peak - REACH) : peak + REACH + 1]
    between = resample_poly(near, 8, 1)  # the true shift is rarely a whole sample
    return min(float(np.max(np.abs([*near, *between]))), 1.0)
