"""Hashes of texts are equal where the texts are, however Arrow keeps them."""

from __future__ import annotations

import pandas as pd  # noqa: TID253
import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from detectors.leakage.row_texts import arrow_array, arrow_hashes, text_hashes

TEXTS = st.lists(st.text(st.characters(codec="utf-8"), max_size=20) | st.none(), max_size=12)


@settings(max_examples=30)
@given(TEXTS, TEXTS, st.integers(0, 3), st.sampled_from([pa.string(), pa.large_string()]))
def test_hashes_are_equal_where_texts_are(left, right, cut, kind):
    sides = [pa.array(["x" * 9] * cut + texts, kind)[cut:] for texts in (left, right)]
    one, other = (arrow_hashes(side).tolist() for side in sides)

    for a, text in zip(one, left, strict=True):
        for b, against in zip(other, right, strict=True):
            assert (a == b) == ((text or "") == (against or ""))


def test_long_texts_are_told_apart():
    texts = ["a" * 5000, "a" * 5000, "a" * 4999 + "b", "a" * 4096, "a" * 4095 + "b"]
    hashes = arrow_hashes(pa.array(texts)).tolist()

    assert hashes[0] == hashes[1]
    assert len(set(hashes)) == 4


def test_columns_that_arrow_does_not_keep_are_hashed_too():
    mixed = pd.Series([1, "1", None, ""], dtype=object)

    assert arrow_array(mixed) is None
    assert len(set(text_hashes(mixed).tolist())) == 2
