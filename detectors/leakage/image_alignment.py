"""Lay one picture over another as exactly as it goes, and say how far their pixels agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from detectors.leakage.image_candidates import turns
from detectors.leakage.image_pixels import SIDE

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from detectors.leakage.image_candidates import Candidate

    Floats = NDArray[np.float32]
    Maps = NDArray[np.float64]

AT_ONCE = 1 << 16  # pixels that are aligned at once: they stay in the processor's cache
COARSE = (1.5, 5)  # blur in pixels of half the size, and Gauss-Newton steps
FINE = (1.0, 5)
FINER_STEPS = 3  # of pictures larger than `SIDE`, whose maps are nearly right
SHARP = 1.0  # blur at which pixels are compared at last
EVEN = 5.0  # pixels over which the strength of gradients is evened out
NOISE = 1.0  # grey levels a pixel below which a gradient is none
MIN_OVERLAP = 0.5  # of the right picture that must lie over the left one
MIN_BUSY = 0.35  # of what they share that must not be blank: one edge fits any other
EDGE = 0.01  # pixels beyond the outermost ones that still count as inside
AREAS = (0.5, 2.0)  # of the part of the left picture that the right one shows


class Agreement(NamedTuple):
    """How far two pictures agree.

    Parameters
    ----------
    candidate : Candidate
        With the refined map.
    moved : float
        Correlation of their gradients once they are aligned, at most 1: also after crops.
    still : float
        The same where nothing but a flip or a turn is allowed, at most 1: after re-encoding, where
        faint textures are lost.
    """

    candidate: Candidate
    moved: float
    still: float

    @property
    def best(self) -> float:
        """The greater of the two."""
        return max(self.moved, self.still)


def best_agreements(
    left: NDArray[np.uint8], right: NDArray[np.uint8], candidates: Sequence[Candidate]
) -> dict[int, Agreement]:
    """Return for each right picture the left one whose pixels agree with it most.

    The map between the two is refined by Gauss-Newton steps (Lucas and Kanade 1981), which also fit
    brightness and contrast; then the gradients of both are correlated, over the part that they
    share. Gradients, because honest pictures of one kind share their shades but not their edges.

    Parameters
    ----------
    left, right : ndarray of uint8, shape (n, side, side) and (m, side, side)
    """
    found: dict[int, Agreement] = {}
    for chunk in _chunks(candidates, left.shape[1] // 2):
        for one in _aligned(left, right, chunk, is_fine=False):
            kept = found.get(one.candidate.right)
            if kept is None or one.best > kept.best:
                found[one.candidate.right] = one
    return refined(left, right, [a.candidate for a in found.values()])


def refined(
    left: NDArray[np.uint8], right: NDArray[np.uint8], candidates: Sequence[Candidate]
) -> dict[int, Agreement]:
    """Align pairs whose maps are nearly right, at the full size of the arrays.

    Parameters
    ----------
    candidates : sequence of Candidate
        At most one for each right picture.
    """
    chunks = _chunks(candidates, left.shape[1])
    aligned = (one for chunk in chunks for one in _aligned(left, right, chunk, is_fine=True))
    return {one.candidate.right: one for one in aligned}


def _chunks(candidates: Sequence[Candidate], side: int) -> Iterator[Sequence[Candidate]]:
    size = max(1, AT_ONCE // side**2)
    for start in range(0, len(candidates), size):
        yield candidates[start : start + size]


def _aligned(
    left: NDArray[np.uint8],
    right: NDArray[np.uint8],
    candidates: Sequence[Candidate],
    *,
    is_fine: bool,
) -> list[Agreement]:
    from scipy.ndimage import gaussian_filter

    a = left[[c.left for c in candidates]].astype(np.float32)
    b = right[[c.right for c in candidates]].astype(np.float32)
    if not is_fine:
        a, b = (_halved(i) for i in (a, b))
    maps = np.stack([c.affine for c in candidates])
    blur, steps = FINE if is_fine else COARSE
    if a.shape[1] > SIDE:
        steps = FINER_STEPS
    smooth = [gaussian_filter(i, (0, blur, blur)) for i in (a, b)]
    for _ in range(steps):
        maps = _step(smooth[0], smooth[1], maps)
    if is_fine:
        smooth = [gaussian_filter(i, (0, SHARP, SHARP)) for i in (a, b)]
    moved = _evened(smooth[0], smooth[1], maps)
    still = _plain(smooth[0], smooth[1], np.stack([turns()[nearest_turn(m)] for m in maps]))
    return [
        Agreement(c._replace(affine=m), float(v), float(w))
        for c, m, v, w in zip(candidates, maps, moved, still, strict=True)
    ]


def nearest_turn(affine: Maps) -> int:
    """Return the number of the flip or turn that is closest to a map."""
    return int(np.argmax([(turn[:, :2] * affine[:, :2]).sum() for turn in turns()]))


def _halved(images: Floats) -> Floats:
    n, side, _ = images.shape
    halved: Floats = images.reshape(n, side // 2, 2, side // 2, 2).mean(axis=(2, 4))
    return halved


def _points(side: int) -> tuple[Floats, Floats]:
    at = ((np.arange(side) + 0.5) * 2 / side - 1).astype(np.float32)
    x, y = np.meshgrid(at, at)
    return x.ravel(), y.ravel()


def _warped(images: Floats, maps: Maps) -> tuple[Floats, NDArray[np.bool_]]:
    """Return the images seen through the maps, by bilinear interpolation, and where they are seen.

    Both have the shape (n, side²).
    """
    side = images.shape[1]
    x, y = _points(side)
    m = maps.astype(np.float32)
    u = (m[:, 0, :1] * x + m[:, 0, 1:2] * y + m[:, 0, 2:] + 1) * (side / 2) - 0.5
    v = (m[:, 1, :1] * x + m[:, 1, 1:2] * y + m[:, 1, 2:] + 1) * (side / 2) - 0.5
    low, high = -EDGE, side - 1 + EDGE
    inside = (u > low) & (u < high) & (v > low) & (v < high)
    np.clip(u, 0, side - 1.001, out=u)
    np.clip(v, 0, side - 1.001, out=v)
    i, j = u.astype(np.int32), v.astype(np.int32)
    u -= i
    v -= j
    flat = images.reshape(-1)
    at = j * side + i + (np.arange(len(images), dtype=np.int32) * side * side)[:, None]
    top = flat[at] * (1 - u) + flat[at + 1] * u
    at += side
    below = flat[at] * (1 - u) + flat[at + 1] * u
    return top * (1 - v) + below * v, inside


def _step(left: Floats, right: Floats, maps: Maps) -> Maps:
    """Take one Gauss-Newton step of the six numbers of each map, and of gain and offset."""
    n, side = left.shape[:2]
    x, y = _points(side)
    seen, inside = _warped(left, maps)
    slopes = np.gradient(seen.reshape(n, side, side), 2 / side, axis=(1, 2))
    dy, dx = slopes[0].reshape(n, -1), slopes[1].reshape(n, -1)
    # Slopes along the right picture's axes become slopes along the left one's.
    back = np.linalg.inv(maps[:, :, :2]).astype(np.float32)
    gx = dx * back[:, 0, :1] + dy * back[:, 1, :1]
    gy = dx * back[:, 0, 1:] + dy * back[:, 1, 1:]
    gx *= inside
    gy *= inside
    seen *= inside
    columns = np.stack([gx * x, gx * y, gx, gy * x, gy * y, gy, seen, inside], axis=1)
    target = right.reshape(n, -1, 1) * inside[..., None] - seen[..., None]
    normal = (columns @ columns.transpose(0, 2, 1)).astype(np.float64)
    moment = (columns @ target).astype(np.float64)
    size = np.einsum("nii->ni", normal)
    normal[:, np.arange(8), np.arange(8)] += 1e-4 * size + 1e-6
    delta = np.linalg.solve(normal, moment)[..., 0]
    # With gain (1 + g), a step of the map counts by its gain.
    gain = np.maximum(1 + delta[:, 6:7], 0.2)
    moved = maps + np.clip(delta[:, :6] / gain, -0.1, 0.1).reshape(-1, 2, 3)
    area = np.abs(np.linalg.det(moved[:, :, :2]))
    fair = (area > AREAS[0]) & (area < AREAS[1])
    return np.where(fair[:, None, None], moved, maps)


def _slopes(left: Floats, right: Floats, maps: Maps) -> tuple[Floats, Floats, NDArray[np.float32]]:
    """Return the gradients of both, zero where the pictures do not share pixels, and where they do.

    Shapes: (2, n, side, side) twice, and (n, side, side).
    """
    n, side, _ = left.shape
    seen, inside = _warped(left, maps)
    mask = inside.reshape(n, side, side).astype(np.float32)
    mask[:, [0, -1]] = 0
    mask[:, :, [0, -1]] = 0
    a, b = (
        np.stack(np.gradient(i.reshape(n, side, side), axis=(1, 2))) * mask for i in (seen, right)
    )
    return a, b, mask


def _correlation(a: Floats, b: Floats, weight: Floats | float) -> Floats:
    product = (a * b * weight).sum(axis=(0, 2, 3))
    norms = np.sqrt((a * a * weight).sum(axis=(0, 2, 3)) * (b * b * weight).sum(axis=(0, 2, 3)))
    found: Floats = product / np.maximum(norms, 1e-6)
    return found


def _plain(left: Floats, right: Floats, maps: Maps) -> Floats:
    a, b, _ = _slopes(left, right, maps)
    return _correlation(a, b, 1.0)


def _evened(left: Floats, right: Floats, maps: Maps) -> Floats:
    """Correlate gradients that are evened out, so that a strong edge weighs as a faint texture."""
    from scipy.ndimage import uniform_filter

    a, b, mask = _slopes(left, right, maps)
    wide = int(2 * EVEN * left.shape[1] / 64) + 1
    power = [uniform_filter((s * s).sum(axis=0), (0, wide, wide)) for s in (a, b)]
    weight = (1 / (power[0] + power[1] + 2 * NOISE**2)).astype(np.float32)
    busy = (np.minimum(*power) > NOISE**2).sum(axis=(1, 2)) / np.maximum(mask.sum(axis=(1, 2)), 1)
    is_fair = (mask.mean(axis=(1, 2)) >= MIN_OVERLAP) & (busy >= MIN_BUSY)
    return np.where(is_fair, _correlation(a, b, weight), 0).astype(np.float32)
