"""TFRecord files: what is written is read back, features can be left out, broken files are told."""

from __future__ import annotations

import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from competitions.errors import RawDataError
from competitions.tfrecord import crc32c, example_of, feature, fields, framed, keeping, records

NAMES = st.text("abcxyz_", min_size=1, max_size=8)
VALUES = st.one_of(st.binary(max_size=300), st.integers(0, 2**40))


@pytest.mark.parametrize(
    ("content", "checksum"),
    [
        pytest.param(b"", 0, id="nothing"),
        pytest.param(b"123456789", 0xE3069283, id="the-usual-check"),
        pytest.param(bytes(32), 0x8A9136AA, id="zeros-of-rfc-3720"),
        pytest.param(b"\xff" * 32, 0x62A8AB43, id="ones-of-rfc-3720"),
    ],
)
def test_the_checksum_is_the_one_of_castagnoli(content, checksum):
    assert crc32c(content) == checksum


@given(st.dictionaries(NAMES, VALUES, max_size=5), NAMES)
def test_bytes_of_a_feature_are_read_back_and_numbers_are_none(features, name):
    value = features.get(name)
    assert feature(example_of(features), name) == (value if isinstance(value, bytes) else None)


@given(st.dictionaries(NAMES, VALUES, max_size=5), st.frozensets(NAMES, max_size=3))
def test_kept_features_are_as_they_were_and_others_are_gone(features, names):
    expected = example_of({n: v for n, v in features.items() if n in names})
    assert keeping(example_of(features), names) == expected


def test_a_known_example_is_read_byte_by_byte():
    # features { feature { key: "n" value { bytes_list { value: "ab" } } } }
    record = b"\x0a\x0d\x0a\x0b\x0a\x01n\x12\x06\x0a\x04\x0a\x02ab"
    assert feature(record, "n") == b"ab"
    assert example_of({"n": b"ab"}) == record


def test_fields_of_other_kinds_are_passed_over():
    floats = b"\x0d" + struct.pack("<f", 1.5) + b"\x11" + struct.pack("<d", 2.5)
    assert list(fields(b"\x08\x96\x01" + floats + b"\x12\x01x")) == [(2, b"x")]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(b"\x12\x05ab", "longer than its message", id="too-short"),
        pytest.param(b"\x0b", "wire type 3", id="unknown-wire-type"),
    ],
)
def test_a_broken_message_is_a_value_error(content, said):
    with pytest.raises(ValueError, match=said):
        list(fields(content))


def test_records_of_a_shard_are_read_back(tmp_path):
    (tmp_path / "a.tfrec").write_bytes(framed(b"one") + framed(b"") + framed(b"three"))
    assert list(records(tmp_path / "a.tfrec")) == [b"one", b"", b"three"]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        pytest.param(framed(b"record")[:-3], "ends within a record", id="truncated"),
        pytest.param(framed(b"record")[:9], "no whole TFRecord", id="truncated-header"),
        pytest.param(b"\x07" + framed(b"record")[1:], "no whole TFRecord", id="wrong-length"),
        pytest.param(b"image_id,label\n1.jpg,0\n", "no whole TFRecord", id="a-table"),
    ],
)
def test_a_broken_shard_is_an_error(tmp_path, content, said):
    (tmp_path / "a.tfrec").write_bytes(content)
    with pytest.raises(RawDataError, match=said):
        list(records(tmp_path / "a.tfrec"))
