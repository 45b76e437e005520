"""Hold the test pictures against the train pictures: bytes, then pixels, then what is alike."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from competitions.io import sha256_bytes
from detectors.leakage.closest import Bounds, bound_of, recurring
from detectors.leakage.image_alignment import best_agreements, nearest_turn, refined
from detectors.leakage.image_candidates import Bank, inverse
from detectors.leakage.image_pixels import (
    PictureError,
    decoded,
    equal_orientation,
    picture_of,
)
from detectors.leakage.media_files import MediaFile, evenly

if TYPE_CHECKING:
    from collections.abc import Sequence

    from detectors.leakage.image_alignment import Agreement
    from detectors.leakage.image_pixels import Picture

MAX_NULL = 300  # train pictures that are held against the others
MAX_HASHED = 200_000  # files whose bytes are compared
N_NEAR = 2  # train pictures that are laid over each test picture
RECURS = 5  # equal train pictures from which one is a placeholder
MOVED = Bounds(0.865, 0.963, 0.9817)  # of a likeness after alignment
STILL = Bounds(0.865, 0.9889, 0.9889)  # of one where only a flip or a turn is allowed


class PictureMatch(NamedTuple):
    """A test picture that is also a train picture.

    Parameters
    ----------
    train, test : MediaFile
    how : {"bytes", "pixels", "likeness"}
        What was found equal.
    turn : int
        Which of `image_pixels.ORIENTATIONS` makes the train picture of the test picture.
    likeness, bound : float
        Correlation of gradients, and from where on it is no honest one; 1 and 1 where equal.
    is_expected : bool
        Too simple, or too common in the train part, to say anything.
    """

    train: MediaFile
    test: MediaFile
    how: str
    turn: int = 0
    likeness: float = 1.0
    bound: float = 1.0
    is_expected: bool = False


@dataclass
class PictureComparison:
    """What came of it.

    Parameters
    ----------
    matches : dict of str to PictureMatch
        By name of the test picture; the strongest each.
    looked : dict of str to int
        Pictures of ``train`` and ``test`` whose pixels were compared.
    unreadable : dict of str to str
        Names of pictures that could not be decoded, and why.
    repeated : dict of str to float
        Share of ``train`` and of ``test`` pictures that another one of the same side equals.
    """

    matches: dict[str, PictureMatch] = field(default_factory=dict)
    looked: dict[str, int] = field(default_factory=dict)
    unreadable: dict[str, str] = field(default_factory=dict)
    repeated: dict[str, float] = field(default_factory=dict)

    def add(self, match: PictureMatch) -> None:
        """Keep a match, unless a stronger one of its test picture is known."""
        self.matches.setdefault(match.test.name, match)


class _Loaded(NamedTuple):
    files: list[MediaFile]
    pictures: list[Picture]

    @property
    def greys(self) -> np.ndarray:
        return np.stack([p.grey for p in self.pictures])


def compare_pictures(
    train: Sequence[MediaFile], test: Sequence[MediaFile], most: int
) -> PictureComparison:
    """Find the test pictures that are train pictures.

    Parameters
    ----------
    most : int
        Pictures whose pixels are compared, a quarter of them of the test part; where there are
        more, an even sample. Bytes are compared of all.
    """
    from threadpoolctl import threadpool_limits

    found = PictureComparison()
    for match in equal_bytes(train, test):
        found.add(match)
    n_test = min(len(test), max(most // 4, most - len(train)))
    left = _load(evenly(train, most - n_test), found)
    right = _load(evenly(test, n_test), found)
    found.looked = {"train": len(left.files), "test": len(right.files)}
    if left.files and right.files:
        _equal_pixels(left, right, found)
        with threadpool_limits(1, "blas"):  # many small products: threads wait more than they work
            _alike(left, right, found)
    _tell_expected(left, right, found)
    return found


def equal_bytes(train: Sequence[MediaFile], test: Sequence[MediaFile]) -> list[PictureMatch]:
    """Return test files with the bytes of a train file; only files of equal size are read."""
    train, test = evenly(train, MAX_HASHED), evenly(test, MAX_HASHED)
    sizes = {f.size for f in train} & {f.size for f in test} - {0}
    known: dict[str, list[MediaFile]] = defaultdict(list)
    for file in train:
        if file.size in sizes and (digest := _digest(file)):
            known[digest].append(file)
    matches = []
    for file in test:
        equals = known.get(_digest(file) or "", []) if file.size in sizes else []
        if equals:
            is_expected = len(equals) >= RECURS
            matches.append(PictureMatch(equals[0], file, "bytes", is_expected=is_expected))
    return matches


def _digest(file: MediaFile) -> str | None:
    try:
        return sha256_bytes(file.read())
    except OSError:
        return None


def _load(files: Sequence[MediaFile], found: PictureComparison) -> _Loaded:
    loaded = _Loaded([], [])
    for file in files:
        try:
            picture = picture_of(file.read())
        except (PictureError, OSError) as error:
            found.unreadable[file.name] = str(error)
            continue
        loaded.files.append(file)
        loaded.pictures.append(picture)
    return loaded


def _equal_pixels(left: _Loaded, right: _Loaded, found: PictureComparison) -> None:
    known: dict[bytes, list[int]] = defaultdict(list)
    for number, picture in enumerate(left.pictures):
        if picture.is_whole:
            known[picture.content].append(number)
    for file, picture in zip(right.files, right.pictures, strict=True):
        equals = known.get(picture.content, [])
        if file.name in found.matches or not equals:
            continue
        pixels, _ = decoded(file.read())
        for number in equals[:RECURS]:
            turn = equal_orientation(decoded(left.files[number].read())[0], pixels)
            if turn is not None:
                is_expected = len(equals) >= RECURS
                train = left.files[number]
                found.add(PictureMatch(train, file, "pixels", turn, is_expected=is_expected))
                break


def _alike(left: _Loaded, right: _Loaded, found: PictureComparison) -> None:
    """Find pictures that were re-encoded, cropped or turned a little."""
    bank = Bank(left.greys)
    own = np.array(evenly(range(len(left.files)), MAX_NULL))
    honest = best_agreements(bank.greys, bank.greys[own], bank.nearest(bank.greys[own], 2, own))
    itself = _Loaded([left.files[i] for i in own], [left.pictures[i] for i in own])
    closest = sorted(honest.values(), key=lambda a: -a.moved)[: len(honest) // 5]
    honest |= _larger(left, itself, closest)
    null = np.array([[a.moved, a.still] for a in honest.values()]).reshape(-1, 2)
    bounds = bound_of(null[:, 0], MOVED), bound_of(null[:, 1], STILL)
    copies = max(recurring(null[:, 0], MOVED), recurring(null[:, 1], STILL))
    found.repeated["train"] = copies
    open_ones = [
        i
        for i, (f, p) in enumerate(zip(right.files, right.pictures, strict=True))
        if f.name not in found.matches and not p.is_plain
    ]
    if not open_ones:
        return
    rest = _Loaded([right.files[i] for i in open_ones], [right.pictures[i] for i in open_ones])
    likely = best_agreements(bank.greys, rest.greys, bank.nearest(rest.greys, N_NEAR))
    likely |= _larger(left, rest, [a for a in likely.values() if a.moved >= MOVED.loosest])
    for number, agreement in likely.items():
        match = _as_match(agreement, left, rest.files[number], bounds)
        if match is not None:
            found.add(match)


def _larger(left: _Loaded, right: _Loaded, agreements: Sequence[Agreement]) -> dict[int, Agreement]:
    """Look at likely pairs again, at a larger size; pictures that are small stay as they are."""
    found: dict[int, Agreement] = {}
    big = [
        (a.candidate, one, other)
        for a in agreements
        if (one := left.pictures[a.candidate.left].large) is not None
        and (other := right.pictures[a.candidate.right].large) is not None
    ]
    if big:
        pairs, *greys = zip(*big, strict=True)
        here = [c._replace(left=n, right=n) for n, c in enumerate(pairs)]
        for n, agreement in refined(np.stack(greys[0]), np.stack(greys[1]), here).items():
            again = pairs[n]._replace(affine=agreement.candidate.affine)
            found[again.right] = agreement._replace(candidate=again)
    return found


def _as_match(
    agreement: Agreement, left: _Loaded, test: MediaFile, bounds: tuple[float, float]
) -> PictureMatch | None:
    pairs = ((agreement.moved, bounds[0]), (agreement.still, bounds[1]))
    told = [(value, bound) for value, bound in pairs if value >= bound]
    if not told or left.pictures[agreement.candidate.left].is_plain:
        return None
    value, bound = max(told)
    turn = nearest_turn(inverse(agreement.candidate.affine))
    train = left.files[agreement.candidate.left]
    return PictureMatch(train, test, "likeness", turn, value, bound)


def _tell_expected(left: _Loaded, right: _Loaded, found: PictureComparison) -> None:
    """Mark matches of plain pictures, and count equals within each side."""
    plain = {
        f.name: p.is_plain
        for f, p in zip(right.files, right.pictures, strict=True)
        if f.name in found.matches
    }
    for name, match in found.matches.items():
        is_plain = plain[name] if name in plain else _is_plain(match.test)
        if is_plain:
            found.matches[name] = match._replace(is_expected=True)
    for side, loaded in (("train", left), ("test", right)):
        contents = Counter(p.exact for p in loaded.pictures if p.is_whole and not p.is_plain)
        n_equal = sum(n for n in contents.values() if n > 1)
        share = n_equal / max(len(loaded.files), 1)
        found.repeated[side] = max(share, found.repeated.get(side, 0.0))


def _is_plain(file: MediaFile) -> bool:
    """Say whether a picture is too simple; of what cannot be decoded, only bytes are known."""
    try:
        return picture_of(file.read()).is_plain
    except (PictureError, OSError):
        return False
