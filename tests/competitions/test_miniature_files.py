"""Each kind of small file is a real one: its own library reads it."""

from __future__ import annotations

import io
import json
import wave
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd  # noqa: TID253
import pytest

from competitions.miniature_files import make_file
from competitions.shapes import EachFile

if TYPE_CHECKING:
    from pathlib import Path


def made(tmp_path: Path, kind: str, size=(8, 6), seed=0) -> bytes:
    target = tmp_path / "deep" / f"a.{kind}"
    make_file(target, EachFile(of="t.csv", kind=kind, size=size), np.random.default_rng(seed))
    return target.read_bytes()


@pytest.mark.parametrize("kind", ["png", "jpg", "tif"])
@pytest.mark.parametrize("size", [(8, 6), (8, 6, 3)])
def test_a_picture_has_its_size(tmp_path, kind, size):
    from PIL import Image

    with Image.open(io.BytesIO(made(tmp_path, kind, size))) as picture:
        assert np.asarray(picture).shape == size


def test_a_wav_is_read_by_the_standard_library(tmp_path):
    with wave.open(io.BytesIO(made(tmp_path, "wav", (50,)))) as sound:
        assert (sound.getnframes(), sound.getframerate(), sound.getsampwidth()) == (50, 2000, 2)


def test_an_aif_has_the_chunks_and_the_sampling_rate_of_its_format(tmp_path):
    content = made(tmp_path, "aif", (50,))
    assert content[:4] + content[8:16] == b"FORMAIFFCOMM"
    assert int.from_bytes(content[4:8], "big") == len(content) - 8
    exponent = int.from_bytes(content[28:30], "big") - 16383
    mantissa = int.from_bytes(content[30:38], "big")
    assert mantissa >> (63 - exponent) == 2000
    assert int.from_bytes(content[22:26], "big") == 50


def test_arrays_and_texts_are_read_back(tmp_path):
    assert np.load(io.BytesIO(made(tmp_path, "npy", (3, 4)))).shape == (3, 4)
    assert len(made(tmp_path, "csv", (5, 3)).decode().splitlines()) == 6
    assert len(json.loads(made(tmp_path, "json", (7,)))["values"]) == 7
    assert len(made(tmp_path, "bytes", (9,))) == 9
    assert len(made(tmp_path, "txt", (4,)).split()) == 4


def test_a_dicom_file_holds_its_pixels(tmp_path):
    pydicom = pytest.importorskip("pydicom")
    data = pydicom.dcmread(io.BytesIO(made(tmp_path, "dcm", (4, 5))))
    assert data.pixel_array.shape == (4, 5)


def test_a_parquet_file_is_a_table(tmp_path):
    table = pd.read_parquet(io.BytesIO(made(tmp_path, "parquet", (4, 3))))
    assert table.shape == (4, 3)
    assert list(table.columns) == ["c0", "c1", "c2"]


@pytest.mark.parametrize("kind", ["png", "wav", "npy", "csv", "parquet", "dcm"])
def test_the_same_state_gives_the_same_bytes_and_another_others(tmp_path, kind):
    assert made(tmp_path, kind) == made(tmp_path, kind)
    assert made(tmp_path, kind) != made(tmp_path, kind, seed=1)
