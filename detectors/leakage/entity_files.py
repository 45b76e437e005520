"""Things that files name: in DICOM headers, in descriptions of pictures, in their own names."""

from __future__ import annotations

from io import BytesIO
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

from competitions.errors import EvidenceUnavailableError
from competitions.io import sha256_bytes
from detectors.leakage.entity_columns_parts import prefixes
from detectors.leakage.media_files import evenly, sides_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from detectors.leakage.media_files import MediaFile
    from detectors.leakage.split import Split

DICOM = frozenset({".dcm", ".dicom"})
PICTURES = frozenset({".jpg", ".jpeg", ".png", ".tif", ".tiff", ".webp"})
SOUNDS = frozenset({".wav", ".flac", ".mp3", ".ogg"})
MAX_FILES = 2_000  # of a side that are opened; of more an even sample
MIN_THINGS = 20
MIN_NAMED = 5  # different patients: fewer may be what an anonymiser wrote
MIN_SIZE = 1.15  # files of a thing, on average
MAX_SHOWN = 5
_DESCRIPTION, _ARTIST = 270, 315  # tags of TIFF and EXIF


class SharedFiles(NamedTuple):
    """Test files of things that train files are of as well.

    Parameters
    ----------
    what : str
        What the things are, in a few words.
    n_shared, n_test : int
        Test files of shared things, and test files that name a thing.
    n_things : int
        Things on both sides.
    is_named : bool
        Whether the files say that it is what they are of, as DICOM does of patients.
    files : tuple of (path, sha256, what it shows)
    """

    what: str
    n_shared: int
    n_test: int
    n_things: int
    is_named: bool
    files: tuple[tuple[str, str, str], ...]


def shared_by_files(split: Split) -> Iterator[SharedFiles]:
    """Yield things that files on both sides of a split name.

    Raises
    ------
    EvidenceUnavailableError
        When there are DICOM files and nothing that reads them is installed.
    """
    if split.public_root is None:
        return
    yield from _compared(split, DICOM, _patient, "patients (by their DICOM PatientID)", named=True)
    yield from _compared(split, PICTURES, _described, "things that pictures' descriptions name")
    for suffixes in (DICOM, PICTURES, SOUNDS):
        yield from _by_name(split, suffixes)


def _compared(
    split: Split,
    suffixes: frozenset[str],
    read: Callable[[bytes], str],
    what: str,
    *,
    named: bool = False,
) -> Iterator[SharedFiles]:
    """Open files of both sides and compare what they name."""
    sides = sides_of(split, suffixes)
    if not sides.train or not sides.test:
        return
    found = [{f: _asked(f, read) for f in evenly(s, MAX_FILES)} for s in (sides.train, sides.test)]
    train, test = ({f: name for f, name in side.items() if name} for side in found)
    names = [*train.values(), *test.values()]
    if _are_things(names) or (named and len(set(names)) >= MIN_NAMED):
        yield from _shared(train, test, what, named=named)


def _by_name(split: Split, suffixes: frozenset[str]) -> Iterator[SharedFiles]:
    """Compare what names of files begin with, where that recurs."""
    import pandas as pd

    sides = sides_of(split, suffixes)
    files = [*sides.train, *sides.test]
    if not sides.train or not sides.test:
        return
    names = pd.DataFrame({"file": [PurePosixPath(f.name).name for f in files]})
    for prefix in prefixes(names, ["file"]):
        begins = names["file"].str.partition(prefix.sign)[0].tolist()
        if prefix.n_things >= MIN_THINGS:
            n = len(sides.train)
            train = dict(zip(sides.train, begins[:n], strict=True))
            test = dict(zip(sides.test, begins[n:], strict=True))
            what = f"things by what their names have before {prefix.sign!r}"
            yield from _shared(train, test, what, named=False)


def _shared(
    train: dict[MediaFile, str], test: dict[MediaFile, str], what: str, *, named: bool
) -> Iterator[SharedFiles]:
    first = {name: file for file, name in reversed(train.items())}
    shared = [(file, name) for file, name in test.items() if name in first]
    if not shared:
        return
    shown = []
    for n, (file, name) in enumerate(shared[:MAX_SHOWN], 1):
        for side, one in (("train", first[name]), ("test", file)):
            says = f"Pair {n}: the {side} file that names the same thing."
            shown.append((one.name, _digest(one), says))
    things = len({name for _, name in shared})
    yield SharedFiles(what, len(shared), len(test), things, named, tuple(shown))


def _digest(file: MediaFile) -> str:
    try:
        return sha256_bytes(file.read())
    except OSError:
        return ""


def _are_things(names: Sequence[str]) -> bool:
    """Say whether descriptions name things: many, and each of several files."""
    different = len(set(names))
    return different >= MIN_THINGS and len(names) >= MIN_SIZE * different


def _asked(file: MediaFile, read: Callable[[bytes], str]) -> str:
    try:
        return read(file.read())
    except (OSError, ValueError, AttributeError, KeyError, SyntaxError):  # a broken file names none
        return ""


def _patient(content: bytes) -> str:
    try:
        from pydicom import dcmread
        from pydicom.errors import InvalidDicomError
    except ImportError as error:
        raise EvidenceUnavailableError(
            "data",
            "There are DICOM files, and pydicom, which reads them, is not installed.",
            "Install it with: pip install 'mle-audit[formats]'",
        ) from error
    try:
        header = dcmread(BytesIO(content), stop_before_pixels=True, specific_tags=["PatientID"])
    except (InvalidDicomError, EOFError, NotImplementedError):
        return ""
    return str(header.get("PatientID", "")).strip()


def _described(content: bytes) -> str:
    from PIL import Image, UnidentifiedImageError

    try:
        with Image.open(BytesIO(content)) as picture:
            tags = picture.getexif()
    except (Image.DecompressionBombError, UnidentifiedImageError):
        return ""
    return str(tags.get(_DESCRIPTION) or tags.get(_ARTIST) or "").strip()
