"""What can be read off the files of a row without looking at what they hold."""

from __future__ import annotations

import contextlib
import io
import tarfile
import warnings
import zipfile
from pathlib import PurePosixPath
from typing import IO, TYPE_CHECKING, Any, NamedTuple

import numpy as np

from detectors.leakage.image_pixels import SUFFIXES
from detectors.leakage.item_files import MAX_MEMBERS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from detectors.leakage.item_files import ItemFile, Items

HEAD = 256 << 10  # bytes of a packed picture that are read for its size and description
MAX_LEVELS = 50  # of a view of names; one with more names rows
_TAGS = {
    271: "maker",
    272: "camera",
    274: "orientation",
    305: "software",
    306: "date",
    315: "artist",
    33432: "copyright",
    36867: "date of the shot",
}
_DATES = frozenset({"date", "date of the shot"})
_CONTENT = ("size", "width", "height", "shape", "number", "bytes for a pixel")


class View(NamedTuple):
    """One figure or class for each row that has files.

    Parameters
    ----------
    name : str
        As a report says it.
    figures : ndarray, shape (n_rows,)
        Floats, or numbered levels as integers.
    is_content : bool
        Whether it follows what the files show, as their size does.
    levels : tuple of str
        What the numbers of levels stand for.
    """

    name: str
    figures: NDArray[Any]
    is_content: bool = False
    levels: tuple[str, ...] = ()


def views_of(items: Items, *, with_headers: bool = True) -> list[View]:
    """Return what the files of rows show from outside; constants are left out.

    Size, number, time and place in an archive; the names without what names the row; of pictures
    width, height, mode, the tables of a JPEG, and EXIF.

    Parameters
    ----------
    with_headers : bool
        Whether pictures are opened for their headers.
    """
    numbers: dict[str, list[float]] = {
        "size": [float(sum(f.size for f in files)) for files in items.files],
        "number": [float(len(files)) for files in items.files],
        "time of last change": [_least(f.written for f in files) for files in items.files],
        "place in the archive": [_least(f.place for f in files) for files in items.files],
    }
    named = zip(items.names, items.files, strict=True)
    texts = {"name beside the id": [_rest(name, files[0]) for name, files in named]}
    if with_headers:
        headers = _headers([files[0] for files in items.files])
        for key in dict.fromkeys(k for h in headers for k in h):
            cells = [h.get(key) for h in headers]
            if all(isinstance(c, float) or c is None for c in cells):
                numbers[key] = [np.nan if c is None else float(c) for c in cells]
            else:
                texts[key] = ["" if c is None else str(c) for c in cells]
        _add_density(numbers)
    found = [_of_numbers(name, np.array(v)) for name, v in numbers.items()]
    found += [_of_texts(name, v) for name, v in texts.items()]
    return [view for view in found if view is not None]


def _least(values: Iterator[float | None]) -> float:
    return min((float(v) for v in values if v is not None), default=np.nan)


def _rest(name: str, file: ItemFile) -> str:
    """Return a file's path with what names its row, and every number, taken out."""
    path = file.name.split("/", 1)[-1].lower().replace(name, "*")
    return "".join("#" if c.isdigit() else c for c in path)


def _add_density(numbers: dict[str, list[float]]) -> None:
    if {"width", "height"} <= set(numbers):
        sides = np.array(numbers["width"]) * np.array(numbers["height"])
        size = np.array(numbers["size"])
        numbers["bytes for a pixel"] = list(size / np.maximum(sides, 1))
        numbers["shape"] = list(
            np.array(numbers["width"]) / np.maximum(np.array(numbers["height"]), 1)
        )


def _of_numbers(name: str, values: NDArray[np.float64]) -> View | None:
    is_known = np.isfinite(values)
    if not is_known.any() or len(np.unique(values[is_known])) + (not is_known.all()) < 2:  # noqa: PLR2004
        return None
    filled = np.where(is_known, values, np.nanmin(values) - 1)
    return View(name, filled, name.startswith(_CONTENT))


def _of_texts(name: str, texts: Sequence[str]) -> View | None:
    levels, codes = np.unique(texts, return_inverse=True)
    if len(levels) < 2:  # noqa: PLR2004
        return None
    if name.removeprefix("EXIF: ") in _DATES:
        return View(name, codes.astype(float))
    if len(levels) > min(MAX_LEVELS, len(texts) // 2):
        return None
    return View(name, codes, levels=tuple(map(str, levels)))


def _headers(files: Sequence[ItemFile]) -> list[dict[str, float | str]]:
    """Read the headers of pictures, an archive opened once; an empty one for all other files."""
    found: list[dict[str, float | str]] = [{} for _ in files]
    wanted = [n for n, f in enumerate(files) if PurePosixPath(f.name.lower()).suffix in SUFFIXES]
    by_path: dict[Path, list[int]] = {}
    for n in wanted:
        by_path.setdefault(files[n].path, []).append(n)
    for path, places in by_path.items():
        members = {files[n].member or "": n for n in places}
        for member, head in _heads(path, members):
            found[members[member]] = _header(head)
    return found


def _heads(path: Path, members: Mapping[str, int]) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield the beginnings of the members of an archive, or the file itself."""
    with contextlib.suppress(
        OSError, ValueError, RuntimeError, EOFError, zipfile.BadZipFile, tarfile.TarError
    ):
        if "" in members:
            with path.open("rb") as stream:
                yield "", stream
        elif path.suffix.lower() == ".zip":
            with zipfile.ZipFile(path) as archive:
                for member in members:
                    with contextlib.suppress(OSError, RuntimeError, EOFError, zipfile.BadZipFile):
                        yield member, io.BytesIO(archive.open(member).read(HEAD))
        else:
            with tarfile.open(path, "r:*") as tar:
                for n, entry in enumerate(tar):
                    if n >= MAX_MEMBERS:
                        return
                    inner = tar.extractfile(entry) if entry.name in members else None
                    if inner is not None:
                        yield entry.name, io.BytesIO(inner.read(HEAD))


def _header(stream: IO[bytes]) -> dict[str, float | str]:
    """Read a picture's size, mode, JPEG tables and EXIF; nothing where it is damaged."""
    from PIL import Image

    found: dict[str, float | str] = {}
    # Pillow's readers raise errors of a dozen kinds on damaged files, struct.error among them.
    with warnings.catch_warnings(), contextlib.suppress(Exception):
        warnings.simplefilter("ignore")
        with Image.open(stream) as image:
            found = {"width": float(image.size[0]), "height": float(image.size[1])}
            found |= {"mode of the picture": image.mode, "format": str(image.format)}
            tables: dict[int, list[int]] = getattr(image, "quantization", None) or {}
            if tables:
                found["JPEG tables"] = float(sum(sum(t) for t in tables.values()))
            exif = image.getexif()
            every = dict(exif) | dict(exif.get_ifd(0x8769))
            for tag, name in _TAGS.items():
                if tag in every:
                    found[f"EXIF: {name}"] = str(every[tag])[:100]
    return found
