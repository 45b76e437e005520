"""Hold the test sounds against the train sounds: bytes, then samples, then what is alike."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from detectors.leakage.audio_samples import DECODED, SoundError, agreement, prints_of, sound_of
from detectors.leakage.closest import Bounds, bound_of, recurring
from detectors.leakage.image_pairs import RECURS, equal_bytes
from detectors.leakage.media_files import evenly
from detectors.leakage.text_shingles import Index, Prints

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from detectors.leakage.audio_samples import Sound
    from detectors.leakage.media_files import MediaFile

MAX_NULL = 200  # train sounds that are held against the others
N_NEAR = 3
BOUNDS = Bounds(0.8, 0.97, 0.97)  # of the correlation from which sounds are copies


class SoundMatch(NamedTuple):
    """A test sound that is also a train sound.

    Parameters
    ----------
    train, test : MediaFile
    how : {"bytes", "samples", "likeness"}
    likeness, bound : float
    is_expected : bool
        Silence, or too common in the train part, to say anything.
    """

    train: MediaFile
    test: MediaFile
    how: str
    likeness: float = 1.0
    bound: float = 1.0
    is_expected: bool = False


@dataclass
class SoundComparison:
    """What came of it; see `image_pairs.PictureComparison`."""

    matches: dict[str, SoundMatch] = field(default_factory=dict)
    looked: dict[str, int] = field(default_factory=dict)
    unreadable: dict[str, str] = field(default_factory=dict)
    repeated: dict[str, float] = field(default_factory=dict)


class _Loaded(NamedTuple):
    files: list[MediaFile]
    sounds: list[Sound]

    @property
    def prints(self) -> Prints:
        each = [np.unique(prints_of(s.samples)) for s in self.sounds]
        texts = np.repeat(np.arange(len(each), dtype=np.int32), [len(p) for p in each])
        return Prints(np.concatenate([*each, np.empty(0)]).astype(np.uint64), texts)


def compare_sounds(
    train: Sequence[MediaFile], test: Sequence[MediaFile], most: int
) -> SoundComparison:
    """Find the test sounds that are train sounds.

    Parameters
    ----------
    most : int
        Sounds that are decoded, a quarter of them of the test part; of more, an even sample. Bytes
        are compared of all.
    """
    found = SoundComparison()
    for match in equal_bytes(train, test):
        is_silent = _is_silent(match.test)
        found.matches[match.test.name] = SoundMatch(
            match.train, match.test, "bytes", is_expected=match.is_expected or is_silent
        )
    readable = [[f for f in side if _is_decoded(f)] for side in (train, test)]
    n_test = min(len(readable[1]), max(most // 4, most - len(readable[0])))
    left = _load(evenly(readable[0], most - n_test), found)
    right = _load(evenly(readable[1], n_test), found)
    found.looked = {"train": len(left.files), "test": len(right.files)}
    _equal_samples(left, right, found)
    if left.files and right.files:
        _alike(left, right, found)
    return found


def _is_decoded(file: MediaFile) -> bool:
    return file.name.lower().endswith(tuple(DECODED))


def _is_silent(file: MediaFile) -> bool:
    try:
        return _is_decoded(file) and sound_of(file.read()).is_silent
    except (SoundError, OSError):
        return False


def _load(files: Sequence[MediaFile], found: SoundComparison) -> _Loaded:
    loaded = _Loaded([], [])
    for file in files:
        try:
            sound = sound_of(file.read())
        except (SoundError, OSError) as error:
            found.unreadable[file.name] = str(error)
            continue
        loaded.files.append(file)
        loaded.sounds.append(sound)
    return loaded


def _equal_samples(left: _Loaded, right: _Loaded, found: SoundComparison) -> None:
    known: dict[bytes, list[int]] = defaultdict(list)
    for number, sound in enumerate(left.sounds):
        known[sound.exact].append(number)
    for file, sound in zip(right.files, right.sounds, strict=True):
        equals = known.get(sound.exact, [])
        if equals and file.name not in found.matches:
            is_expected = sound.is_silent or len(equals) >= RECURS
            train = left.files[equals[0]]
            found.matches[file.name] = SoundMatch(train, file, "samples", is_expected=is_expected)
    for side, loaded in (("train", left), ("test", right)):
        counts = Counter(s.exact for s in loaded.sounds if not s.is_silent)
        n_equal = sum(n for n in counts.values() if n > 1)
        found.repeated[side] = n_equal / max(len(loaded.files), 1)


def _alike(left: _Loaded, right: _Loaded, found: SoundComparison) -> None:
    index = Index(left.prints)
    own = np.array(evenly(range(len(left.files)), MAX_NULL))
    null = _best(index, left, _Loaded([], [left.sounds[i] for i in own]), own)[0]
    bound = bound_of(null, BOUNDS)
    found.repeated["train"] = max(found.repeated["train"], recurring(null, BOUNDS))
    values, nearest = _best(index, left, right)
    for number in np.flatnonzero(values >= bound):
        file, value = right.files[number], float(values[number])
        train = left.files[nearest[number]]
        found.matches.setdefault(file.name, SoundMatch(train, file, "likeness", value, bound))


def _best(
    index: Index, train: _Loaded, sounds: _Loaded, itself: NDArray[np.int64] | None = None
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return for each sound its greatest agreement with a train sound, and which one."""
    n = len(sounds.sounds)
    values, nearest = np.zeros(n), np.zeros(n, dtype=np.int64)
    pairs = index.nearest(sounds.prints, N_NEAR, itself)
    for one, other in zip(pairs.left, pairs.right, strict=True):
        left, right = train.sounds[one], sounds.sounds[other]
        if left.is_silent or right.is_silent:
            continue
        value = agreement(left.samples, right.samples)
        if value > values[other]:
            values[other], nearest[other] = value, one
    return values, nearest
