"""Small real files for miniatures, made with the libraries that people read them with."""

from __future__ import annotations

import io
import json
import wave
from typing import TYPE_CHECKING

from competitions.errors import MissingLibraryError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import numpy as np

    from competitions.shapes import EachFile

_RATE = 2000  # samples per second


def make_file(target: Path, each: EachFile, rng: np.random.Generator) -> None:
    """Write one file of random content; the same generator state gives the same content.

    Raises
    ------
    MissingLibraryError
        When the kind needs a library that is not installed.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(_WRITERS[each.kind](each, rng))


def _picture(kind: str) -> Callable[[EachFile, np.random.Generator], bytes]:
    def write(each: EachFile, rng: np.random.Generator) -> bytes:
        from PIL import Image

        buffer = io.BytesIO()
        height, width, *channels = each.size
        pixels = rng.integers(0, 256, (height, width, *channels), dtype="uint8")
        Image.fromarray(pixels).save(buffer, kind)
        return buffer.getvalue()

    return write


def _wav(each: EachFile, rng: np.random.Generator) -> bytes:
    buffer = io.BytesIO()
    with wave.open(buffer, "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(_RATE)
        sound.writeframes(rng.integers(-1000, 1000, each.size[0], dtype="int16").tobytes())
    return buffer.getvalue()


def _aif(each: EachFile, rng: np.random.Generator) -> bytes:
    """AIFF: a FORM of a COMM chunk and an SSND chunk, all numbers big-endian."""
    samples = rng.integers(-1000, 1000, each.size[0], dtype="int16").astype(">i2").tobytes()
    n = each.size[0]
    rate = (16383 + 10).to_bytes(2, "big") + (_RATE << 53).to_bytes(8, "big")  # 80-bit float
    common = (1).to_bytes(2, "big") + n.to_bytes(4, "big") + (16).to_bytes(2, "big") + rate
    chunks = b"COMM" + len(common).to_bytes(4, "big") + common
    chunks += b"SSND" + (len(samples) + 8).to_bytes(4, "big") + bytes(8) + samples
    return b"FORM" + (len(chunks) + 4).to_bytes(4, "big") + b"AIFF" + chunks


def _npy(each: EachFile, rng: np.random.Generator) -> bytes:
    import numpy as np

    buffer = io.BytesIO()
    np.save(buffer, rng.normal(size=each.size).astype("float32"))
    return buffer.getvalue()


def _csv(each: EachFile, rng: np.random.Generator) -> bytes:
    rows, columns = (*each.size, 2)[:2]
    lines = [",".join(f"c{i}" for i in range(columns))]
    lines += [",".join(str(v) for v in row) for row in rng.integers(0, 100, (rows, columns))]
    return ("\n".join(lines) + "\n").encode()


def _parquet(each: EachFile, rng: np.random.Generator) -> bytes:
    import pandas as pd

    rows, columns = (*each.size, 2)[:2]
    names = [f"c{i}" for i in range(columns)]
    table = pd.DataFrame(rng.normal(size=(rows, columns)).astype("float32"), columns=names)
    buffer = io.BytesIO()
    try:
        table.to_parquet(buffer, index=False)
    except ImportError as error:
        raise MissingLibraryError("pyarrow", "parquet files cannot be made") from error
    return buffer.getvalue()


def _txt(each: EachFile, rng: np.random.Generator) -> bytes:
    return (" ".join(str(v) for v in rng.integers(0, 100, each.size[0])) + "\n").encode()


def _json(each: EachFile, rng: np.random.Generator) -> bytes:
    return json.dumps({"values": [int(v) for v in rng.integers(0, 100, each.size[0])]}).encode()


def _bytes(each: EachFile, rng: np.random.Generator) -> bytes:
    return rng.bytes(each.size[0])


def _dcm(each: EachFile, rng: np.random.Generator) -> bytes:
    try:
        import pydicom
    except ImportError as error:
        raise MissingLibraryError("pydicom", "DICOM files cannot be made") from error
    from pydicom.uid import UID, ExplicitVRLittleEndian

    meta = pydicom.dataset.FileMetaDataset()
    meta.MediaStorageSOPClassUID = UID("1.2.840.10008.5.1.4.1.1.7")
    meta.MediaStorageSOPInstanceUID = UID(f"1.2.3.{int(rng.integers(1, 1 << 31))}")
    meta.TransferSyntaxUID = ExplicitVRLittleEndian
    data = pydicom.dataset.FileDataset("", {}, file_meta=meta, preamble=bytes(128))
    data.SOPClassUID = meta.MediaStorageSOPClassUID
    data.SOPInstanceUID = meta.MediaStorageSOPInstanceUID
    data.Rows, data.Columns = each.size[:2]
    data.SamplesPerPixel, data.PhotometricInterpretation = 1, "MONOCHROME2"
    data.BitsAllocated, data.BitsStored, data.HighBit, data.PixelRepresentation = 16, 12, 11, 0
    data.PixelData = rng.integers(0, 4096, each.size[:2], dtype="uint16").tobytes()
    buffer = io.BytesIO()
    data.save_as(buffer, enforce_file_format=True)
    return buffer.getvalue()


_WRITERS: dict[str, Callable[[EachFile, np.random.Generator], bytes]] = {
    "png": _picture("PNG"),
    "jpg": _picture("JPEG"),
    "tif": _picture("TIFF"),
    "wav": _wav,
    "aif": _aif,
    "npy": _npy,
    "csv": _csv,
    "parquet": _parquet,
    "txt": _txt,
    "json": _json,
    "dcm": _dcm,
    "bytes": _bytes,
}
